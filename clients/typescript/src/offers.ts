// The possible orders of a seat as sentences with slots.

import type { GetOffersResponse } from '../gen/heliopause/v1/game_pb.js';
import {
  type Amount,
  type FreeText,
  type NumberRange,
  type NumberShare,
  type NumberShares,
  type Offer as OfferMessage,
  type Offers as OffersMessage,
  OfferWeight,
  type Picks,
  type Slot as SlotMessage,
  type Stock,
} from '../gen/heliopause/v1/offer_pb.js';
import type { Decision } from '../gen/heliopause/v1/table_pb.js';
import type { Random } from './random.js';

/** The choice for a slot: a string, a number, or several. Undefined leaves the slot empty. */
export type Choice = string | number | readonly (string | number)[] | undefined;

/** Choices by slot name. */
export type Choices = Readonly<Record<string, Choice>>;

/** The cost of an order, and what is available to pay for it. */
export interface Cost {
  amount: number;
  /** What is available, before orders that are kept until the phase closes. */
  available: number;
  unit: string;
  /** The stocks that pay, as indices of the stocks of the offers. */
  stocks: readonly number[];
  /** Whether the game accepts an order that costs more. */
  partial: boolean;
}

/** The kind of a slot, or an empty string if this version does not support the kind. */
export type SlotKind = 'places' | 'pieces' | 'words' | 'number' | 'shares' | 'free' | '';

/** A choice that is invalid for its slot. */
export class FillError extends Error {
  override readonly name = 'FillError';
  readonly #what: string;

  constructor(what: string, slot?: string) {
    super(slot === undefined ? what : `${slot}: ${what}`);
    this.#what = what;
  }

  /** The error without the name of the slot. */
  get what(): string {
    return this.#what;
  }
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
// The relative frequency of offers chosen at random, by weight.
const FREQUENCIES = new Map<number, number>([
  [OfferWeight.MAIN, 8],
  [OfferWeight.MINOR, 1],
  [OfferWeight.END, 4],
  [OfferWeight.GRAVE, 0.2],
]);
const DEFAULT_FREQUENCY = 4;

/** The number of values that an error lists. */
const VALUES_LISTED = 20;

/** A slot of an offer. `raw` is the `Slot` protobuf message. */
export class Slot {
  readonly raw: SlotMessage;
  readonly #tables: Tables;

  constructor(raw: SlotMessage, tables: Tables) {
    this.raw = raw;
    this.#tables = tables;
  }

  get name(): string {
    return this.raw.name;
  }

  get label(): string {
    return this.raw.label;
  }

  get optional(): boolean {
    return this.raw.optional;
  }

  /** The kind, or an empty string if this version does not support the kind. */
  get kind(): SlotKind {
    return this.raw.kind.case ?? '';
  }

  /** The values of a slot for places, pieces or words. Other slots have none. */
  get values(): readonly string[] {
    const picks = this.picks;
    return picks ? this.#tables.list(picks.list) : [];
  }

  /** The minimum and maximum number of values, or undefined in other slots. */
  get picks(): Picks | undefined {
    const { kind } = this.raw;
    return kind.case === 'places' || kind.case === 'pieces' || kind.case === 'words'
      ? kind.value
      : undefined;
  }

  /** The range of the number, or undefined in other slots. */
  get range(): NumberRange | undefined {
    return this.raw.kind.case === 'number' ? this.raw.kind.value : undefined;
  }

  /** The bounds of several numbers and of their sum, or undefined in other slots. */
  get shares(): NumberShares | undefined {
    return this.raw.kind.case === 'shares' ? this.raw.kind.value : undefined;
  }

  /** The rules for free text, or undefined in other slots. */
  get free(): FreeText | undefined {
    return this.raw.kind.case === 'free' ? this.raw.kind.value : undefined;
  }

  /** Texts that are already in use, in lower case. Empty in slots without free text. */
  get taken(): readonly string[] {
    const taken = this.free?.usedTexts;
    return taken === undefined ? [] : this.#tables.list(taken).map((text) => text.toLowerCase());
  }

