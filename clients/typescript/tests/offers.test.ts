// Filling offers, without an engine.

import { create, type MessageInitShape } from '@bufbuild/protobuf';
import {
  atRandom,
  Bot,
  connect,
  FillError,
  type Offer,
  Offers,
  Random,
  Refused,
  type Slot,
  Unreachable,
} from '@heliopause/client';
import { OffersSchema, OfferWeight } from '@heliopause/client/contract';
import { describe, expect, test, vi } from 'vitest';

const TABLES: MessageInitShape<typeof OffersSchema> = {
  values: ['A1', 'A2', 'A3', 'Ceti', 'Lyra', 'Ada'],
  lists: [{ values: [0, 1, 2] }, { values: [3, 4] }, { values: [5] }],
  groups: ['Ships', 'Turn'],
  labels: { 3: 'Tau Ceti' },
  notes: { 3: '4 ships' },
  slots: [
    {
      name: 'it',
      label: 'which',
      kind: { case: 'pieces', value: { list: 0, least: 1, most: 2, separator: '+' } },
    },
    {
      name: 'to',
      label: 'where to',
      kind: { case: 'places', value: { list: 1, least: 1, most: 1 } },
    },
    {
      name: 'way',
      optional: true,
      text: ' via {}',
      phrase: ' by way of {}',
      kind: { case: 'places', value: { list: 1, least: 1, most: 1 } },
    },
    { name: 'count', kind: { case: 'number', value: { least: 2, most: 10, step: 4 } } },
    {
      name: 'money',
      kind: {
        case: 'shares',
        value: {
          shares: [
            { text: '{} scouts', least: 0, most: 9, cost: 2 },
            { text: '{} bases', least: 0, most: 9, cost: 5 },
          ],
          least: 0,
          most: 11,
          separator: ', ',
        },
      },
    },
    {
      name: 'name',
      kind: {
        case: 'free',
        value: {
          least: 2,
          most: 5,
          alphabet: 'Adabcé',
          firstCharacters: 'A',
          lines: 1,
          usedTexts: 2,
          example: 'Abc',
        },
      },
    },
    { name: 'later' },
  ],
  offers: [
    {
      key: 'move',
      notation: 'move {it} to {to}{way}',
      label: '{it} flies to {to}{way}.',
      slots: [0, 1, 2],
      weight: OfferWeight.MAIN,
    },
    {
      key: 'buy',
      title: 'Buy ships',
      notation: 'buy {count}',
      slots: [3],
      places: [3],
      pieces: [0],
    },
    { key: 'spend', notation: 'spend {money}', slots: [4] },
    { key: 'call', notation: 'name {name}', slots: [5], group: 1 },
    { key: 'end', notation: 'end', group: 1, weight: OfferWeight.END },
    { key: 'later', notation: 'do {later}', slots: [6], group: 1 },
  ],
  complete: true,
};

const OFFERS = new Offers(create(OffersSchema, TABLES));

function offer(key: string): Offer {
  const [found] = OFFERS.of(key);
  if (!found) throw new Error(`offer ${key} does not exist`);
  return found;
}

function slot(key: string, name: string): Slot {
  const found = offer(key).slot(name);
  if (!found) throw new Error(`slot ${name} does not exist`);
  return found;
}

