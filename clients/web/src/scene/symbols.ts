// The symbols of places and pieces, drawn around (0, 0) at normal size.

import type { ScenePiece, ScenePlace } from '../engine/contract';
import { ink, mixed, type SeatInks, STARS } from './colors';
import {
  type Attributes,
  circle,
  cross,
  el,
  halo,
  line,
  path,
  polygon,
  type Spot,
  stroke,
  text,
} from './shapes';

/** The smallest text of a symbol. It is shown only at normal size or larger. */
const SMALL = 10;
const ROCKS = [
  [-10, -3, 4.5],
  [2, -8, 3],
  [8, 2, 5],
  [-3, 7, 3.5],
  [11, -9, 2],
] as const;
const CLOUDS = [
  [-0.11, 0.05, 0.86],
  [0.13, -0.09, 0.78],
  [0.04, 0.17, 0.62],
] as const;

/** Returns the radius of a place's symbol. */
export function placeSize(place: ScenePlace): number {
  switch (place.kind) {
    case 'earth':
    case 'death-star':
      return 16;
    case 'friendly':
    case 'hostile':
    case 'asteroids':
      return 15;
    case 'dead':
      return 13;
    case 'world':
    case 'homeworld': {
      const production = Math.min(Math.max(place.value ?? 0, 0), 40);
      return Math.min(6.2 + 1.5 * Math.sqrt(production), 13);
    }
    case 'portal':
      return place.states.includes('small') ? 5.5 : 9;
    case 'star':
      return 7;
    case 'center':
      return 3.6;
    default:
      return 0;
  }
}

/** Returns whether a place's symbol grows with the ground, as storms and nebulae do. */
export function isGround(place: ScenePlace): boolean {
  return place.kind === 'storm' || place.kind === 'nebula';
}

/** Returns whether a place's symbol has text, which must stay readable. */
export function hasText({ kind }: ScenePlace): boolean {
  return ['world', 'homeworld', 'storm', 'nebula'].includes(kind);
}

/** Returns the shapes of a place. */
export function placeShapes(place: ScenePlace, inks: SeatInks, hexRadius: number): SVGElement[] {
  const is = (state: string) => place.states.includes(state);
  const size = placeSize(place);
  const center: Spot = [0, 0];
  const shapes = bodyShapes(place, inks, hexRadius);
  if (is('secret') && size > 0) {
    shapes.push(circle(center, size + 3, line(ink('faint'), 1, '3 3')));
  }
  if (is('guess') && size > 0) shapes.push(guessShape(size));
  return shapes;
}

function bodyShapes(place: ScenePlace, inks: SeatInks, hexRadius: number): SVGElement[] {
  const size = placeSize(place);
  const center: Spot = [0, 0];
  switch (place.kind) {
    case 'star':
      return starShapes(place, inks);
    case 'earth':
    case 'friendly':
    case 'hostile':
    case 'dead':
      return [circle(center, size, { fill: `url(#ball-${place.kind})` })];
    case 'death-star':
      return [
        circle(center, size, { fill: 'url(#ball-death-star)' }),
        circle([-5, -5], 4, { fill: ink('halo'), stroke: ink('bad'), 'stroke-width': 1 }),
      ];
    case 'asteroids':
      return ROCKS.map(([x, y, radius]) =>
        circle([x, y], radius, { fill: ink('rock'), stroke: ink('halo'), 'stroke-width': 1 }),
      );
    case 'world':
    case 'homeworld':
      return worldShapes(place, inks);
    case 'portal':
      return portalShapes(place);
    case 'storm':
    case 'nebula': {
      const radius = hexRadius * 0.86 || 12;
      return CLOUDS.map(([x, y, scale]) =>
        circle([x * radius, y * radius], radius * scale, { fill: `url(#glow-${place.kind})` }),
      );
    }
    case 'center':
      return [
        circle(center, size, {
          fill: inks.fill(place.owner),
          stroke: ink('text'),
          'stroke-width': 1.1,
        }),
      ];
    case 'unknown':
      return [text('?', [0, 12], 30, ink('faint'), { 'font-weight': 400, class: 'sign' })];
    case 'coast':
      return [circle(center, 12, { fill: 'transparent' })];
    default:
      return [];
  }
}

function starShapes(place: ScenePlace, inks: SeatInks): SVGElement[] {
  const is = (state: string) => place.states.includes(state);
  const name = STARS.includes(place.color) ? place.color : 'blue';
  const center: Spot = [0, 0];
  const shapes = [circle(center, 15, { fill: `url(#star-${name})` })];
  if (place.owner !== undefined) {
    shapes.push(circle(center, 11, line(inks.line(place.owner), 2.2)));
  }
  if (is('border')) shapes.push(circle(center, 15.5, line(ink('warning'), 1.4, '1.5 3')));
  if (is('contested')) shapes.push(circle(center, 15.5, line(ink('bad'), 2.4, '4 2.5')));
  shapes.push(
    is('explored')
      ? circle(center, 4.6, {
          fill: ink(`star-${name}`),
          stroke: ink('text'),
          'stroke-width': 1.4,
        })
      : circle(center, 5.5, {
          fill: ink('stale'),
          stroke: ink(`star-${name}`),
          'stroke-width': 1.6,
        }),
  );
  return shapes;
}