  /** Returns the displayed name of a value. */
  labelOf(value: string): string {
    return this.#tables.labelOf(value);
  }

  /** Returns a note about a value, such as a type, or an empty string if there is none. */
  noteOf(value: string): string {
    return this.#of(this.#tables.raw.notes, value) ?? '';
  }

  /** Returns the price of a value, or undefined if the value costs nothing. */
  priceOf(value: string): Amount | undefined {
    return this.#of(this.#tables.raw.prices, value);
  }

  /** Returns the size of a value, such as its tonnage, or undefined if it has none. */
  sizeOf(value: string): Amount | undefined {
    return this.#of(this.#tables.raw.sizes, value);
  }

  /** Returns the index of the stock that pays if a value is chosen, or undefined. */
  stockOf(value: string): number | undefined {
    return this.#of(this.#tables.raw.valueStocks, value);
  }

  /** Returns the amounts and the note of a value as text, such as "10 RU, 15 t". */
  factsOf(value: string): string {
    const stock = this.#tables.raw.stocks[this.stockOf(value) ?? -1]?.available;
    const amounts = [this.priceOf(value), this.sizeOf(value)].filter((amount) => amount);
    const facts = amounts.map((amount) => `${amount?.amount} ${amount?.unit}`);
    if (stock) facts.push(`${stock.amount} ${stock.unit} available`);
    return [...facts, this.noteOf(value)].filter((fact) => fact !== '').join(', ');
  }

  /** Returns all single choices as text, or undefined if there are more than `most`. */
  choices(most = 400): readonly string[] | undefined {
    const { picks, range } = this;
    if (picks?.most === 1) return this.values.length <= most ? this.values : undefined;
    if (!range) return undefined;
    const step = Math.max(range.step, 1);
    const count = Math.floor((range.most - range.least) / step) + 1;
    return count <= most
      ? Array.from({ length: Math.max(count, 0) }, (_, at) => String(range.least + at * step))
      : undefined;
  }

  /** Formats a choice in the notation. Throws `FillError` if the choice is invalid. */
  text(choice: Choice): string {
    const inner = this.#inner(choice);
    return inner === undefined ? '' : (this.raw.text || '{}').replace('{}', () => inner);
  }

  /** Formats a choice for a sentence. Throws `FillError` if the choice is invalid. */
  phrase(choice: Choice): string {
    const inner = this.#inner(choice);
    if (inner === undefined) return '';
    const { picks, shares } = this;
    const said = picks
      ? several(choice)
          .map((value) => this.labelOf(String(value)))
          .join(', ')
      : shares
        ? sharesSaid(shares, several(choice).map(Number))
        : inner;
    return (this.raw.phrase || '{}').replace('{}', () => said);
  }

  /** Returns why a choice is invalid, or undefined for a valid choice. */
  problem(choice: Choice): string | undefined {
    try {
      this.text(choice);
      return undefined;
    } catch (error) {
      if (error instanceof FillError) return error.what;
      throw error;
    }
  }

  /** Whether choices have prices or costs. */
  get priced(): boolean {
    if (this.range) return this.range.cost > 0;
    if (this.shares)
      return this.shares.shares.some(({ cost, costs }) => cost > 0 || costs.length > 0);
    const { lists, prices } = this.#tables.raw;
    return (this.picks && lists[this.picks.list]?.values.some((at) => at in prices)) ?? false;
  }

  /** Returns a random choice. Undefined leaves the slot empty. */
  atRandom(random: Random): Choice {
    if (this.optional && random.next() < 0.5) return undefined;
    const { picks, range, shares, free } = this;
    if (picks) {
      const { values } = this;
      return random.sample(
        values,
        random.between(picks.least, Math.min(picks.most, values.length)),
      );
    }
    if (range) {
      const step = Math.max(range.step, 1);
      return range.least + step * random.between(0, Math.floor((range.most - range.least) / step));
    }
    if (shares) return sharesAtRandom(shares, random);
    if (free) return textAtRandom(free, this.taken, random);
    throw this.#unsupported();
  }

