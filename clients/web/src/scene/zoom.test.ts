import { create } from '@bufbuild/protobuf';
import { expect, test } from 'vitest';
import { ScenePieceSchema } from '../engine/contract';
import type { Spot } from './shapes';
import { arranged, placed, spacingOf, zoomAt } from './zoom';

const spacing = { areas: 107, symbols: 107 };
const ship = (owner: number) => create(ScenePieceSchema, { kind: 'ship', owner, label: 'A1' });

test('symbols keep their size while the ground shrinks, within limits', () => {
  expect(zoomAt(1, spacing).token).toBe(1);
  expect(zoomAt(0.6, spacing).token).toBe(1);
  expect(zoomAt(0.1, spacing).token).toBe(0.6);
  expect(zoomAt(5, spacing).token).toBe(1.6);
  expect(zoomAt(0.1, spacing).text).toBe(1);
});

test('distances from the center of an area suit the size of symbols', () => {
  const zoom = zoomAt(0.6, spacing);
  const [x, y] = placed([100, 127], [100, 100], zoom, spacing);
  expect(x).toBe(100);
  expect((y - 100) * zoom.scale).toBeCloseTo(27 * zoom.offset);
  // Points outside the area stay on the ground.
  expect(placed([100, 300], [100, 100], zoom, spacing)).toEqual([100, 300]);
});

test('tokens that overlap form a stack for each owner, and a fan when open', () => {
  const pieces = [ship(1), ship(1), ship(2), ship(1)];
  const at: Spot[] = [
    [0, 0],
    [8, 0],
    [16, 0],
    [200, 0],
  ];
  const zoom = zoomAt(1, spacing);
  const stacked = arranged(pieces, at, zoom, false, 24);
  expect(stacked.map(({ badge }) => badge)).toEqual([0, 2, 0, 0]);
  expect(stacked[3]).toMatchObject({ x: 200, y: 0 });
  const open = arranged(pieces, at, zoom, true, 44);
  expect(open.every(({ badge, isHidden }) => badge === 0 && !isHidden)).toBe(true);
  for (const [index, one] of open.entries()) {
    for (const other of open.slice(index + 1)) {
      expect(Math.max(Math.abs(one.x - other.x), Math.abs(one.y - other.y))).toBeGreaterThan(43);
    }
  }
});

test('large stacks show three tokens', () => {
  const pieces = Array.from({ length: 7 }, () => ship(1));
  const spots = arranged(
    pieces,
    pieces.map((): Spot => [0, 0]),
    zoomAt(1, spacing),
    false,
    24,
  );
  expect(spots.filter(({ isHidden }) => !isHidden)).toHaveLength(3);
  expect(spots.at(-1)?.badge).toBe(7);
});

test('the spacing of points is their usual distance', () => {
  expect(spacingOf([[0, 0]])).toBeUndefined();
  expect(
    spacingOf([
      [0, 0],
      [10, 0],
      [20, 0],
      [90, 0],
    ]),
  ).toBe(10);
});