function worldShapes(place: ScenePlace, inks: SeatInks): SVGElement[] {
  const is = (state: string) => place.states.includes(state);
  const size = placeSize(place);
  const center: Spot = [0, 0];
  const shapes: SVGElement[] = [];
  if (is('blockaded')) shapes.push(circle(center, size + 4.5, line(ink('warning'), 2, '4 3')));
  if (is('interdicted')) shapes.push(circle(center, size + 4.5, line(ink('bad'), 2.6)));
  if (place.kind === 'homeworld') {
    shapes.push(circle(center, size + 2.4, line(inks.line(place.owner), 1.3)));
  }
  shapes.push(
    circle(center, size, { fill: inks.fill(place.owner) }),
    circle(center, size, { fill: 'url(#light)' }),
    text(String(place.value ?? 0), [0, 3.6], SMALL, ink('on-owner')),
  );
  return shapes;
}

function portalShapes(place: ScenePlace): SVGElement[] {
  const is = (state: string) => place.states.includes(state);
  const size = placeSize(place);
  const color = is('navigable') ? ink('portal') : mixed(ink('portal'), ink('page-outer'), 40);
  const shapes = [
    circle([0, 0], size, { ...line(color, 1.6, '5 2'), fill: 'transparent' }),
    circle([0, 0], size * 0.55, line(color, 1.6)),
  ];
  if (is('collapsed')) shapes.push(...cross([0, 0], size * 0.9, ink('bad')));
  return shapes;
}

/** Returns the rating of a storm between its arms. It keeps its size when the ground grows. */
export function ratingShapes(rating: number): SVGElement[] {
  return [
    path('M-9 -0.5Q-7 -9.5 4 -6.5M9 0.5Q7 9.5 -4 6.5', line(ink('warning'), 1.6)),
    text(String(rating), [0, 3.5], SMALL, ink('text'), halo(SMALL)),
  ];
}

/** Returns whether a token may be placed beside its point. */
export function isFree(piece: ScenePiece): boolean {
  return piece.kind === 'ships' && piece.label !== '';
}

/** Returns half the width and height of a token. Far tokens have no text. */
export function pieceSize(piece: ScenePiece, isFar: boolean): readonly [number, number] {
  switch (piece.kind) {
    case 'ships':
      if (!isFree(piece)) return [9, 7];
      return isFar ? [7, 6.5] : [(18 + textWidth(piece.label, SMALL)) / 2, 7.5];
    case 'army':
      return [10.5, 10.5];
    case 'fleet':
      return [12.5, 11];
    case 'colony':
      return [11.5, 11.5];
    case 'ship':
      return [11, 8];
    case 'base':
      return [9, 9];
    case 'flag':
      return [10, 8];
    case 'post':
      return [8, 8];
    default:
      return [9, 8];
  }
}

/** Returns an upper bound on the width of text. */
export function textWidth(content: string, size: number, letter = 0.63): number {
  return content.length * letter * size;
}

/** Returns the shapes of a token. A guess has a dashed circle. */
export function pieceShapes(piece: ScenePiece, inks: SeatInks): SVGElement[] {
  const shapes = tokenShapes(piece, inks);
  if (!piece.states.includes('guess')) return shapes;
  const [width, height] = pieceSize(piece, false);
  return [...shapes, guessShape(Math.max(width, height))];
}

function guessShape(size: number): SVGElement {
  return circle([0, 0], size + 4, line(ink('text'), 1.2, '2 2.5'));
}