  /** Formats a choice without the text around it, or undefined if the slot is left empty. */
  #inner(choice: Choice): string | undefined {
    if (choice === undefined) {
      if (!this.optional) throw this.#fault('choose a value; the slot is required');
      return undefined;
    }
    const { picks, range, shares, free } = this;
    if (picks) return this.#picked(several(choice).map(String), picks);
    if (shares) {
      if (typeof choice !== 'object')
        throw this.#fault(
          `expected a list of ${shares.shares.length} numbers, found ${shown(choice)}`,
        );
      return this.#shared(choice, shares);
    }
    if (typeof choice === 'object') throw this.#fault(`expected one value, found ${shown(choice)}`);
    if (range) return this.#numbered(choice, range);
    if (free) return this.#written(String(choice), free);
    throw this.#unsupported();
  }

  #of<T>(facts: Readonly<Record<number, T>>, value: string): T | undefined {
    const index = this.picks && this.#tables.indexIn(this.picks.list, value);
    return index === undefined ? undefined : facts[index];
  }

  #picked(texts: readonly string[], picks: Picks): string {
    const values = new Set(this.values);
    const strange = texts.find((text) => !values.has(text));
    if (strange !== undefined)
      throw this.#fault(`${shown(strange)} is not one of the values: ${listed(this.values)}`);
    const twice = texts.find((text, at) => texts.indexOf(text) !== at);
    if (twice !== undefined)
      throw this.#fault(`${shown(twice)} is chosen twice; choose each value only once`);
    if (texts.length < picks.least || texts.length > picks.most) {
      throw this.#fault(
        `the number of values must be ${span(picks.least, picks.most)}, not ${texts.length}`,
      );
    }
    return texts.join(picks.separator);
  }

  #numbered(choice: string | number, { least, most, step }: NumberRange): string {
    const number = this.#whole(choice);
    if (number < least || number > most || (number - least) % Math.max(step, 1) !== 0) {
      const steps = step > 1 ? ` in steps of ${step}` : '';
      throw this.#fault(`the number must be ${span(least, most)}${steps}, not ${number}`);
    }
    return String(number);
  }

  #shared(chosen: readonly (string | number)[], rule: NumberShares): string {
    const numbers = chosen.map((one) => this.#whole(one));
    if (numbers.length !== rule.shares.length)
      throw this.#fault(`expected ${rule.shares.length} numbers, found ${numbers.length}`);
    const written: string[] = [];
    let total = 0;
    for (const [at, share] of rule.shares.entries()) {
      const number = numbers[at] ?? 0;
      if (number < share.least || number > share.most) {
        throw this.#fault(
          `${shareName(share)} must be ${span(share.least, share.most)}, not ${number}`,
        );
      }
      total += share.cost * number;
      if (number !== 0 || rule.zeros)
        written.push((share.text || '{}').replace('{}', () => String(number)));
    }
    if (total < rule.least || total > rule.most)
      throw this.#fault(`the sum must be ${span(rule.least, rule.most)}, not ${total}`);
    if (written.length === 0)
      throw this.#fault(
        'at least one number must be greater than 0; omit the choice to leave the slot empty',
      );
    return written.join(rule.separator);
  }

  #written(text: string, rule: FreeText): string {
    const characters = [...text];
    const lines = Math.max(rule.lines, 1);
    if (characters.length < rule.least || characters.length > rule.most) {
      throw this.#fault(
        `the number of characters must be ${span(rule.least, rule.most)}, not ${characters.length}`,
      );
    }
    const written = text.split('\n').length;
    if (written > lines)
      throw this.#fault(`the number of lines must be at most ${lines}, not ${written}`);
    const alphabet = rule.alphabet && new Set([...rule.alphabet, '\n']);
    const strange = alphabet ? characters.find((one) => !alphabet.has(one)) : undefined;
    if (strange !== undefined)
      throw this.#fault(
        `${shown(strange)} is not allowed; the allowed characters are ${rule.alphabet}`,
      );
    const first = characters[0] ?? '';
    if (rule.firstCharacters && ![...rule.firstCharacters].includes(first))
      throw this.#fault(
        `the text must not start with ${shown(first)}; the allowed first characters are ${rule.firstCharacters}`,
      );
    if (this.taken.includes(text.toLowerCase()))
      throw this.#fault(`${shown(text)} is already in use; choose another text`);
    return text;
  }

  #whole(choice: string | number): number {
    const number =
      typeof choice === 'number'
        ? choice
        : /^\s*[+-]?\d+\s*$/.test(choice)
          ? Number(choice)
          : Number.NaN;
    if (!Number.isSafeInteger(number))
      throw this.#fault(`expected a whole number, found ${shown(choice)}`);
    return number;
  }

  #unsupported(): FillError {
    return this.#fault('this client version does not support this slot; update the client');
  }

  #fault(what: string): FillError {
    return new FillError(what, this.name);
  }
}

