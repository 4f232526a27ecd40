import { create } from '@bufbuild/protobuf';
import { expect, test } from 'vitest';
import { SceneSchema } from '../engine/contract';
import { contrast, linear, parsed, type Rgb, sum } from '../style/contrast';
import { type MapThemeName, PALETTES, SeatInks, STARS } from './colors';

const THEMES = Object.keys(PALETTES) as MapThemeName[];
/** Missing cones: protanopia, deuteranopia, tritanopia (Machado et al. 2009), in linear RGB. */
const VISIONS: readonly (readonly [Rgb, Rgb, Rgb])[] = [
  [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
];

/** Returns a color as seen with a kind of vision, in the perceptual space Oklab. */
function seen(color: Rgb, vision: readonly [Rgb, Rgb, Rgb]): Rgb {
  const rgb = vision.map((row) => Math.min(1, Math.max(0, sum(row, linear(color)))));
  const cones = [
    [0.4122214708, 0.5363325363, 0.0514459929],
    [0.2119034982, 0.6806995451, 0.1073969566],
    [0.0883024619, 0.2817188376, 0.6299787005],
  ].map((row) => Math.cbrt(sum(row as unknown as Rgb, rgb as unknown as Rgb)));
  return [
    [0.2104542553, 0.793617785, -0.0040720468],
    [1.9779984951, -2.428592205, 0.4505937099],
    [0.0259040371, 0.7827717662, -0.808675766],
  ].map((row) => sum(row as unknown as Rgb, cones as unknown as Rgb)) as unknown as Rgb;
}

/** Resolves a color of a label. */
function resolved(theme: MapThemeName, color: string): Rgb {
  const { tokens, seats, powers } = PALETTES[theme];
  const plain = color.replaceAll(/var\(--map-([a-z]+)-?([a-z\d-]*)\)/g, (_, kind, rest) => {
    if (kind === 'seat') return seats[Number(rest) - 1] ?? '';
    if (kind === 'power') return powers[Number(rest) - 1] ?? '';
    return tokens[rest ? `${kind}-${rest}` : kind] ?? '';
  });
  const [one = '', other = one] = plain.match(/#[\da-f]{6}/gi) ?? [];
  const part = Number(/(\d+)%/.exec(plain)?.[1] ?? 0) / 100;
  const [first, second] = [parsed(one), parsed(other)];
  return first.map((each, at) => each + ((second[at] ?? 0) - each) * part) as unknown as Rgb;
}

test.each(THEMES)('names of stars and seats are readable in the theme %s', (theme) => {
  const seats = PALETTES[theme].seats.map((_, index) => ({ seat: index + 1 }));
  const powers = PALETTES[theme].powers.map((_, index) => ({
    seat: seats.length + index + 1,
    color: `power-${index + 1}`,
  }));
  const inks = new SeatInks(create(SceneSchema, { seats: [...seats, ...powers] }), theme);
  const labels = [
    ...STARS.map((color) => ({ kind: 'name', color })),
    ...[...seats, ...powers].map(({ seat }) => ({ kind: 'name', color: '', owner: seat })),
  ];
  const halo = parsed(PALETTES[theme].tokens['halo'] ?? '');
  for (const label of labels) {
    const color = resolved(theme, inks.label(label));
    expect(contrast(color, halo), JSON.stringify(label)).toBeGreaterThanOrEqual(4.5);
  }
});

test.each(['color-blind', 'color-blind-light'] as const)(
  'seats of the theme %s differ for any color vision',
  (theme) => {
    const { seats, tokens } = PALETTES[theme];
    for (const vision of VISIONS) {
      const colors = seats.map((color) => seen(parsed(color), vision));
      for (const [index, color] of colors.entries()) {
        for (const other of colors.slice(0, index)) {
          expect(Math.hypot(...color.map((each, at) => each - (other[at] ?? 0)))).toBeGreaterThan(
            0.14,
          );
        }
      }
    }
    const ground = parsed(tokens['known'] ?? '');
    for (const seat of seats) {
      expect(contrast(parsed(seat), ground)).toBeGreaterThanOrEqual(2.5);
    }
  },
);
