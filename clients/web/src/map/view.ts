// Arithmetic of pan and zoom.

/** The position of an image in its frame: an offset and a scale. */
export interface View {
  x: number;
  y: number;
  scale: number;
}

export interface Size {
  width: number;
  height: number;
}

export interface Point {
  x: number;
  y: number;
}

/** The distances at which a menu is tried around a point, in pixels. */
const DISTANCES = [16, 48, 96, 160];
const SCALE_MAX = 24;
/** The greatest space around a board that is shown as a whole, in pixels. */
const EDGE = 10;
/** The distance of shown points from the edge of the frame. */
const MARGIN = 40;

export function whole(picture: Size, frame: Size): View {
  const edge = Math.min(EDGE, frame.width / 100);
  const [width, height] = [frame.width - 2 * edge, frame.height - 2 * edge];
  const scale = Math.max(Math.min(width / picture.width, height / picture.height), 0) || 1;
  return {
    scale,
    x: (frame.width - picture.width * scale) / 2,
    y: (frame.height - picture.height * scale) / 2,
  };
}

export function zoomed(view: View, by: number, at: { x: number; y: number }, least: number): View {
  const scale = Math.min(Math.max(view.scale * by, least), least * SCALE_MAX);
  const factor = scale / view.scale;
  return { scale, x: at.x - (at.x - view.x) * factor, y: at.y - (at.y - view.y) * factor };
}

/** Limits the view so that the middle of the image stays within the frame. */
export function held(view: View, picture: Size, frame: Size): View {
  const axis = (at: number, length: number, room: number) => {
    if (length <= room) return (room - length) / 2;
    const slack = room * 0.4;
    return Math.min(Math.max(at, room - length - slack), slack);
  };
  return {
    scale: view.scale,
    x: axis(view.x, picture.width * view.scale, frame.width),
    y: axis(view.y, picture.height * view.scale, frame.height),
  };
}

export function centred(view: View, part: { x: number; y: number }, frame: Size): View {
  return {
    scale: view.scale,
    x: frame.width / 2 - part.x * view.scale,
    y: frame.height / 2 - part.y * view.scale,
  };
}

/** Shows all points with a margin, at the current scale if they fit. */
export function around(
  points: readonly (readonly [number, number])[],
  view: View,
  picture: Size,
  frame: Size,
): View {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const [width, height] = [Math.max(...xs) - left, Math.max(...ys) - top];
  const fitting = Math.min(
    (frame.width - 2 * MARGIN) / Math.max(width, 1),
    (frame.height - 2 * MARGIN) / Math.max(height, 1),
  );
  const scale = Math.max(Math.min(view.scale, fitting), whole(picture, frame).scale);
  return centred({ ...view, scale }, { x: left + width / 2, y: top + height / 2 }, frame);
}

/**
 * Returns where a menu near `at` covers the fewest points, nearest first. `free` is how far it stays
 * from a point.
 */
export function clearOf(
  points: readonly Point[],
  at: Point,
  { width, height }: Size,
  frame: Size,
  free: number,
): Point {
  const spots = DISTANCES.flatMap((distance) => {
    const [left, right] = [at.x - distance - width, at.x + distance];
    const [above, below] = [at.y - distance - height, at.y + distance];
    const [center, middle] = [at.x - width / 2, at.y - height / 2];
    return [
      { x: right, y: below },
      { x: left, y: below },
      { x: right, y: above },
      { x: left, y: above },
      { x: right, y: middle },
      { x: left, y: middle },
      { x: center, y: below },
      { x: center, y: above },
    ];
  }).map(({ x, y }) => ({
    x: Math.max(Math.min(x, frame.width - width - 4), 4),
    y: Math.max(Math.min(y, frame.height - height - 4), 4),
  }));
  const covered = ({ x, y }: Point) =>
    points.filter(
      (point) =>
        point.x > x - free &&
        point.x < x + width + free &&
        point.y > y - free &&
        point.y < y + height + free,
    ).length;
  const counts = spots.map(covered);
  return spots[counts.indexOf(Math.min(...counts))] ?? at;
}
