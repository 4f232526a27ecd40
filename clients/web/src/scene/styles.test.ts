import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { contrast, parsed } from '../style/contrast';
import { type MapThemeName, PALETTES } from './colors';
import { STYLED, tokensOf, toned } from './styles';

const THEMES = Object.keys(PALETTES) as MapThemeName[];
const KINDS = readdirSync(new URL('../../public/kinds', import.meta.url)).map((name) =>
  name.replace('.svg', ''),
);

const mixed = (one: string, other: string, part: number): string => {
  const [a, b] = [parsed(one), parsed(other)];
  const bytes = a.map((each, at) => Math.round(each * part + (b[at] ?? 0) * (1 - part)));
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
};

test('each game with a picture has a map style of its own', () => {
  expect(STYLED.toSorted()).toEqual(KINDS.toSorted());
  for (const theme of THEMES) {
    const looks = KINDS.map((kind) => {
      const all = { ...PALETTES[theme].tokens, ...tokensOf(kind, theme) };
      return ['page-inner', 'known', 'stale', 'cloud', 'sea', 'land'].map((name) => all[name]);
    });
    expect(new Set(looks.map(String)).size).toBe(KINDS.length);
  }
});

test('a tone keeps the brightness of a color', () => {
  expect(toned('#1b2646', 12, 1)).not.toBe('#1b2646');
  for (const color of ['#1b2646', '#524880', '#ecedf3']) {
    for (const hue of [0, 90, 180, 270]) {
      expect(contrast(parsed(toned(color, hue, 1)), parsed(color))).toBeLessThan(1.2);
    }
  }
});

test.each(THEMES)('the map styles of the theme %s have enough contrast', (theme) => {
  const low: string[] = [];
  for (const kind of KINDS) {
    const own = tokensOf(kind, theme);
    const color = (name: string) => {
      const token = own[name] ?? PALETTES[theme].tokens[name] ?? '';
      // The sky shows through a hex.
      const isHex = ['seen', 'known', 'stale'].includes(name);
      const [sky, field] = [own['page-outer'], Number(own['field'] ?? 1)];
      return isHex && sky ? mixed(token, sky, field) : token;
    };
    const least = (front: string, back: string, wanted: number) => {
      const is = contrast(parsed(color(front)), parsed(color(back)));
      if (is < wanted) low.push(`${kind}: ${front} on ${back} is ${is.toFixed(2)}`);
    };
    for (const ground of ['seen', 'known', 'stale', 'cloud', 'sea', 'land', 'page-inner']) {
      least('text', ground, 4.5);
    }
    for (const ground of ['seen', 'known', 'stale', 'page-inner']) least('soft', ground, 4.5);
    least('sea-name', 'sea', 4.5);
    // Edges and different states of an area are recognizable.
    least('land-edge', 'land', 1.8);
    least('neatline', own['sea'] ? 'sea' : 'land', 2);
    least('seen', 'stale', 1.2);
    least('sea', 'land', 1.25);
    for (const seat of PALETTES[theme].seats) {
      const is = contrast(parsed(seat), parsed(color('known')));
      if (is < 2.2) low.push(`${kind}: ${seat} on known is ${is.toFixed(2)}`);
    }
  }
  expect(low).toEqual([]);
});
