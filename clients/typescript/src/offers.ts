// What a seat may order: sentences with slots, and how to fill them.

import type { GetOffersResponse } from "../gen/heliopause/v1/game_pb.js";
import {
  type FreeText,
  type NumberRange,
  type NumberShares,
  type Offer as OfferMessage,
  type Offers as OffersMessage,
  OfferWeight,
  type Picks,
  type Slot as SlotMessage,
} from "../gen/heliopause/v1/offer_pb.js";
import type { Decision } from "../gen/heliopause/v1/table_pb.js";
import type { Random } from "./random.js";

/** What fills a slot: a text, a number, or several of them; nothing leaves an optional slot empty. */
export type Choice = string | number | readonly (string | number)[] | undefined;

/** Choices by the names of their slots. */
export type Choices = Readonly<Record<string, Choice>>;

/** What a slot takes; empty if this version does not know it. */
export type SlotKind = "places" | "pieces" | "words" | "number" | "shares" | "free" | "";

/** A choice that its slot does not take. */
export class FillError extends Error {
  override readonly name = "FillError";
  readonly #what: string;

  constructor(what: string, slot?: string) {
    super(slot === undefined ? what : `${slot}: ${what}`);
    this.#what = what;
  }

  /** What is wrong, without the name of the slot. */
  get what(): string {
    return this.#what;
  }
}

const LETTERS = "abcdefghijklmnopqrstuvwxyz";
// How often an offer is taken at random, by its weight.
const LIKES = new Map<number, number>([
  [OfferWeight.MAIN, 8],
  [OfferWeight.MINOR, 1],
  [OfferWeight.END, 4],
  [OfferWeight.GRAVE, 0.2],
]);
const USUAL = 4;

/** A gap in an offer. `raw` is the message of the contract. */
export class Slot {
  readonly raw: SlotMessage;
  readonly #tables: Tables;

  constructor(raw: SlotMessage, tables: Tables) {
    this.raw = raw;
    this.#tables = tables;
  }

  /** Its name in the sentence. */
  get name(): string {
    return this.raw.name;
  }

  /** What is asked, in few words. */
  get label(): string {
    return this.raw.label;
  }

  /** Whether it may be left empty. */
  get optional(): boolean {
    return this.raw.optional;
  }

  /** What it takes; empty if this version does not know it. */
  get kind(): SlotKind {
    return this.raw.kind.case ?? "";
  }

  /** The values of a slot that takes places, pieces or words. Others have none. */
  get values(): readonly string[] {
    const picks = this.picks;
    return picks ? this.#tables.list(picks.list) : [];
  }

  /** The fewest and the most values, if it takes values. */
  get picks(): Picks | undefined {
    const { kind } = this.raw;
    return kind.case === "places" || kind.case === "pieces" || kind.case === "words" ? kind.value : undefined;
  }

  /** The range, if it takes a number. */
  get range(): NumberRange | undefined {
    return this.raw.kind.case === "number" ? this.raw.kind.value : undefined;
  }

  /** The numbers and their sum, if it takes several. */
  get shares(): NumberShares | undefined {
    return this.raw.kind.case === "shares" ? this.raw.kind.value : undefined;
  }

  /** What may be written, if the player writes it. */
  get free(): FreeText | undefined {
    return this.raw.kind.case === "free" ? this.raw.kind.value : undefined;
  }

  /** Texts that are taken, in small letters, if the player writes one. */
  get taken(): readonly string[] {
    const taken = this.free?.taken;
    return taken === undefined ? [] : this.#tables.list(taken).map((text) => text.toLowerCase());
  }

  /** What people call a value. */
  labelOf(value: string): string {
    return this.#tables.labelOf(value);
  }

  /** Every single choice as text; nothing if there are more than `most`, or if they cannot be counted. */
  choices(most = 400): readonly string[] | undefined {
    const { picks, range } = this;
    if (picks?.most === 1) return this.values.length <= most ? this.values : undefined;
    if (!range) return undefined;
    const step = Math.max(range.step, 1);
    const count = Math.floor((range.most - range.least) / step) + 1;
    return count <= most ? Array.from({ length: Math.max(count, 0) }, (_, at) => String(range.least + at * step)) : undefined;
  }

  /** A choice as the notation writes it. Throws `FillError` if the slot does not take it. */
  text(choice: Choice): string {
    const inner = this.#inner(choice);
    return inner === undefined ? "" : (this.raw.text || "{}").replace("{}", () => inner);
  }

  /** A choice as a sentence for people says it. Throws `FillError` if the slot does not take it. */
  phrase(choice: Choice): string {
    const inner = this.#inner(choice);
    if (inner === undefined) return "";
    const said = this.picks
      ? several(choice)
          .map((value) => this.labelOf(String(value)))
          .join(", ")
      : inner;
    return (this.raw.phrase || "{}").replace("{}", () => said);
  }

