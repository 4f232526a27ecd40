// Offers: sentences with slots. Reading them, filling them, and completing what a player types.

import type { Offer, Offers, OfferWeight, Slot } from '../engine/contract';

/** What a slot is filled with. Picks and shares are lists; nothing is undefined. */
export type Choice = readonly string[] | undefined;

/** A slot, with the values that it takes. */
export interface Blank {
  name: string;
  label: string;
  optional: boolean;
  kind: Slot['kind'];
  /** The values of picks, as the notation writes them. */
  values: readonly string[];
  around: string;
  phrase: string;
}

/** An offer, with what it refers to. */
export interface Line {
  /** Its place in the menu, which names it while these offers stand. */
  index: number;
  key: string;
  notation: string;
  label: string;
  rule: string;
  heading: string;
  weight: OfferWeight;
  blanks: readonly Blank[];
  /** The places and pieces that it is about, outside its slots. */
  places: readonly string[];
  pieces: readonly string[];
}

/** All offers of a seat. */
export interface Menu {
  lines: readonly Line[];
  complete: boolean;
  sheet: boolean;
  /** What people call a value. */
  labelOf(value: string): string;
}

export const EMPTY_MENU: Menu = {
  lines: [],
  complete: true,
  sheet: false,
  labelOf: (value) => value,
};

/** Reads offers. */
export function menuOf(offers: Offers | undefined): Menu {
  if (!offers) return EMPTY_MENU;
  const labels = new Map<string, string>();
  for (const [index, label] of Object.entries(offers.labels)) {
    const value = offers.values[Number(index)];
    if (value !== undefined) labels.set(value, label);
  }
  const values = (indices: readonly number[]) =>
    indices.map((index) => offers.values[index] ?? '').filter((value) => value !== '');
  const lists = offers.lists.map((list) => values(list.values));
  const blanks = offers.slots.map((slot) => blankOf(slot, lists));
  return {
    lines: offers.offers.map((offer, index) => lineOf(offer, index, blanks, values, offers.groups)),
    complete: offers.complete,
    sheet: offers.sheet,
    labelOf: (value) => labels.get(value) ?? value,
  };
}

function blankOf(slot: Slot, lists: readonly string[][]): Blank {
  const { kind } = slot;
  const picks =
    kind.case === 'places' || kind.case === 'pieces' || kind.case === 'words'
      ? (lists[kind.value.list] ?? [])
      : [];
  return {
    name: slot.name,
    label: slot.label,
    optional: slot.optional,
    kind,
    values: picks,
    around: slot.text === '' ? '{}' : slot.text,
    phrase: slot.phrase === '' ? '{}' : slot.phrase,
  };
}

function lineOf(
  offer: Offer,
  index: number,
  blanks: readonly Blank[],
  values: (indices: readonly number[]) => string[],
  groups: readonly string[],
): Line {
  return {
    index,
    key: offer.key,
    notation: offer.notation,
    label: offer.label,
    rule: offer.rule,
    heading: groups[offer.group] || 'Orders',
    weight: offer.weight,
    blanks: offer.slots.map((slot) => blanks[slot]).filter((blank) => blank !== undefined),
    places: values(offer.places),
    pieces: values(offer.pieces),
  };
}

/** Why a choice does not fit a slot, as a sentence; nothing if it does. */
export function problem(blank: Blank, choice: Choice): string | undefined {
  const given = (choice ?? []).filter((value) => value !== '');
  if (given.length === 0) return blank.optional ? undefined : `Choose ${blank.label}.`;
  const { kind } = blank;
  switch (kind.case) {
    case 'places':
    case 'pieces':
    case 'words': {
      const unknown = given.find((value) => !blank.values.includes(value));
      if (unknown !== undefined) return `${unknown} cannot be chosen here.`;
      if (new Set(given).size < given.length) return 'Choose each only once.';
      if (given.length < kind.value.least) return `Choose at least ${kind.value.least}.`;
      if (given.length > kind.value.most) return `Choose at most ${kind.value.most}.`;
      return undefined;
    }
    case 'number': {
      const number = Number(given[0]);
      const { least, most, step } = kind.value;
      if (!Number.isInteger(number) || number < least || number > most) {
        return `Give a number from ${least} to ${most}.`;
      }
      return (number - least) % Math.max(step, 1) === 0
        ? undefined
        : `Give ${least}, or so many times ${step} more.`;
    }
    case 'shares':
      return shareProblem(kind.value, choice ?? []);
    case 'free':
      return freeProblem(kind.value, given[0] ?? '');
    default:
      return 'This page does not know such a slot.';
  }
}