function tokenShapes(piece: ScenePiece, inks: SeatInks): SVGElement[] {
  const is = (state: string) => piece.states.includes(state);
  const color = inks.line(piece.owner);
  const fill = inks.fill(piece.owner);
  const edge = is('dislodged') ? ink('bad') : ink('halo');
  const solid = (width: number): Attributes => ({ fill, stroke: edge, 'stroke-width': width });
  const letters = (y: number, x = 0) => text(piece.label, [x, y], SMALL, ink('on-owner'));
  switch (piece.kind) {
    case 'army':
      return [circle([0, 0], 9.5, solid(1.6)), letters(3.5)];
    case 'fleet':
      return [
        polygon(
          [
            [-1, -10],
            [-1, -0.5],
            [-9.5, -0.5],
          ],
          solid(1.6),
        ),
        polygon(
          [
            [1.5, -7.5],
            [1.5, -0.5],
            [8.5, -0.5],
          ],
          solid(1.6),
        ),
        polygon(
          [
            [-12.5, 0],
            [12.5, 0],
            [8, 9],
            [-8, 9],
          ],
          solid(1.6),
        ),
        letters(8),
      ];
    case 'ship':
    case 'base':
      return hullShapes(piece, inks);
    case 'ships':
      return isFree(piece) ? fleetShapes(piece, color) : countShapes(piece, inks);
    case 'wreck':
      return [
        ...cross([-4, 0.5], 3, ink('bad'), 2),
        text(String(piece.count), [1.6, 4.2], SMALL, ink('bad'), {
          ...halo(SMALL),
          'text-anchor': 'start',
        }),
      ];
    case 'colony': {
      const shapes = [circle([0, 0], 8.5, { fill, stroke: ink('halo'), 'stroke-width': 1.2 })];
      if (piece.holder !== undefined) {
        shapes.push(circle([0, 0], 10, line(inks.line(piece.holder), 2)));
      }
      if (is('besieged')) shapes.push(circle([0, 0], 10, line(ink('bad'), 2, '3 2')));
      if (is('shielded')) shapes.push(circle([0, 0], 11.5, line(ink('text'), 1)));
      return [...shapes, letters(3.5)];
    }
    case 'post':
      return [
        stroke([4, -7], [4, 7], line(ink('text'), 1.2)),
        polygon(
          [
            [4, -7],
            [-7, -3.5],
            [4, 0],
          ],
          { fill },
        ),
      ];
    case 'flag':
      return [
        stroke([-7, -8], [-7, 8], line(ink('text'), 1.2)),
        polygon(
          [
            [-7, -8],
            [13, -2],
            [-7, 4],
          ],
          { fill },
        ),
        text(piece.label, [-2.4, 1.6], SMALL, ink('on-owner')),
      ];
    default:
      return [text(piece.label, [0, 4], 11, color, halo(11))];
  }
}

function hullShapes(piece: ScenePiece, inks: SeatInks): SVGElement[] {
  const is = (state: string) => piece.states.includes(state);
  const color = inks.line(piece.owner);
  const isHollow = is('disrupted') || is('out');
  const style: Attributes = isHollow
    ? {
        fill: ink('stale'),
        stroke: color,
        'stroke-width': is('disrupted') ? 1.5 : 2,
        'stroke-dasharray': is('disrupted') ? '3 2' : undefined,
      }
    : { fill: inks.fill(piece.owner), stroke: ink('halo'), 'stroke-width': 1 };
  const hull =
    piece.kind === 'base'
      ? el('rect', { x: -8, y: -8, width: 16, height: 16, ...style })
      : polygon(
          [
            [-10, -7.5],
            [5, -7.5],
            [11, 0],
            [5, 7.5],
            [-10, 7.5],
          ],
          style,
        );
  const letters = text(
    piece.label,
    [piece.kind === 'base' ? 0 : -1.5, 3.6],
    SMALL,
    isHollow ? color : ink('on-owner'),
  );
  return [hull, letters];
}

/** Returns a fleet of known ships: an arrow and a label in a box. */
function fleetShapes(piece: ScenePiece, color: string): SVGElement[] {
  const [width, height] = pieceSize(piece, false);
  const direction = piece.states.includes('own') ? 1 : -1;
  const arrow = (x: number): SVGElement =>
    polygon(
      [
        [x - 3.8, 3.8 * direction],
        [x + 3.8, 3.8 * direction],
        [x, -4.2 * direction],
      ],
      { fill: color },
    );
  const box = (half: number) =>
    el('rect', {
      x: -half,
      y: -height,
      width: 2 * half,
      height: 2 * height,
      rx: 4,
      fill: ink('halo'),
      stroke: color,
      'stroke-width': 1.1,
      'fill-opacity': piece.states.includes('old') ? 0.6 : 0.92,
    });
  return [
    el('g', { class: 'far-only' }, box(7), arrow(0)),
    el(
      'g',
      { class: 'near-only' },
      box(width),
      arrow(-width + 7),
      text(piece.label, [-width + 13, 3.6], SMALL, color, { 'text-anchor': 'start' }),
    ),
  ];
}

/** Returns a number of ships beside an arrow. */
function countShapes(piece: ScenePiece, inks: SeatInks): SVGElement[] {
  const isKnown = piece.owner !== undefined;
  const fill = isKnown ? inks.fill(piece.owner) : ink('text');
  const count = piece.count > 0 ? String(piece.count) : '?';
  return [
    polygon(
      [
        [-8, 4.5],
        [-3.6, -5],
        [0.8, 4.5],
        [-3.6, 2.2],
      ],
      {
        fill,
        stroke: ink('halo'),
        'stroke-width': 0.8,
      },
    ),
    text(count, [1.6, 4.4], SMALL, isKnown ? inks.line(piece.owner) : ink('text'), {
      ...halo(SMALL),
      'text-anchor': 'start',
    }),
  ];
}
