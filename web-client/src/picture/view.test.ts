import { expect, test } from 'vitest';
import { centred, held, whole, zoomed } from './view';

const picture = { width: 1000, height: 500 };
const frame = { width: 400, height: 400 };

test('the whole picture lies in the middle', () => {
  expect(whole(picture, frame)).toEqual({ scale: 0.4, x: 0, y: 100 });
});

test('what lies under the pointer stays there', () => {
  const view = whole(picture, frame);
  const at = { x: 120, y: 200 };
  const next = zoomed(view, 2, at, 0.4);
  const before = (at.x - view.x) / view.scale;
  expect((at.x - next.x) / next.scale).toBeCloseTo(before);
  expect(zoomed(view, 0.01, at, 0.4).scale).toBe(0.4);
});

test('the picture never leaves the frame', () => {
  const far = held({ scale: 2, x: -99_999, y: 99_999 }, picture, frame);
  expect(far.x).toBe(400 - 2000 - 160);
  expect(far.y).toBe(160);
  expect(held({ scale: 0.4, x: 70, y: 3 }, picture, frame)).toEqual({ scale: 0.4, x: 0, y: 100 });
});

test('a part is brought into the middle', () => {
  expect(centred({ scale: 2, x: 0, y: 0 }, { x: 100, y: 50 }, frame)).toEqual({
    scale: 2,
    x: 0,
    y: 100,
  });
});
