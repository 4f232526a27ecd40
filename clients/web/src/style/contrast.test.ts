import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PALETTES } from '../scene/colors';
import { contrast, parsed } from './contrast';

const SHEET = readFileSync(new URL('tokens.css', import.meta.url), 'utf8');
const GROUNDS = ['ground', 'panel', 'raised'];

function tokens(theme: string): (name: string) => string {
  const [, body = ''] = SHEET.split(`[data-theme="${theme}"] {`);
  const block = body.slice(0, body.indexOf('}'));
  const found = new Map(
    [...block.matchAll(/--([a-z-]+): (#[\da-f]{6});/g)].map(([, name = '', color = '']) => [
      name,
      color,
    ]),
  );
  return (name) => {
    const color = found.get(name);
    if (!color) throw new Error(`the theme ${theme} has no color ${name}`);
    return color;
  };
}

test.each(Object.keys(PALETTES))('the colors of the theme %s have enough contrast', (theme) => {
  const color = tokens(theme);
  // 4.5 for text; 3 for outlines of controls, symbols and the focus ring.
  const pairs: [string, string, number][] = [
    ...GROUNDS.flatMap((ground): [string, string, number][] => [
      ...['ink', 'soft', 'accent', 'warm', 'good', 'bad'].map((text): [string, string, number] => [
        text,
        ground,
        4.5,
      ]),
      ['edge-strong', ground, 3],
      ['sun', ground, 3],
    ]),
    ['bad', 'bad-ground', 4.5],
    ['accent-ink', 'accent', 4.5],
    ['warm-ink', 'warm', 4.5],
  ];
  const low = pairs
    .map(([front, back, least]) => ({
      pair: `${front} on ${back}`,
      least,
      is: contrast(parsed(color(front)), parsed(color(back))),
    }))
    .filter(({ is, least }) => is < least);
  expect(low).toEqual([]);
});
