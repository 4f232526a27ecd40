// The map style of each kind of game: other color tokens below an element with `data-kind`. A kind
// without a style has the tokens of the theme.

import { type MapThemeName, PALETTES, themeRule } from './colors';

type Tokens = Readonly<Record<string, string>>;

/** The tone of a sky and its hexes. Brightness, and so contrast, stays that of the theme. */
interface Tone {
  /** The hue of the sky and the hexes, in degrees of OKLCH. */
  hue: number;
  /** The hue of clouds. */
  cloud: number;
  /** The factor of the theme's chroma. */
  chroma: number;
  /** The opacity of hexes, through which the sky shows. */
  field: number;
  /** Clouds of light in the sky: center and radii in percent, and whether in the hue of clouds. */
  haze: readonly (readonly [x: number, y: number, width: number, height: number, cloud: boolean])[];
}

interface Style {
  tone?: Tone;
  dark?: Tokens;
  light?: Tokens;
}

const STYLES: Readonly<Record<string, Style>> = {
  // A printed map: warm paper, a sea with a graticule, ink in sepia.
  diplomacy: {
    dark: {
      sea: '#12283c',
      'sea-edge': '#2f5068',
      coast: '#3f7391',
      land: '#45423a',
      'land-edge': '#8f866c',
      barred: '#26241f',
      'barred-edge': '#565143',
      paper: '#14130f',
      neatline: '#8f7d4e',
    },
    light: {
      sea: '#b6d5da',
      'sea-edge': '#86adb3',
      coast: '#6fa3ad',
      'sea-name': '#235463',
      land: '#f6ecd3',
      'land-edge': '#8f7c55',
      barred: '#cbbf9f',
      'barred-edge': '#97895f',
      paper: '#eee4c9',
      neatline: '#6f5c33',
    },
  },
  // The Earth on the screen of a saucer, in the phosphor green of the fifties.
  'it-came-from-outer-space': {
    tone: {
      hue: 165,
      cloud: 145,
      chroma: 0.7,
      field: 1,
      haze: [
        [50, 110, 80, 60, true],
        [15, -5, 40, 40, false],
      ],
    },
    dark: {
      sea: '#07211d',
      'sea-edge': '#1f5546',
      coast: '#3fae84',
      'sea-name': '#7fd1b0',
      land: '#21402f',
      'land-edge': '#5d9f7c',
      barred: '#10231b',
      'barred-edge': '#315a45',
      neatline: '#4fb78b',
    },
    light: {
      sea: '#bfdcc4',
      'sea-edge': '#92b894',
      coast: '#6aa377',
      'sea-name': '#235a3a',
      land: '#f5f0cf',
      'land-edge': '#86854f',
      barred: '#c5c49f',
      'barred-edge': '#8d8c5e',
      neatline: '#3f7a55',
    },
  },
  // Unknown space around the Earth, in the teal of a scanner.
  'starships-at-large': {
    tone: {
      hue: 215,
      cloud: 190,
      chroma: 0.95,
      field: 0.92,
      haze: [
        [50, 52, 55, 60, false],
        [88, 8, 45, 40, true],
      ],
    },
  },
  // A galaxy, in deep indigo.
  'star-empires': {
    tone: {
      hue: 278,
      cloud: 310,
      chroma: 1.15,
      field: 0.88,
      haze: [
        [25, 25, 55, 38, true],
        [80, 75, 60, 45, false],
      ],
    },
  },
  // The black board of the seventies with its purple clouds.
  'stellar-conquest': {
    tone: {
      hue: 290,
      cloud: 300,
      chroma: 0.35,
      field: 0.8,
      haze: [
        [70, 30, 45, 50, true],
        [12, 90, 40, 40, true],
      ],
    },
  },
  // The crimson of an empire in decline.
  'fate-of-empire': {
    tone: {
      hue: 12,
      cloud: 340,
      chroma: 0.85,
      field: 0.8,
      haze: [
        [85, 15, 55, 50, false],
        [10, 85, 50, 45, true],
      ],
    },
  },
  // The cold green of deep space.
  'alone-in-outer-space': {
    tone: {
      hue: 180,
      cloud: 235,
      chroma: 0.6,
      field: 0.75,
      haze: [
        [50, -10, 70, 50, true],
        [90, 95, 40, 35, false],
      ],
    },
  },
};

