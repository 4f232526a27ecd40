// The sizes of symbols and texts at a zoom, and the positions of an area's tokens. All lengths are
// pixels of the screen unless they are in units of the board.

import type { ScenePiece } from '../engine/contract';
import type { Spot } from './shapes';
import { isFree, pieceSize } from './symbols';

/** The smallest text on the screen. */
export const TEXT_MIN = 10;

export interface Zoom {
  /** Pixels per unit of the ground. */
  scale: number;
  /** The scale of symbols. Below 1, their texts are hidden. */
  token: number;
  /** The scale of symbols without text. */
  body: number;
  /** The scale of text. */
  text: number;
  /** The scale of distances from an area's center. */
  offset: number;
  /** The usual distance between neighboring areas. */
  cell: number;
}

/** The usual distances on a board, in units. */
export interface Spacing {
  /** Between neighboring areas. */
  areas: number;
  /** Between neighboring areas with symbols. */
  symbols: number;
}

const clamped = (value: number, low: number, high: number) =>
  Math.min(Math.max(value, low), Math.max(low, high));

export function zoomAt(scale: number, spacing: Spacing): Zoom {
  const cell = spacing.areas * scale;
  // Symbols must fit between their neighbors, and into their area.
  const least = clamped(Math.min((spacing.symbols * scale) / 40, cell / 32), 0.6, 1);
  const token = clamped(scale, least, 1.6);
  const offset = clamped(cell / 85, Math.min(scale, token), token);
  const body = clamped(cell / 85, 0.4, token);
  return { scale, token, body, text: clamped(scale, 1, 1.45), offset, cell };
}

/** Returns where a symbol is, in units, so that its distance from the center suits its size. */
export function placed(at: Spot, center: Spot, zoom: Zoom, spacing: Spacing): Spot {
  const [dx, dy] = [at[0] - center[0], at[1] - center[1]];
  const factor = Math.hypot(dx, dy) <= spacing.areas * 0.55 ? zoom.offset / zoom.scale : 1;
  return [center[0] + dx * factor, center[1] + dy * factor];
}

/** Returns the middle of the distances from each point to its nearest neighbor. */
export function spacingOf(points: readonly Spot[], part = 0.5): number | undefined {
  if (points.length < 2) return undefined;
  const near = points.map(([x, y], index) => {
    let least = Number.POSITIVE_INFINITY;
    for (let other = 0; other < points.length; other += 1) {
      const [ox, oy] = points[other] ?? [x, y];
      const square = (ox - x) ** 2 + (oy - y) ** 2;
      if (other !== index && square > 1 && square < least) least = square;
    }
    return Math.sqrt(least);
  });
  const found = near.filter(Number.isFinite).toSorted((a, b) => a - b);
  return found[Math.floor((found.length - 1) * part)];
}

/** The position of a token on the screen, relative to the center of its area. */
export interface TokenSpot {
  x: number;
  y: number;
  /** The size of the stack if this is its top token, otherwise 0. */
  badge: number;
  isHidden: boolean;
}

interface Box {
  index: number;
  x: number;
  y: number;
  width: number;
  height: number;
  owner: number;
}

/** The offset between consecutive tokens of a stack. */
const STACK_STEP = 2.5;
/** The number of tokens of a stack that are visible. */
const STACK_SHOWN = 3;

/**
 * Arranges the tokens of an area. Tokens that would overlap form stacks, one for each owner. With
 * `isOpen`, they are next to each other instead.
 */
export function arranged(
  pieces: readonly ScenePiece[],
  at: readonly Spot[],
  zoom: Zoom,
  isOpen: boolean,
  hit: number,
): TokenSpot[] {
  const { token } = zoom;
  const spots: TokenSpot[] = [];
  const boxes = pieces.map((piece, index): Box => {
    const [x, y] = at[index] ?? [0, 0];
    const [width, height] = pieceSize(piece, token < 1);
    spots.push({ x, y, badge: 0, isHidden: false });
    return { index, x, y, width: width * token, height: height * token, owner: piece.owner ?? 0 };
  });
  const free = boxes.filter(({ index }) => pieces[index] && isFree(pieces[index]));
  listed(free, zoom);
  for (const box of free) Object.assign(spots[box.index] as TokenSpot, { x: box.x, y: box.y });
  for (const cluster of clusters(boxes)) {
    if (cluster.length < 2) continue;
    if (isOpen) fanned(cluster, spots, hit);
    else stacked(cluster, spots, zoom);
  }
  return spots;
}

