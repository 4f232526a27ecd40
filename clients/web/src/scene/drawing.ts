// A scene as SVG. The ground scales with the map; symbols, lines and texts are arranged again for
// each zoom.

import {
  type Scene,
  type SceneArea,
  type SceneLabel,
  SceneOutcome,
  type ScenePiece,
  type ScenePlace,
} from '../engine/contract';
import type { Subject } from '../table/offers';
import { fieldOf, outlinesOf, ownershipShapes } from './areas';
import { ink, type MapThemeName, SeatInks } from './colors';
import { type Contents, namesOf } from './contents';
import { definitions } from './definitions';
import { type Box, boxAround, placedLabels, Room, type Wanted } from './labels';
import { layerOf, pathShapes } from './lines';
import {
  circle,
  el,
  halo,
  path,
  place,
  rounded,
  type Spot,
  shortened,
  spotsOf,
  text,
} from './shapes';
import {
  hasText,
  isGround,
  pieceShapes,
  pieceSize,
  placeShapes,
  placeSize,
  ratingShapes,
} from './symbols';
import { arranged, placed, type Spacing, spacingOf, TEXT_MIN, type Zoom, zoomAt } from './zoom';

export const LAYERS = [
  'ground',
  'places',
  'regions',
  'ways',
  'bodies',
  'orders',
  'pieces',
  'labels',
] as const;
export type Layer = (typeof LAYERS)[number];

/** Layers whose elements the pointer can hit. */
const TOUCHED: ReadonlySet<Layer> = new Set(['places', 'bodies', 'pieces']);
/** Boards with more points than this use the distance of hexes. */
const MEASURED_MAX = 400;
/** The smallest distance between areas, in pixels, at which coordinates are shown. */
const COORDINATES_MIN = 56;
/** The smallest distance between areas, in pixels, at which the sizes of stacks are shown. */
const BADGES_MIN = 40;
/** The greatest width of the long form of a label, in distances between areas. */
const LONG_MAX = 1.6;
const HIT_MIN = 24;
/** The smallest radius of a mark around a place, in pixels. */
const RING_MIN = 9;
/** The distance of an order's arrowhead from its end, in pixels. */
const TIP = 18;
/** The margin for labels outside the frame. Visible overflow would make each frame slow. */
const PADDING = 0.12;
/** Boards with at most this many areas have shaded hexes. */
const SHADED_MAX = 80;
/** The number of meridians. */
const GRATICULE = 11;
/** The distance of meridians at the top, relative to that at the bottom. */
const LEAN = 0.8;
/** The number of stars in a sky. */
const SKY = 150;

interface Token {
  piece: ScenePiece;
  element: SVGGElement;
  body: SVGGElement;
  hit: SVGElement;
  badge: SVGGElement | undefined;
  /** The center of its area. */
  center: Spot;
  spot: Spot;
}

interface Symbol {
  place: ScenePlace;
  element: SVGGElement;
  center: Spot;
}

interface Label {
  label: SceneLabel;
  element: SVGTextElement;
  size: number;
  center: Spot;
}

/** Something that a pointer can hit, in units. */
interface Target {
  subject: Subject;
  x: number;
  y: number;
  width: number;
  height: number;
  token: Token | undefined;
}

/** Something near a finger. */
export interface Near {
  subject: Subject;
  distance: number;
  /** The names of the pieces of a token. */
  pieces: readonly string[];
}

export class Drawing {
  readonly svg: SVGSVGElement;
  readonly contents: Contents;
  readonly layers: readonly Layer[];
  readonly frame: { left: number; top: number; width: number; height: number };
  zoom: Zoom;

  private readonly groups: Record<Layer, SVGGElement>;
  private readonly marks: SVGGElement;
  private readonly borders: SVGGElement;
  private readonly inks: SeatInks;
  private readonly spacing: Spacing;
  private readonly tokens = new Map<string, Token[]>();
  private readonly symbols: Symbol[] = [];
  private readonly labels: Label[] = [];
  private readonly outlines = new Map<string, string>();
  private targets: Target[] = [];
  /** The areas with stacks. */
  private readonly stacks = new Set<string>();
  private openArea = '';
  private hit = HIT_MIN;

