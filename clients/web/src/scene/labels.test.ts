import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { expect, test } from 'vitest';
import { SceneLabelSchema } from '../engine/contract';
import { boxAround, boxOf, placedLabels, Room, type Wanted } from './labels';

const wanted = (
  text: string,
  x: number,
  priority: number,
  more: MessageInitShape<typeof SceneLabelSchema> = {},
): Wanted => ({
  label: create(SceneLabelSchema, { text, priority, kind: 'name', free: true, ...more }),
  x,
  y: 0,
  offset: 5,
  size: 11,
});

test('labels neither overlap nor cover symbols', () => {
  const room = new Room();
  const symbol = boxAround(0, 12, 20, 6);
  room.take(symbol);
  const labels = Array.from({ length: 30 }, (_, index) => wanted('Kochab', index * 9, index % 4));
  const boxes = placedLabels(labels, room).flatMap((at) =>
    at ? [boxOf(at.text, at.x, at.y, 11)] : [],
  );
  expect(boxes.length).toBeGreaterThan(8);
  for (const [index, one] of [...boxes, symbol].entries()) {
    for (const other of [...boxes, symbol].slice(index + 1)) {
      const isApart =
        one.right <= other.left ||
        other.right <= one.left ||
        one.bottom <= other.top ||
        other.bottom <= one.top;
      expect(isApart).toBe(true);
    }
  }
});

test('important labels are placed first, and labels without room are dropped', () => {
  const fixed = { free: false };
  const labels = [wanted('Minor', 0, 1, fixed), wanted('A major one', 0, 5, fixed)];
  const [minor, major] = placedLabels(labels, new Room());
  expect(major).toMatchObject({ x: 0, y: 5 });
  expect(minor).toBeUndefined();
});

test('long forms take only the room that is left', () => {
  const long = { fullText: 'Vienna and its surroundings' };
  const [alone] = placedLabels([wanted('Vie', 0, 1, long)], new Room());
  expect(alone?.text).toBe(long.fullText);
  const near = [wanted('Vie', 0, 1, long), wanted('Boh', 30, 1), wanted('Tyr', -30, 1)];
  expect(placedLabels(near, new Room())[0]?.text).toBe('Vie');
  expect(placedLabels([wanted('Vie', 0, 1, long)], new Room(), 50)[0]?.text).toBe('Vie');
});

test('a detail is next to the name of its place', () => {
  const labels = [
    wanted('Ceti', 0, 2, { place: 'Ceti' }),
    wanted('12 S', 0, 1, { place: 'Ceti', kind: 'detail' }),
  ];
  const [name, detail] = placedLabels(labels, new Room());
  expect(detail?.x).toBe(name?.x);
  expect(Math.abs((detail?.y ?? 0) - (name?.y ?? 0))).toBeLessThan(14);
});
