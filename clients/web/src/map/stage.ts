// A board in a shadow root that can be panned, zoomed, clicked and marked. This module depends on
// neither the framework nor the games.

import type { MapThemeName } from '../scene/colors';
import type { Contents } from '../scene/contents';
import { Drawing, type Near } from '../scene/drawing';
import type { Box } from '../scene/labels';
import { animateMoves } from '../scene/motion';
import type { Spot } from '../scene/shapes';
import type { Subject } from '../table/offers';
import styles from './stage.css?inline';
import { around, centred, held, type Size, type View, whole, zoomed } from './view';

/** A pointer that moves less than this many pixels clicks. */
const CLICK_SLACK = 5;
/** The delay after the last movement before the board is arranged and drawn at full resolution. */
const REST_MS = 140;
/** The delay before the pieces under the mouse are spread. */
const HOVER_MS = 150;
const STEP = 60;
/** A finger means the nearest of several things if the others are this much farther, in pixels. */
const CLEARLY = 10;
/** The maximum number of things among which a tap asks. With more, it zooms in. */
const ASKED_MAX = 5;
/** The distance between neighboring areas that fingers hit reliably, in pixels. */
const COMFORTABLE = 48;
/** The greatest width of the frame of a phone. */
const PHONE_WIDTH = 600;
/** The smallest size of what a mouse or a finger must hit, in pixels. */
const HIT = { mouse: 24, touch: 44 };

export interface Marks {
  chosen: Subject | undefined;
  /** Names of places and pieces that can act. */
  able: ReadonlySet<string>;
  /** Names of places and pieces that a second click can choose. */
  targets: ReadonlySet<string>;
  /** Names of everything that the next click can mean. */
  next: ReadonlySet<string>;
  /** Places and pieces that a table beside the map is about. */
  shown: readonly Subject[];
}

const NO_MARKS: Marks = {
  chosen: undefined,
  able: new Set(),
  targets: new Set(),
  next: new Set(),
  shown: [],
};

const UNARRANGED = { scale: 0, left: 0, top: 0, right: 0, bottom: 0 };

/** A subject with its position in the stage. */
export interface Pointed {
  subject: Subject;
  x: number;
  y: number;
}

export interface StageEvents {
  pick(subject: Subject | undefined, at: { x: number; y: number }): void;
  /** Asks which of several subjects a tap means. */
  ask(subjects: readonly Subject[], at: { x: number; y: number }): void;
  hover(pointed: Pointed | undefined): void;
  /** Selects a piece that the player starts to drag; undefined ends a drag without an order. */
  drag(from: Grabbed | undefined): void;
  /** Gives or changes the order of a dragged piece. */
  drop(from: Grabbed, target: Subject, at: { x: number; y: number }): void;
}

/** What the player drags: a piece, or the end of its order at a place. */
export interface Grabbed {
  piece: Subject;
  end: string | undefined;
}

export class Stage {
  private readonly host: HTMLElement;
  private readonly root: ShadowRoot;
  private readonly sheet: HTMLDivElement;
  private readonly events: StageEvents;
  private readonly observer: ResizeObserver;
  private readonly coarse = matchMedia('(pointer: coarse)');
  private readonly still = matchMedia('(prefers-reduced-motion: reduce)');
  private frame: Size = { width: 1, height: 1 };
  private picture: Size = { width: 1, height: 1 };
  private view: View = { x: 0, y: 0, scale: 1 };
  private isWhole = true;
  /** Whether the player asked for all of the board. */
  private wasFitted = false;
  private drawing: Drawing | undefined;
  private arranged = UNARRANGED;
  private marks = NO_MARKS;
  private hidden: ReadonlySet<string> = new Set();
  private hovered: Subject | undefined;
  private readonly pointers = new Map<number, { x: number; y: number }>();
  private moved = 0;
  private grabbed: Grabbed | undefined;
  private resting: ReturnType<typeof setTimeout> | undefined;
  private opening: ReturnType<typeof setTimeout> | undefined;
  private placing = 0;

