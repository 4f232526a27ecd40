import { create } from '@bufbuild/protobuf';
import type { Offer, Slot } from '@heliopause/client';
import { expect, test } from 'vitest';
import { OffersSchema, OfferWeight } from '../engine/contract';
import {
  assignmentsOf,
  budgetOf,
  buttonTexts,
  choiceError,
  complete,
  completeForms,
  concerns,
  defaultChoices,
  fill,
  menuOf,
  onlyChoices,
  parts,
  readLine,
  rebase,
  sentenceOf,
  sumOf,
  usualChoices,
  valuesByType,
  withoutRepeats,
} from './offers';

const menu = menuOf(
  create(OffersSchema, {
    complete: true,
    values: ['Vie', 'Gal', 'Tri', 'A Vie', 'A Bud'],
    labels: { 0: 'Vienna', 1: 'Galicia' },
    lists: [{ values: [1, 2] }, { values: [3, 4] }],
    groups: ['Army Vienna', 'All'],
    stocks: [{ name: 'Money', available: { amount: 9, unit: 'points' } }],
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
      { key: 'buy', notation: 'buy {money}', label: 'Buy {money}', slots: [3], group: 1, stock: 0 },
      { key: 'end', notation: 'end', label: 'End', group: 1, weight: OfferWeight.END },
    ],
  }),
);
const [hold, move, send, buy] = menu.lines as [Offer, Offer, Offer, Offer];

test('a filled offer gives an order and a sentence with names for people', () => {
  expect(fill(hold, {})).toBe('A Vie H');
  expect(fill(move, { to: ['Gal'] })).toBe('A Vie - Gal');
  expect(sentenceOf(move, { to: ['Gal'] })).toBe('Army Vienna moves to Galicia');
  expect(fill(move, {})).toBeUndefined();
  expect(fill(move, { to: ['Par'] })).toBeUndefined();
  expect(fill(send, { who: ['A Vie', 'A Bud'] })).toBe('send A Vie, A Bud');
  expect(fill(send, { who: ['A Vie'], count: ['4'] })).toBe('send A Vie x4');
  expect(sentenceOf(send, { who: ['A Vie'], count: ['4'] })).toBe('Send A Vie, 4 times');
  expect(fill(buy, { money: ['2', '0'] })).toBe('buy 2 scouts');
  expect(fill(buy, { money: ['2', '1'] })).toBe('buy 2 scouts + 1 bases');
});

test('an invalid choice gives the reason', () => {
  const [who, count] = send.slots as [Slot, Slot];
  expect(choiceError(who, [])).toBe('Not chosen yet: who.');
  expect(choiceError(who, ['A Vie', 'A Vie'])).toContain('only once');
  expect(choiceError(count, [])).toBeUndefined();
  expect(choiceError(count, ['3'])).toContain('steps of 2');
  expect(choiceError(count, ['10'])).toContain('2 to 8');
  const [money] = buy.slots as [Slot];
  expect(choiceError(money, ['3', '1'])).toContain('2 to 9');
  expect(choiceError(money, ['0', '0'])).toContain('2 to 9, not 0');
});

test('a sentence is split at its slots', () => {
  expect(
    parts(send.label, send).map((part) => ('text' in part ? part.text : part.slot.name)),
  ).toEqual(['Send ', 'who', 'count']);
});

test('two clicks complete an order', () => {
  const subject = { place: 'Vie', piece: 'A Vie' };
  expect(concerns(move, subject)).toBe('subject');
  expect(concerns(send, subject)).toBe('slot');
  expect(concerns(move, { place: 'Par', piece: 'A Par' })).toBeUndefined();
  const found = completeForms(menu.lines, subject, { place: 'Gal', piece: '' });
  expect(found.map(({ line, choices }) => fill(line, choices))).toEqual(['A Vie - Gal']);
});

test('typed lines are completed from the offers', () => {
  expect(complete(menu, 'a v')).toContain('A Vie H');
  expect(complete(menu, 'A Vie - ')).toEqual(
    expect.arrayContaining(['A Vie - Gal', 'A Vie - Tri']),
  );
  expect(complete(menu, 'A Vie - g')).toEqual(['A Vie - Gal']);
  expect(complete(menu, 'send A V')).toEqual(['send A Vie']);
  expect(complete(menu, 'nothing of the kind')).toEqual([]);
});

test('the default choices of an offer are valid', () => {
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
  expect(defaultChoices(line)).toEqual({ ratings: ['1', '0'], turns: ['7'] });
  expect(fill(line, defaultChoices(line))).toBe('design hull 1 7');
});

test('an unfinished order moves to a newer menu without the removed choices', () => {
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
  const { form, lost } = rebase({ line: send, choices: { who: ['A Vie', 'A Bud'] } }, to);
  expect(form).toEqual({ line: to, choices: { who: ['A Vie'] } });
  expect(lost).toEqual(['A Bud']);
});

test('a given line is read back as the choices of its offer', () => {
  expect(readLine(move, 'A Vie - Gal')).toEqual({ to: ['Gal'] });
  expect(readLine(move, 'A Vie - Par')).toBeUndefined();
  expect(readLine(hold, 'A Vie H')).toEqual({});
  expect(readLine(send, 'send A Vie, A Bud x4')).toEqual({ who: ['A Vie', 'A Bud'], count: ['4'] });
  expect(readLine(send, 'send A Bud')).toEqual({ who: ['A Bud'] });
  expect(readLine(buy, 'buy 1 bases')).toEqual({ money: ['0', '1'] });
  expect(readLine(buy, 'buy 1 bases + 2 scouts')).toBeUndefined();
});

