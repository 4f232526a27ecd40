import { create } from '@bufbuild/protobuf';
import type { Offer, Slot } from '@heliopause/client';
import { expect, test } from 'vitest';
import { OffersSchema, OfferWeight } from '../engine/contract';
import {
  complete,
  concerns,
  fill,
  finished,
  menuOf,
  moved,
  parts,
  problem,
  say,
  usual,
} from './offers';

const menu = menuOf(
  create(OffersSchema, {
    complete: true,
    values: ['Vie', 'Gal', 'Tri', 'A Vie', 'A Bud'],
    labels: { 0: 'Vienna', 1: 'Galicia' },
    lists: [{ values: [1, 2] }, { values: [3, 4] }],
    groups: ['Army Vienna', 'All'],
    slots: [
      {
        name: 'to',
        label: 'where to',
        kind: { case: 'places', value: { list: 0, least: 1, most: 1 } },
      },
      {
        name: 'who',
        label: 'who',
        kind: { case: 'pieces', value: { list: 1, least: 1, most: 2, separator: ', ' } },
      },
      {
        name: 'count',
        label: 'how many',
        optional: true,
        text: ' x{}',
        phrase: ', {} times',
        kind: { case: 'number', value: { least: 2, most: 8, step: 2 } },
      },
      {
        name: 'money',
        label: 'what',
        kind: {
          case: 'shares',
          value: {
            shares: [
              { text: '{} scouts', least: 0, most: 3, cost: 2 },
              { text: '{} bases', least: 0, most: 3, cost: 5 },
            ],
            least: 2,
            most: 9,
            separator: ' + ',
          },
        },
      },
    ],
    offers: [
      { key: 'hold', notation: 'A Vie H', label: 'Army Vienna holds', pieces: [3], places: [0] },
      {
        key: 'move',
        notation: 'A Vie - {to}',
        label: 'Army Vienna moves to {to}',
        slots: [0],
        pieces: [3],
      },
      {
        key: 'send',
        notation: 'send {who}{count}',
        label: 'Send {who}{count}',
        slots: [1, 2],
        group: 1,
      },
      { key: 'buy', notation: 'buy {money}', label: 'Buy {money}', slots: [3], group: 1 },
      { key: 'end', notation: 'end', label: 'End', group: 1, weight: OfferWeight.END },
    ],
  }),
);
const [hold, move, send, buy] = menu.lines as [Offer, Offer, Offer, Offer];

test('a filled offer is an order, and a sentence with the names of people', () => {
  expect(fill(hold, {})).toBe('A Vie H');
  expect(fill(move, { to: ['Gal'] })).toBe('A Vie - Gal');
  expect(say(move, { to: ['Gal'] })).toBe('Army Vienna moves to Galicia');
  expect(fill(move, {})).toBeUndefined();
  expect(fill(move, { to: ['Par'] })).toBeUndefined();
  expect(fill(send, { who: ['A Vie', 'A Bud'] })).toBe('send A Vie, A Bud');
  expect(fill(send, { who: ['A Vie'], count: ['4'] })).toBe('send A Vie x4');
  expect(say(send, { who: ['A Vie'], count: ['4'] })).toBe('Send A Vie, 4 times');
  expect(fill(buy, { money: ['2', '0'] })).toBe('buy 2 scouts');
  expect(fill(buy, { money: ['2', '1'] })).toBe('buy 2 scouts + 1 bases');
});

test('a choice that does not fit says why', () => {
  const [who, count] = send.slots as [Slot, Slot];
  expect(problem(who, [])).toBe('Choose who.');
  expect(problem(who, ['A Vie', 'A Vie'])).toContain('twice');
  expect(problem(count, [])).toBeUndefined();
  expect(problem(count, ['3'])).toContain('steps of 2');
  expect(problem(count, ['10'])).toContain('2 to 8');
  const [money] = buy.slots as [Slot];
  expect(problem(money, ['3', '1'])).toContain('2 to 9');
  expect(problem(money, ['0', '0'])).toContain('2 to 9, not 0');
});

test('a sentence is cut at its slots', () => {
  expect(
    parts(send.label, send).map((part) => ('text' in part ? part.text : part.slot.name)),
  ).toEqual(['Send ', 'who', 'count']);
});

test('two clicks finish an order', () => {
  const subject = { place: 'Vie', piece: 'A Vie' };
  expect(concerns(move, subject)).toBe('subject');
  expect(concerns(send, subject)).toBe('slot');
  expect(concerns(move, { place: 'Par', piece: 'A Par' })).toBeUndefined();
  const found = finished(menu.lines, subject, { place: 'Gal', piece: '' });
  expect(found.map(({ line, choices }) => fill(line, choices))).toEqual(['A Vie - Gal']);
});

test('what is typed is completed from the offers', () => {
  expect(complete(menu, 'a v')).toContain('A Vie H');
  expect(complete(menu, 'A Vie - ')).toEqual(
    expect.arrayContaining(['A Vie - Gal', 'A Vie - Tri']),
  );
  expect(complete(menu, 'A Vie - g')).toEqual(['A Vie - Gal']);
  expect(complete(menu, 'send A V')).toEqual(['send A Vie']);
  expect(complete(menu, 'nothing of the kind')).toEqual([]);
});

test('the fields of an offer begin with values that can be given as they are shown', () => {
  const design = menuOf(
    create(OffersSchema, {
      slots: [
        {
          name: 'ratings',
          label: 'ratings',
          kind: {
            case: 'shares',
            value: {
              shares: [
                { text: 'hull {}', least: 1, most: 9, cost: 1 },
                { text: 'beam {}', least: 0, most: 9, cost: 1 },
              ],
              least: 1,
              most: 99,
              separator: ' ',
            },
          },
        },
        {
          name: 'turns',
          label: 'turns',
          kind: { case: 'number', value: { least: 1, most: 8, step: 3 } },
        },
      ],
      groups: ['All'],
      offers: [
        { key: 'design', notation: 'design {ratings} {turns}', label: 'Design', slots: [0, 1] },
      ],
    }),
  );
  const [line] = design.lines;
  if (!line) throw new Error('no offer');
  expect(usual(line)).toEqual({ ratings: ['1', '0'], turns: ['7'] });
  expect(fill(line, usual(line))).toBe('design hull 1 7');
});

test('a half-made order moves to a newer menu without the choices that are gone', () => {
  const newer = menuOf(
    create(OffersSchema, {
      values: ['Vie', 'Gal', 'A Vie', 'A Bud'],
      lists: [{ values: [2] }],
      slots: [
        {
          name: 'who',
          label: 'who',
          kind: { case: 'pieces', value: { list: 0, least: 1, most: 2, separator: ', ' } },
        },
      ],
      groups: ['All'],
      offers: [{ key: 'send', notation: 'send {who}', label: 'Send {who}', slots: [0] }],
    }),
  );
  const [, , send] = menu.lines;
  const [to] = newer.lines;
  if (!send || !to) throw new Error('no offer');
  const { form, lost } = moved({ line: send, choices: { who: ['A Vie', 'A Bud'] } }, to);
  expect(form).toEqual({ line: to, choices: { who: ['A Vie'] } });
  expect(lost).toEqual(['A Bud']);
});