describe('an offer is filled', () => {
  test('in the notation', () => {
    expect(offer('move').fill({ it: ['A1', 'A3'], to: 'Ceti' })).toBe('move A1+A3 to Ceti');
    expect(offer('move').fill({ it: 'A2', to: 'Lyra', way: 'Ceti' })).toBe(
      'move A2 to Lyra via Ceti',
    );
    expect(offer('buy').fill({ count: 6 })).toBe('buy 6');
    expect(offer('buy').fill({ count: '10' })).toBe('buy 10');
    expect(offer('spend').fill({ money: [3, 1] })).toBe('spend 3 scouts, 1 bases');
    expect(offer('spend').fill({ money: [0, 2] })).toBe('spend 2 bases');
    expect(offer('call').fill({ name: 'Acé' })).toBe('name Acé');
    expect(offer('end').fill()).toBe('end');
  });

  test('as a sentence', () => {
    expect(offer('move').say({ it: ['A1', 'A2'], to: 'Ceti', way: 'Lyra' })).toBe(
      'A1, A2 flies to Tau Ceti by way of Lyra.',
    );
    expect(slot('move', 'to').labelOf('Ceti')).toBe('Tau Ceti');
    expect(slot('move', 'to').noteOf('Ceti')).toBe('4 ships');
    expect(slot('move', 'to').noteOf('Lyra')).toBe('');
    expect(offer('buy').title).toBe('Buy ships');
  });

  test('with its cost', () => {
    const shop = new Offers(
      create(OffersSchema, {
        values: ['Sol', 'Vega', 'carrier', 'fighter', 'Sol'],
        lists: [{ values: [0, 1] }, { values: [2, 3] }, { values: [4] }],
        notes: { 3: 'new' },
        stocks: [
          { name: 'Sol', available: { amount: 12, unit: 'RU' }, partial: true },
          { name: 'Vega', available: { amount: 5, unit: 'RU' } },
        ],
        prices: { 2: { amount: 10, unit: 'RU' }, 3: { amount: 1, unit: 'RU' } },
        sizes: { 2: { amount: 15, unit: 't' } },
        valueStocks: { 0: 0, 1: 1 },
        slots: [
          {
            name: 'worlds',
            kind: { case: 'places', value: { list: 0, least: 1, most: 2, separator: ' ' } },
          },
          {
            name: 'count',
            kind: { case: 'number', value: { least: 1, most: 9, step: 1, multipliesPrices: true } },
          },
          { name: 'class', kind: { case: 'words', value: { list: 1, least: 1, most: 1 } } },
          { name: 'ru', kind: { case: 'number', value: { least: 1, most: 9, step: 1, cost: 2 } } },
          {
            name: 'shares',
            kind: {
              case: 'shares',
              value: {
                shares: [
                  { text: '{} a', most: 9, cost: 2 },
                  { most: 9, cost: 5 },
                ],
              },
            },
          },
          { name: 'home', kind: { case: 'places', value: { list: 2, least: 1, most: 1 } } },
          {
            name: 'ratings',
            kind: {
              case: 'shares',
              value: {
                shares: [
                  { least: 1, most: 3, costs: [-9, 0, 2], label: 'guns' },
                  { most: 9, phrase: '{} damage points', singular: '1 damage point' },
                ],
                zeros: true,
                separator: ' ',
              },
            },
          },
        ],
        offers: [
          { key: 'build', notation: 'build {worlds} {count} {class}', slots: [0, 1, 2] },
          { key: 'pay', notation: 'pay {ru}', slots: [3], stock: 1, price: 3 },
          { key: 'buy', notation: 'buy {shares}', slots: [4], stock: 0 },
          { key: 'share', notation: 'share {shares}', slots: [4] },
          { key: 'visit', notation: 'visit {worlds} {home}', slots: [0, 5] },
          {
            key: 'design',
            notation: 'design {ratings}',
            label: 'A class: {ratings}',
            slots: [6],
            stock: 0,
            price: 5,
            divisor: 2,
          },
        ],
      }),
    );
    const [build, pay, buy, share, visit] = [...shop] as [Offer, Offer, Offer, Offer, Offer];
    const unit = 'RU';
    const sol = { available: 12, unit, stocks: [0], partial: true };
    expect(build.cost({ worlds: 'Sol', count: 3, class: 'carrier' })).toEqual({
      amount: 30,
      ...sol,
    });
    expect(build.cost({ worlds: ['Sol'] })).toEqual({ amount: 0, ...sol });
    expect(build.cost({ worlds: ['Vega', 'Sol'], count: '2', class: 'fighter' })).toEqual({
      amount: 2,
      available: 17,
      unit,
      stocks: [0, 1],
      partial: true,
    });
    expect(build.cost({ count: 3, class: 'carrier' })).toBeUndefined();
    expect(pay.cost({ ru: 4 })).toMatchObject({ amount: 11, available: 5, partial: false });
    expect(pay.cost()).toMatchObject({ amount: 3 });
    expect(buy.cost({ shares: [1, '2'] })).toMatchObject({ amount: 12, stocks: [0] });
    expect([share.cost({ shares: [1, 2] }), visit.cost({ worlds: 'Sol' })]).toEqual([
      undefined,
      undefined,
    ]);
    const [design] = shop.of('design') as [Offer];
    const amounts = [1, 2, 3].map((guns) => design.cost({ ratings: [guns, 4] })?.amount);
    expect(amounts).toEqual([1, 3, 4]);
    expect(design.slots[0]?.priced).toBe(true);
    expect(design.fill({ ratings: [2, 1] })).toBe('design 2 1');
    expect(design.say({ ratings: [2, 1] })).toBe('A class: 2, 1 damage point');
    expect(design.say({ ratings: [2, 0] })).toBe('A class: 2, 0 damage points');
    const facts = (of: Offer, at: number) => {
      const each = of.slots[at];
      return each?.values.map((value) => each.factsOf(value));
    };
    expect(facts(build, 0)).toEqual(['12 RU available', '5 RU available']);
    expect(facts(build, 2)).toEqual(['10 RU, 15 t', '1 RU, new']);
    expect(facts(visit, 1)).toEqual(['']);
    const [worlds, , word] = build.slots as [Slot, Slot, Slot];
    expect(word.priceOf('carrier')).toMatchObject({ amount: 10, unit });
    expect(word.sizeOf('fighter')).toBeUndefined();
    expect(shop.stocks[worlds.stockOf('Vega') ?? -1]?.name).toBe('Vega');
  });

  test.each([
    ['move', { to: 'Ceti' }, 'it: choose a value; the slot is required'],
    ['move', { it: 'A9', to: 'Ceti' }, 'it: "A9" is not one of the values: A1, A2, A3'],
    [
      'move',
      { it: ['A1', 'A1'], to: 'Ceti' },
      'it: "A1" is chosen twice; choose each value only once',
    ],
    [
      'move',
      { it: ['A1', 'A2', 'A3'], to: 'Ceti' },
      'it: the number of values must be 1 to 2, not 3',
    ],
    [
      'move',
      { it: 'A1', to: 'Ceti', speed: 3 },
      '"move {it} to {to}{way}" has no slot "speed"; the slots are it, to, way',
    ],
    ['buy', { count: 3 }, 'count: the number must be 2 to 10 in steps of 4, not 3'],
    ['buy', { count: 'many' }, 'count: expected a whole number, found "many"'],
    ['buy', { count: 2.5 }, 'count: expected a whole number, found 2.5'],
    ['buy', { count: [2] }, 'count: expected one value, found [2]'],
    ['spend', { money: 3 }, 'money: expected a list of 2 numbers, found 3'],
    ['spend', { money: [1] }, 'money: expected 2 numbers, found 1'],
    ['spend', { money: [10, 0] }, 'money: scouts must be 0 to 9, not 10'],
    ['spend', { money: [4, 1] }, 'money: the sum must be 0 to 11, not 13'],
    [
      'spend',
      { money: [0, 0] },
      'money: at least one number must be greater than 0; omit the choice to leave the slot empty',
    ],
    ['call', { name: 'A' }, 'name: the number of characters must be 2 to 5, not 1'],
    ['call', { name: 'Axe' }, 'name: "x" is not allowed; the allowed characters are Adabcé'],
    [
      'call',
      { name: 'bc' },
      'name: the text must not start with "b"; the allowed first characters are A',
    ],
    ['call', { name: 'ADA' }, 'name: "D" is not allowed; the allowed characters are Adabcé'],
    ['call', { name: 'Ada' }, 'name: "Ada" is already in use; choose another text'],
    ['call', { name: 'A\nb' }, 'name: the number of lines must be at most 1, not 2'],
    [
      'later',
      { later: 'x' },
      'later: this client version does not support this slot; update the client',
    ],
  ])('only with valid choices: %s %o', (key, choices, message) => {
    expect(() => offer(key).fill(choices)).toThrow(new FillError(message));
  });

  test('a slot gives the reason why a choice is invalid', () => {
    expect(slot('buy', 'count').problem(3)).toMatch(/in steps of 4/);
    expect(slot('buy', 'count').problem(2)).toBeUndefined();
  });
});