type Shares = Extract<Slot['kind'], { case: 'shares' }>['value'];
type Free = Extract<Slot['kind'], { case: 'free' }>['value'];

function shareProblem(shares: Shares, given: readonly string[]): string | undefined {
  let sum = 0;
  for (const [index, share] of shares.shares.entries()) {
    const number = Number(given[index] || '0');
    if (!Number.isInteger(number) || number < share.least || number > share.most) {
      return `${shareName(share)}: from ${share.least} to ${share.most}.`;
    }
    sum += number * share.cost;
  }
  if (sum < shares.least) return `Together ${sum}; at least ${shares.least} are needed.`;
  if (sum > shares.most) return `Together ${sum}; at most ${shares.most} are there.`;
  return undefined;
}

/** What one of several numbers is called. */
export function shareName(share: Shares['shares'][number]): string {
  return share.label || share.text.replace('{}', '').trim() || 'number';
}

function freeProblem(free: Free, text: string): string | undefined {
  const characters = [...text];
  if (characters.length < free.least) return `At least ${free.least} characters.`;
  if (characters.length > free.most) return `At most ${free.most} characters.`;
  const odd = free.alphabet === '' ? undefined : characters.find((c) => !free.alphabet.includes(c));
  if (odd !== undefined) return `The character ${odd} may not stand here.`;
  const first = characters[0] ?? '';
  if (free.initials !== '' && !free.initials.includes(first))
    return `It may not begin with ${first}.`;
  if (free.lines > 0 && text.split('\n').length > free.lines) return `At most ${free.lines} lines.`;
  return undefined;
}

function written(blank: Blank, choice: Choice, name: (value: string) => string): string {
  const given = (choice ?? []).filter((value) => value !== '');
  const { kind } = blank;
  switch (kind.case) {
    case 'places':
    case 'pieces':
    case 'words':
      return given.map(name).join(kind.value.separator || ' ');
    case 'shares':
      return kind.value.shares
        .map((share, index) => {
          const number = Number((choice ?? [])[index] || '0');
          const isLeftOut = number === 0 && !kind.value.zeros;
          return isLeftOut ? '' : (share.text || '{}').replace('{}', String(number));
        })
        .filter((text) => text !== '')
        .join(kind.value.separator || ' ');
    default:
      return given[0] ?? '';
  }
}

/** The choices of an offer, by the names of its slots. */
export type Choices = Readonly<Record<string, Choice>>;

function filled(
  sentence: string,
  line: Line,
  choices: Choices,
  around: (blank: Blank) => string,
  name: (value: string) => string,
): string {
  return line.blanks.reduce((text, blank) => {
    const choice = written(blank, choices[blank.name], name);
    const put = choice === '' ? '' : around(blank).replace('{}', () => choice);
    return text.replace(`{${blank.name}}`, () => put);
  }, sentence);
}

/** The order that an offer becomes; undefined while a slot lacks its choice. */
export function fill(line: Line, choices: Choices): string | undefined {
  if (line.blanks.some((blank) => problem(blank, choices[blank.name]) !== undefined))
    return undefined;
  return filled(
    line.notation,
    line,
    choices,
    (blank) => blank.around,
    (value) => value,
  );
}

/** The same as a sentence for people. */
export function say(line: Line, choices: Choices, menu: Menu): string {
  return filled(line.label, line, choices, (blank) => blank.phrase, menu.labelOf);
}

/** A piece of a sentence: text, or the slot that stands there. */
export type Part = { text: string } | { blank: Blank };

/** Cuts a sentence at its slots. */
export function parts(sentence: string, line: Line): Part[] {
  const found: Part[] = [];
  let rest = sentence;
  while (rest !== '') {
    const next = line.blanks
      .map((blank) => ({ blank, at: rest.indexOf(`{${blank.name}}`) }))
      .filter(({ at }) => at >= 0)
      .sort((left, right) => left.at - right.at)[0];
    if (!next) {
      found.push({ text: rest });
      break;
    }
    if (next.at > 0) found.push({ text: rest.slice(0, next.at) });
    found.push({ blank: next.blank });
    rest = rest.slice(next.at + next.blank.name.length + 2);
  }
  return found;
}

