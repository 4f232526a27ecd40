// The lines of a scene: orders, movements, ways and borders.

import { SceneOutcome, type ScenePath } from '../engine/contract';
import { ink, type SeatInks } from './colors';
import {
  between,
  circle,
  cross,
  curve,
  line,
  path,
  type Spot,
  shortened,
  spotsOf,
  stroke,
  tip,
} from './shapes';

/** Returns the layer of a path. */
export function layerOf({ kind }: ScenePath): 'ways' | 'regions' | 'orders' {
  if (kind === 'way') return 'ways';
  return kind === 'border' ? 'regions' : 'orders';
}

/**
 * Returns the shapes of a path. `size` is the factor that keeps widths and arrows at their size on
 * the screen.
 */
export function pathShapes(
  { kind, points, owner, outcome, states }: ScenePath,
  inks: SeatInks,
  size: number,
): SVGElement[] {
  const spots = spotsOf(points);
  const first = spots[0];
  const last = spots.at(-1);
  if (!first || !last) return [];
  const color = inks.line(owner);
  const hasFailed = outcome === SceneOutcome.FAILURE;
  const is = (state: string) => states.includes(state);
  const dashes = (text: string) =>
    text === ''
      ? undefined
      : text
          .split(' ')
          .map((part) => Number(part) * size)
          .join(' ');
  const pen = (ink: string, width: number, dashed = '') => line(ink, width * size, dashes(dashed));
  const portal = is('portal') ? '2 3' : '';
  const shapes: SVGElement[] = [];
  const add = (...more: SVGElement[]) => shapes.push(...more);
  const fail = (start: Spot, end: Spot, part: number, arm: number) => {
    if (hasFailed) add(...cross(between(start, end, part), arm * size, ink('bad'), 2.6 * size));
  };
  const ring = (radius: number, ink: string, width: number, dashed = '') =>
    add(circle(first, radius * size, pen(ink, width, dashed)));
  switch (kind) {
    case 'move': {
      const before = spots.at(-2) ?? first;
      spots.slice(0, -2).forEach((spot, index) => {
        add(stroke(spot, spots[index + 1] ?? spot, pen(color, 2.6, portal)));
      });
      const [start, end] = shortened(before, last, 10 * size, (hasFailed ? 24 : 14) * size);
      add(stroke(start, end, pen(ink('halo'), 5)), stroke(start, end, pen(color, 2.6, portal)));
      add(tip(start, end, color, size));
      fail(start, end, 0.8, 6);
      break;
    }
    case 'flight': {
      const [start, end] = shortened(first, last, 15 * size, 15 * size);
      const [bow, middle] = curve(start, end, 4 * size, pen(color, 2.2, portal));
      add(bow, tip(middle, end, color, size));
      break;
    }
    case 'support':
    case 'convoy': {
      const [start, end] = shortened(first, last, 10 * size, 2 * size);
      add(stroke(start, end, pen(ink('halo'), 4.2)));
      add(stroke(start, end, pen(color, 2.2, '5 3.5')));
      add(
        circle(end, 3.4 * size, { fill: color, stroke: ink('halo'), 'stroke-width': 0.8 * size }),
      );
      fail(start, end, 0.45, 5.5);
      break;
    }
    case 'course':
      add(stroke(first, last, { ...pen(color, 1.6, '5 4'), 'stroke-opacity': 0.8 }));
      break;
    case 'way': {
      const [start, end] = shortened(first, last, 11 * size, 11 * size);
      const bend = Math.min(Math.hypot(last[0] - first[0], last[1] - first[1]) * 0.07, 23);
      const style = { ...pen(ink('portal'), 1.6, '7 4'), 'stroke-opacity': 0.8 };
      const [bow, middle] = curve(start, end, bend, style);
      add(bow);
      if (is('one-way')) add(tip(middle, end, ink('portal'), size));
      break;
    }
    case 'border': {
      let d = '';
      for (let at = 0; at + 1 < spots.length; at += 2) {
        const [from, to] = [spots[at] ?? first, spots[at + 1] ?? last];
        d += `M${from[0]} ${from[1]}L${to[0]} ${to[1]}`;
      }
      add(path(d, { ...pen(ink('warning'), 2, '7 4'), 'stroke-opacity': 0.75 }));
      break;
    }
    case 'hold':
      ring(13, color, 2);
      break;
    case 'settle':
      ring(14.5, color, 2, '3 3');
      break;
    case 'build':
      ring(13.5, ink('good'), 2.6);
      break;
    case 'remove':
      add(...cross(first, 12 * size, ink('bad'), 2.6 * size));
      break;
    default:
      break;
  }
  if (is('dislodged')) ring(15, ink('bad'), 2.4);
  return shapes;
}
