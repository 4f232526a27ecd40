// Elements of SVG, and the shapes that symbols are made of.

export type Spot = readonly [x: number, y: number];
export type Attributes = Record<string, string | number | undefined>;

const SVG = 'http://www.w3.org/2000/svg';

export function el<K extends keyof SVGElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: (Node | undefined)[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined) continue;
    element.setAttribute(key, typeof value === 'number' ? String(rounded(value)) : value);
  }
  for (const child of children) if (child) element.append(child);
  return element;
}

export function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

/** Returns the attributes of a line without a fill. */
export function line(color: string, width: number, dashes?: string): Attributes {
  return { fill: 'none', stroke: color, 'stroke-width': width, 'stroke-dasharray': dashes };
}

export function circle(at: Spot, radius: number, style: Attributes): SVGElement {
  return el('circle', { cx: at[0], cy: at[1], r: radius, ...style });
}

export function polygon(points: readonly Spot[], style: Attributes): SVGElement {
  return el('polygon', { points: points.map(spotText).join(' '), ...style });
}

export function path(d: string, style: Attributes): SVGElement {
  return el('path', { d, ...style });
}

export function stroke(from: Spot, to: Spot, style: Attributes): SVGElement {
  return path(`M${spotText(from)}L${spotText(to)}`, style);
}

function spotText([x, y]: Spot): string {
  return `${rounded(x)} ${rounded(y)}`;
}

/** Returns text. Its size and weight are attributes, so that samples of the legend have them. */
export function text(
  content: string,
  at: Spot,
  size: number,
  color: string,
  attributes: Attributes = {},
): SVGTextElement {
  const element = el('text', {
    x: at[0],
    y: at[1],
    'font-size': size,
    'font-weight': 700,
    fill: color,
    'text-anchor': 'middle',
    ...attributes,
  });
  element.textContent = content;
  return element;
}

/** The outline that keeps text readable on any background. */
export function halo(size: number): Attributes {
  return {
    'paint-order': 'stroke',
    stroke: 'var(--map-halo)',
    'stroke-width': Math.max(size * 0.27, 2.4),
    'stroke-linejoin': 'round',
  };
}

/** Returns a cross over a background of another color. */
export function cross([x, y]: Spot, arm: number, color: string, width = 2.6): SVGElement[] {
  const d = `M${spotText([x - arm, y - arm])}L${spotText([x + arm, y + arm])}M${spotText([x - arm, y + arm])}L${spotText([x + arm, y - arm])}`;
  return [path(d, line('var(--map-halo)', width * 1.9)), path(d, line(color, width))];
}

/** Returns the corners of a flat-topped hex. */
export function hexagon([x, y]: Spot, radius: number): Spot[] {
  const corners: Spot[] = [
    [1, 0],
    [0.5, 0.866],
    [-0.5, 0.866],
    [-1, 0],
    [-0.5, -0.866],
    [0.5, -0.866],
  ];
  return corners.map(([dx, dy]) => [x + dx * radius, y + dy * radius]);
}

/** Returns the path of a closed polygon. */
export function closed(points: readonly Spot[]): string {
  return `M${points.map(spotText).join('L')}Z`;
}

/** Returns the points of a list of coordinates. */
export function spotsOf(points: readonly number[]): Spot[] {
  const spots: Spot[] = [];
  for (let at = 0; at + 1 < points.length; at += 2) {
    spots.push([points[at] ?? 0, points[at + 1] ?? 0]);
  }
  return spots;
}

export function between(start: Spot, end: Spot, part: number): Spot {
  return [start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part];
}

/** Shortens a line at both ends, by at most 40 % each. */
export function shortened(start: Spot, end: Spot, before: number, after: number): [Spot, Spot] {
  const length = Math.max(Math.hypot(end[0] - start[0], end[1] - start[1]), 1);
  const cut = (room: number) => Math.min(room / length, 0.4);
  return [between(start, end, cut(before)), between(start, end, 1 - cut(after))];
}

/** Returns the tip of an arrow at `to`. */
export function tip(from: Spot, to: Spot, color: string, size: number): SVGElement {
  const length = Math.max(Math.hypot(to[0] - from[0], to[1] - from[1]), 0.01);
  const [ux, uy] = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
  const side = (aside: number): Spot => [
    to[0] - 7 * size * ux - aside * size * uy,
    to[1] - 7 * size * uy + aside * size * ux,
  ];
  const point: Spot = [to[0] + 3 * size * ux, to[1] + 3 * size * uy];
  return polygon([point, side(5), side(-5)], { fill: color });
}

/** Returns a line that bends to its side, and its middle. */
export function curve(from: Spot, to: Spot, bend: number, style: Attributes): [SVGElement, Spot] {
  const length = Math.max(Math.hypot(to[0] - from[0], to[1] - from[1]), 0.01);
  const [ux, uy] = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
  const middle: Spot = [
    (from[0] + to[0]) / 2 - uy * bend * 2,
    (from[1] + to[1]) / 2 + ux * bend * 2,
  ];
  const d = `M${spotText(from)}Q${spotText(middle)} ${spotText(to)}`;
  return [path(d, style), middle];
}

const ACROSS = ['x', 'cx'];
const DOWN = ['y', 'cy'];
const LENGTHS = ['r', 'rx', 'width', 'height', 'font-size', 'stroke-width'];
const PAIRS = ['points', 'd'];
const PAIR = /(-?[\d.]+) (-?[\d.]+)/g;

/** The attributes of shapes as they were drawn around (0, 0). */
const drawn = new WeakMap<Element, [name: string, value: string][]>();

/**
 * Moves and scales a shape that was drawn around (0, 0). Browsers composite a board with thousands
 * of transforms slowly, so the coordinates change instead.
 */
export function place(element: Element, [x, y]: Spot, scale: number): void {
  let attributes = drawn.get(element);
  if (!attributes) {
    attributes = [...element.attributes]
      .map(({ name, value }): [string, string] => [name, value])
      .filter(([name]) => isGeometry(name));
    drawn.set(element, attributes);
  }
  for (const [name, value] of attributes) {
    element.setAttribute(name, placedAttribute(name, value, x, y, scale));
  }
  for (const child of element.children) place(child, [x, y], scale);
}

function isGeometry(name: string): boolean {
  return [ACROSS, DOWN, LENGTHS, PAIRS].some((names) => names.includes(name)) || name === DASHES;
}

const DASHES = 'stroke-dasharray';

function placedAttribute(name: string, value: string, x: number, y: number, scale: number): string {
  if (ACROSS.includes(name)) return String(rounded(x + Number(value) * scale));
  if (DOWN.includes(name)) return String(rounded(y + Number(value) * scale));
  if (PAIRS.includes(name)) {
    return value.replace(PAIR, (_, across: string, down: string) =>
      spotText([x + Number(across) * scale, y + Number(down) * scale]),
    );
  }
  return value
    .split(' ')
    .map((length) => rounded(Number(length) * scale))
    .join(' ');
}
