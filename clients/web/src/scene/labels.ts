// Placement of labels without overlaps, the most important first. All lengths are pixels.

import type { SceneLabel } from '../engine/contract';
import { textWidth } from './symbols';

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

const CELL = 48;
/** The usual width of a letter, in sizes of the font. */
const LETTER = 0.58;

/** Occupied boxes, found by position. */
export class Room {
  private readonly cells = new Map<number, Box[]>();

  private *keys({ left, top, right, bottom }: Box): Generator<number> {
    for (let x = Math.floor(left / CELL); x <= Math.floor(right / CELL); x += 1) {
      for (let y = Math.floor(top / CELL); y <= Math.floor(bottom / CELL); y += 1) {
        yield x * 65_536 + y;
      }
    }
  }

  take(box: Box): void {
    for (const key of this.keys(box)) {
      const cell = this.cells.get(key);
      if (cell) cell.push(box);
      else this.cells.set(key, [box]);
    }
  }

  free(box: Box): void {
    for (const key of this.keys(box)) {
      const cell = this.cells.get(key);
      const at = cell?.indexOf(box) ?? -1;
      if (at >= 0) cell?.splice(at, 1);
    }
  }

  isFree(box: Box): boolean {
    for (const key of this.keys(box)) {
      for (const other of this.cells.get(key) ?? []) {
        if (
          box.left < other.right &&
          other.left < box.right &&
          box.top < other.bottom &&
          other.top < box.bottom
        ) {
          return false;
        }
      }
    }
    return true;
  }
}

export function boxAround(x: number, y: number, width: number, height = width): Box {
  return { left: x - width, top: y - height, right: x + width, bottom: y + height };
}

/** A label at a zoom. `x` and `y` are the point that it belongs to. */
export interface Wanted {
  label: SceneLabel;
  x: number;
  y: number;
  /** The preferred distance of the text's middle from the point. */
  offset: number;
  size: number;
}

export interface PlacedLabel {
  text: string;
  /** The middle of the text. */
  x: number;
  y: number;
}

/**
 * Returns the position of each label; undefined for labels without room. `longest` is the greatest
 * width of a long form.
 */
export function placedLabels(
  wanted: readonly Wanted[],
  room: Room,
  longest = Number.POSITIVE_INFINITY,
): (PlacedLabel | undefined)[] {
  const order = wanted.map((_, index) => index);
  order.sort((a, b) => (wanted[b]?.label.priority ?? 0) - (wanted[a]?.label.priority ?? 0));
  const placed: (PlacedLabel | undefined)[] = wanted.map(() => undefined);
  const names = new Map<string, PlacedLabel & { size: number }>();
  const taken: { index: number; box: Box }[] = [];
  for (const index of order) {
    const one = wanted[index];
    if (!one || one.label.text === '') continue;
    const name = one.label.kind === 'detail' ? names.get(one.label.place) : undefined;
    for (const [x, y] of candidates(one, one.label.text, name)) {
      const box = boxOf(one.label.text, x, y, one.size);
      if (!room.isFree(box)) continue;
      room.take(box);
      taken.push({ index, box });
      placed[index] = { text: one.label.text, x, y };
      if (one.label.kind === 'name') {
        names.set(one.label.place, { text: one.label.text, x, y, size: one.size });
      }
      break;
    }
  }
  // Long forms take only the room that short forms have left.
  for (const { index, box } of taken) {
    const [one, at] = [wanted[index], placed[index]];
    if (!one || !at || one.label.fullText === '' || one.label.fullText === one.label.text) continue;
    room.free(box);
    const { fullText } = one.label;
    const more = (textWidth(fullText, one.size, LETTER) - textWidth(at.text, one.size, LETTER)) / 2;
    // The long form keeps the middle or an end of the short one.
    const found = [at.x, at.x - more, at.x + more]
      .map((x) => ({ x, box: boxOf(fullText, x, at.y, one.size) }))
      .find((each) => each.box.right - each.box.left <= longest && room.isFree(each.box));
    if (found) placed[index] = { text: fullText, x: found.x, y: at.y };
    room.take(found?.box ?? box);
  }
  return placed;
}

export function boxOf(text: string, x: number, y: number, size: number): Box {
  return boxAround(x, y, textWidth(text, size, LETTER) / 2 + 1, size * 0.46);
}

function* candidates(
  { label, x, y, offset, size }: Wanted,
  text: string,
  name: (PlacedLabel & { size: number }) | undefined,
): Generator<readonly [number, number]> {
  if (name) {
    const step = (name.size + size) * 0.54;
    yield [name.x, name.y + step];
    yield [name.x, name.y - step];
  }
  if (!label.free) {
    yield [x, y + offset];
    // A label with a preferred side may be a little farther away.
    const away = Math.sign(offset) * size * 0.7;
    if (away !== 0) yield [x, y + offset + away];
    for (const aside of [-0.7, 0.7, -1.4]) yield [x + aside * size, y + offset];
    return;
  }
  const half = textWidth(text, size, LETTER) / 2;
  const gap = Math.max(Math.abs(offset), 1);
  for (const far of [0, 6, 14]) {
    const below = y + gap + far + size * 0.5;
    const above = y - gap - far - size * 0.5;
    yield [x, below];
    yield [x, above];
    yield [x + gap + far + half, y];
    yield [x - gap - far - half, y];
    const aside = half * 0.7 + gap;
    yield [x + aside, below];
    yield [x - aside, below];
    yield [x + aside, above];
    yield [x - aside, above];
  }
}
