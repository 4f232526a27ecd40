// The stage: a picture in a shadow root, which can be moved, enlarged, pointed at and marked. It
// knows no framework and no game.

import type { Subject } from '../table/offers';
import type { Clean } from './clean';
import styles from './stage.css?inline';
import { centred, held, type Size, type View, whole, zoomed } from './view';

const SVG = 'http://www.w3.org/2000/svg';
const SHAPES = 'path, rect, circle, ellipse, polygon, polyline';
/** A pointer that moved less than this has clicked. */
const CLICK_SLACK = 5;
/** The picture is drawn sharp again when it has rested for so long. */
const REST_MS = 140;
const STEP = 60;

/** What is marked on the picture. */
export interface Marks {
  chosen: Subject | undefined;
  /** Names of places and pieces that can do something. */
  able: ReadonlySet<string>;
  /** Names of places and pieces that a second click may choose. */
  targets: ReadonlySet<string>;
}

export interface StageEvents {
  pick(subject: Subject | undefined): void;
  hover(title: string): void;
}

export class Stage {
  private readonly host: HTMLElement;
  private readonly root: ShadowRoot;
  private readonly sheet: HTMLDivElement;
  private readonly events: StageEvents;
  private readonly observer: ResizeObserver;
  private readonly base: CSSStyleSheet;
  private frame: Size = { width: 1, height: 1 };
  private picture: Size = { width: 1, height: 1 };
  private view: View = { x: 0, y: 0, scale: 1 };
  private isWhole = true;
  private svg: SVGSVGElement | undefined;
  private marks: SVGGElement | undefined;
  private named = new Map<string, Element[]>();
  private hovered: Element | undefined;
  private pointers = new Map<number, { x: number; y: number }>();
  private moved = 0;
  private resting: ReturnType<typeof setTimeout> | undefined;
  private drawing = 0;

  constructor(host: HTMLElement, events: StageEvents) {
    this.host = host;
    this.events = events;
    this.root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
    this.base = new CSSStyleSheet();
    this.base.replaceSync(styles);
    this.root.adoptedStyleSheets = [this.base];
    this.sheet = document.createElement('div');
    this.sheet.className = 'sheet';
    this.root.replaceChildren(this.sheet);
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
  }

  destroy(): void {
    this.observer.disconnect();
    clearTimeout(this.resting);
    cancelAnimationFrame(this.drawing);
    this.root.replaceChildren();
    // Whoever still knows this stage keeps no picture by it.
    this.named.clear();
    this.svg = undefined;
    this.marks = undefined;
    this.hovered = undefined;
  }

  /** The root in which the picture lies, for those who read it. */
  get content(): ParentNode {
    return this.sheet;
  }

  /** Puts another picture on the stage. What was seen stays in view if it has the same size. */
  show({ content }: Clean): void {
    const svg = content.querySelector('svg') ?? undefined;
    this.sheet.replaceChildren(...(svg ? [svg] : []));
    this.svg = svg as SVGSVGElement | undefined;
    this.hovered = undefined;
    this.named.clear();
    if (!this.svg) return;
    this.svg.setAttribute('role', 'presentation');
    const box = this.svg.viewBox.baseVal;
    const size = { width: box.width || 800, height: box.height || 600 };
    this.svg.setAttribute('width', String(size.width));
    this.svg.setAttribute('height', String(size.height));
    for (const element of this.svg.querySelectorAll('[data-place], [data-piece], [data-group]')) {
      this.index(element);
    }
    this.marks = document.createElementNS(SVG, 'g');
    this.marks.setAttribute('class', 'marks');
    this.svg.append(this.marks);
    const isSame = size.width === this.picture.width && size.height === this.picture.height;
    this.picture = size;
    if (this.isWhole || !isSame) this.fit();
    else this.place();
  }

  private index(element: Element): void {
    const piece = element.getAttribute('data-piece');
    const names = [piece ? `piece ${piece}` : `place ${placeOf(element)}`];
    for (const name of names) this.named.set(name, [...(this.named.get(name) ?? []), element]);
  }

  /** Hides layers by their names. */
  hide(layers: ReadonlySet<string>): void {
    for (const element of this.svg?.querySelectorAll('[data-layer]') ?? []) {
      const isHidden = layers.has(element.getAttribute('data-layer') ?? '');
      element.toggleAttribute('data-hidden', isHidden);
    }
  }

  /** Marks what was chosen, and what may be chosen. */
  mark({ chosen, able, targets }: Marks): void {
    if (!this.marks) return;
    this.marks.replaceChildren();
    for (const name of able) {
      if (!targets.has(name)) this.outline(name, 'able');
    }
    for (const name of targets) this.outline(name, 'target');
    if (chosen) this.outline(nameOf(chosen), 'chosen');
  }

  /** Shows the outline of what has a name. */
  private outline(name: string, className: string): void {
    for (const element of this.named.get(name) ?? []) this.trace(element, className);
  }