/** What a player has chosen on the map or in the tree. */
export interface Subject {
  place: string;
  /** Empty if the place itself is meant. */
  piece: string;
}

/** How an offer concerns what was chosen: as its subject, as the choice of a slot, or not. */
export function concerns(line: Line, subject: Subject): 'subject' | 'slot' | undefined {
  const { place, piece } = subject;
  if (piece !== '') {
    if (line.pieces.includes(piece)) return 'subject';
    return line.blanks.some((blank) => takes(blank, piece, 'pieces')) ? 'slot' : undefined;
  }
  if (line.places.includes(place)) return 'subject';
  return line.blanks.some((blank) => takes(blank, place, 'places')) ? 'slot' : undefined;
}

/** Whether a slot takes a value of this kind. */
export function takes(blank: Blank, value: string, kind: 'places' | 'pieces'): boolean {
  return blank.kind.case === kind && blank.values.includes(value);
}

/** The fillings that say in full what was clicked: the subject first, then a target. */
export function finished(
  lines: readonly Line[],
  subject: Subject,
  target: Subject,
): { line: Line; choices: Choices }[] {
  const found: { line: Line; choices: Choices }[] = [];
  for (const line of lines) {
    const how = concerns(line, subject);
    if (how === undefined) continue;
    const choices: Record<string, Choice> = {};
    if (how === 'slot') put(line, choices, subject);
    const before = Object.keys(choices).length;
    put(line, choices, target);
    if (Object.keys(choices).length > before) found.push({ line, choices });
  }
  return found;
}

/** Puts what was clicked into the first slot that takes it and is free. */
function put(line: Line, choices: Record<string, Choice>, clicked: Subject): void {
  const tries: ['places' | 'pieces', string][] = [
    ['pieces', clicked.piece],
    ['places', clicked.place],
  ];
  for (const [kind, value] of tries) {
    const blank = line.blanks.find(
      (each) => choices[each.name] === undefined && value !== '' && takes(each, value, kind),
    );
    if (blank) {
      choices[blank.name] = [value];
      return;
    }
  }
}

/** So many readings of what was typed are followed. */
const HEADS_MAX = 8;

/** What would continue a typed line: at most so many whole lines, nearest first. */
export function complete(menu: Menu, typed: string, most = 12): string[] {
  const found = new Set<string>();
  const start = typed.toLowerCase();
  for (const line of menu.lines) {
    for (const text of continuations(line, start)) {
      if (text.toLowerCase() !== start.trimEnd()) found.add(text);
      if (found.size >= most * 4) break;
    }
    if (found.size >= most * 4) break;
  }
  return [...found].slice(0, most);
}

/** The texts that an offer gives one step beyond what was typed. */
function continuations(line: Line, start: string): string[] {
  let heads: { text: string; rest: string }[] = [{ text: '', rest: start }];
  const found: string[] = [];
  for (const part of parts(line.notation, line)) {
    const next: typeof heads = [];
    for (const head of heads) {
      for (const text of ways(part, head.rest)) {
        const low = text.toLowerCase();
        const whole = head.text + text;
        if (low.length > head.rest.length && low.startsWith(head.rest)) found.push(whole);
        else if (head.rest.startsWith(low)) {
          next.push({ text: whole, rest: head.rest.slice(low.length) });
        }
      }
    }
    heads = next.slice(0, HEADS_MAX);
  }
  return found;
}

/** The ways to write a part of a notation. */
function ways(part: Part, rest: string): string[] {
  if ('text' in part) return [part.text];
  const { blank } = part;
  const wrap = (text: string) => blank.around.replace('{}', () => text);
  const none = blank.optional ? [''] : [];
  switch (blank.kind.case) {
    case 'places':
    case 'pieces':
    case 'words':
      return [...blank.values.map(wrap), ...none];
    case 'number': {
      const digits = /^-?\d+/.exec(rest)?.[0];
      return [wrap(digits ?? String(blank.kind.value.least)), ...none];
    }
    default:
      return none;
  }
}