/** Returns the displayed name of a number of a slot. */
export function shareName({ label, phrase, text }: NumberShare): string {
  return label || (phrase || text).replace('{}', '').trim() || 'number';
}

/** Returns what a number costs. */
export function shareCost({ cost, costs, least }: NumberShare, number: number): number {
  return cost * number + (costs[number - least] ?? 0);
}

/** Formats numbers for a sentence: "1 scout, 2 forts". */
function sharesSaid({ shares, zeros }: NumberShares, numbers: readonly number[]): string {
  const said = shares.map(({ text, phrase, singular }, at) => {
    const number = numbers[at] ?? 0;
    if (number === 0 && !zeros) return '';
    if (number === 1 && singular !== '') return singular;
    return (phrase || text || '{}').replace('{}', () => String(number));
  });
  return said.filter((words) => words !== '').join(', ');
}

/** Formats a range: "1 to 3", or "1" if it has one value. */
function span(least: number, most: number): string {
  return least === most ? `${least}` : `${least} to ${most}`;
}

/** Lists the first values, and the number of the remaining values. */
function listed(values: readonly string[]): string {
  const rest = values.length - VALUES_LISTED;
  return values.slice(0, VALUES_LISTED).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}

/** A possible order, as a sentence with slots. `raw` is the `Offer` protobuf message. */
export class Offer {
  readonly raw: OfferMessage;
  readonly slots: readonly Slot[];
  /** The places that the offer is about, besides those in its slots. */
  readonly places: readonly string[];
  /** The pieces that the offer is about, besides those in its slots. */
  readonly pieces: readonly string[];
  /** The unit or topic under which a menu lists the offer. */
  readonly heading: string;
  readonly #stocks: readonly Stock[];

  constructor(raw: OfferMessage, tables: Tables) {
    this.raw = raw;
    this.#stocks = tables.raw.stocks;
    this.slots = raw.slots.map((at) => tables.slot(at));
    this.places = raw.places.map((at) => tables.value(at));
    this.pieces = raw.pieces.map((at) => tables.value(at));
    this.heading = tables.raw.groups[raw.group] ?? '';
  }

  /** The identifier of offers of this form, which is stable across versions. */
  get key(): string {
    return this.raw.key;
  }

  /** What the order does, in one to three words. */
  get title(): string {
    return this.raw.title;
  }

  /** The order in the game's notation, with `{name}` for each slot. */
  get notation(): string {
    return this.raw.notation;
  }

  /** The effect as a sentence, with the same slots. */
  get label(): string {
    return this.raw.label;
  }

  get weight(): OfferWeight {
    return this.raw.weight;
  }

  get rule(): string {
    return this.raw.rule;
  }

  /** Whether this version can fill all slots. If not, skip the offer. */
  get known(): boolean {
    return this.slots.every((slot) => slot.kind !== '');
  }

