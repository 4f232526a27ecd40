// What the page makes of offers: what a click means, and how a typed line goes on. The client fills
// them.

import { type Choice as Filling, type Offer, Offers, type Slot } from '@heliopause/client';
import type { Offers as OffersMessage } from '../engine/contract';

/** What a slot is filled with. Picks and shares are lists; nothing is undefined. */
export type Choice = readonly string[] | undefined;

/** The choices of an offer, by the names of its slots. */
export type Choices = Readonly<Record<string, Choice>>;

/** All offers of a seat. */
export interface Menu {
  lines: readonly Offer[];
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
export function menuOf(message: OffersMessage | undefined): Menu {
  if (!message) return EMPTY_MENU;
  const offers = new Offers(message);
  const { complete, sheet } = offers;
  return { lines: [...offers], complete, sheet, labelOf: (value) => offers.labelOf(value) };
}

/** The unit or the topic below which an offer stands. */
export function headingOf(line: Offer): string {
  return line.heading || 'Orders';
}

/** A choice as the client takes it: nothing where nothing was chosen. */
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

/** Why a choice does not fit a slot, as a sentence; nothing if it does. */
export function problem(slot: Slot, choice: Choice): string | undefined {
  const chosen = filling(slot, choice);
  if (chosen === undefined) return slot.optional ? undefined : `Choose ${slot.label}.`;
  const what = slot.problem(chosen);
  return what && `${what.charAt(0).toUpperCase()}${what.slice(1)}.`;
}

function isWhole(line: Offer, choices: Choices): boolean {
  return line.slots.every((slot) => problem(slot, choices[slot.name]) === undefined);
}

/** The values that the fields of an offer show before the player chooses. */
export function usual(line: Offer): Record<string, Choice> {
  const choices: Record<string, Choice> = {};
  for (const { name, optional, values, range, shares } of line.slots) {
    const [only, ...others] = values;
    // Where there is only one way to choose, it is chosen.
    if (only !== undefined && others.length === 0 && !optional) choices[name] = [only];
    else if (range) choices[name] = [String(greatest(range))];
    else if (shares) choices[name] = shares.shares.map(({ least }) => String(Math.max(least, 0)));
  }
  return choices;
}

/** The greatest number of a range that its step allows. */
function greatest({ least, most, step }: NonNullable<Slot['range']>): number {
  return most - ((most - least) % Math.max(step, 1));
}

/** Whether two menus offer the same thing by these two offers. */
export function isSameOffer(one: Offer, other: Offer): boolean {
  return (
    one.key === other.key &&
    one.notation === other.notation &&
    one.label === other.label &&
    one.heading === other.heading
  );
}

/** An offer whose slots are being filled. */
export interface Form {
  line: Offer;
  choices: Choices;
}

/** Moves a form to the same offer of a newer menu; `lost` names the choices that it refuses. */
export function moved({ line, choices }: Form, to: Offer): { form: Form; lost: string[] } {
  const kept = usual(to);
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

/** The order that an offer becomes; undefined while a slot lacks its choice. */
export function fill(line: Offer, choices: Choices): string | undefined {
  return isWhole(line, choices) ? line.fill(fillings(line, choices)) : undefined;
}

/** The same as a sentence for people, with what is still to be chosen in brackets. */
export function say(line: Offer, choices: Choices): string {
  const words = parts(line.label, line).map((part) => {
    if ('text' in part) return part.text;
    const choice = choices[part.slot.name];
    if (problem(part.slot, choice) !== undefined) return `[${part.slot.label}]`;
    return part.slot.phrase(filling(part.slot, choice));
  });
  return words.join('');
}

/** What one of several numbers is called. */
export function shareName(share: { label: string; text: string }): string {
  return share.label || share.text.replace('{}', '').trim() || 'number';
}

/** A piece of a sentence: text, or the slot that stands there. */
export type Part = { text: string } | { slot: Slot };

/** Cuts a sentence at its slots. */
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

/** What a player has chosen on the map or in the tree. */
export interface Subject {
  place: string;
  /** Empty if the place itself is meant. */
  piece: string;
}

/** How an offer concerns what was chosen: as its subject, as the choice of a slot, or not. */
export function concerns(line: Offer, subject: Subject): 'subject' | 'slot' | undefined {
  const { place, piece } = subject;
  if (piece !== '') {
    if (line.pieces.includes(piece)) return 'subject';
    return line.slots.some((slot) => takes(slot, piece, 'pieces')) ? 'slot' : undefined;
  }
  if (line.places.includes(place)) return 'subject';
  return line.slots.some((slot) => takes(slot, place, 'places')) ? 'slot' : undefined;
}

/** Whether a slot takes a value of this kind. */
export function takes(slot: Slot, value: string, kind: 'places' | 'pieces'): boolean {
  return slot.kind === kind && slot.values.includes(value);
}

/** The fillings that say in full what was clicked: the subject first, then a target. */
export function finished(
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

/** Puts what was clicked into the first slot that takes it and is free. */
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

/** The ways to write a part of a notation. */
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
