// Finds the offers for clicks on the map and completes typed lines. The client package fills the
// offers.

import {
  type Cost,
  type Choice as Filling,
  type Offer,
  Offers,
  type Slot,
} from '@heliopause/client';
import { type Offers as OffersMessage, OfferWeight } from '../engine/contract';
import { t } from '../words';

/** The choice for a slot. Picks and shares are lists; undefined is no choice. */
export type Choice = readonly string[] | undefined;

export type Choices = Readonly<Record<string, Choice>>;

export interface Menu {
  lines: readonly Offer[];
  complete: boolean;
  sheet: boolean;
  /** Returns the displayed name of a value. */
  labelOf(value: string): string;
}

export const EMPTY_MENU: Menu = {
  lines: [],
  complete: true,
  sheet: false,
  labelOf: (value) => value,
};

export function menuOf(message: OffersMessage | undefined): Menu {
  if (!message) return EMPTY_MENU;
  const offers = new Offers(message);
  const { complete, sheet } = offers;
  return { lines: [...offers], complete, sheet, labelOf: (value) => offers.labelOf(value) };
}

/** Returns the unit or topic under which an offer is listed. */
export function headingOf(line: Offer): string {
  return line.heading || t('game-orders');
}

/** Returns the order of importance of an offer. The lowest is first in a menu. */
export function rankOf({ weight }: Offer): number {
  return weight === OfferWeight.UNSPECIFIED ? OfferWeight.USUAL : weight;
}

/** Converts a choice to the client's form. An empty choice becomes undefined. */
function filling(slot: Slot, choice: Choice): Filling {
  const given = (choice ?? []).filter((value) => value !== '');
  if (given.length === 0) return undefined;
  if (slot.picks) return given;
  if (!slot.shares) return given[0];
  const numbers = slot.shares.shares.map((_, index) => choice?.[index] || '0');
  return slot.optional && numbers.every((number) => Number(number) === 0) ? undefined : numbers;
}

function fillings(line: Offer, choices: Choices): Record<string, Filling> {
  return Object.fromEntries(
    line.slots.map((slot) => [slot.name, filling(slot, choices[slot.name])]),
  );
}

/** Returns why a choice is invalid for a slot, or undefined if it is valid. */
export function choiceError(slot: Slot, choice: Choice): string | undefined {
  const chosen = filling(slot, choice);
  if (chosen === undefined) {
    if (slot.optional) return undefined;
    const { label } = slot;
    return slot.picks ? t('order-not-chosen', { label }) : t('order-not-filled', { label });
  }
  const what = slot.problem(chosen);
  return what && `${what.charAt(0).toUpperCase()}${what.slice(1)}.`;
}

function isComplete(line: Offer, choices: Choices): boolean {
  return line.slots.every((slot) => choiceError(slot, choices[slot.name]) === undefined);
}

/** Returns the values that the fields of an offer show before the player chooses. */
export function defaultChoices(line: Offer): Record<string, Choice> {
  const choices: Record<string, Choice> = {};
  const isBought = line.slots.some(({ range }) => range?.multipliesPrices);
  const isForm = line.slots.some(({ picks }) => !picks);
  for (const slot of line.slots) {
    const { name, optional, values, picks, range, shares, free } = slot;
    // A required slot with only one choice is filled with it.
    if (picks && !optional && values.length <= picks.least) choices[name] = values;
    else if (picks && !optional && isForm && picks.most === 1 && slot.kind === 'words')
      choices[name] = values.slice(0, 1);
    else if (range) choices[name] = [String(isBought ? range.least : greatest(range))];
    else if (shares) choices[name] = shares.shares.map(({ least }) => String(Math.max(least, 0)));
    else if (free && !optional && slot.problem(free.example) === undefined)
      choices[name] = [free.example];
  }
  return choices;
}

/**
 * Returns the choices that an order of the menu without slots makes, such as the usual start. The
 * first such order is the most ordinary one.
 */
export function usualChoices(menu: Menu, line: Offer): Choices | undefined {
  for (const usual of menu.lines) {
    const choices = usual.slots.length === 0 && readLine(line, usual.notation);
    if (choices) return choices;
  }
  return undefined;
}