  /** Why the slot does not take a choice; nothing if it does. */
  problem(choice: Choice): string | undefined {
    try {
      this.text(choice);
      return undefined;
    } catch (error) {
      if (error instanceof FillError) return error.what;
      throw error;
    }
  }

  /** A choice at random; nothing if the slot is left empty. */
  atRandom(random: Random): Choice {
    if (this.optional && random.next() < 0.5) return undefined;
    const { picks, range, shares, free } = this;
    if (picks) {
      const { values } = this;
      return random.sample(values, random.between(picks.least, Math.min(picks.most, values.length)));
    }
    if (range) {
      const step = Math.max(range.step, 1);
      return range.least + step * random.between(0, Math.floor((range.most - range.least) / step));
    }
    if (shares) return sharesAtRandom(shares, random);
    if (free) return textAtRandom(free, this.taken, random);
    throw this.#fault("this version does not know how to fill it");
  }

  /** The text of a choice, without what stands around it; nothing if the slot is left empty. */
  #inner(choice: Choice): string | undefined {
    if (choice === undefined) {
      if (!this.optional) throw this.#fault("this slot may not be left empty");
      return undefined;
    }
    const { picks, range, shares, free } = this;
    if (picks) return this.#picked(several(choice).map(String), picks);
    if (shares) {
      if (typeof choice !== "object") throw this.#fault(`give a list of ${shares.shares.length} numbers, not ${shown(choice)}`);
      return this.#shared(choice, shares);
    }
    if (typeof choice === "object") throw this.#fault(`give one value, not ${shown(choice)}`);
    if (range) return this.#numbered(choice, range);
    if (free) return this.#written(String(choice), free);
    throw this.#fault("this version does not know how to fill it");
  }

  #picked(texts: readonly string[], picks: Picks): string {
    const values = new Set(this.values);
    const strange = texts.find((text) => !values.has(text));
    if (strange !== undefined) throw this.#fault(`${shown(strange)} is none of its values`);
    if (new Set(texts).size !== texts.length) throw this.#fault("no value may be named twice");
    if (texts.length < picks.least || texts.length > picks.most) {
      throw this.#fault(`choose ${picks.least} to ${picks.most} values, not ${texts.length}`);
    }
    return texts.join(picks.separator);
  }

  #numbered(choice: string | number, { least, most, step }: NumberRange): string {
    const number = this.#whole(choice);
    if (number < least || number > most || (number - least) % Math.max(step, 1) !== 0) {
      throw this.#fault(`choose a number from ${least} to ${most}${step > 1 ? ` in steps of ${step}` : ""}, not ${number}`);
    }
    return String(number);
  }

  #shared(chosen: readonly (string | number)[], rule: NumberShares): string {
    const numbers = chosen.map((one) => this.#whole(one));
    if (numbers.length !== rule.shares.length) throw this.#fault(`give ${rule.shares.length} numbers, not ${numbers.length}`);
    const written: string[] = [];
    let total = 0;
    for (const [at, share] of rule.shares.entries()) {
      const number = numbers[at] ?? 0;
      if (number < share.least || number > share.most) {
        throw this.#fault(`${share.label || share.text} takes ${share.least} to ${share.most}, not ${number}`);
      }
      total += share.cost * number;
      if (number !== 0 || rule.zeros) written.push((share.text || "{}").replace("{}", () => String(number)));
    }
    if (total < rule.least || total > rule.most) throw this.#fault(`the sum must be ${rule.least} to ${rule.most}, not ${total}`);
    if (written.length === 0) throw this.#fault("at least one number must not be 0; to leave the slot empty choose nothing");
    return written.join(rule.separator);
  }

  #written(text: string, rule: FreeText): string {
    const characters = [...text];
    const lines = Math.max(rule.lines, 1);
    if (characters.length < rule.least || characters.length > rule.most) {
      throw this.#fault(`write ${rule.least} to ${rule.most} characters, not ${characters.length}`);
    }
    if (text.split("\n").length > lines) throw this.#fault(`write at most ${lines} ${lines === 1 ? "line" : "lines"}`);
    const alphabet = rule.alphabet && new Set([...rule.alphabet, "\n"]);
    const strange = alphabet ? characters.find((one) => !alphabet.has(one)) : undefined;
    if (strange !== undefined) throw this.#fault(`${shown(strange)} may not stand in it`);
    const first = characters[0] ?? "";
    if (rule.initials && ![...rule.initials].includes(first)) throw this.#fault(`it may not begin with ${shown(first)}`);
    if (this.taken.includes(text.toLowerCase())) throw this.#fault(`${shown(text)} is taken`);
    return text;
  }

  #whole(choice: string | number): number {
    const number = typeof choice === "number" ? choice : /^\s*[+-]?\d+\s*$/.test(choice) ? Number(choice) : Number.NaN;
    if (!Number.isSafeInteger(number)) throw this.#fault(`choose a whole number, not ${shown(choice)}`);
    return number;
  }

  #fault(what: string): FillError {
    return new FillError(what, this.name);
  }
}

