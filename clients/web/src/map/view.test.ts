import { expect, test } from 'vitest';
import { centred, clearOf, held, whole, zoomed } from './view';

const picture = { width: 1000, height: 500 };
const frame = { width: 400, height: 400 };

test('the whole image is centred, with space around it', () => {
  expect(whole(picture, frame)).toEqual({ scale: 0.392, x: 4, y: 102 });
  const large = { width: 2000, height: 1000 };
  expect(whole(picture, large).y).toBe(10);
});

test('zooming keeps the point under the pointer in place', () => {
  const view = whole(picture, frame);
  const at = { x: 120, y: 200 };
  const next = zoomed(view, 2, at, 0.4);
  const before = (at.x - view.x) / view.scale;
  expect((at.x - next.x) / next.scale).toBeCloseTo(before);
  expect(zoomed(view, 0.01, at, 0.4).scale).toBe(0.4);
});

test('the image cannot be moved out of the frame', () => {
  const far = held({ scale: 2, x: -99_999, y: 99_999 }, picture, frame);
  expect(far.x).toBe(400 - 2000 - 160);
  expect(far.y).toBe(160);
  expect(held({ scale: 0.4, x: 70, y: 3 }, picture, frame)).toEqual({ scale: 0.4, x: 0, y: 100 });
});

test('a part of the image is centred', () => {
  expect(centred({ scale: 2, x: 0, y: 0 }, { x: 100, y: 50 }, frame)).toEqual({
    scale: 2,
    x: 0,
    y: 100,
  });
});

test('a menu beside a point covers no other point', () => {
  const size = { width: 100, height: 60 };
  const at = { x: 200, y: 200 };
  expect(clearOf([at], at, size, frame, 10)).toEqual({ x: 216, y: 216 });
  expect(clearOf([at, { x: 250, y: 250 }], at, size, frame, 10)).toEqual({ x: 84, y: 216 });
  // Near the edge, the menu stays in the frame.
  const corner = { x: 395, y: 395 };
  expect(clearOf([corner], corner, size, frame, 10)).toEqual({ x: 279, y: 336 });
});