/** Returns the choices of slots that have exactly one. */
export function onlyChoices(line: Offer): Record<string, Choice> {
  const all = defaultChoices(line);
  const isOnly = ({ picks, range }: Slot) => picks || (range && range.least === range.most);
  return Object.fromEntries(line.slots.filter(isOnly).map(({ name }) => [name, all[name]]));
}

function greatest({ least, most, step }: NonNullable<Slot['range']>): number {
  return most - ((most - least) % Math.max(step, 1));
}

/** Returns whether two offers of different menus are the same offer. */
export function isSameOffer(one: Offer, other: Offer): boolean {
  return (
    one.key === other.key &&
    one.notation === other.notation &&
    one.label === other.label &&
    one.heading === other.heading
  );
}

export interface Form {
  line: Offer;
  choices: Choices;
}

/** Moves a form to the same offer of a newer menu. `lost` lists the choices that became invalid. */
export function rebase({ line, choices }: Form, to: Offer): { form: Form; lost: string[] } {
  const kept = defaultChoices(to);
  const lost: string[] = [];
  for (const slot of to.slots) {
    const choice = choices[slot.name];
    if (choice === undefined) continue;
    if (slot.shares && slot.shares.shares.length !== choice.length) {
      lost.push(slot.label);
      continue;
    }
    const isGone = (value: string) => slot.picks !== undefined && !slot.values.includes(value);
    const before = line.slots.find(({ name }) => name === slot.name) ?? slot;
    lost.push(...choice.filter(isGone).map((value) => before.labelOf(value)));
    const rest = choice.filter((value) => !isGone(value));
    kept[slot.name] = rest.length > 0 ? rest : undefined;
  }
  return { form: { line: to, choices: kept }, lost };
}

/** Returns the order of a filled offer; undefined while a slot has no choice. */
export function fill(line: Offer, choices: Choices): string | undefined {
  return isComplete(line, choices) ? line.fill(fillings(line, choices)) : undefined;
}

/** The number of values that distinguish offers with the same sentence. */
const TELLING = 2;

/**
 * Returns the offer as a sentence, with open slots in brackets. `isLong` names the first values of
 * slots, for offers that differ only in these.
 */
export function sentenceOf(line: Offer, choices: Choices, isLong = false): string {
  const words = parts(line.label, line).map((part) => {
    if ('text' in part) return part.text;
    const choice = choices[part.slot.name];
    const { label } = part.slot;
    if (choiceError(part.slot, choice) !== undefined) {
      const { picks, values } = part.slot;
      if (isLong && picks) {
        const told = values.slice(0, TELLING).map((value) => part.slot.labelOf(value));
        const names = told.join(', ');
        const count = values.length - TELLING;
        return count > 0 ? `[${t('order-and-more', { names, count })}]` : `[${names}]`;
      }
      return `[${label}]`;
    }
    return part.slot.phrase(filling(part.slot, choice));
  });
  return words.join('');
}

/** Returns the start of the offer's sentence up to its first open slot, or else its title. */
export function startOf(line: Offer): string {
  const [first] = parts(line.label, line);
  return first && 'text' in first ? first.text.trimEnd() : line.title;
}

/**
 * Returns the text of each offer's button: its title, or its sentence with the known choices if
 * another offer of the group has the same title. No two texts are the same if the offers differ.
 */
export function buttonTexts(
  group: readonly Offer[],
  choicesFor: (line: Offer) => Choices,
): ReadonlyMap<Offer, string> {
  const counts = new Map<string, number>();
  for (const { title } of group) counts.set(title, (counts.get(title) ?? 0) + 1);
  const texts = group.map((line) => {
    const isAlone = line.title !== '' && counts.get(line.title) === 1;
    return isAlone ? line.title : sentenceOf(line, choicesFor(line));
  });
  return new Map(
    group.map((line, index) => {
      const text = texts[index] ?? '';
      const isAlone = texts.indexOf(text) === texts.lastIndexOf(text);
      return [line, isAlone ? text : sentenceOf(line, choicesFor(line), true)];
    }),
  );
}

/** Returns offers without repetitions of the same order. */
export function withoutRepeats(lines: readonly Offer[]): Offer[] {
  const known = new Set<string>();
  return lines.filter((line) => {
    const { notation, label, heading, raw } = line;
    const key = JSON.stringify([notation, label, heading, raw.slots]);
    return !known.has(key) && known.add(key);
  });
}