  slot(name: string): Slot | undefined {
    return this.slots.find((slot) => slot.name === name);
  }

  /** Returns whether the offer or a value of its slots is the named place or piece. */
  isAbout(name: string): boolean {
    const places = (slot: Slot) =>
      (slot.kind === 'places' || slot.kind === 'pieces') && slot.values.includes(name);
    return this.places.includes(name) || this.pieces.includes(name) || this.slots.some(places);
  }

  /**
   * Returns the order with a choice for each slot. Optional slots may be omitted. Throws
   * `FillError` if a choice is invalid.
   */
  fill(choices: Choices = {}): string {
    return this.#filled(this.notation, choices, (slot, choice) => slot.text(choice));
  }

  /** Returns the filled offer as a sentence. */
  say(choices: Choices = {}): string {
    return this.#filled(this.label, choices, (slot, choice) => slot.phrase(choice));
  }

  /**
   * Returns the cost of the choices made so far, or undefined if the offer has no prices or no
   * stock pays. Numbers that are not filled in yet cost nothing.
   */
  cost(choices: Choices = {}): Cost | undefined {
    const { price, stock, divisor } = this.raw;
    if (price === 0 && !this.slots.some((slot) => slot.priced)) return undefined;
    const found = new Set(stock === undefined ? [] : [stock]);
    let [amount, prices, times] = [price, 0, 1];
    for (const slot of this.slots) {
      const { range, shares } = slot;
      const numbers = several(choices[slot.name]).map((one) => Number(one) || 0);
      if (range?.multipliesPrices) times *= numbers[0] ?? 1;
      else if (range) amount += range.cost * (numbers[0] ?? 0);
      for (const [at, share] of (shares?.shares ?? []).entries())
        amount += shareCost(share, numbers[at] ?? 0);
      for (const value of slot.picks ? several(choices[slot.name]).map(String) : []) {
        prices += slot.priceOf(value)?.amount ?? 0;
        const payer = slot.stockOf(value);
        if (payer !== undefined) found.add(payer);
      }
    }
    const stocks = [...found].sort((one, other) => one - other);
    const payers = stocks.flatMap((at) => this.#stocks[at] ?? []);
    if (payers.length === 0) return undefined;
    amount += prices * times;
    return {
      amount: divisor > 0 ? Math.ceil(Math.max(amount, 1) / divisor) : amount,
      available: payers.reduce((sum, { available }) => sum + (available?.amount ?? 0), 0),
      unit: payers[0]?.available?.unit ?? '',
      stocks,
      partial: payers.some(({ partial }) => partial),
    };
  }

  /** Returns the order with a random choice for each slot. */
  atRandom(random: Random): string {
    return this.fill(
      Object.fromEntries(this.slots.map((slot) => [slot.name, fitting(slot, random)])),
    );
  }

  /**
   * Lists the orders of this offer, up to `most`. Lists none if a slot has infinitely many choices.
   */
  *orders(most = 400): Generator<string, void, undefined> {
    const counted: (readonly (string | undefined)[])[] = [];
    for (const slot of this.slots) {
      const choices = slot.choices(most);
      if (!choices) return;
      counted.push(slot.optional ? [undefined, ...choices] : choices);
    }
    let made = 0;
    for (const chosen of combined(counted)) {
      if (made++ >= most) return;
      yield this.fill(Object.fromEntries(this.slots.map((slot, at) => [slot.name, chosen[at]])));
    }
  }

  #filled(sentence: string, choices: Choices, say: (slot: Slot, choice: Choice) => string): string {
    const strange = Object.keys(choices).find((name) => !this.slot(name));
    if (strange !== undefined) {
      const names = this.slots.map((slot) => slot.name).join(', ');
      const slots = names && `; the slots are ${names}`;
      throw new FillError(`"${this.notation}" has no slot "${strange}"${slots}`);
    }
    const said = new Map(this.slots.map((slot) => [slot.name, say(slot, choices[slot.name])]));
    return sentence.replace(/\{([^{}]*)\}/g, (gap, name: string) => said.get(name) ?? gap);
  }
}

