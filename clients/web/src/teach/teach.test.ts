import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { create } from '@bufbuild/protobuf';
import { describe, expect, test } from 'vitest';
import { GuideSchema, type Term, TermSchema } from '../engine/contract';
import { canonical } from '../sandbox/canonical';
import { spelledOut, tellOf } from '../sandbox/hints';
import { readScenario } from '../sandbox/scenario';
import { guidanceFor } from './guidance';
import { plainText, readInline, readManual } from './manual';
import { ruleParts } from './rules';
import { termParts } from './terms';

const ROOT = resolve(import.meta.dirname, '../../../..');
const LESSONS = resolve(ROOT, 'examples/scenarios/tutorials');

const rulesIn = (text: string) =>
  ruleParts(text)
    .map(({ rule }) => rule)
    .filter(Boolean);

test('the numbers of rules are found in texts', () => {
  expect(rulesIn('Land there (rules 3 and 4), or not (rule fate-8.5). See rule R13.')).toEqual([
    '3',
    '4',
    'fate-8.5',
    'R13',
  ]);
  expect(rulesIn('See 4.2.4a and rule 4.2.4a.')).toEqual(['4.2.4a']);
  expect(rulesIn('Rules of 1901, as a rule 3-4 ships')).toEqual(['3']);
  const text = 'Rule BR-7 and rules D3.4 to D3.7, ruled.';
  expect(
    ruleParts(text)
      .map((part) => part.text)
      .join(''),
  ).toBe(text);
});

describe('manuals', () => {
  test('commands for a shell are left out, with their introduction', () => {
    const [section] = readManual(
      '# Game\n\nPlay it.\n\n`./play x` starts it.\n\nOn an engine:\n\n```sh\nplay x\n```\n',
    );
    expect(section).toEqual({
      id: 'game',
      level: 1,
      title: 'Game',
      blocks: [{ is: 'paragraph', parts: [{ is: 'text', text: 'Play it.' }] }],
    });
  });

  test('lists, tables and marks are read', () => {
    const [section] = readManual(
      '## Map\n\n- **one**\n  more\n  - inner\n- two\n\n| a | b |\n| --- | --- |\n| `x \\| y` | [z](z.md) |\n',
    );
    const [list, table] = section?.blocks ?? [];
    expect(list).toMatchObject({
      is: 'list',
      isNumbered: false,
      items: [{ length: 2 }, { length: 1 }],
    });
    expect(table).toMatchObject({
      head: [[{ text: 'a' }], [{ text: 'b' }]],
      rows: [[[{ is: 'code', text: 'x | y' }], [{ is: 'link', to: 'z.md' }]]],
    });
    expect(readInline('a *b* c').map(({ is }) => is)).toEqual(['text', 'em', 'text']);
  });

  test('nothing of a manual is lost', () => {
    for (const kind of ['stellar-conquest', 'star-empires', 'diplomacy']) {
      const text = readFileSync(resolve(ROOT, `docs/${kind}.md`), 'utf8');
      const sections = readManual(text);
      expect(sections.length).toBe(text.match(/^#+ /gm)?.length);
      expect(sections.map(plainText).join(' ')).not.toContain('**');
    }
  });
});

/** Returns the terms of all editions of a game from the file of its crate. */
function termsOf(game: string): Term[] {
  const rows = readFileSync(resolve(ROOT, `games/${game}/terms.tsv`), 'utf8')
    .trim()
    .split('\n');
  return rows.flatMap((row) => {
    const [editions, term = '', name = '', meaning = '', rule = ''] = row.split('\t');
    return editions === '*' ? [create(TermSchema, { term, name, meaning, rule })] : [];
  });
}

describe('terms', () => {
  const found = (game: string, text: string) =>
    termParts(text, termsOf(game))
      .filter(({ term }) => term)
      .map((part) => part.text);

  test('abbreviations are found beside numbers and places only', () => {
    expect(found('stellar-conquest', '30 CT, 3 C against 3 S.')).toEqual(['CT', 'C', 'S']);
    expect(found('stellar-conquest', 'Ships: 2C 1S 20CT')).toEqual(['C', 'S', 'CT']);
    expect(found('stellar-conquest', 'C-4, C1 and Sector C; #3')).toEqual([]);
    expect(found('diplomacy', 'A Par - Bur. A unit moves.')).toEqual(['A']);
    expect(found('stellar-conquest', '24 i.p. are left.')).toEqual(['i.p.']);
  });

  test('a term is marked once in a text', () => {
    expect(found('diplomacy', 'A Par H, A Bur S A Par, F Bre H')).toEqual(['A', 'F']);
  });

  test('words are found in the plural and at the start of a sentence', () => {
    expect(found('stellar-conquest', 'Corvettes escort transports.')).toEqual([
      'Corvettes',
      'transports',
    ]);
    expect(found('star-empires', 'classic subclass')).toEqual([]);
  });
});

function kinds(): string[] {
  return readdirSync(LESSONS).map((file) => file.replace('.json', ''));
}

describe('tutorials', () => {
  test('every game has one, with steps that the page can take', () => {
    expect(kinds()).toHaveLength(7);
    for (const kind of kinds()) {
      const { game, steps } = readScenario(readFileSync(resolve(LESSONS, `${kind}.json`), 'utf8'));
      const told = steps.filter(({ tell }) => tell !== '');
      expect(game).toBe(kind);
      expect(told.length).toBeGreaterThanOrEqual(8);
      expect(told.length).toBeLessThanOrEqual(15);
      for (const { tell, action } of told) {
        expect(['order', 'ready', 'say']).toContain(action.does);
        expect(tellOf(tell)).not.toBe('');
      }
    }
  });

  test('sentences about commands of the terminal are left out', () => {
    expect(tellOf('Go there. `map` shows it, and `? 4.2` explains. Then stop (rule 4.2).')).toBe(
      'Go there. Then stop (rule 4.2).',
    );
  });

  test('ranges of ships are spelled out', () => {
    expect(spelledOut('move #1-3,7 to Sadir')).toBe('move #1,#2,#3,#7 to Sadir');
    expect(spelledOut('move #1 to Sadir')).toBe('move #1 to Sadir');
  });

  test('orders are compared regardless of case and the order in lists', () => {
    const one = [{ move: { ships: [1, 2], to: 'Sadir' } }];
    expect(canonical(one)).toBe(canonical([{ move: { to: 'sadir', ships: [2, 1] } }]));
    expect(canonical(one)).not.toBe(canonical([{ move: { ships: [1, 3], to: 'Sadir' } }]));
  });
});

test('the texts for beginners follow the kind of decision and its prompt', () => {
  const guides = [
    { decision: 'turn', prompt: 'Move', text: 'Scouts go far.' },
    { decision: 'turn', text: 'Land.', end: 'It ends.' },
    { decision: 'retreat', text: 'You are dislodged.' },
  ].map((guide) => create(GuideSchema, guide));
  const told = (kind: string, prompt: string, revisable: boolean, end?: string) =>
    guidanceFor('x', guides, { kind, prompt, revisable }, end);
  expect(told('turn', 'Move your ships.', false, 'End your movement')).toEqual({
    key: 'x/turn/0',
    text: 'Scouts go far.',
    end: 'When you are done, press “End your movement” above the possible orders.',
  });
  expect(told('turn', 'Attack.', true)).toMatchObject({ key: 'x/turn/1', end: 'It ends.' });
  expect(told('retreat', 'x', true)?.end).toContain('I am ready');
  expect(told('retreat', 'x', false)?.end).toBe('');
  expect(told('build', 'x', true)).toBeUndefined();
});