/** Returns the sum of the numbers of a choice, each as many times as its cost. */
export function sumOf({ shares }: NonNullable<Slot['shares']>, choice: Choice): number {
  return shares.reduce((sum, { cost }, at) => sum + cost * (Number(choice?.[at]) || 0), 0);
}

/** What an order spends, and what the other given orders spend of the same stocks. */
export interface Budget extends Cost {
  elsewhere: number;
}

/** Returns what an order spends beside the other given orders, if its choices have prices. */
export function budgetOf(
  menu: Menu,
  { line, choices }: Form,
  others: readonly string[],
): Budget | undefined {
  const cost = line.slots.some(({ priced }) => priced) ? line.cost(choices) : undefined;
  if (!cost) return undefined;
  let elsewhere = 0;
  for (const text of others) {
    for (const each of menu.lines) {
      const read = readLine(each, text);
      const other = read && each.cost(read);
      if (!other?.stocks.some((stock) => cost.stocks.includes(stock))) continue;
      elsewhere += other.amount;
      break;
    }
  }
  return { ...cost, elsewhere };
}

/** Slots that choose from the same values, such as the targets of each gun. */
export interface Assignment {
  name: string;
  slots: Slot[];
}

/** The least number of slots that are a table. */
const ASSIGNED_MIN = 3;

/** Returns the slots that assign one of the same values each, by type. */
export function assignmentsOf(line: Offer): Assignment[] {
  const single = line.slots.filter(({ kind, picks }) => {
    return picks?.most === 1 && (kind === 'pieces' || kind === 'words');
  });
  if (single.length < ASSIGNED_MIN) return [];
  const found = new Map<string, Assignment>();
  for (const slot of single) {
    const name = typeOf(slot.label);
    const key = `${slot.picks?.list} ${name}`;
    const group = found.get(key) ?? { name, slots: [] };
    group.slots.push(slot);
    found.set(key, group);
  }
  const groups = [...found.values()];
  return groups.some(({ slots }) => slots.length > 1) ? groups : [];
}

/** Returns the values of a slot by type, such as all transports. */
export function valuesByType(slot: Slot): [string, string[]][] {
  const groups = new Map<string, string[]>();
  for (const value of slot.values) {
    const type = slot.noteOf(value) || typeOf(slot.labelOf(value));
    groups.set(type, [...(groups.get(type) ?? []), value]);
  }
  return [...groups];
}

