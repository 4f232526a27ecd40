// The surface of the board: hexes and provinces.

import { type Scene, type SceneArea, SceneSight } from '../engine/contract';
import { ink, type SeatInks } from './colors';
import { type Attributes, closed, hexagon, line, path, spotsOf } from './shapes';

/** Returns the fill and edge of an area. `isShaded` is for boards of few, large hexes. */
export function fieldOf(area: SceneArea, isShaded = false): Attributes {
  const flat = (name: string, width = 1): Attributes => ({
    fill: ink(name),
    stroke: ink(`${name}-edge`),
    'stroke-width': width,
  });
  const shaded = (name: string, edge: string, width: number): Attributes => ({
    fill: `url(#${name})`,
    stroke: ink(edge),
    'stroke-width': width,
  });
  const hex = (name: string): Attributes => ({
    ...flat(name),
    ...(isShaded ? { fill: `url(#hex-${name})` } : {}),
    'fill-opacity': ink('field'),
  });
  switch (area.terrain) {
    case 'sea':
    case 'land':
      return flat(area.terrain);
    case 'barred':
      return shaded('stripes-barred', 'barred-edge', 0.8);
    case 'waste':
      return shaded('stripes-waste', 'known-edge', 1.5);
    case 'cloud':
      return shaded('cloud', area.states.includes('in-reach') ? 'seen-edge' : 'cloud-edge', 0.9);
    default:
      break;
  }
  switch (area.sight) {
    case SceneSight.HIDDEN:
      return shaded('stripes-hidden', 'known-edge', 1);
    case SceneSight.VISIBLE:
      return hex('seen');
    case SceneSight.STALE:
      return hex('stale');
    default:
      return area.states.includes('in-reach') ? hex('seen') : hex('known');
  }
}

/** Returns the outlines of an area. `inset` is for hexes. */
export function outlinesOf(area: SceneArea, hexRadius: number, inset = 0.9): string {
  if (area.outlines.length === 0) {
    return closed(hexagon([area.x, area.y], hexRadius - inset));
  }
  return area.outlines.map(({ points }) => closed(spotsOf(points))).join('');
}

/** Returns the shapes that show who owns an area. */
export function ownershipShapes(area: SceneArea, scene: Scene, inks: SeatInks): SVGElement[] {
  const is = (state: string) => area.states.includes(state);
  const isHex = area.outlines.length === 0;
  const d = outlinesOf(area, scene.hexRadius, 3.4);
  const shapes: SVGElement[] = [];
  if (area.owner !== undefined) {
    if (!is('owned-edge')) {
      const opacity = isHex ? 0.17 : 0.42;
      shapes.push(path(d, { fill: inks.fill(area.owner), 'fill-opacity': opacity }));
    }
    if (isHex || is('owned-edge')) {
      shapes.push(path(d, { ...line(inks.line(area.owner), 2.4), 'stroke-opacity': 0.85 }));
    }
  }
  if (area.claim !== undefined && !isHex) {
    shapes.push(path(d, { ...line(inks.line(area.claim), 3, '7 4'), 'stroke-opacity': 0.9 }));
  } else if (area.claim !== undefined && area.owner === undefined) {
    shapes.push(path(d, { ...line(inks.line(area.claim), 1.6, '7 4'), 'stroke-opacity': 0.85 }));
  }
  if (is('shared')) shapes.push(path(d, line(ink('good'), 0.9, '2 3')));
  if (is('entry')) shapes.push(path(d, line(ink('warning'), 1.6, '1 4')));
  return shapes;
}