  private trace(element: Element, className: string): void {
    const { marks } = this;
    if (!marks) return;
    let shapes = [...element.querySelectorAll<SVGGraphicsElement>(SHAPES)];
    if (shapes.length === 0) {
      // One of several pieces that share a token: the token is marked.
      const token = element.closest('[data-group]');
      shapes = token ? [...token.querySelectorAll<SVGGraphicsElement>(SHAPES)] : [];
    }
    const base = marks.getCTM()?.inverse();
    for (const shape of shapes.slice(0, 4)) {
      const matrix = shape.getCTM();
      if (!matrix || !base) continue;
      const { a, b, c, d, e, f } = base.multiply(matrix);
      const copy = document.createElementNS(SVG, shape.localName);
      for (const name of COPIED) {
        const value = shape.getAttribute(name);
        if (value !== null) copy.setAttribute(name, value);
      }
      copy.setAttribute('transform', `matrix(${a} ${b} ${c} ${d} ${e} ${f})`);
      copy.setAttribute('class', className);
      marks.append(copy);
    }
  }

  /** Shows the whole picture. */
  fit(): void {
    this.isWhole = true;
    this.view = whole(this.picture, this.frame);
    this.place();
  }

  /** Enlarges about the middle. */
  zoom(by: number): void {
    this.zoomAt(by, { x: this.frame.width / 2, y: this.frame.height / 2 });
  }

  /** Brings what has a name into the middle, unless it is well in view. */
  reveal(subject: Subject): void {
    const element = this.named.get(nameOf(subject))?.[0] as SVGGraphicsElement | undefined;
    const box = element?.getBoundingClientRect();
    const frame = this.host.getBoundingClientRect();
    if (!box || box.width === 0) return;
    const x = box.x + box.width / 2 - frame.x;
    const y = box.y + box.height / 2 - frame.y;
    const isInView = x > 30 && y > 30 && x < frame.width - 30 && y < frame.height - 30;
    if (isInView) return;
    const part = { x: (x - this.view.x) / this.view.scale, y: (y - this.view.y) / this.view.scale };
    this.settle(centred(this.view, part, this.frame));
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
    this.resting = setTimeout(() => this.sheet.classList.remove('moving'), REST_MS);
    this.place();
  }

  /** Moves the picture once a frame, however many events come. */
  private place(): void {
    if (this.drawing !== 0) return;
    this.drawing = requestAnimationFrame(() => {
      this.drawing = 0;
      const { x, y, scale } = this.view;
      this.sheet.style.transform = `translate(${x}px, ${y}px) scale(${scale})`;
    });
  }

  private resized({ width, height }: DOMRectReadOnly): void {
    this.frame = { width: width || 1, height: height || 1 };
    if (this.isWhole) this.fit();
    else this.settle(this.view);
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
    if (this.pointers.size === 1) this.moved = 0;
  };

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
    // Only a drag takes the pointer: a click must still reach what it points at.
    if (!this.host.hasPointerCapture(event.pointerId)) this.host.setPointerCapture(event.pointerId);
    this.host.toggleAttribute('data-dragging', true);
    this.isWhole = false;
    const { x, y, scale } = this.view;
    this.settle({ x: x + now.x - before.x, y: y + now.y - before.y, scale });
  };

  private readonly up = (event: PointerEvent) => {
    const wasDown = this.pointers.delete(event.pointerId);
    this.host.removeAttribute('data-dragging');
    if (!wasDown || this.moved >= CLICK_SLACK) return;
    this.events.pick(subjectOf(this.under(event)));
  };

  private readonly cancel = (event: PointerEvent) => {
    this.pointers.delete(event.pointerId);
    this.host.removeAttribute('data-dragging');
  };

  private readonly leave = () => {
    if (this.hovered) this.point(undefined);
  };

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
    else if (event.key === '0') this.fit();
    else return;
    event.preventDefault();
  };

  /** What lies under a pointer: the innermost thing with a name. */
  private under(event: MouseEvent): Element | undefined {
    const element = this.root.elementFromPoint(event.clientX, event.clientY);
    return element?.closest('[data-piece], [data-group], [data-place]') ?? undefined;
  }

  private point(event: PointerEvent | undefined): void {
    const element = event && this.under(event);
    if (element === this.hovered) return;
    this.hovered = element;
    for (const old of this.marks?.querySelectorAll('.hover') ?? []) old.remove();
    if (element) this.trace(element, 'hover');
    this.events.hover(element ? titleOf(element) : '');
  }
}

const COPIED = ['d', 'x', 'y', 'width', 'height', 'cx', 'cy', 'r', 'rx', 'ry', 'points'];

function placeOf(element: Element): string {
  return element.getAttribute('data-place') ?? element.getAttribute('data-group') ?? '';
}

function titleOf(element: Element): string {
  const title = [...element.children].find((child) => child.localName === 'title');
  return title?.textContent ?? '';
}

function subjectOf(element: Element | undefined): Subject | undefined {
  if (!element) return undefined;
  return { place: placeOf(element), piece: element.getAttribute('data-piece') ?? '' };
}

/** The name under which marks find a subject. */
export function nameOf({ place, piece }: Subject): string {
  return piece === '' ? `place ${place}` : `piece ${piece}`;
}