  constructor(contents: Contents, theme: MapThemeName) {
    const { scene } = contents;
    this.contents = contents;
    this.inks = new SeatInks(scene, theme);
    const { left = 0, top = 0, width = 0, height = 0 } = scene.frame ?? {};
    this.frame = { left, top, width: width || 800, height: height || 600 };
    this.groups = Object.fromEntries(
      LAYERS.map((layer) => [
        layer,
        el('g', {
          'data-layer': layer,
          'pointer-events': TOUCHED.has(layer) ? undefined : 'none',
        }),
      ]),
    ) as Record<Layer, SVGGElement>;
    const pad = PADDING * Math.max(this.frame.width, this.frame.height);
    this.marks = el('g', { class: 'marks' });
    this.borders = el('g');
    this.svg = el(
      'svg',
      {
        viewBox: [left - pad, top - pad, this.frame.width + 2 * pad, this.frame.height + 2 * pad]
          .map(rounded)
          .join(' '),
        width: this.frame.width + 2 * pad,
        height: this.frame.height + 2 * pad,
        role: 'presentation',
        'font-family': "Helvetica, Arial, 'DejaVu Sans', sans-serif",
      },
      definitions(scene, theme),
    );
    this.svg.style.margin = `${-pad}px`;
    for (const layer of LAYERS) {
      this.svg.append(this.groups[layer]);
      if (layer === 'regions') this.svg.append(this.marks);
    }
    this.spacing = spacingsOf(contents);
    this.zoom = zoomAt(1, this.spacing);
    this.drawGround();
    this.drawAreas();
    this.drawPlaces();
    this.drawPieces();
    this.drawLabels();
    const kinds = new Set(scene.paths.map(layerOf));
    this.layers = LAYERS.filter(
      (layer) =>
        this.groups[layer].hasChildNodes() || (layer !== 'regions' && kinds.has(layer as 'ways')),
    );
  }