/** A sentence with slots. Filled, it is an order. `raw` is the message of the contract. */
export class Offer {
  readonly raw: OfferMessage;
  readonly slots: readonly Slot[];
  /** The places that it is about, besides those in its slots. */
  readonly places: readonly string[];
  /** The pieces that it is about, besides those in its slots. */
  readonly pieces: readonly string[];
  /** The unit or the topic below which a menu lists it. */
  readonly heading: string;

  constructor(raw: OfferMessage, tables: Tables) {
    this.raw = raw;
    this.slots = raw.slots.map((at) => tables.slot(at));
    this.places = raw.places.map((at) => tables.value(at));
    this.pieces = raw.pieces.map((at) => tables.value(at));
    this.heading = tables.raw.groups[raw.group] ?? "";
  }

  /** The word for offers of this shape. It stays the same from version to version. */
  get key(): string {
    return this.raw.key;
  }

  /** The order in the notation of the game, with `{name}` for each slot. */
  get notation(): string {
    return this.raw.notation;
  }

  /** Its effect, as a sentence for people, with the same slots. */
  get label(): string {
    return this.raw.label;
  }

  /** How much it weighs for the player who chooses. */
  get weight(): OfferWeight {
    return this.raw.weight;
  }

  /** The rule that allows it. */
  get rule(): string {
    return this.raw.rule;
  }

  /** Whether this version knows how to fill all its slots. If not, pass over it. */
  get known(): boolean {
    return this.slots.every((slot) => slot.kind !== "");
  }

  /** A slot by its name. */
  slot(name: string): Slot | undefined {
    return this.slots.find((slot) => slot.name === name);
  }

  /** Whether it is about a place or a piece, by itself or by what can be chosen. */
  isAbout(name: string): boolean {
    const places = (slot: Slot) => (slot.kind === "places" || slot.kind === "pieces") && slot.values.includes(name);
    return this.places.includes(name) || this.pieces.includes(name) || this.slots.some(places);
  }

  /**
   * The order that it becomes with a choice for each slot. An optional slot may be left out. Throws `FillError` where a choice does
   * not fit.
   */
  fill(choices: Choices = {}): string {
    return this.#filled(this.notation, choices, (slot, choice) => slot.text(choice));
  }

  /** The same as a sentence for people. */
  say(choices: Choices = {}): string {
    return this.#filled(this.label, choices, (slot, choice) => slot.phrase(choice));
  }

  /** The order that it becomes with a choice at random for each slot. */
  atRandom(random: Random): string {
    return this.fill(Object.fromEntries(this.slots.map((slot) => [slot.name, fitting(slot, random)])));
  }

  /** Every order that can be made of it, up to `most`; none if the fillings of a slot cannot be counted. */
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
    if (strange !== undefined) throw new FillError(`"${this.notation}" has no slot "${strange}"`);
    const said = new Map(this.slots.map((slot) => [slot.name, say(slot, choices[slot.name])]));
    return sentence.replace(/\{([^{}]*)\}/g, (gap, name: string) => said.get(name) ?? gap);
  }
}

/** All that a seat may order now, in the order of a menu. `raw` is the message of the contract. */
export class Offers implements Iterable<Offer> {
  readonly raw: OffersMessage;
  /** The open decision; absent if the seat owes none. */
  readonly decision: Decision | undefined;
  /** The phase that an order must name. */
  readonly phase: bigint;
  /** The revision that an order must name. */
  readonly revision: bigint;
  /** The orders that the seat has given and that are kept until the phase closes, as lines of the notation. */
  readonly standing: readonly string[];
  readonly #offers: readonly Offer[];
  readonly #tables: Tables;