/** A seat's offered orders, in menu order. `raw` is the `Offers` protobuf message. */
export class Offers implements Iterable<Offer> {
  readonly raw: OffersMessage;
  /** The pending decision, or undefined if the seat has none. */
  readonly decision: Decision | undefined;
  /** The phase that orders must name. */
  readonly phase: bigint;
  /** The revision that orders must name. */
  readonly revision: bigint;
  /** The submitted orders that are kept until the phase closes, in the notation. */
  readonly standing: readonly string[];
  readonly #offers: readonly Offer[];
  readonly #tables: Tables;

  constructor(
    raw: OffersMessage,
    asked: {
      decision?: Decision | undefined;
      phase?: bigint;
      revision?: bigint;
      standing?: readonly string[];
    } = {},
  ) {
    const tables = new Tables(raw);
    this.raw = raw;
    this.#tables = tables;
    this.decision = asked.decision;
    this.phase = asked.phase ?? 0n;
    this.revision = asked.revision ?? 0n;
    this.standing = asked.standing ?? [];
    this.#offers = raw.offers.map((offer) => new Offer(offer, tables));
  }

  /** Creates the offers from a `GetOffers` response. */
  static answered({
    offers,
    decision,
    phase = 0n,
    revision = 0n,
    currentOrders: standingOrders,
  }: GetOffersResponse): Offers {
    return new Offers(offers ?? NOTHING, { decision, phase, revision, standing: standingOrders });
  }

  [Symbol.iterator](): Iterator<Offer> {
    return this.#offers[Symbol.iterator]();
  }

  get length(): number {
    return this.#offers.length;
  }

  at(index: number): Offer | undefined {
    return this.#offers.at(index);
  }

  /** Whether offers cover every legal order. */
  get complete(): boolean {
    return this.raw.complete;
  }

  /** Whether filled offers are lines of one sheet, to be submitted together. */
  get sheet(): boolean {
    return this.raw.sheet;
  }

  /** What orders spend. */
  get stocks(): readonly Stock[] {
    return this.raw.stocks;
  }

  /** Returns the displayed name of a place, piece or word. */
  labelOf(value: string): string {
    return this.#tables.labelOf(value);
  }

  /** The offers that this version can fill. */
  get known(): readonly Offer[] {
    return this.#offers.filter((offer) => offer.known);
  }

  /** Returns the offers with these keys, in the order of the keys. */
  of(...keys: string[]): readonly Offer[] {
    return keys.flatMap((key) => this.#offers.filter((offer) => offer.key === key));
  }

  /** Returns the offers about a place or piece, by its name on maps and in the notation. */
  about(name: string): readonly Offer[] {
    return this.#offers.filter((offer) => offer.isAbout(name));
  }

  /** Groups the offers by heading, in menu order. */
  headings(): ReadonlyMap<string, readonly Offer[]> {
    const found = new Map<string, Offer[]>();
    for (const offer of this.#offers) {
      const below = found.get(offer.heading);
      if (below) below.push(offer);
      else found.set(offer.heading, [offer]);
    }
    return found;
  }

  /** Lists every order of the offers that have at most `most` orders. */
  orders(most = 400): string[] {
    return this.known.flatMap((offer) => [...offer.orders(most)]);
  }

  /**
   * Returns a random order. Important offers are more frequent, and irreversible offers are rare.
   */
  atRandom(random: Random): string {
    const { known } = this;
    if (known.length === 0)
      throw new FillError(
        `this client version can fill none of the ${this.#offers.length} offers; update the client`,
      );
    return pickOffer(known, random).atRandom(random);
  }
}

/** Returns one of the offers at random, by weight. */
export function pickOffer(offers: readonly Offer[], random: Random): Offer {
  return random.weighted(offers, (offer) => FREQUENCIES.get(offer.weight) ?? DEFAULT_FREQUENCY);
}

class Tables {
  readonly raw: OffersMessage;
  readonly #labels: ReadonlyMap<string, string>;