  constructor(host: HTMLElement, events: StageEvents) {
    this.host = host;
    this.events = events;
    this.root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
    const base = new CSSStyleSheet();
    base.replaceSync(styles);
    this.root.adoptedStyleSheets = [base];
    this.sheet = document.createElement('div');
    this.sheet.className = 'sheet';
    this.root.replaceChildren(this.sheet);
    this.frame = { width: host.clientWidth || 1, height: host.clientHeight || 1 };
    this.observer = new ResizeObserver(([entry]) => {
      if (entry) this.resized(entry.contentRect);
    });
    this.observer.observe(host);
    host.addEventListener('wheel', this.wheel, { passive: false });
    host.addEventListener('pointerdown', this.down);
    host.addEventListener('pointermove', this.move);
    host.addEventListener('pointerup', this.up);
    host.addEventListener('pointercancel', this.cancel);
    host.addEventListener('pointerleave', this.leave);
    host.addEventListener('dblclick', this.doubled);
    host.addEventListener('keydown', this.key);
    addEventListener('keydown', this.escape, true);
  }

  private readonly escape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !this.grabbed || this.moved < CLICK_SLACK) return;
    this.letGo();
    this.moved = Number.POSITIVE_INFINITY;
    event.preventDefault();
    event.stopPropagation();
  };

  destroy(): void {
    this.observer.disconnect();
    clearTimeout(this.resting);
    clearTimeout(this.opening);
    cancelAnimationFrame(this.placing);
    removeEventListener('keydown', this.escape, true);
    this.root.replaceChildren();
    // Frees the board even if something still references this stage.
    this.drawing = undefined;
    this.hovered = undefined;
  }

  /** Replaces the board and returns its layers. The view is kept if the frame is the same. */
  show(contents: Contents, theme: MapThemeName, moves = false): readonly string[] {
    const before = this.drawing;
    const drawing = new Drawing(contents, theme);
    this.drawing = drawing;
    this.arranged = UNARRANGED;
    this.sheet.replaceChildren(drawing.svg);
    this.host.toggleAttribute('data-starry', contents.scene.frame?.starry ?? false);
    drawing.hide(this.hidden);
    const { width, height } = drawing.frame;
    const isSame = width === this.picture.width && height === this.picture.height;
    this.picture = { width, height };
    if (this.isWhole || !isSame) this.fit();
    // All of the new board, because what was never arranged is drawn at its origin.
    else this.arrange(Number.POSITIVE_INFINITY);
    if (before && moves && isSame && !this.still.matches) animateMoves(before, drawing);
    return drawing.layers;
  }

  hide(layers: ReadonlySet<string>): void {
    this.hidden = layers;
    this.drawing?.hide(layers);
  }

  /** Marks the selection and everything that can be selected. */
  mark(marks: Marks): void {
    const { chosen } = this.marks;
    this.marks = marks;
    this.spread();
    this.showMarks();
    if (marks.chosen && marks.chosen !== chosen) this.approach([...marks.targets], marks.chosen);
    else this.approachAble();
  }

  /** Shows the pieces that have something to do, unless the player has moved the board. */
  private approachAble(): void {
    if (this.isWhole && !this.wasFitted) this.approach([...this.marks.able]);
  }

  /**
   * On a phone, shows what matters: enlarges a board whose areas are too small for fingers, and
   * brings the targets of the selection into view if they fit.
   */
  private approach(names: readonly string[], chosen?: Subject): void {
    const { drawing } = this;
    const { width } = this.frame;
    if (!drawing || !this.coarse.matches || width <= 1 || width > PHONE_WIDTH) return;
    const { left, top } = drawing.frame;
    const { cell } = drawing.zoom;
    const subjects = names.flatMap((name) => this.subjectOf(name) ?? []);
    const spots = [...subjects, ...(chosen ? [chosen] : [])].flatMap((subject): Spot[] => {
      const spot = drawing.spotOf(subject);
      return spot ? [[spot[0] - left, spot[1] - top]] : [];
    });
    const isInView = cell >= COMFORTABLE && spots.every((spot) => this.isInView(spot));
    if (spots.length === 0 || isInView) return;
    const scale = this.view.scale * Math.max(COMFORTABLE / cell, 1);
    const next = around(spots, { ...this.view, scale }, this.picture, this.frame);
    const fits = (next.scale / this.view.scale) * cell >= COMFORTABLE / 2;
    if (chosen && !fits) {
      this.reveal(chosen);
      return;
    }
    this.isWhole = false;
    this.settle(next);
    this.rest();
  }

  /** Returns whether a point, in units from the corner of the board, is well within the view. */
  private isInView([x, y]: Spot): boolean {
    const [at, down] = [x * this.view.scale + this.view.x, y * this.view.scale + this.view.y];
    return at > 30 && down > 30 && at < this.frame.width - 30 && down < this.frame.height - 30;
  }

  private subjectOf(name: string): Subject | undefined {
    const [kind, text] = [name.slice(0, 6), name.slice(6)];
    if (kind === 'place ') return { place: text, piece: '' };
    const place = this.drawing?.contents.groupOf(text)?.place;
    return place === undefined ? undefined : { place, piece: text };
  }

  private showMarks(): void {
    const { drawing } = this;
    if (!drawing) return;
    const { chosen, able, targets, shown } = this.marks;
    drawing.unmark();
    for (const name of able) if (!targets.has(name)) drawing.markNamed(name, 'able');
    for (const name of targets) drawing.markNamed(name, 'target');
    for (const subject of shown) drawing.mark(subject, 'shown');
    if (chosen) drawing.mark(chosen, 'chosen');
    if (this.hovered) drawing.mark(this.hovered, 'hover');
  }

  /** Spreads the pieces of the area under the mouse, or else of the selected one. */
  private spread(): void {
    const { drawing } = this;
    const subject = this.hovered ?? this.marks.chosen;
    drawing?.open(subject ? drawing.contents.homeOf(subject.place) : '');
  }

  private get hit(): number {
    return this.coarse.matches ? HIT.touch : HIT.mouse;
  }

  /** Arranges symbols and texts in and around the view, unless they already are. */
  private arrange(margin = 0.6): void {
    const { drawing, arranged: known } = this;
    if (!drawing) return;
    const { scale } = this.view;
    const seen = this.part(0.1);
    const isKnown =
      known.scale === scale &&
      known.left <= seen.left &&
      known.top <= seen.top &&
      known.right >= seen.right &&
      known.bottom >= seen.bottom;
    if (isKnown) return;
    this.arranged = { scale, ...this.part(margin) };
    drawing.arrange(scale, this.hit, this.arranged);
    this.showMarks();
  }

  /** Returns the part of the board in view with a margin, in units. */
  private part(margin: number): Box {
    const { left = 0, top = 0 } = this.drawing?.frame ?? {};
    const { x, y, scale } = this.view;
    const [width, height] = [this.frame.width / scale, this.frame.height / scale];
    return {
      left: left - x / scale - width * margin,
      top: top - y / scale - height * margin,
      right: left - x / scale + width * (1 + margin),
      bottom: top - y / scale + height * (1 + margin),
    };
  }

  /** Shows all of the board, until the player moves it. */
  showAll(): void {
    this.wasFitted = true;
    this.fit();
  }

  private fit(): void {
    this.isWhole = true;
    this.view = whole(this.picture, this.frame);
    this.place();
    this.arrange();
  }

  zoom(by: number): void {
    this.zoomAt(by, { x: this.frame.width / 2, y: this.frame.height / 2 });
  }

  /** Moves the view so that it contains the subjects, unless they are well within it. */
  reveal(...subjects: Subject[]): void {
    const { drawing } = this;
    if (!drawing) return;
    const { left, top } = drawing.frame;
    const spots = subjects
      .map((subject) => drawing.spotOf(subject))
      .filter((spot) => spot !== undefined)
      .map(([x, y]): Spot => [x - left, y - top]);
    const isInView = spots.every((spot) => this.isInView(spot));
    if (spots.length === 0 || isInView) return;
    this.isWhole = false;
    const [only, ...others] = spots;
    if (only && others.length === 0) {
      this.settle(centred(this.view, { x: only[0], y: only[1] }, this.frame));
      return;
    }
    this.settle(around(spots, this.view, this.picture, this.frame));
  }

  /** Returns the position of a subject in the stage, in pixels. */
  pointOf(subject: Subject): Pointed | undefined {
    const spot = this.drawing?.spotOf(subject);
    if (!spot || !this.drawing) return undefined;
    const { left, top } = this.drawing.frame;
    const { x, y, scale } = this.view;
    return { subject, x: (spot[0] - left) * scale + x, y: (spot[1] - top) * scale + y };
  }

  /** Returns the positions of named places and pieces in the stage, in pixels. */
  pointsOf(names: Iterable<string>): { x: number; y: number }[] {
    return [...names].flatMap((name) => {
      const subject = this.subjectOf(name);
      return subject ? (this.pointOf(subject) ?? []) : [];
    });
  }

  private zoomAt(by: number, at: { x: number; y: number }): void {
    const least = whole(this.picture, this.frame).scale;
    this.isWhole = false;
    this.settle(zoomed(this.view, by, at, least));
  }

  private settle(view: View): void {
    this.view = held(view, this.picture, this.frame);
    this.sheet.classList.add('moving');
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.rest(), REST_MS);
    this.place();
  }

  private rest(): void {
    this.arrange();
    this.sheet.classList.remove('moving');
  }

  /** Moves the board once per frame, however many events arrive. */
  private place(): void {
    if (this.placing !== 0) return;
    this.placing = requestAnimationFrame(() => {
      this.placing = 0;
      const { x, y, scale } = this.view;
      this.sheet.style.transform = `translate(${x}px, ${y}px) scale(${scale})`;
    });
  }

  private resized({ width, height }: DOMRectReadOnly): void {
    const before = this.frame;
    this.frame = { width: width || 1, height: height || 1 };
    const { x, y, scale } = this.view;
    const [dx, dy] = [this.frame.width - before.width, this.frame.height - before.height];
    if (this.isWhole) {
      this.fit();
      this.approachAble();
    } else this.settle({ x: x + dx / 2, y: y + dy / 2, scale });
    if (this.marks.chosen) this.reveal(this.marks.chosen);
  }

  private at(event: MouseEvent): { x: number; y: number } {
    const frame = this.host.getBoundingClientRect();
    return { x: event.clientX - frame.x, y: event.clientY - frame.y };
  }

  private readonly wheel = (event: WheelEvent) => {
    event.preventDefault();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    this.zoomAt(Math.exp((-event.deltaY * lines) / 400), this.at(event));
  };

  private readonly doubled = (event: MouseEvent) => this.zoomAt(2, this.at(event));

  private readonly down = (event: PointerEvent) => {
    if (event.button !== 0) return;
    this.pointers.set(event.pointerId, this.at(event));
    if (this.pointers.size === 1) {
      this.moved = 0;
      this.grabbed = this.grabbedBy(event);
    } else this.letGo();
  };

  /** Returns the piece, or the end of a given order, that a pointer drags. */
  private grabbedBy(event: PointerEvent): Grabbed | undefined {
    const { drawing } = this;
    if (!drawing) return undefined;
    const { next } = this.marks;
    const spot = this.spotAt(event);
    const order = drawing.orderAt(spot, (piece) => next.has(`piece ${piece}`));
    const token = drawing
      .near(spot, this.hidden)
      .filter(({ distance }) => distance <= this.hit / 2)
      .filter(({ pieces }) => pieces.some((piece) => next.has(`piece ${piece}`)))
      .toSorted((left, right) => left.distance - right.distance)[0];
    if (order && (!token || order.distance < token.distance)) {
      const piece = this.subjectOf(`piece ${order.subject.piece}`);
      return piece && { piece, end: order.subject.place };
    }
    return token && { piece: token.subject, end: undefined };
  }

  /** Ends a drag without an order. */
  private letGo(): void {
    const wasDragged = this.grabbed !== undefined && this.moved >= CLICK_SLACK;
    this.grabbed = undefined;
    this.drawing?.drag(undefined);
    if (wasDragged) this.events.drag(undefined);
  }

  private drag(event: PointerEvent, grabbed: Grabbed): void {
    const { drawing } = this;
    if (!drawing) return;
    if (!this.host.hasPointerCapture(event.pointerId)) {
      this.host.setPointerCapture(event.pointerId);
      this.events.drag(grabbed);
    }
    drawing.drag(drawing.spotOf(grabbed.piece), this.spotAt(event));
    const target = this.targetOf(event);
    drawing.unmark('hover');
    if (target) drawing.mark(target, 'hover');
  }

  /** Returns what a dragged piece is dropped on. */
  private targetOf(event: PointerEvent): Subject | undefined {
    return event.pointerType === 'touch'
      ? (this.meant(event)[0]?.subject ?? this.areaUnder(event))
      : this.under(event);
  }

  private readonly move = (event: PointerEvent) => {
    const before = this.pointers.get(event.pointerId);
    if (!before) {
      if (event.pointerType === 'mouse') this.point(event);
      return;
    }
    const now = this.at(event);
    const [left, right] = [...this.pointers.values()];
    this.pointers.set(event.pointerId, now);
    if (left && right) {
      const other = left === before ? right : left;
      const by =
        Math.hypot(now.x - other.x, now.y - other.y) /
        Math.max(Math.hypot(before.x - other.x, before.y - other.y), 1);
      this.moved = Number.POSITIVE_INFINITY;
      this.zoomAt(by, { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 });
      return;
    }
    this.moved += Math.hypot(now.x - before.x, now.y - before.y);
    if (this.moved < CLICK_SLACK) return;
    if (this.grabbed) {
      this.drag(event, this.grabbed);
      return;
    }
    // Capture the pointer only for a drag: a click must reach its target.
    if (!this.host.hasPointerCapture(event.pointerId)) this.host.setPointerCapture(event.pointerId);
    this.host.toggleAttribute('data-dragging', true);
    this.point(undefined);
    this.events.hover(undefined);
    this.isWhole = false;
    const { x, y, scale } = this.view;
    this.settle({ x: x + now.x - before.x, y: y + now.y - before.y, scale });
  };

  private readonly up = (event: PointerEvent) => {
    const wasDown = this.pointers.delete(event.pointerId);
    this.host.removeAttribute('data-dragging');
    if (!wasDown) return;
    if (this.moved >= CLICK_SLACK) {
      this.dropAt(event);
      return;
    }
    this.grabbed = undefined;
    if (event.pointerType === 'touch') this.tap(event);
    else this.events.pick(this.under(event), this.at(event));
  };

  private dropAt(event: PointerEvent): void {
    const { grabbed } = this;
    const target = this.targetOf(event);
    if (!grabbed || !target || target.place === grabbed.piece.place) {
      this.letGo();
      return;
    }
    this.grabbed = undefined;
    this.drawing?.drag(undefined);
    this.events.drop(grabbed, target, this.at(event));
  }

  /** Takes what a finger means. Asks, or enlarges the board, if that is uncertain. */
  private tap(event: PointerEvent): void {
    const at = this.at(event);
    const found = this.meant(event);
    const [best] = found;
    if (!best) {
      this.events.pick(this.under(event), at);
      return;
    }
    const close = found.filter(({ distance }) => distance < best.distance + CLEARLY);
    if (close.length === 1) this.events.pick(best.subject, at);
    else if (close.length <= ASKED_MAX)
      this.events.ask(
        close.map(({ subject }) => subject),
        at,
      );
    else this.zoomAt(2, at);
  }

  /** Returns what a finger can mean: what the next click can choose, or else what has a symbol. */
  private meant(event: PointerEvent): Near[] {
    const { drawing } = this;
    if (!drawing) return [];
    const home = ({ place }: Subject) => drawing.contents.homeOf(place);
    const under = this.areaUnder(event);
    const all = drawing.near(this.spotAt(event), this.hidden).map((each) => {
      const isElsewhere = under && home(each.subject) !== home(under);
      return isElsewhere ? { ...each, distance: each.distance + CLEARLY / 2 } : each;
    });
    if (under?.piece === '') all.push({ subject: under, distance: 0, pieces: [] });
    all.sort((left, right) => left.distance - right.distance);
    const useful = all.filter(({ subject }) => this.marks.next.has(nameOf(subject)));
    const pieces = all.filter(({ subject }) => subject.piece !== '');
    const found = useful.length > 0 ? useful : pieces;
    return found.filter(({ subject }, index) => {
      const isSame = (other: Near) => nameOf(other.subject) === nameOf(subject);
      const isInside = (other: Near) =>
        other.subject.piece !== '' && home(other.subject) === home(subject);
      if (found.findIndex(isSame) < index) return false;
      // A piece stands for its place.
      return subject.piece !== '' || !found.some(isInside);
    });
  }

  private readonly cancel = (event: PointerEvent) => {
    this.pointers.delete(event.pointerId);
    this.letGo();
    this.host.removeAttribute('data-dragging');
  };

  private readonly leave = () => this.point(undefined);

  private readonly key = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { x, y, scale } = this.view;
    const moves: Record<string, [number, number]> = {
      ArrowLeft: [STEP, 0],
      ArrowRight: [-STEP, 0],
      ArrowUp: [0, STEP],
      ArrowDown: [0, -STEP],
    };
    const by = moves[event.key];
    if (by) {
      this.isWhole = false;
      this.settle({ x: x + by[0], y: y + by[1], scale });
    } else if (event.key === '+' || event.key === '=') this.zoom(1.3);
    else if (event.key === '-') this.zoom(1 / 1.3);
    else if (event.key === '0') this.showAll();
    else if (event.key === 'Escape') this.events.pick(undefined, { x: 0, y: 0 });
    else return;
    event.preventDefault();
  };

  /** Returns the piece or place under a pointer, or near it. */
  private under(event: MouseEvent): Subject | undefined {
    const { drawing } = this;
    if (!drawing) return undefined;
    return drawing.subjectAt(this.spotAt(event), this.hidden) ?? this.areaUnder(event);
  }

  /** Returns the point of the board under a pointer, in units. */
  private spotAt(event: MouseEvent): Spot {
    const { x, y } = this.at(event);
    const { left = 0, top = 0 } = this.drawing?.frame ?? {};
    const { view } = this;
    return [(x - view.x) / view.scale + left, (y - view.y) / view.scale + top];
  }

  private areaUnder(event: MouseEvent): Subject | undefined {
    const element = this.root.elementFromPoint(event.clientX, event.clientY);
    const named = element?.closest('[data-piece], [data-group], [data-place]');
    if (!named) return undefined;
    const place = named.getAttribute('data-place') ?? named.getAttribute('data-group') ?? '';
    return { place, piece: named.getAttribute('data-piece') ?? '' };
  }

  private point(event: PointerEvent | undefined): void {
    const subject = event && this.under(event);
    const { hovered, drawing } = this;
    if (subject && event) this.events.hover({ subject, ...this.at(event) });
    else if (hovered) this.events.hover(undefined);
    if (subject?.place === hovered?.place && subject?.piece === hovered?.piece) return;
    this.hovered = subject;
    drawing?.unmark('hover');
    if (subject) drawing?.mark(subject, 'hover');
    clearTimeout(this.opening);
    this.opening = setTimeout(() => this.spread(), HOVER_MS);
  }
}

/** Returns the name by which marks find a subject. */
export function nameOf({ place, piece }: Subject): string {
  return piece === '' ? `place ${place}` : `piece ${piece}`;
}
