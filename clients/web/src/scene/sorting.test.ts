import { create } from '@bufbuild/protobuf';
import { expect, test } from 'vitest';
import { ScenePanelSchema } from '../engine/contract';
import { nextOrder, sortedRows } from './sorting';

const panel = create(ScenePanelSchema, {
  columns: [{ title: 'world' }, { title: 'income', numeric: true }],
  rows: [{ cells: ['Vega', '1,200 C'] }, { cells: ['altair', '90'] }, { cells: ['Deneb'] }],
});
const names = (order: Parameters<typeof sortedRows>[1]) =>
  sortedRows(panel, order).map(({ cells }) => cells[0]);

test('rows are sorted by text or number', () => {
  expect(names(undefined)).toEqual(['Vega', 'altair', 'Deneb']);
  expect(names({ column: 0, isDescending: false })).toEqual(['altair', 'Deneb', 'Vega']);
  expect(names({ column: 1, isDescending: true })).toEqual(['Vega', 'altair', 'Deneb']);
  expect(names({ column: 1, isDescending: false })).toEqual(['Deneb', 'altair', 'Vega']);
});

test('the third click on a heading restores the order', () => {
  const first = nextOrder(undefined, 1, true);
  expect(first).toEqual({ column: 1, isDescending: true });
  const second = nextOrder(first, 1, true);
  expect(second).toEqual({ column: 1, isDescending: false });
  expect(nextOrder(second, 1, true)).toBeUndefined();
  expect(nextOrder(second, 0, false)).toEqual({ column: 0, isDescending: false });
});
