import { create } from '@bufbuild/protobuf';
import { signal } from '@preact/signals';
import { expect, test } from 'vitest';
import { OffersSchema, OfferWeight } from '../engine/contract';
import { fill, type Menu, menuOf, sentenceOf } from './offers';
import { Picker } from './picker';

const PLACES = ['Vie', 'Bud', 'Gal', 'Tri', 'Ser'];
const PIECES = ['A Vie', 'A Bud'];

const place = (list: number) => ({
  name: 'place',
  label: 'where to',
  kind: { case: 'places' as const, value: { list, least: 1, most: 1 } },
});

/** Returns the offers of two armies of Diplomacy. `gone` cannot be entered. */
function armies(gone = ''): Menu {
  const values = [...PLACES, ...PIECES];
  const open = (...names: string[]) => ({
    values: names.filter((name) => name !== gone).map((name) => values.indexOf(name)),
  });
  return menuOf(
    create(OffersSchema, {
      complete: true,
      values,
      lists: [
        open('Bud', 'Gal', 'Tri'),
        open('Vie', 'Gal', 'Ser'),
        open('A Bud'),
        open('A Vie'),
        open('Gal', 'Tri'),
      ],
      groups: ['Army Vienna', 'Army Budapest'],
      slots: [
        place(0),
        place(1),
        { ...place(2), name: 'unit', kind: { ...place(2).kind, case: 'pieces' as const } },
        { ...place(3), name: 'unit', kind: { ...place(3).kind, case: 'pieces' as const } },
        place(4),
      ],
      offers: [
        {
          key: 'support-move',
          notation: 'A Vie S A Bud - {place}',
          label: 'Army Vienna supports Army Budapest to {place}',
          slots: [1],
          pieces: [5, 6],
          places: [0, 1],
        },
        {
          key: 'support-hold',
          notation: 'A Vie S {unit}',
          label: 'Army Vienna supports {unit}',
          slots: [2],
          pieces: [5],
          places: [0],
        },
        {
          key: 'move',
          notation: 'A Vie - {place}',
          label: 'Army Vienna moves to {place}',
          slots: [0],
          pieces: [5],
          places: [0],
          weight: OfferWeight.MAIN,
        },
        {
          key: 'support-move',
          notation: 'A Bud S A Vie - {place}',
          label: 'Army Budapest supports Army Vienna to {place}',
          slots: [4],
          pieces: [6, 5],
          places: [1, 0],
          group: 1,
        },
        {
          key: 'move',
          notation: 'A Bud - {place}',
          label: 'Army Budapest moves to {place}',
          slots: [1],
          pieces: [6],
          places: [1],
          weight: OfferWeight.MAIN,
          group: 1,
        },
      ],
    }),
  );
}

const vie = { place: 'Vie', piece: 'A Vie' };
const to = (place: string) => ({ place, piece: '' });

function pickerOf(menu = armies()) {
  const shown = signal(menu);
  const given: (string | undefined)[] = [];
  const ordered = new Set<string>();
  const rules = { canReplace: true };
  const picker = new Picker(shown, {
    canReplace: () => rules.canReplace,
    given: () => [],
    refusal: async () => '',
    hasOrderOf: (piece) => ordered.has(piece),
    give: ({ line, choices }, replaced) => {
      const order = fill(line, choices);
      const former = replaced && fill(replaced.line, replaced.choices);
      given.push(former === undefined ? order : `${order} instead of ${former}`);
    },
  });
  const follow = (menu: Menu, phase: bigint | undefined) => {
    shown.value = menu;
    return picker.follow(menu, phase);
  };
  follow(menu, 1n);
  return { picker, given, follow, ordered, rules };
}

test('a selection and a form survive what others do, and the next phase', () => {
  const { picker, follow } = pickerOf();
  const [line] = armies().lines;
  if (!line) throw new Error('no offer');
  picker.pick(vie);
  picker.begin(line);
  picker.set({ place: ['Gal'] });
  for (const phase of [1n, undefined, 2n]) {
    expect(follow(phase === undefined ? menuOf(undefined) : armies(), phase)).toEqual([]);
    expect(picker.chosen.value).toEqual(vie);
    expect(picker.form.value?.choices).toEqual({ place: ['Gal'] });
  }
  expect(picker.form.value?.line).not.toBe(line);
  expect(picker.gone.value).toBeUndefined();
});

