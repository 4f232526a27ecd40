// Gradients and patterns that the shapes of a scene use.

import type { Scene } from '../engine/contract';
import { hatchOf, ink, type MapThemeName, mixed, SEATS_MAX, STARS } from './colors';
import { el } from './shapes';

type Stop = readonly [offset: number, color: string, opacity: number];

export function definitions(scene: Scene, theme: MapThemeName): SVGElement {
  const stripes = (name: string, width: number, ground: string, stripe: string) =>
    el(
      'pattern',
      {
        id: `stripes-${name}`,
        width,
        height: width,
        patternUnits: 'userSpaceOnUse',
        patternTransform: 'rotate(45)',
      },
      el('rect', { width, height: width, fill: ground }),
      el('rect', { width: width / 2, height: width, fill: stripe }),
    );
  const isHatched = (seat: number) => seat <= SEATS_MAX && hatchOf(theme, seat) !== undefined;
  const seats = scene.seats.map(({ seat }) => seat).filter(isHatched);
  return el(
    'defs',
    {},
    ball('earth', ink('ocean')),
    ball('friendly', ink('friendly')),
    ball('hostile', ink('hostile')),
    ball('dead', ink('rock')),
    ball('death-star', ink('metal')),
    ...STARS.map((name) =>
      glow(`star-${name}`, [
        [0, mixed(ink(`star-${name}`), ink('text'), 50), 1],
        [0.35, ink(`star-${name}`), 0.9],
        [1, ink(`star-${name}`), 0],
      ]),
    ),
    glow('light', [
      [0, '#fff', 0.55],
      [0.5, '#fff', 0.06],
      [1, '#000', 0.35],
    ]),
    glow('glow-storm', [
      [0, mixed(ink('storm'), ink('warning'), 60), 0.7],
      [0.5, ink('storm'), 0.42],
      [1, ink('storm'), 0],
    ]),
    glow('glow-nebula', [
      [0, ink('nebula'), 0.62],
      [0.55, ink('nebula'), 0.34],
      [1, ink('nebula'), 0],
    ]),
    glow('cloud', [
      [0, mixed(ink('cloud'), ink('cloud-edge'), 40), 1],
      [1, ink('cloud'), 1],
    ]),
    ...['seen', 'known', 'stale'].map((name) =>
      glow(`hex-${name}`, [
        [0, mixed(ink(name), ink(`${name}-edge`), 22), 1],
        [1, ink(name), 1],
      ]),
    ),
    stripes('waste', 12, ink('waste'), ink('waste-edge')),
    stripes('barred', 8, ink('barred'), ink('barred-edge')),
    stripes('hidden', 6, ink('stale'), ink('known')),
    ...seats.map((seat) => seatPattern(theme, seat)),
  );
}

function gradient(id: string, stops: readonly Stop[], form: Record<string, number>): SVGElement {
  return el(
    'radialGradient',
    { id, ...form },
    ...stops.map(([offset, color, opacity]) =>
      el('stop', { offset, 'stop-color': color, 'stop-opacity': opacity }),
    ),
  );
}

function glow(id: string, stops: readonly Stop[]): SVGElement {
  return gradient(id, stops, { cx: 0.5, cy: 0.5, r: 0.5 });
}

/** Returns the gradient of a ball that is lit from above. */
function ball(kind: string, color: string): SVGElement {
  const stops: Stop[] = [
    [0, mixed(color, '#fff', 70), 1],
    [0.6, color, 1],
    [1, mixed(color, '#000', 60), 1],
  ];
  return gradient(`ball-${kind}`, stops, { cx: 0.35, cy: 0.3, r: 0.9 });
}

function seatPattern(theme: MapThemeName, seat: number): SVGElement {
  const hatch = hatchOf(theme, seat);
  return el(
    'pattern',
    { id: `seat-${seat}`, width: 6, height: 6, patternUnits: 'userSpaceOnUse' },
    el('rect', { width: 6, height: 6, fill: ink(`seat-${seat}`) }),
    hatch
      ? el('path', { d: hatch, stroke: ink('on-owner'), 'stroke-width': 1.3, fill: 'none' })
      : undefined,
  );
}