  private drawGround(): void {
    if (!this.contents.scene.frame?.starry) return;
    const { left, top, width, height } = this.frame;
    // A fixed sequence, so that the sky is the same each time.
    let state = 20_190_705;
    const next = (range: number) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return ((state >>> 16) / 65_536) * range;
    };
    for (let star = 0; star < SKY; star += 1) {
      const at: Spot = [left + (next(1.2) - 0.1) * width, top + (next(1.2) - 0.1) * height];
      this.groups.ground.append(circle(at, 0.4 + next(0.8), { fill: ink('sky') }));
    }
  }

  private drawAreas(): void {
    const { scene } = this.contents;
    const isShaded = scene.areas.length <= SHADED_MAX;
    const isSea = ({ terrain }: SceneArea) => terrain === 'sea';
    const lands = scene.areas.filter((area) => !isSea(area));
    const seas = scene.areas.filter(isSea);
    for (const area of [...seas, ...lands]) {
      // The coast is above the sea, and below the land.
      if (area === lands[0] && seas.length > 0) this.drawCoast(lands);
      const d = outlinesOf(area, scene.hexRadius);
      const field = fieldOf(area, isShaded);
      if (area.name === '') {
        this.groups.ground.append(path(d, field));
        continue;
      }
      const owner = area.owner ?? area.claim;
      this.outlines.set(area.name, d);
      this.groups.places.append(
        path(d, { ...field, 'data-place': area.name, 'data-owner': owner, class: 'area' }),
      );
      this.groups.regions.append(...ownershipShapes(area, scene, this.inks));
    }
  }

  /** Draws a sea like a printed map: with a graticule, a coast in two tones, and a neat line. */
  private drawCoast(lands: readonly SceneArea[]): void {
    const { left, top, width, height } = this.frame;
    const step = width / GRATICULE;
    const lines: string[] = [];
    // Meridians lean towards the middle, and parallels sag.
    for (let x = step / 2; x < width; x += step) {
      const head = left + width / 2 + (x - width / 2) * LEAN;
      lines.push(`M${rounded(head)} ${top}L${rounded(left + x)} ${top + height}`);
    }
    for (let y = step / 2; y < height; y += step) {
      const at = rounded(top + y);
      const sag = rounded(at + step / 2);
      lines.push(`M${left} ${at}Q${left + width / 2} ${sag} ${left + width} ${at}`);
    }
    const coast = lands.map((area) => outlinesOf(area, this.contents.scene.hexRadius)).join('');
    const drawn = (d: string, token: string, stroke: number, opacity: number) =>
      path(d, {
        fill: 'none',
        stroke: ink(token),
        'stroke-width': stroke,
        'stroke-opacity': opacity,
        'stroke-linejoin': 'round',
        'pointer-events': 'none',
      });
    const frame = (out: number) => {
      const [x, y] = [left - out, top - out];
      return `M${x} ${y}h${width + 2 * out}v${height + 2 * out}h${-width - 2 * out}z`;
    };
    this.groups.places.append(
      drawn(lines.join(''), 'sea-edge', 0.8, 0.45),
      drawn(coast, 'coast', 11, 0.22),
      drawn(coast, 'coast', 5, 0.45),
    );
    this.groups.ground.append(drawn(frame(3), 'neatline', 5, 1), drawn(frame(8), 'neatline', 1, 1));
  }

  private drawPlaces(): void {
    const { scene } = this.contents;
    for (const at of scene.places) {
      const element = el(
        'g',
        { 'data-place': at.name, 'data-owner': at.owner, class: 'symbol' },
        ...placeShapes(at, this.inks, scene.hexRadius),
      );
      if (!element.hasChildNodes()) continue;
      const center = this.contents.centerOf(at.name, [at.x, at.y]);
      if (isGround(at)) {
        place(element, [at.x, at.y], 1);
        this.groups.bodies.append(element);
        if (!at.value) continue;
        const rating = el(
          'g',
          { 'data-place': at.name, class: 'symbol' },
          ...ratingShapes(at.value),
        );
        this.groups.bodies.append(rating);
        this.symbols.push({ place: at, element: rating, center });
        continue;
      }
      this.groups.bodies.append(element);
      this.symbols.push({ place: at, element, center });
    }
  }

  private drawPieces(): void {
    for (const piece of this.contents.scene.pieces) {
      const body = el('g', { class: 'body' }, ...pieceShapes(piece, this.inks));
      // At least as large as a mouse can hit, in pixels.
      const hit = el('rect', {
        class: 'hit',
        x: -HIT_MIN / 2,
        y: -HIT_MIN / 2,
        width: HIT_MIN,
        height: HIT_MIN,
        fill: 'transparent',
      });
      const isGroup = piece.name === '';
      const element = el(
        'g',
        {
          class: 'token',
          'data-piece': isGroup ? undefined : piece.name,
          'data-group': isGroup ? piece.place : undefined,
          'data-place': isGroup ? undefined : piece.place,
          'data-owner': piece.owner,
        },
        hit,
        body,
      );
      // Pieces that share a token are elements without a shape.
      for (const { name } of piece.members) {
        element.append(
          el('g', { 'data-piece': name, 'data-place': piece.place, 'data-owner': piece.owner }),
        );
      }
      this.groups.pieces.append(element);
      const home = this.contents.homeOf(piece.place);
      const center = this.contents.centerOf(piece.place, [piece.x, piece.y]);
      const tokens = this.tokens.get(home) ?? [];
      tokens.push({ piece, element, body, hit, badge: undefined, center, spot: center });
      this.tokens.set(home, tokens);
    }
  }

  private drawLabels(): void {
    for (const label of this.contents.scene.labels) {
      const isRegion = label.kind === 'region';
      const size = isRegion ? 64 : label.kind === 'name' || label.kind === 'note' ? 11.5 : TEXT_MIN;
      const isPlain = label.kind === 'detail' || label.kind === 'coordinates';
      const element = text(label.text, [0, size * 0.35], size, this.inks.label(label), {
        ...(isRegion ? {} : halo(size)),
        'font-weight': isPlain ? 400 : 700,
        class: `label ${isPlain ? 'plain' : ''}`,
      });
      if (isRegion) {
        place(element, [label.x, label.y + label.offset], 1);
        this.groups.regions.append(element);
        continue;
      }
      this.groups.labels.append(element);
      const center = this.contents.centerOf(label.place, [label.x, label.y]);
      this.labels.push({ label, element, size, center });
    }
  }

  /** Arranges everything in a part of the board, in units, that keeps its size on the screen. */
  arrange(scale: number, hit: number, part: Box): void {
    const zoom = zoomAt(scale, this.spacing);
    this.zoom = zoom;
    this.hit = hit;
    this.marks.style.setProperty('--px', String(rounded(1000 / scale) / 1000));
    this.svg.classList.toggle('far', zoom.token < 1);
    const room = new Room();
    this.targets = [];
    const isIn = ([x, y]: Spot) =>
      x >= part.left && x <= part.right && y >= part.top && y <= part.bottom;
    for (const { place: at, element, center } of this.symbols) {
      if (!isIn(center)) continue;
      const [x, y] = placed([at.x, at.y], center, zoom, this.spacing);
      const size = placeSize(at) || (isGround(at) ? 9 : 0);
      const pixels = hasText(at) ? zoom.token : zoom.body;
      place(element, [x, y], pixels / scale);
      if (size > 0) room.take(boxAround(x * scale, y * scale, size * pixels * 0.85));
      if (size >= 5) {
        const half = (size * pixels) / scale;
        const subject = { place: at.name, piece: '' };
        this.targets.push({ subject, x, y, width: half, height: half, token: undefined });
      }
    }
    for (const [area, tokens] of this.tokens) {
      if (tokens[0] && isIn(tokens[0].center)) this.arrangeArea(area, tokens, room);
    }
    this.arrangePaths();
    this.arrangeLabels(
      this.labels.filter(({ center }) => isIn(center)),
      room,
    );
  }

  private arrangeArea(area: string, tokens: readonly Token[], room?: Room): void {
    const { zoom, hit } = this;
    const { scale, token } = zoom;
    const at = tokens.map(({ piece, center }): Spot => {
      const [x, y] = placed([piece.x, piece.y], center, zoom, this.spacing);
      return [x * scale, y * scale];
    });
    const pieces = tokens.map(({ piece }) => piece);
    const spots = arranged(pieces, at, zoom, area === this.openArea, hit);
    if (spots.some(({ badge }) => badge > 0)) this.stacks.add(area);
    else this.stacks.delete(area);
    tokens.forEach((one, index) => {
      const { piece, element } = one;
      const spot = spots[index];
      if (!spot) return;
      const [x, y] = [spot.x / scale, spot.y / scale];
      element.toggleAttribute('data-hidden', spot.isHidden);
      const [width, height] = pieceSize(piece, token < 1);
      one.badge?.remove();
      one.badge = undefined;
      if (spot.badge > 0 && zoom.cell >= BADGES_MIN) {
        one.badge = badgeOf(spot.badge);
        const corner: Spot = [x + (width * token) / scale, y - (height * token) / scale];
        place(one.badge, corner, zoom.text / scale);
        element.append(one.badge);
      }
      if (spot.isHidden) return;
      place(one.body, [x, y], token / scale);
      place(one.hit, [x, y], 1 / scale);
      one.spot = [x, y];
      room?.take(boxAround(spot.x, spot.y, width * token * 0.85, height * token * 0.85));
      this.targets.push({
        subject: { place: piece.place, piece: piece.name },
        x,
        y,
        width: (width * token) / scale,
        height: (height * token) / scale,
        token: one,
      });
    });
  }

  private arrangePaths(): void {
    const { scene } = this.contents;
    const { ways, orders, regions } = this.groups;
    ways.replaceChildren();
    orders.replaceChildren();
    this.borders.replaceChildren();
    if (scene.paths.length === 0) return;
    const size = this.zoom.token / this.zoom.scale;
    for (const one of scene.paths) {
      const shapes = pathShapes(one, this.inks, size);
      const layer = layerOf(one);
      if (layer === 'regions') this.borders.append(...shapes);
      else if (layer === 'ways') ways.append(...shapes);
      else orders.append(el('g', { 'data-order': '', 'data-owner': one.owner }, ...shapes));
    }
    if (this.borders.hasChildNodes()) regions.append(this.borders);
  }

  private arrangeLabels(labels: readonly Label[], room: Room): void {
    const { zoom, spacing } = this;
    const { scale } = zoom;
    const shown = labels.filter(({ label, element }) => {
      const hasRoom = label.kind !== 'coordinates' || zoom.cell >= COORDINATES_MIN;
      const isShown = hasRoom && scale >= label.minZoom;
      if (!isShown) element.setAttribute('data-hidden', '');
      return isShown;
    });
    const wanted = shown.map(({ label, size, center }): Wanted => {
      const [x, y] = placed([label.x, label.y], center, zoom, spacing);
      const preferred = label.offset * (label.free ? zoom.token : zoom.offset);
      // Coordinates stay within their hex.
      const most = label.kind === 'coordinates' ? zoom.cell / 2 - 6 : Number.POSITIVE_INFINITY;
      const offset = Math.min(Math.max(preferred, -most), most);
      return { label, x: x * scale, y: y * scale, offset, size: size * zoom.text };
    });
    placedLabels(wanted, room, zoom.cell * LONG_MAX).forEach((at, index) => {
      const element = shown[index]?.element;
      if (!element) return;
      element.toggleAttribute('data-hidden', at === undefined);
      if (!at) return;
      if (element.textContent !== at.text) element.textContent = at.text;
      place(element, [at.x / scale, at.y / scale], zoom.text / scale);
    });
  }

  /** Spreads the tokens of an area that are stacked, and stacks those of the previous one. */
  open(area: string): void {
    if (area === this.openArea) return;
    const before = this.openArea;
    this.openArea = area;
    this.svg.querySelector('.fan')?.remove();
    for (const name of [before, area]) {
      const tokens = this.tokens.get(name);
      if (!tokens) continue;
      this.targets = this.targets.filter(({ token }) => !token || !tokens.includes(token));
      const isStacked = this.stacks.has(name);
      this.arrangeArea(name, tokens);
      if (name === area && isStacked) this.raise(area, tokens);
    }
  }

  private raise(area: string, tokens: readonly Token[]): void {
    const { pieces } = this.groups;
    const factor = this.zoom.token / this.zoom.scale;
    const spread = this.targets.slice(-tokens.length);
    const margin = 6 * factor;
    const left = Math.min(...spread.map(({ x, width }) => x - width)) - margin;
    const right = Math.max(...spread.map(({ x, width }) => x + width)) + margin;
    const top = Math.min(...spread.map(({ y, height }) => y - height)) - margin;
    const bottom = Math.max(...spread.map(({ y, height }) => y + height)) + margin;
    pieces.append(
      el('rect', {
        class: 'fan',
        'data-group': area,
        x: left,
        y: top,
        width: right - left,
        height: bottom - top,
        rx: 8 * factor,
        'stroke-width': factor,
      }),
      ...tokens.map(({ element }) => element),
    );
  }

  /** Returns the piece or place whose symbol is at or near a point, which is in units. */
  subjectAt([x, y]: Spot, hidden: ReadonlySet<string>): Subject | undefined {
    const least = this.hit / 2 / this.zoom.scale;
    let best: { subject: Subject; cost: number } | undefined;
    for (const target of this.targets) {
      if (hidden.has(target.token ? 'pieces' : 'bodies')) continue;
      const [dx, dy] = [Math.abs(target.x - x), Math.abs(target.y - y)];
      const isInside = dx <= target.width && dy <= target.height;
      if (!isInside && (dx > least || dy > least)) continue;
      // Pieces are above places, and symbols under the pointer above those beside it.
      const cost = Math.hypot(dx, dy) + (isInside ? 0 : least) + (target.token ? 0 : least * 2);
      if (!best || cost < best.cost) best = { subject: target.subject, cost };
    }
    return best?.subject;
  }

  /** Returns what is near a finger at a point, with the distances in pixels. */
  near([x, y]: Spot, hidden: ReadonlySet<string>): Near[] {
    const { scale } = this.zoom;
    const reach = this.hit / 2 / scale;
    const found: Near[] = [];
    for (const { subject, token, ...target } of this.targets) {
      if (hidden.has(token ? 'pieces' : 'bodies')) continue;
      const [dx, dy] = [Math.abs(target.x - x), Math.abs(target.y - y)];
      const gap = Math.hypot(Math.max(dx - target.width, 0), Math.max(dy - target.height, 0));
      if (gap > reach) continue;
      const pieces = token ? namesOf(token.piece) : [];
      found.push({ subject, distance: Math.hypot(dx, dy) * scale, pieces });
    }
    for (const area of this.contents.scene.areas) {
      const distance = Math.hypot(area.x - x, area.y - y);
      if (area.name === '' || distance > reach) continue;
      const subject = { place: area.name, piece: '' };
      found.push({ subject, distance: distance * scale, pieces: [] });
    }
    return found;
  }

  /**
   * Returns the nearest end of an order of a piece to a point, with its distance in pixels. Only
   * orders without an outcome can be changed.
   */
  orderAt([x, y]: Spot, isOwn: (piece: string) => boolean): Near | undefined {
    const { scale, token } = this.zoom;
    let best: Near | undefined;
    for (const { piece, points, outcome, destination } of this.contents.scene.paths) {
      if (piece === '' || destination === '' || outcome !== SceneOutcome.UNSPECIFIED) continue;
      if (points.length < 4 || !isOwn(piece)) continue;
      const spots = spotsOf(points);
      const [start, end] = [spots.at(-2), spots.at(-1)];
      if (!start || !end) continue;
      const [, tip] = shortened(start, end, 0, (TIP * token) / scale);
      const distance = Math.hypot(tip[0] - x, tip[1] - y) * scale;
      if (distance > this.hit / 2 || (best && best.distance <= distance)) continue;
      best = { subject: { place: destination, piece }, distance, pieces: [piece] };
    }
    return best;
  }

  /** Draws or removes the line of a drag. */
  drag(from: Spot | undefined, to: Spot = [0, 0]): void {
    this.svg.querySelector('.drag')?.remove();
    if (!from) return;
    const width = (3 * this.zoom.token) / this.zoom.scale;
    this.groups.labels.append(
      el('line', {
        class: 'drag',
        x1: from[0],
        y1: from[1],
        x2: to[0],
        y2: to[1],
        'stroke-width': width,
      }),
    );
  }

  /** Returns the points of a subject, in units. */
  spotOf({ place, piece }: Subject): Spot | undefined {
    const token = this.tokenOf(place, piece);
    if (token) {
      const found = this.targets.find((target) => target.token === token);
      return found ? [found.x, found.y] : token.center;
    }
    const { contents } = this;
    const at = contents.area(place) ?? contents.place(place);
    return at ? [at.x, at.y] : undefined;
  }

  private tokenOf(place: string, piece: string): Token | undefined {
    if (piece === '') return undefined;
    const tokens = this.tokens.get(this.contents.homeOf(place)) ?? [];
    return tokens.find((token) => namesOf(token.piece).includes(piece));
  }

  /** Removes all marks, or those of a class. */
  unmark(className = ''): void {
    const found = this.svg.querySelectorAll(className === '' ? '.mark' : `.mark.${className}`);
    for (const mark of found) mark.remove();
  }

  /** Marks a subject with a class of the style sheet. */
  mark({ place: name, piece }: Subject, className: string): void {
    const attributes = { class: `mark ${className}`, 'stroke-width': 2 };
    const token = this.tokenOf(name, piece);
    if (token) {
      // Pieces that share a token share its mark.
      if (token.element.querySelector(`.mark.${className}`)) return;
      const [width, height] = pieceSize(token.piece, this.zoom.token < 1);
      const [x, y] = [width + 3, height + 3];
      const box = el('rect', { x: -x, y: -y, width: 2 * x, height: 2 * y, rx: 5, ...attributes });
      place(box, token.spot, this.zoom.token / this.zoom.scale);
      token.element.insertBefore(box, token.body);
      return;
    }
    if (piece !== '') return;
    const outline = this.outlines.get(name);
    if (outline) this.marks.append(path(outline, attributes));
    for (const { place: at, center, element } of this.symbols) {
      if (at.name !== name || outline) continue;
      const pixels = hasText(at) ? this.zoom.token : this.zoom.body;
      const radius = Math.max(Math.max(placeSize(at), 6) + 4, RING_MIN / pixels);
      const ring = circle([0, 0], radius, attributes);
      const spot = placed([at.x, at.y], center, this.zoom, this.spacing);
      place(ring, spot, pixels / this.zoom.scale);
      element.before(ring);
    }
  }

  /** Marks a subject by its name in the sets of the picker. */
  markNamed(name: string, className: string): void {
    const [kind, subject] = [name.slice(0, 6), name.slice(6)];
    if (kind === 'place ') {
      this.mark({ place: subject, piece: '' }, className);
      return;
    }
    const group = this.contents.groupOf(subject);
    if (group) this.mark({ place: group.place, piece: subject }, className);
  }

  hide(layers: ReadonlySet<string>): void {
    for (const layer of LAYERS) {
      this.groups[layer].toggleAttribute('data-hidden', layers.has(layer));
    }
  }

  /** Returns the bodies of tokens with the keys of their pieces, for the animation of moves. */
  *bodies(): Generator<{ piece: ScenePiece; body: SVGGElement; center: Spot }> {
    for (const tokens of this.tokens.values()) yield* tokens;
  }
}