  constructor(raw: OffersMessage) {
    this.raw = raw;
    this.#labels = new Map(
      Object.entries(raw.labels).map(([at, label]) => [this.value(Number(at)), label]),
    );
  }

  value(at: number): string {
    return this.raw.values[at] ?? '';
  }

  list(at: number): readonly string[] {
    return (this.raw.lists[at]?.values ?? []).map((value) => this.value(value));
  }

  slot(at: number): Slot {
    const raw = this.raw.slots[at];
    if (!raw) throw new FillError(`slot ${at} does not exist in the offers`);
    return new Slot(raw, this);
  }

  labelOf(value: string): string {
    return this.#labels.get(value) ?? value;
  }

  /** Returns the index of a value in a list. Lists may have different facts for the same text. */
  indexIn(list: number, value: string): number | undefined {
    return this.raw.lists[list]?.values.find((at) => this.value(at) === value);
  }
}

const NOTHING: OffersMessage = {
  $typeName: 'heliopause.v1.Offers',
  offers: [],
  complete: false,
  sheet: false,
  values: [],
  lists: [],
  groups: [],
  slots: [],
  labels: {},
  notes: {},
  stocks: [],
  prices: {},
  sizes: {},
  valueStocks: {},
};

function several(choice: Choice): readonly (string | number)[] {
  return choice === undefined ? [] : typeof choice === 'object' ? choice : [choice];
}

function shown(value: unknown): string {
  return JSON.stringify(value) ?? String(value);
}

function* combined<T>(lists: readonly (readonly T[])[]): Generator<readonly T[], void, undefined> {
  const [first, ...rest] = lists;
  if (!first) {
    yield [];
    return;
  }
  for (const one of first) for (const others of combined(rest)) yield [one, ...others];
}

/** Returns a random choice. Draws up to 16 times more if a required slot would be empty. */
function fitting(slot: Slot, random: Random): Choice {
  let choice = slot.atRandom(random);
  for (let again = 0; again < 16 && choice === undefined && !slot.optional; again++)
    choice = slot.atRandom(random);
  return choice;
}

/**
 * Returns random numbers within the bounds, or undefined if all are 0 and the notation omits zeros.
 * Adds to the minimum numbers until the total cost reaches a random goal.
 */
function sharesAtRandom(rule: NumberShares, random: Random): readonly number[] | undefined {
  const numbers = rule.shares.map((share) => share.least);
  let cost = rule.shares.reduce((sum, share) => sum + share.cost * share.least, 0);
  const goal = random.between(Math.max(rule.least, cost), Math.max(rule.most, cost));
  for (;;) {
    const able = rule.shares.flatMap((share, at) =>
      (numbers[at] ?? 0) < share.most && cost + share.cost <= goal ? [at] : [],
    );
    // Numbers without a cost never reach the goal: stop at random.
    if (
      able.length === 0 ||
      (cost >= rule.least && numbers.some((one) => one !== 0) && random.next() < 0.02)
    )
      break;
    const at = random.pick(able);
    numbers[at] = (numbers[at] ?? 0) + 1;
    cost += rule.shares[at]?.cost ?? 0;
  }
  return rule.zeros || numbers.some((one) => one !== 0) ? numbers : undefined;
}

function textAtRandom(rule: FreeText, taken: readonly string[], random: Random): string {
  const alphabet = [...(rule.alphabet || LETTERS)];
  const initials = rule.firstCharacters ? [...rule.firstCharacters] : alphabet;
  for (let again = 0; again < 16; again++) {
    const length = random.between(rule.least, Math.min(rule.most, rule.least + 8));
    const rest = Array.from({ length: length - 1 }, () => random.pick(alphabet));
    const text = [random.pick(initials), ...rest].join('');
    if (!taken.includes(text.toLowerCase())) return text;
  }
  return rule.example;
}