/** Puts tokens that are beside their point into a column, if there is room. */
function listed(free: Box[], zoom: Zoom): void {
  const height = free.reduce((sum, box) => sum + 2 * box.height + 1, 0);
  if (free.length < 2 || height > zoom.cell * 0.8) return;
  let y = (free[0]?.y ?? 0) - (free[0]?.height ?? 0);
  for (const box of free) {
    box.y = y + box.height;
    y -= 2 * box.height + 1;
  }
}

function clusters(boxes: readonly Box[]): Box[][] {
  const found: Box[][] = [];
  for (const box of boxes) {
    const touched = found.filter((cluster) => cluster.some((other) => overlaps(box, other)));
    const joined = [...touched.flat(), box];
    for (const old of touched) found.splice(found.indexOf(old), 1);
    found.push(joined.toSorted((a, b) => a.index - b.index));
  }
  return found;
}

/** Returns whether two tokens overlap by more than a little. */
function overlaps(one: Box, other: Box): boolean {
  return (
    Math.abs(one.x - other.x) < (one.width + other.width) * 0.85 &&
    Math.abs(one.y - other.y) < (one.height + other.height) * 0.85
  );
}

function middle(cluster: readonly Box[]): Spot {
  const sum = (part: (box: Box) => number) =>
    cluster.reduce((total, box) => total + part(box), 0) / cluster.length;
  return [sum((box) => box.x), sum((box) => box.y)];
}

function stacked(cluster: readonly Box[], spots: TokenSpot[], zoom: Zoom): void {
  const owners = [...new Set(cluster.map(({ owner }) => owner))];
  const [x, y] = middle(cluster);
  const widest = Math.max(...cluster.map(({ width }) => width));
  const step = Math.min(widest * 2 + 2, (zoom.cell * 0.95) / owners.length);
  owners.forEach((owner, column) => {
    const own = cluster.filter((box) => box.owner === owner);
    const left = x + (column - (owners.length - 1) / 2) * step;
    own.forEach((box, index) => {
      // The last piece is on top.
      const depth = own.length - 1 - index;
      Object.assign(spots[box.index] as TokenSpot, {
        x: left - Math.min(depth, STACK_SHOWN - 1) * STACK_STEP,
        y: y - Math.min(depth, STACK_SHOWN - 1) * STACK_STEP,
        badge: depth === 0 && own.length > 1 ? own.length : 0,
        isHidden: depth >= STACK_SHOWN,
      });
    });
  });
}

/** Puts the tokens of a cluster next to each other, in rows, with room for a finger or pointer. */
function fanned(cluster: readonly Box[], spots: TokenSpot[], hit: number): void {
  const [x, y] = middle(cluster);
  const width = Math.max(hit, ...cluster.map((box) => box.width * 2 + 4));
  const height = Math.max(hit, ...cluster.map((box) => box.height * 2 + 4));
  const columns = Math.max(1, Math.round(Math.sqrt((cluster.length * height * 1.6) / width)));
  const rows = Math.ceil(cluster.length / columns);
  const sorted = cluster.toSorted((a, b) => a.owner - b.owner || a.index - b.index);
  sorted.forEach((box, index) => {
    const row = Math.floor(index / columns);
    const inRow = Math.min(columns, cluster.length - row * columns);
    Object.assign(spots[box.index] as TokenSpot, {
      x: x + ((index % columns) - (inRow - 1) / 2) * width,
      y: y + (row - (rows - 1) / 2) * height,
      badge: 0,
      isHidden: false,
    });
  });
}