/** Returns the number of tokens in a stack. */
function badgeOf(count: number): SVGGElement {
  return el(
    'g',
    { class: 'badge' },
    circle([0, 0], 7.5, { fill: ink('text') }),
    text(String(count), [0, 3.6], TEXT_MIN, ink('page-outer')),
  );
}

function spacingsOf(contents: Contents): Spacing {
  const { scene } = contents;
  const centers = scene.areas.filter(({ name }) => name !== '').map(({ x, y }): Spot => [x, y]);
  const points = centers.length > 1 ? centers : scene.places.map(({ x, y }): Spot => [x, y]);
  const isLarge = points.length > MEASURED_MAX;
  const areas =
    scene.hexRadius > 0
      ? scene.hexRadius * 1.732
      : ((isLarge ? undefined : spacingOf(points)) ?? 80);
  const homes = new Map<string, Spot>();
  for (const { place, x, y } of scene.pieces) {
    homes.set(contents.homeOf(place), contents.centerOf(place, [x, y]));
  }
  for (const place of scene.places) {
    if (placeSize(place) < 5) continue;
    homes.set(contents.homeOf(place.name), contents.centerOf(place.name, [place.x, place.y]));
  }
  const spots = [...homes.values()];
  const symbols = spots.length > MEASURED_MAX ? areas : (spacingOf(spots, 0.25) ?? areas);
  return { areas, symbols };
}

/** Returns whether a scene has something to draw. */
export function isDrawable(scene: Scene): boolean {
  return scene.areas.length + scene.places.length + scene.pieces.length > 0;
}
