// The color tokens of the board in each theme, as custom properties with the prefix `--map-`.

import type { Scene, SceneLabel } from '../engine/contract';

export type MapThemeName = 'dark' | 'light' | 'color-blind' | 'color-blind-light';

interface Palette {
  tokens: Record<string, string>;
  /** The colors of seats. Later seats repeat them with a pattern. */
  seats: readonly string[];
  /** The traditional colors of the great powers. */
  powers: readonly string[];
}

const NIGHT: Palette = {
  tokens: {
    'page-inner': '#141a30',
    'page-outer': '#080a14',
    sky: '#ffffff66',
    text: '#f2f4ff',
    soft: '#b9c2e0',
    faint: '#97a2c9',
    halo: '#080b16',
    'name-mix': '0%',
    'on-owner': '#0a0d18',
    bad: '#ff4d4d',
    warning: '#ffb03a',
    good: '#5fdd7f',
    seen: '#2a3a69',
    'seen-edge': '#8ea4e6',
    known: '#1b2646',
    'known-edge': '#465688',
    stale: '#0f1529',
    'stale-edge': '#2f3a60',
    cloud: '#524880',
    'cloud-edge': '#7d72ad',
    waste: '#5c0f1c',
    'waste-edge': '#a01b30',
    ocean: '#2f7fd6',
    friendly: '#58b87a',
    hostile: '#d8643d',
    rock: '#9a9da6',
    metal: '#4d525e',
    'star-blue': '#6fb4ff',
    'star-green': '#6fdc7c',
    'star-yellow': '#ffe873',
    'star-orange': '#ffae4d',
    'star-red': '#ff6e62',
    portal: '#c79bff',
    storm: '#ff5a4d',
    nebula: '#8b7cf8',
    sea: '#162740',
    'sea-edge': '#2f4a6d',
    coast: '#41658f',
    paper: '#162740',
    neatline: '#6f7a96',
    field: '1',
    haze: 'none',
    'haze-part': '30%',
    land: '#353d52',
    'land-edge': '#6f7a96',
    barred: '#1c202c',
    'barred-edge': '#4a5064',
    'sea-name': '#8fbfe6',
    nobody: '#aab2c8',
    chosen: '#ffd166',
    target: '#58d6c9',
    hover: '#ffffff',
  },
  seats: [
    '#4fd1e8',
    '#f5d547',
    '#7ee06b',
    '#d48af0',
    '#ff9d45',
    '#7ea2ff',
    '#ff8ac2',
    '#3fcfa0',
    '#d8d29a',
    '#b3a6ff',
    '#b5dd4c',
    '#d9a778',
  ],
  powers: ['#f06a5c', '#6f93f0', '#5fc4ee', '#c4c6cc', '#5fcf78', '#c9a2ee', '#f2c63a'],
};

const DAY: Palette = {
  tokens: {
    'page-inner': '#fdfbf5',
    'page-outer': '#f3eee2',
    sky: 'transparent',
    text: '#2b2a27',
    soft: '#4f4b42',
    faint: '#6c675b',
    halo: '#fffdf7',
    'name-mix': '42%',
    'on-owner': '#ffffff',
    bad: '#d0021b',
    warning: '#b86a00',
    good: '#1d8a3a',
    seen: '#ffffff',
    'seen-edge': '#7d8cb8',
    known: '#ecedf3',
    'known-edge': '#a3aac2',
    stale: '#dcdbd8',
    'stale-edge': '#b4b2aa',
    cloud: '#c9bfe2',
    'cloud-edge': '#9488bd',
    waste: '#f3b8bf',
    'waste-edge': '#d86a78',
    ocean: '#3f8fe0',
    friendly: '#5fbf80',
    hostile: '#df7048',
    rock: '#a2a4aa',
    metal: '#666c78',
    'star-blue': '#1f78d8',
    'star-green': '#229a36',
    'star-yellow': '#c9a000',
    'star-orange': '#e07b10',
    'star-red': '#d83a2e',
    portal: '#7d3fd0',
    storm: '#e84a3c',
    nebula: '#7a6cf0',
    sea: '#b9d6e8',
    'sea-edge': '#7fa3bb',
    coast: '#7fa3bb',
    paper: '#b9d6e8',
    neatline: '#8d8368',
    field: '1',
    haze: 'none',
    'haze-part': '12%',
    land: '#f3ead2',
    'land-edge': '#8d8368',
    barred: '#b9b4a6',
    'barred-edge': '#8d8778',
    'sea-name': '#2a5774',
    nobody: '#8a8a90',
    chosen: '#b05e00',
    target: '#00756b',
    hover: '#20304a',
  },
  seats: [
    '#0b84a5',
    '#b88a00',
    '#2f8f3a',
    '#9a3fc0',
    '#d06a0a',
    '#3255c8',
    '#c82f86',
    '#0f7f68',
    '#7d7430',
    '#6a52d8',
    '#6b8a10',
    '#8f5d2c',
  ],
  powers: ['#d94b3d', '#3a5fb8', '#2f93c8', '#5b5b5b', '#3f9a52', '#9d7bc1', '#c89510'],
};

/** Colors that are distinguishable with any color vision: they differ in brightness and in hue. */
const CLEAR_NIGHT = ['#5891fe', '#f1ac08', '#87ffcd', '#c3bcfe', '#ae5503', '#edff41', '#a58d9a'];
const CLEAR_DAY = ['#098bf1', '#91460a', '#eb0e9e', '#2c286e', '#af8100', '#0004f9', '#5f1a15'];