describe('orders', () => {
  test('are listed if there are finitely many', () => {
    expect([...offer('buy').orders()]).toEqual(['buy 2', 'buy 6', 'buy 10']);
    expect(slot('move', 'to').choices()).toEqual(['Ceti', 'Lyra']);
    expect(slot('move', 'it').choices()).toBeUndefined();
    expect(slot('buy', 'count').choices(2)).toBeUndefined();
    expect(OFFERS.orders()).toEqual(['buy 2', 'buy 6', 'buy 10', 'end']);
    expect([...offer('buy').orders(2)]).toEqual([]);
  });

  test('offers are found by what they are about', () => {
    expect(OFFERS.about('Ceti').map(({ key }) => key)).toEqual(['move', 'buy']);
    expect(OFFERS.about('A2').map(({ key }) => key)).toEqual(['move']);
    expect([...OFFERS.headings()].map(([heading, below]) => [heading, below.length])).toEqual([
      ['Ships', 3],
      ['Turn', 3],
    ]);
    expect(OFFERS.known.map(({ key }) => key)).not.toContain('later');
    expect([OFFERS.length, OFFERS.complete, OFFERS.sheet, OFFERS.at(-1)?.key]).toEqual([
      6,
      true,
      false,
      'later',
    ]);
  });
});