/** Returns a name without its number: "C40" is a C. */
function typeOf(name: string): string {
  return name.replace(/[\s#]*\d+\s*$/, '') || name;
}

export type Part = { text: string } | { slot: Slot };

export function parts(sentence: string, line: Offer): Part[] {
  const found: Part[] = [];
  let rest = sentence;
  while (rest !== '') {
    const next = line.slots
      .map((slot) => ({ slot, at: rest.indexOf(`{${slot.name}}`) }))
      .filter(({ at }) => at >= 0)
      .sort((left, right) => left.at - right.at)[0];
    if (!next) {
      found.push({ text: rest });
      break;
    }
    if (next.at > 0) found.push({ text: rest.slice(0, next.at) });
    found.push({ slot: next.slot });
    rest = rest.slice(next.at + next.slot.name.length + 2);
  }
  return found;
}

/** The place or piece that the player selected on the map or in the tree. */
export interface Subject {
  place: string;
  /** Empty if the place itself is selected. */
  piece: string;
}

/** Returns how an offer relates to a selection: as its subject or as a slot's value. */
export function concerns(line: Offer, subject: Subject): 'subject' | 'slot' | undefined {
  const { place, piece } = subject;
  if (piece !== '') {
    if (line.pieces.includes(piece)) return 'subject';
    return line.slots.some((slot) => takes(slot, piece, 'pieces')) ? 'slot' : undefined;
  }
  if (line.places.includes(place)) return 'subject';
  return line.slots.some((slot) => takes(slot, place, 'places')) ? 'slot' : undefined;
}

export function takes(slot: Slot, value: string, kind: 'places' | 'pieces'): boolean {
  return slot.kind === kind && slot.values.includes(value);
}

/** Returns the complete orders for a selected subject and a clicked target. */
export function completeForms(
  lines: readonly Offer[],
  subject: Subject,
  target: Subject,
): { line: Offer; choices: Choices }[] {
  const found: { line: Offer; choices: Choices }[] = [];
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

/** Returns the unfinished orders of a piece that help another piece, such as supports. */
export function helpingForms(lines: readonly Offer[], actor: string, helped: string): Form[] {
  if (actor === helped) return [];
  return lines
    .filter((line) => line.pieces[0] === actor && line.pieces.includes(helped))
    .map((line) => ({ line, choices: {} }));
}

/** Returns an unfinished order with a clicked target; undefined if it does not accept it. */
export function withTarget({ line, choices }: Form, target: Subject): Form | undefined {
  const filled = { ...choices };
  put(line, filled, target);
  return Object.keys(filled).length > Object.keys(choices).length
    ? { line, choices: filled }
    : undefined;
}

/** Puts the clicked value into the first free slot that accepts it. */
function put(line: Offer, choices: Record<string, Choice>, clicked: Subject): void {
  const tries: ['places' | 'pieces', string][] = [
    ['pieces', clicked.piece],
    ['places', clicked.place],
  ];
  for (const [kind, value] of tries) {
    const slot = line.slots.find(
      (each) => choices[each.name] === undefined && value !== '' && takes(each, value, kind),
    );
    if (slot) {
      choices[slot.name] = [value];
      return;
    }
  }
}

/** Returns the choices with which an offer becomes a given line; undefined if it cannot. */
export function readLine(line: Offer, text: string): Choices | undefined {
  const sentence = parts(line.notation, line);
  const pattern = sentence.map((part) =>
    'text' in part ? escaped(part.text) : patternOf(part.slot),
  );
  const found = new RegExp(`^${pattern.join('')}$`).exec(text);
  if (!found) return undefined;
  const slots = sentence.flatMap((part) => ('slot' in part ? [part.slot] : []));
  const choices: Record<string, Choice> = {};
  for (const [index, { name, picks, shares }] of slots.entries()) {
    const written = found[index + 1];
    if (written === undefined) continue;
    if (shares) {
      choices[name] = readShares(shares, written);
      continue;
    }
    const isList = picks && picks.most > 1 && picks.separator !== '';
    choices[name] = isList ? written.split(picks.separator) : [written];
  }
  return fill(line, choices) === text ? choices : undefined;
}

/** Returns the numbers of a written list of shares. */
function readShares({ shares, separator, zeros }: NonNullable<Slot['shares']>, written: string) {
  const parts = written.split(separator);
  return shares.map(({ text }, at) => {
    const pattern = new RegExp(`^${shareRead(text, '(-?\\d+)')}$`);
    const read = (part: string | undefined) => pattern.exec(part ?? '')?.[1];
    return (zeros ? read(parts[at]) : parts.map(read).find((each) => each !== undefined)) ?? '0';
  });
}

/** Returns the pattern of a slot in the notation. */
function patternOf({ raw, range, shares, optional }: Slot): string {
  let choice = '(.+?)';
  if (range) choice = '(-?\\d+)';
  else if (shares) {
    const each = `(?:${shares.shares.map(({ text }) => shareRead(text, '-?\\d+')).join('|')})`;
    choice = `(${each}(?:${escaped(shares.separator)}${each})*)`;
  }
  const around = escaped(raw.text || '{}').replace('\\{\\}', () => choice);
  return optional ? `(?:${around})?` : around;
}

/** Returns the pattern of a share with a pattern for its number. */
function shareRead(text: string, number: string): string {
  return escaped(text || '{}').replace('\\{\\}', () => number);
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** The maximum number of alternative readings of a typed line. */
const HEADS_MAX = 8;

/** Returns up to `most` whole lines that continue a typed line, nearest first. */
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

/** Returns the texts of an offer that extend the typed line by one step. */
function continuations(line: Offer, start: string): string[] {
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

function ways(part: Part, rest: string): string[] {
  if ('text' in part) return [part.text];
  const { slot } = part;
  const wrap = (text: string) => (slot.raw.text || '{}').replace('{}', () => text);
  const none = slot.optional ? [''] : [];
  if (slot.picks) return [...slot.values.map(wrap), ...none];
  if (!slot.range) return none;
  const digits = /^-?\d+/.exec(rest)?.[0];
  return [wrap(digits ?? String(slot.range.least)), ...none];
}
