// Sorting of a panel's rows by a column.

import type { ScenePanel, SceneRow } from '../engine/contract';

export interface Order {
  column: number;
  isDescending: boolean;
}

/** Returns the next order after a click on a heading. The third click restores the given order. */
export function nextOrder(
  order: Order | undefined,
  column: number,
  isNumeric: boolean,
): Order | undefined {
  // The largest numbers come first, because they matter most.
  if (order?.column !== column) return { column, isDescending: isNumeric };
  return order.isDescending === isNumeric ? { column, isDescending: !isNumeric } : undefined;
}

export function sortedRows(panel: ScenePanel, order: Order | undefined): readonly SceneRow[] {
  if (!order) return panel.rows;
  const { column, isDescending } = order;
  const isNumeric = panel.columns[column]?.numeric ?? false;
  const cell = (row: SceneRow) => row.cells[column] ?? '';
  const compare = (a: SceneRow, b: SceneRow): number =>
    isNumeric
      ? numberOf(cell(a)) - numberOf(cell(b))
      : cell(a).localeCompare(cell(b), undefined, { numeric: true });
  return panel.rows.toSorted((a, b) => (isDescending ? compare(b, a) : compare(a, b)));
}

/** Returns the first number of a cell. Cells without a number come before all others. */
function numberOf(cell: string): number {
  const found = /[-−]?\d[\d\s,]*(?:\.\d+)?/.exec(cell)?.[0];
  return found ? Number(found.replace('−', '-').replace(/[\s,]/g, '')) : Number.NEGATIVE_INFINITY;
}