export const PALETTES: Record<MapThemeName, Palette> = {
  dark: NIGHT,
  light: DAY,
  'color-blind': {
    tokens: {
      ...NIGHT.tokens,
      'name-mix': '12%',
      bad: '#ff5a5a',
      friendly: '#4a90d9',
      hostile: '#e08a2e',
      'star-blue': '#5aa0ff',
      'star-green': '#00c8a0',
      'star-yellow': '#fff08a',
      'star-orange': '#ffa030',
      'star-red': '#d04a20',
      nobody: '#ffffff',
    },
    seats: CLEAR_NIGHT,
    powers: CLEAR_NIGHT,
  },
  'color-blind-light': {
    tokens: {
      ...DAY.tokens,
      bad: '#b3261e',
      friendly: '#2f6fc0',
      hostile: '#c26a10',
      'star-blue': '#1f62d0',
      'star-green': '#00806a',
      'star-yellow': '#b39200',
      'star-orange': '#c65f00',
      'star-red': '#8e2410',
      nobody: '#7c7c82',
    },
    seats: CLEAR_DAY,
    powers: CLEAR_DAY,
  },
};

export const SEATS_MAX = 64;

/** Strokes that distinguish seats with a shared color, in a square of 6 by 6. */
const HATCHES = [
  'M-1 7L7 -1M-1 1L1 -1M5 7L7 5',
  'M1.5 1.5h1.4v1.4h-1.4zM4.5 4.5h1.4v1.4h-1.4z',
  'M0 1.5H6M0 4.5H6',
  'M1.5 0V6M4.5 0V6',
  'M-1 -1L7 7M5 -1L7 1M-1 5L1 7',
  'M0 3H6M3 0V6',
  'M0 0L6 6M0 6L6 0',
  'M0 1.5H3M3 4.5H6',
];

/** Returns the strokes over a seat's color; undefined for seats with a color of their own. */
export function hatchOf(theme: MapThemeName, seat: number): string | undefined {
  const round = Math.floor((seat - 1) / PALETTES[theme].seats.length);
  return round < 1 ? undefined : HATCHES[(round - 1) % HATCHES.length];
}

/** Returns the rule with the color tokens of a theme. */
export function themeRule(theme: MapThemeName): string {
  const { tokens, seats, powers } = PALETTES[theme];
  const lines = Object.entries(tokens).map(([name, color]) => `--map-${name}:${color}`);
  for (let seat = 0; seat < SEATS_MAX; seat += 1) {
    lines.push(`--map-seat-${seat + 1}:${seats[seat % seats.length]}`);
  }
  powers.forEach((color, index) => {
    lines.push(`--map-power-${index + 1}:${color}`);
  });
  const selector = theme === 'dark' ? ':root,[data-theme="dark"]' : `[data-theme="${theme}"]`;
  return `${selector}{${lines.join(';')}}`;
}

/** Returns the CSS color of a token. */
export function ink(token: string): string {
  return `var(--map-${token})`;
}

export function mixed(one: string, other: string, percent: number): string {
  return `color-mix(in srgb, ${one}, ${other} ${percent}%)`;
}

/** Mixes a color for text with the color of plain text, in themes where it would be too faint. */
function readable(color: string): string {
  return `color-mix(in srgb, ${color}, ${ink('text')} ${ink('name-mix')})`;
}

/** The colors of stars. */
export const STARS: readonly string[] = ['blue', 'green', 'yellow', 'orange', 'red'];

/** The colors of a scene's seats. */
export class SeatInks {
  private readonly special = new Map<number, string>();

  private readonly theme: MapThemeName;

  constructor(scene: Scene, theme: MapThemeName = 'dark') {
    this.theme = theme;
    for (const { seat, color } of scene.seats) {
      if (/^power-[1-7]$/.test(color)) this.special.set(seat, ink(color));
      else if (color === 'enemy') this.special.set(seat, ink('bad'));
    }
  }

  /** Returns the color of a seat, for lines and text. */
  line(seat: number | undefined): string {
    if (seat === undefined || seat < 1) return ink('nobody');
    return this.special.get(seat) ?? ink(`seat-${((seat - 1) % SEATS_MAX) + 1}`);
  }

  /** Returns the fill of a seat: its color, or a pattern of the definitions. */
  fill(seat: number | undefined): string {
    const isPlain = seat === undefined || this.special.has(seat) || !hatchOf(this.theme, seat);
    return isPlain || seat > SEATS_MAX ? this.line(seat) : `url(#seat-${seat})`;
  }

  /** Returns the color of a label. */
  label({ kind, color, owner }: Pick<SceneLabel, 'kind' | 'color' | 'owner'>): string {
    if (kind === 'detail') return ink('soft');
    if (kind === 'coordinates') return ink('faint');
    if (kind === 'region') return ink('stale-edge');
    if (kind === 'note') return ink('bad');
    if (STARS.includes(color)) return readable(ink(`star-${color}`));
    if (color === 'portal' || color === 'faint' || color === 'nobody') return ink(color);
    if (color === 'storm' || color === 'nebula') return mixed(ink(color), ink('text'), 45);
    if (color === 'sea') return ink('sea-name');
    return owner === undefined ? ink('text') : readable(this.line(owner));
  }
}

/** Returns the color of each seat, for dots and tables beside the map. */
export function seatColorsOf(scene: Scene): Map<number, string> {
  const inks = new SeatInks(scene);
  return new Map(scene.seats.map(({ seat }) => [seat, inks.line(seat)]));
}