export const STYLED = Object.keys(STYLES);

const SKY = ['page-inner', 'page-outer', 'seen', 'seen-edge', 'known', 'known-edge', 'stale'];
const TONED = [...SKY, 'stale-edge', 'cloud', 'cloud-edge'];
/** The chroma that light grounds get, which have nearly none. */
const LIGHT_CHROMA = 0.009;

const isLight = (theme: MapThemeName) => theme === 'light' || theme === 'color-blind-light';

type Triple = readonly [number, number, number];
const times = (rows: readonly Triple[], [a, b, c]: Triple) =>
  rows.map(([x, y, z]) => x * a + y * b + z * c) as unknown as Triple;

/** Returns a color in another hue. Brightness and chroma are those of the perceptual space OKLCH. */
export function toned(color: string, hue: number, factor: number, more = 0): string {
  const rgb = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as unknown as Triple;
  const cones = times(
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ],
    rgb,
  ).map(Math.cbrt) as unknown as Triple;
  const [light, a, b] = times(
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ],
    cones,
  );
  const chroma = Math.hypot(a, b) * factor + more;
  const angle = (hue * Math.PI) / 180;
  const back = times(
    [
      [1, 0.3963377774, 0.2158037573],
      [1, -0.1055613458, -0.0638541728],
      [1, -0.0894841775, -1.291485548],
    ],
    [light, chroma * Math.cos(angle), chroma * Math.sin(angle)],
  ).map((cone) => cone ** 3) as unknown as Triple;
  const found = times(
    [
      [4.0767416621, -3.3077115913, 0.2309699292],
      [-1.2684380046, 2.6097574011, -0.3413193965],
      [-0.0041960863, -0.7034186147, 1.707614701],
    ],
    back,
  ).map((part) => {
    const value = part <= 0.0031308 ? part * 12.92 : 1.055 * part ** (1 / 2.4) - 0.055;
    const byte = Math.round(Math.min(Math.max(value, 0), 1) * 255);
    return byte.toString(16).padStart(2, '0');
  });
  return `#${found.join('')}`;
}

/** Returns the tokens of a kind that differ from those of a theme. */
export function tokensOf(kind: string, theme: MapThemeName): Tokens {
  const style = STYLES[kind] ?? {};
  const { tone } = style;
  const own = (isLight(theme) ? style.light : style.dark) ?? {};
  if (!tone) return own;
  const { tokens } = PALETTES[theme];
  const more = isLight(theme) ? LIGHT_CHROMA * tone.chroma : 0;
  const shifted = TONED.map((name) => {
    const hue = name.startsWith('cloud') ? tone.cloud : tone.hue;
    const factor = name.startsWith('cloud') ? 1 : tone.chroma;
    return [name, toned(tokens[name] ?? '', hue, factor, more)];
  });
  const haze = tone.haze.map(([x, y, width, height, isCloud]) => {
    const color = `color-mix(in srgb,var(--map-${isCloud ? 'cloud' : 'seen-edge'}) var(--map-haze-part),transparent)`;
    return `radial-gradient(${width}% ${height}% at ${x}% ${y}%,${color},transparent)`;
  });
  return {
    ...Object.fromEntries(shifted),
    field: String(tone.field),
    haze: haze.join(','),
    ...own,
  };
}

/** Returns the rules for all kinds in a theme. */
export function styleRules(theme: MapThemeName): string {
  return STYLED.map((kind) => {
    const lines = Object.entries(tokensOf(kind, theme)).map(([name, is]) => `--map-${name}:${is}`);
    return `[data-theme="${theme}"] [data-kind="${kind}"]{${lines.join(';')}}`;
  }).join('\n');
}

/** Adds the color tokens of all themes and kinds to the page. */
export function installColors(): void {
  const sheet = new CSSStyleSheet();
  const themes = Object.keys(PALETTES) as MapThemeName[];
  sheet.replaceSync([...themes.map(themeRule), ...themes.map(styleRules)].join('\n'));
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}