  constructor(
    raw: OffersMessage,
    asked: { decision?: Decision | undefined; phase?: bigint; revision?: bigint; standing?: readonly string[] } = {},
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

  /** The offers of an answer to `GetOffers`. */
  static answered({ offers, decision, phase = 0n, revision = 0n, standingOrders }: GetOffersResponse): Offers {
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

  /** Whether every legal order can be made of an offer. */
  get complete(): boolean {
    return this.raw.complete;
  }

  /** Whether filled offers are lines of one sheet, to be given together. */
  get sheet(): boolean {
    return this.raw.sheet;
  }

  /** What people call a place, a piece or a word. */
  labelOf(value: string): string {
    return this.#tables.labelOf(value);
  }

  /** The offers that this version knows how to fill. */
  get known(): readonly Offer[] {
    return this.#offers.filter((offer) => offer.known);
  }

  /** The offers with one of these keys, those of the first key first. */
  of(...keys: string[]): readonly Offer[] {
    return keys.flatMap((key) => this.#offers.filter((offer) => offer.key === key));
  }

  /** The offers about a place or a piece, by the name that maps and the notation use. */
  about(name: string): readonly Offer[] {
    return this.#offers.filter((offer) => offer.isAbout(name));
  }

  /** The offers by their headings, in the order of a menu. */
  headings(): ReadonlyMap<string, readonly Offer[]> {
    const found = new Map<string, Offer[]>();
    for (const offer of this.#offers) {
      const below = found.get(offer.heading);
      if (below) below.push(offer);
      else found.set(offer.heading, [offer]);
    }
    return found;
  }

  /** Every order that can be made of those offers that can be filled in at most so many ways. */
  orders(most = 400): string[] {
    return this.known.flatMap((offer) => [...offer.orders(most)]);
  }

  /** An order at random: weighty offers come oftener, grave ones seldom. */
  atRandom(random: Random): string {
    const { known } = this;
    if (known.length === 0) throw new FillError("nothing is offered");
    return pickOffer(known, random).atRandom(random);
  }
}

/** One of the offers at random, by their weights. */
export function pickOffer(offers: readonly Offer[], random: Random): Offer {
  return random.weighed(offers, (offer) => LIKES.get(offer.weight) ?? USUAL);
}

/** What many offers share. */
class Tables {
  readonly raw: OffersMessage;
  readonly #labels: ReadonlyMap<string, string>;

  constructor(raw: OffersMessage) {
    this.raw = raw;
    this.#labels = new Map(Object.entries(raw.labels).map(([at, label]) => [this.value(Number(at)), label]));
  }

  value(at: number): string {
    return this.raw.values[at] ?? "";
  }

  list(at: number): readonly string[] {
    return (this.raw.lists[at]?.values ?? []).map((value) => this.value(value));
  }

  slot(at: number): Slot {
    const raw = this.raw.slots[at];
    if (!raw) throw new FillError(`the offers have no slot number ${at}`);
    return new Slot(raw, this);
  }

  labelOf(value: string): string {
    return this.#labels.get(value) ?? value;
  }
}

const NOTHING: OffersMessage = {
  $typeName: "heliopause.v1.Offers",
  offers: [],
  complete: false,
  sheet: false,
  values: [],
  lists: [],
  groups: [],
  slots: [],
  labels: {},
};

function several(choice: Choice): readonly (string | number)[] {
  return choice === undefined ? [] : typeof choice === "object" ? choice : [choice];
}

function shown(value: unknown): string {
  return JSON.stringify(value) ?? String(value);
}

/** All ways to take one of each. */
function* combined<T>(lists: readonly (readonly T[])[]): Generator<readonly T[], void, undefined> {
  const [first, ...rest] = lists;
  if (!first) {
    yield [];
    return;
  }
  for (const one of first) for (const others of combined(rest)) yield [one, ...others];
}

/** A choice at random. What must not be empty is drawn again if it came out so. */
function fitting(slot: Slot, random: Random): Choice {
  let choice = slot.atRandom(random);
  for (let again = 0; again < 16 && choice === undefined && !slot.optional; again++) choice = slot.atRandom(random);
  return choice;
}

/** Numbers from the least up, until what they cost together reaches a goal within the bounds. */
function sharesAtRandom(rule: NumberShares, random: Random): readonly number[] | undefined {
  const numbers = rule.shares.map((share) => share.least);
  let cost = rule.shares.reduce((sum, share) => sum + share.cost * share.least, 0);
  const goal = random.between(Math.max(rule.least, cost), Math.max(rule.most, cost));
  for (;;) {
    const able = rule.shares.flatMap((share, at) => ((numbers[at] ?? 0) < share.most && cost + share.cost <= goal ? [at] : []));
    // Shares that cost nothing reach no goal: now and then this is enough.
    if (able.length === 0 || (cost >= rule.least && numbers.some((one) => one !== 0) && random.next() < 0.02)) break;
    const at = random.pick(able);
    numbers[at] = (numbers[at] ?? 0) + 1;
    cost += rule.shares[at]?.cost ?? 0;
  }
  return rule.zeros || numbers.some((one) => one !== 0) ? numbers : undefined;
}

function textAtRandom(rule: FreeText, taken: readonly string[], random: Random): string {
  const alphabet = [...(rule.alphabet || LETTERS)];
  const initials = rule.initials ? [...rule.initials] : alphabet;
  for (let again = 0; again < 16; again++) {
    const length = random.between(rule.least, Math.min(rule.most, rule.least + 8));
    const rest = Array.from({ length: length - 1 }, () => random.pick(alphabet));
    const text = [random.pick(initials), ...rest].join("");
    if (!taken.includes(text.toLowerCase())) return text;
  }
  return rule.example;
}