describe('random', () => {
  test('random choices are valid', () => {
    const random = new Random(7);
    const seen = new Set<string>();
    for (let turn = 0; turn < 2000; turn++) seen.add(OFFERS.atRandom(random));
    for (const order of seen)
      expect(order).toMatch(
        /^(move A\d(\+A\d)? to (Ceti|Lyra)( via (Ceti|Lyra))?|buy (2|6|10)|spend .+|name A.+|end)$/,
      );
    expect(seen.size).toBeGreaterThan(40);
  });

  test('the same seed gives the same numbers, another seed gives others', () => {
    const draw = (seed: number | Uint8Array) => {
      const random = new Random(seed);
      return Array.from({ length: 20 }, () => random.between(1, 1000));
    };
    expect(draw(1)).toEqual(draw(1));
    expect(draw(1)).not.toEqual(draw(2));
    expect(draw(new Uint8Array([1, 2]))).not.toEqual(draw(new Uint8Array([2, 1])));
    expect(new Random().next()).not.toBe(new Random().next());
  });

  test('numbers are distributed evenly', () => {
    const random = new Random(3);
    const counts = [0, 0, 0, 0, 0, 0];
    for (let roll = 0; roll < 60_000; roll++) {
      const side = random.between(1, 6) - 1;
      counts[side] = (counts[side] ?? 0) + 1;
    }
    // Five standard deviations around 10,000. The seed is fixed, so the test is not flaky.
    expect(counts.every((count) => count > 9_540 && count < 10_460)).toBe(true);
  });

  test('weights are respected, and samples have no duplicates', () => {
    const random = new Random(5);
    const heavy = Array.from({ length: 1000 }, () =>
      random.weighted(['a', 'b'], (one) => (one === 'a' ? 9 : 1)),
    );
    expect(heavy.filter((one) => one === 'a').length).toBeGreaterThan(850);
    expect(new Set(random.sample([1, 2, 3, 4, 5], 4)).size).toBe(4);
    expect(random.sample([1, 2], 9)).toHaveLength(2);
    expect(() => random.pick([])).toThrow(RangeError);
  });
});

describe('addresses', () => {
  test.each([
    ['127.0.0.1:50051', 'http://127.0.0.1:50051'],
    ['http://play.example:80/', 'http://play.example'],
    ['https://play.example/games', 'https://play.example/games'],
    ['one:1, two:2', 'http://one:1'],
  ])('%s', (given, url) => expect(connect(given).url).toBe(url));

  test.each([
    '',
    'ftp://play.example',
    'http://',
    'http://me:secret@play.example',
    'play.example:1?x=1',
    'http://play.example:x',
  ])('not %s', (given) => {
    expect(() => connect(given)).toThrow(TypeError);
  });

  test.each([
    ['http://games.invalid:1', 1],
    ['192.0.2.1:1', 1],
    ['https://games.invalid:1', 0],
    ['127.0.0.2:1', 0],
    ['http://[::1]:1', 0],
    ['localhost:1', 0],
  ])('a token sent to %s causes %s warnings', async (given, times) => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    using engine = connect(given, { token: 'hp_none', timeout: 200, patience: 0 });
    for (let call = 0; call < 2; call++) await expect(engine.me()).rejects.toThrow(Unreachable);
    const warnings = warn.mock.calls.filter(([text]) => String(text).includes('is not encrypted'));
    warn.mockRestore();
    expect(warnings).toHaveLength(times);
  });

  test('invalid settings are rejected', () => {
    expect(() => connect([])).toThrow('specify the address of at least one engine');
    expect(() => connect('one:1', { timeout: 0 })).toThrow(RangeError);
    expect(() => connect('one:1', { patience: -1 })).toThrow(RangeError);
    expect(() => connect('one:1', { tls: { ca: '...' } })).toThrow('https://');
  });
});

test('errors have a name and details', () => {
  const refused = new Refused('no', {
    reason: 'ORDER_REFUSED',
    metadata: { rule: 'R3', refusal: 'too-far', field: 'orders[0].to' },
  });
  expect([refused.name, refused.rule, refused.refusal, refused.field, refused.retryable]).toEqual([
    'Refused',
    'R3',
    'too-far',
    'orders[0].to',
    false,
  ]);
  expect(new Unreachable('gone')).toBeInstanceOf(Refused);
  expect(new Unreachable('gone').retryable).toBe(true);
  expect(new Bot(atRandom)).toBeInstanceOf(Bot);
});