test('orders with the same stock spend it together', () => {
  const order = { line: buy, choices: { money: ['2', '0'] } };
  expect(budgetOf(menu, order, [])).toMatchObject({ amount: 4, elsewhere: 0, available: 9 });
  expect(budgetOf(menu, order, ['buy 1 bases', 'end'])).toMatchObject({ elsewhere: 5 });
  expect(budgetOf(menu, { line: move, choices: { to: ['Gal'] } }, [])).toBeUndefined();
});

const pick = (list: number, separator = '') => ({ list, least: 1, most: 1, separator });
const shop = menuOf(
  create(OffersSchema, {
    values: ['Sol', 'carrier', 'fighter', 'C1', 'C2', 'S3'],
    stocks: [{ name: 'Sol', available: { amount: 12, unit: 'RU' }, partial: true }],
    prices: { 1: { amount: 10, unit: 'RU' }, 2: { amount: 1, unit: 'RU' } },
    valueStocks: { 0: 0 },
    lists: [{ values: [0] }, { values: [1, 2] }, { values: [3, 4, 5] }],
    slots: [
      { name: 'world', label: 'world', kind: { case: 'places', value: pick(0) } },
      { name: 'class', label: 'class', kind: { case: 'words', value: pick(1) } },
      {
        name: 'count',
        label: 'how many',
        kind: { case: 'number', value: { least: 1, most: 12, step: 1, multipliesPrices: true } },
      },
      ...['C7', 'C8', 'S9'].map((label) => ({
        name: label,
        label,
        optional: true,
        text: ` ${label}>{}`,
        kind: { case: 'pieces' as const, value: pick(2) },
      })),
    ],
    offers: [
      { notation: 'BUILD {world} {count} {class}', slots: [0, 2, 1] },
      { notation: 'aim{C7}{C8}{S9}', slots: [3, 4, 5] },
      { notation: 'aim C7>C2 S9>S3' },
    ],
  }),
);
const [build, aim] = shop.lines as [Offer, Offer];

test('the prices of values count as many times as the number', () => {
  const choices = defaultChoices(build);
  expect(choices).toEqual({ world: ['Sol'], class: ['carrier'], count: ['1'] });
  const form = { line: build, choices: { ...choices, count: ['2'] } };
  expect(budgetOf(shop, form, ['BUILD Sol 3 fighter'])).toEqual({
    amount: 20,
    elsewhere: 3,
    available: 12,
    unit: 'RU',
    stocks: [0],
    partial: true,
  });
});

test('slots that choose from the same values are a table, with an order of the menu as default', () => {
  const groups = assignmentsOf(aim).map(({ name, slots }) => [name, slots.length]);
  expect(groups).toEqual([
    ['C', 2],
    ['S', 1],
  ]);
  expect(assignmentsOf(build)).toEqual([]);
  expect(usualChoices(shop, aim)).toEqual({ C7: ['C2'], S9: ['S3'] });
  expect(usualChoices(shop, build)).toBeUndefined();
  expect(valuesByType(aim.slots[0] as Slot)).toEqual([
    ['C', ['C1', 'C2']],
    ['S', ['S3']],
  ]);
});

test('a button has the title, or the sentence if the title is not unique', () => {
  const { lines } = menuOf(
    create(OffersSchema, {
      groups: ['Builds'],
      values: ['Vie', 'Bud'],
      lists: [{ values: [0] }, { values: [0, 1] }],
      slots: [0, 1].map((list) => ({
        name: 'place',
        label: 'where',
        kind: { case: 'places' as const, value: { list, least: 1, most: 1 } },
      })),
      offers: [
        {
          title: 'Build',
          notation: 'BUILD A {place}',
          label: 'Build an army in {place}',
          slots: [0],
        },
        {
          title: 'Build',
          notation: 'BUILD F {place}',
          label: 'Build a fleet in {place}',
          slots: [1],
        },
        {
          title: 'Build',
          notation: 'BUILD F {place}',
          label: 'Build a fleet in {place}',
          slots: [1],
        },
        { title: 'Waive', notation: 'WAIVE', label: 'Build nothing' },
      ],
    }),
  );
  const shown = withoutRepeats(lines);
  expect([...buttonTexts(shown, onlyChoices).values()]).toEqual([
    'Build an army in Vie',
    'Build a fleet in [where]',
    'Waive',
  ]);
});

test('offers with the same sentence are told apart by their values', () => {
  const { lines } = menuOf(
    create(OffersSchema, {
      groups: ['Movement'],
      values: ['C1', 'C2', 'C3', 'S1'],
      lists: [{ values: [0, 1, 2] }, { values: [3] }],
      slots: [0, 1].map((list) => ({
        name: 'who',
        label: 'who',
        kind: { case: 'pieces' as const, value: { list, least: 1, most: 3, separator: ' ' } },
      })),
      offers: [0, 1].map((slot) => ({
        title: 'Move',
        notation: '{who} MOVE',
        label: '{who} moves',
        slots: [slot],
      })),
    }),
  );
  expect([...buttonTexts(lines, () => ({})).values()]).toEqual([
    '[C1, C2 and 1 more] moves',
    '[S1] moves',
  ]);
});

test('the sum of shares counts costs', () => {
  const shares = buy.slots[0]?.shares;
  if (!shares) throw new Error('no shares');
  expect(sumOf(shares, ['2', '1'])).toBe(9);
  expect(sumOf(shares, ['', '1'])).toBe(5);
});