test('an impossible order stays with its choices until it is dismissed', () => {
  const { picker, follow } = pickerOf();
  const [line] = armies().lines;
  if (!line) throw new Error('no offer');
  picker.begin(line);
  picker.set({ place: ['Gal'] });
  follow(armies('Gal'), 1n);
  expect(picker.form.value).toBeUndefined();
  expect(picker.gone.value?.choices).toEqual({ place: ['Gal'] });
  // It is a form again once it is possible again.
  follow(armies(), 1n);
  expect(picker.form.value?.choices).toEqual({ place: ['Gal'] });
  expect(picker.gone.value).toBeUndefined();
  follow(menuOf(create(OffersSchema, {})), 2n);
  expect(picker.gone.value?.choices).toEqual({ place: ['Gal'] });
  picker.dismiss();
  expect(picker.gone.value).toBeUndefined();
  expect(picker.form.value).toBeUndefined();
});

test('a click right after an order keeps its selection in the next decision', () => {
  const { picker, given, follow } = pickerOf();
  picker.pick(vie);
  picker.pick(to('Bud'));
  expect(given).toEqual(['A Vie - Bud']);
  picker.pick({ place: 'Bud', piece: 'A Bud' });
  // Neither the answer nor the event of the order arrived before this click.
  follow(menuOf(undefined), undefined);
  follow(armies(), 2n);
  expect(picker.chosen.value?.piece).toBe('A Bud');
});

const bud = { place: 'Bud', piece: 'A Bud' };

function meaningsOf(picker: Picker): string[] {
  return picker.meanings.value.map(({ line, choices }) => sentenceOf(line, choices));
}

test('the second click gives the move, and the menu has the alternatives', () => {
  const { picker, given } = pickerOf();
  picker.pick(vie);
  picker.pick(bud);
  expect(given).toEqual(['A Vie - Bud']);
  expect(meaningsOf(picker)).toEqual([
    'Army Vienna supports A Bud',
    'Army Vienna supports Army Budapest to [where to]',
  ]);
  const [hold] = picker.meanings.value;
  if (hold) picker.mean(hold);
  expect(given.slice(1)).toEqual(['A Vie S A Bud instead of A Vie - Bud']);
  expect(picker.meanings.value).toEqual([]);
});

test('the third click of a support replaces the move', () => {
  const { picker, given } = pickerOf();
  picker.pick(vie);
  picker.pick(bud);
  picker.pick(to('Ser'));
  expect(given.slice(1)).toEqual(['A Vie S A Bud - Ser instead of A Vie - Bud']);
});

test('the alternatives do not keep the next click', () => {
  const { picker, given } = pickerOf();
  picker.pick(vie);
  picker.pick(bud);
  picker.pick(bud);
  expect(picker.chosen.value).toEqual(bud);
  expect(picker.meanings.value).toEqual([]);
  picker.pick(to('Gal'));
  expect(given).toEqual(['A Vie - Bud', 'A Bud - Gal']);
});

test('a click does not replace an order given to another piece', () => {
  const { picker, given, ordered } = pickerOf();
  ordered.add('A Bud');
  picker.pick(vie);
  picker.pick(to('Tri'));
  // Army Budapest could support the move, but has an order.
  expect(given).toEqual(['A Vie - Tri']);
  expect(meaningsOf(picker)).toEqual(['Army Budapest supports Army Vienna to Tri']);
});

test('several meanings of a final order are not guessed', () => {
  const { picker, given, rules } = pickerOf();
  rules.canReplace = false;
  picker.pick(vie);
  picker.pick(to('Tri'));
  expect(given).toEqual([]);
  expect(picker.meanings.value).toHaveLength(2);
  const [move] = picker.meanings.value;
  if (move) picker.mean(move);
  expect(given).toEqual(['A Vie - Tri']);
});

test('the given orders of the selection are found', () => {
  const { picker } = pickerOf();
  const orders = ['A Bud - Gal', 'A Vie S A Bud - Gal', 'A Vie - Par'];
  expect(picker.ordersHere(orders)).toEqual([]);
  picker.pick(vie);
  expect(picker.ordersHere(orders)).toEqual([
    { order: 'A Vie S A Bud - Gal', sentence: 'Army Vienna supports Army Budapest to Gal' },
  ]);
  picker.pick(undefined);
  picker.pick(bud);
  expect(picker.ordersHere(orders).map(({ order }) => order)).toEqual(['A Bud - Gal']);
});
