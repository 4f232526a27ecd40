// The selection on the map and the order built from it. The player clicks a subject, then a target.

import type { Offer, Slot } from '@heliopause/client';
import { batch, computed, type ReadonlySignal, signal, untracked } from '@preact/signals';
import { OfferWeight } from '../engine/contract';
import type { MapItem } from '../map/items';
import { t } from '../words';
import {
  budgetOf,
  type Choice,
  type Choices,
  completeForms,
  concerns,
  defaultChoices,
  EMPTY_MENU,
  type Form,
  fill,
  helpingForms,
  isSameOffer,
  type Menu,
  onlyChoices,
  parts,
  rankOf,
  readLine,
  rebase,
  type Subject,
  sentenceOf,
  takes,
  usualChoices,
  withTarget,
} from './offers';

const SUBJECTS_MAX = 80;
/** The maximum number of meanings of a click that are shown. */
const MEANINGS_MAX = 8;
/** The maximum number of pieces of a place among which a click on it can mean each. */
const STACK_MAX = 4;

/** The orders of the pending decision. */
export interface Orders {
  /** Whether a later order can replace a given one. */
  canReplace(): boolean;
  /** The given orders that can be changed. */
  given(): readonly string[];
  /** Whether an order of a piece was given. */
  hasOrderOf(piece: string): boolean;
  give(form: Form, replaced: Form | undefined): void;
  /** Returns why a line is not an order. */
  refusal(line: string): Promise<string>;
}

export class Picker {
  readonly chosen = signal<Subject | undefined>(undefined);
  readonly form = signal<Form | undefined>(undefined);
  /** An unfinished order that is no longer possible. It is shown until it is dismissed. */
  readonly gone = signal<Form | undefined>(undefined);
  /** The meanings of the last click, except the given order. */
  readonly meanings = signal<readonly Form[]>([]);
  /** The order that the last click gave. Choosing another meaning replaces it. */
  readonly given = signal<Form | undefined>(undefined);
  readonly mapItems = signal<readonly MapItem[]>([]);
  /** The places and pieces of a row of a table beside the map. */
  readonly shown = signal<readonly Subject[]>([]);
  readonly lines: ReadonlySignal<readonly Offer[]>;
  readonly able: ReadonlySignal<ReadonlySet<string>>;
  readonly targets: ReadonlySignal<ReadonlySet<string>>;

  /** The places and pieces that the next click can choose: the menu of meanings avoids them. */
  readonly next: ReadonlySignal<ReadonlySet<string>>;

  private readonly menu: ReadonlySignal<Menu>;
  private readonly orders: Orders;
  /** The given order that the open form replaces. */
  private replaced: Form | undefined;
  /** The menu and the phase that `follow` handled last. */
  private known: Menu = EMPTY_MENU;
  private phase: bigint | undefined;

  constructor(menu: ReadonlySignal<Menu>, orders: Orders) {
    this.menu = menu;
    this.orders = orders;
    this.lines = computed(() => this.about(this.chosen.value));
    this.able = computed(() => (this.chosen.value ? new Set<string>() : subjects(menu.value)));
    this.targets = computed(() => this.findTargets());
    this.next = computed(() => {
      const open = this.meanings.value.flatMap(openTargets);
      return new Set([...subjects(menu.value), ...this.targets.value, ...open]);
    });
  }

  /** Returns the offers for a selection; all offers if nothing is selected. */
  private about(subject: Subject | undefined, menu = this.menu.value): readonly Offer[] {
    const { lines } = menu;
    if (!subject) return lines;
    const all = [subject, ...this.within(subject)];
    return lines.filter((line) => all.some((each) => concerns(line, each) !== undefined));
  }

  /**
   * Moves the selection and the unfinished order to a newer menu. `phase` is the phase of the
   * decision. Without a decision, both are kept until the next one. Returns sentences about what was
   * dropped.
   */
  follow(menu: Menu, phase: bigint | undefined): string[] {
    if (phase === undefined) return [];
    return untracked(() =>
      batch(() => {
        const dropped = this.moveTo(menu, phase === this.phase);
        this.known = menu;
        this.phase = phase;
        return dropped;
      }),
    );
  }

  /** Finds the same offer in a newer menu. Among equal offers, takes the one at the same index. */
  private inMenu(menu: Menu, line: Offer): Offer | undefined {
    const isSame = (each: Offer) => isSameOffer(each, line);
    const place = this.known.lines.filter(isSame).indexOf(line);
    return menu.lines.filter(isSame)[Math.max(place, 0)];
  }

  private moveTo(menu: Menu, isSamePhase: boolean): string[] {
    const dropped: string[] = [];
    const { form, gone } = this;
    // An order that is possible again returns to its form.
    const unfinished = form.value ?? gone.value;
    const next = unfinished && this.rebased(menu, unfinished);
    if (next && next.lost.length === 0) {
      if (!form.value) gone.value = undefined;
      form.value = next.form;
    } else if (form.value && (!isSamePhase || this.wasOffered(menu, form.value))) {
      gone.value = form.value;
      form.value = undefined;
    }
    // The other meanings of an order are over with its phase.
    if (this.given.value && !isSamePhase) this.forgetMeanings();
    this.meanings.value = this.meanings.value.flatMap((meaning) => {
      const next = this.rebased(menu, meaning);
      return next && next.lost.length === 0 ? [next.form] : [];
    });
    const chosen = this.chosen.value;
    if (chosen && this.about(chosen, this.known).length > 0) {
      if (this.about(chosen, menu).length === 0) {
        this.chosen.value = undefined;
        const name = this.known.labelOf(chosen.piece || chosen.place);
        if (isSamePhase) dropped.push(t('order-impossible', { name }));
      }
    }
    return dropped;
  }

  private rebased(menu: Menu, { line, choices }: Form): ReturnType<typeof rebase> | undefined {
    const same = this.inMenu(menu, line);
    return same && rebase({ line, choices }, same);
  }

  /** Returns whether a menu offers an order, or did. Offers that fix warnings may be in no menu. */
  private wasOffered(menu: Menu, { line }: Form): boolean {
    return this.known.lines.includes(line) || this.inMenu(menu, line) !== undefined;
  }

  /** Discards the order that is no longer possible. Opens a form with its remaining choices. */
  dismiss(): void {
    const { form, gone } = this;
    batch(() => {
      if (gone.value) form.value ??= this.rebased(this.menu.value, gone.value)?.form;
      gone.value = undefined;
    });
  }

  /** Reopens the form of a rejected order unless the player is making another one. */
  putBack(form: Form): void {
    if (this.form.value || this.chosen.value) return;
    const line = this.inMenu(this.menu.value, form.line);
    if (line && line.slots.length > 0) this.form.value = rebase(form, line).form;
  }

  private within({ place, piece }: Subject): Subject[] {
    if (piece !== '') return [];
    const spot = this.mapItems.value.find((each) => each.name === place);
    return (spot?.pieces ?? []).map((each) => ({ place, piece: each.name }));
  }

  /** Returns those of the given orders that are orders of the selection, as sentences. */
  ordersHere(given: readonly string[]): { order: string; sentence: string }[] {
    const chosen = this.chosen.value;
    if (!chosen) return [];
    const subjects = [chosen, ...this.within(chosen)];
    const lines = this.lines.value.filter(({ pieces: [actor] }) => {
      return actor === undefined || subjects.some(({ piece }) => piece === actor);
    });
    return given.flatMap((order) => {
      for (const line of lines) {
        const choices = readLine(line, order);
        if (!choices) continue;
        const values = [...line.pieces, ...line.places, ...Object.values(choices).flat()];
        const isHere = subjects.some(({ place, piece }) => values.includes(piece || place));
        if (isHere) return [{ order, sentence: sentenceOf(line, choices) }];
      }
      return [];
    });
  }

  private findTargets(): ReadonlySet<string> {
    const found = new Set<string>();
    const form = this.form.value;
    const chosen = this.chosen.value;
    if (form) {
      for (const name of openTargets(form)) found.add(name);
    } else if (chosen) {
      const own = new Set(this.within(chosen).map(({ piece }) => `piece ${piece}`));
      const add = (slot: Slot) => {
        for (const name of namesIn(slot)) if (!own.has(name)) found.add(name);
      };
      for (const line of this.lines.value) {
        const isSlot = concerns(line, chosen) === 'slot';
        for (const slot of line.slots) {
          if (
            !(
              isSlot &&
              (takes(slot, chosen.place, 'places') || takes(slot, chosen.piece, 'pieces'))
            )
          ) {
            add(slot);
          }
        }
      }
    }
    return found;
  }

  /** Selects what a row of a table is about, without making an order. */
  show(subjects: readonly Subject[]): void {
    batch(() => {
      this.shown.value = subjects;
      if (this.form.value) return;
      this.forgetMeanings();
      this.chosen.value = subjects[0];
    });
  }

  /** Handles a click on the map or a choice in the tree. */
  pick(subject: Subject | undefined): void {
    this.shown.value = [];
    if (!subject) {
      this.clear();
      return;
    }
    const form = this.form.value;
    if (form && this.pickFor(form, subject)) return;
    if (this.pickThird(subject)) return;
    const { chosen } = this;
    if (chosen.value && !isSame(chosen.value, subject) && this.pickSecond(chosen.value, subject)) {
      return;
    }
    batch(() => {
      this.form.value = undefined;
      this.forgetMeanings();
      chosen.value = chosen.value && isSame(chosen.value, subject) ? undefined : subject;
      if (chosen.value?.piece === '') this.meanings.value = this.ordersAt(chosen.value);
    });
  }

  /** Completes an order of the selection with a second click. */
  private pickSecond(chosen: Subject, subject: Subject): boolean {
    const subjects = [chosen, ...this.within(chosen)];
    const targets = this.targetsOf(subject);
    const found = subjects.flatMap((each) => [
      ...targets.flatMap((target) => completeForms(this.lines.value, each, target)),
      ...targets.flatMap(({ piece }) => helpingForms(this.lines.value, each.piece, piece)),
    ]);
    this.choose(found);
    return found.length > 0;
  }

  /** Selects a dragged piece, so that its targets are marked. */
  drag(piece: Subject | undefined): void {
    this.clear();
    this.chosen.value = piece;
  }

  /**
   * Gives the order of a piece that was dragged to a target, or changes the end of its given order.
   * Returns why that is impossible.
   */
  async drop(piece: Subject, end: string | undefined, target: Subject): Promise<string> {
    this.clear();
    if (end !== undefined && this.redirect(piece.piece, end, target.place)) return '';
    this.chosen.value = piece;
    if (this.pickSecond(piece, target)) return '';
    this.clear();
    const name = this.menu.value.labelOf(piece.piece || piece.place);
    for (const line of this.menu.value.lines) {
      const slot = line.slots.find(({ kind, picks }) => kind === 'places' && picks?.most === 1);
      if (!slot || line.pieces[0] !== piece.piece) continue;
      const text = parts(line.notation, line).map((part) => {
        if ('text' in part) return part.text;
        return part.slot === slot ? (slot.raw.text || '{}').replace('{}', target.place) : '';
      });
      const why = await this.orders.refusal(text.join(''));
      if (why !== '') return `${name}: ${why}`;
    }
    return t('order-not-there', { name, place: this.menu.value.labelOf(target.place) });
  }

  /** Changes the end of a given order. Returns whether that is possible. */
  private redirect(piece: string, end: string, place: string): boolean {
    for (const line of this.menu.value.lines.filter(({ pieces }) => pieces[0] === piece)) {
      for (const order of this.orders.given()) {
        const choices = readLine(line, order);
        const slot = line.slots.find(
          ({ name, kind }) => kind === 'places' && choices?.[name]?.[0] === end,
        );
        if (!choices || !slot?.values.includes(place)) continue;
        const changed = { line, choices: { ...choices, [slot.name]: [place] } };
        this.orders.give(changed, { line, choices });
        return true;
      }
    }
    return false;
  }

  /** Completes another meaning of the last click, such as a support, with a third click. */
  private pickThird(subject: Subject): boolean {
    // A click on a piece that can act starts the next order.
    if (subjects(this.menu.value).has(`piece ${subject.piece}`)) return false;
    const targets = [subject, { ...subject, piece: '' }];
    const found = this.meanings.value.flatMap((meaning) =>
      targets.flatMap((target) => withTarget(meaning, target) ?? []),
    );
    this.choose(found, this.given.value);
    return found.length > 0;
  }

  /** Returns what a click on a subject can be aimed at: itself, its place, and pieces there. */
  private targetsOf(subject: Subject): Subject[] {
    if (subject.piece !== '') return [subject, { ...subject, piece: '' }];
    const pieces = this.within(subject);
    return [subject, ...(pieces.length > STACK_MAX ? [] : pieces)];
  }

  /** Returns the complete orders of no piece at a place, such as builds. */
  private ordersAt(place: Subject): readonly Form[] {
    const forms = this.lines.value
      .filter((line) => line.pieces.length === 0 && line.slots.length > 0)
      .flatMap((line) => withTarget({ line, choices: defaultChoices(line) }, place) ?? []);
    return forms.filter(isComplete).slice(0, MEANINGS_MAX);
  }

  /**
   * Gives the most ordinary of several orders, and keeps the others as its alternatives. Asks if an
   * order would be final, or would replace an order of another piece.
   */
  private choose(found: readonly Form[], replaced?: Form): void {
    const unique = found.filter(
      (each, index) => found.findIndex((other) => isSameForm(other, each)) === index,
    );
    if (unique.length === 0) return;
    const forms = unique.toSorted((left, right) => this.compare(left, right));
    const mayGive = this.orders.canReplace() || forms.length === 1;
    const plain = mayGive ? forms.find((form) => !this.takesOver(form)) : undefined;
    batch(() => {
      this.form.value = undefined;
      const opened = plain && this.open(plain, replaced);
      this.given.value = this.form.value ? replaced : opened;
      this.meanings.value = forms.filter((form) => form !== plain).slice(0, MEANINGS_MAX);
    });
  }

  /** Compares orders: those of the selection first, then by weight, complete ones first. */
  private compare(left: Form, right: Form): number {
    const rank = (form: Form) => [
      Number(this.isOfOther(form)),
      rankOf(form.line),
      Number(!isComplete({ ...form, choices: { ...defaultChoices(form.line), ...form.choices } })),
    ];
    const [one, other] = [rank(left), rank(right)];
    return one.map((each, index) => each - (other[index] ?? 0)).find((each) => each !== 0) ?? 0;
  }

  /** Returns whether an order is one of a piece that is not selected. */
  private isOfOther({ line }: Form): boolean {
    const [actor] = line.pieces;
    const chosen = this.chosen.value;
    if (actor === undefined || !chosen) return false;
    return ![chosen, ...this.within(chosen)].some(({ piece }) => piece === actor);
  }

  private takesOver(form: Form): boolean {
    const [actor = ''] = form.line.pieces;
    return this.isOfOther(form) && this.orders.hasOrderOf(actor);
  }

  private pickFor(form: Form, subject: Subject): boolean {
    for (const slot of form.line.slots) {
      const before = form.choices[slot.name];
      const value = takes(slot, subject.piece, 'pieces')
        ? subject.piece
        : takes(slot, subject.place, 'places')
          ? subject.place
          : undefined;
      if (value === undefined || !(isOpen(slot, before) || before?.includes(value))) continue;
      this.set({ [slot.name]: toggled(slot, before, value) });
      const filled = this.form.value;
      if (filled && isComplete(filled)) this.finish(filled);
      return true;
    }
    return false;
  }

  /** Takes another meaning of the last click. It replaces the order that the click gave. */
  mean(form: Form): void {
    this.open(form, this.given.value);
  }

  /** Submits a complete order, or opens a form for the rest of it. */
  private open({ line, choices }: Form, replaced?: Form): Form {
    const form = { line, choices: { ...defaultChoices(line), ...choices } };
    if (isComplete(form)) this.finish(form, replaced);
    else {
      batch(() => {
        this.forgetMeanings();
        this.form.value = form;
        this.replaced = replaced;
      });
    }
    return form;
  }

  /** Submits an offer if the map's selection leaves nothing to choose, or opens its form. */
  begin(line: Offer): void {
    const form = { line, choices: { ...defaultChoices(line), ...this.choicesFor(line) } };
    const isDone = isComplete(form) && line.slots.every((slot) => isDecided(slot, form));
    batch(() => {
      this.forgetMeanings();
      if (isDone) {
        this.finish(form);
        return;
      }
      this.replaced = this.formerOf(line);
      this.form.value = this.replaced ?? this.usualForm(form);
    });
  }

  /** Returns a form with the usual choices, unless other orders leave too little for them. */
  private usualForm(form: Form): Form {
    const choices = usualChoices(this.menu.value, form.line);
    if (!choices) return form;
    const usual = { line: form.line, choices: { ...form.choices, ...choices } };
    const budget = budgetOf(this.menu.value, usual, this.orders.given());
    return budget && budget.amount + budget.elsewhere > budget.available ? form : usual;
  }

  /** Returns the given order that an offer of the same stock changes: its numbers are one order. */
  private formerOf(line: Offer): Form | undefined {
    const isAmount = ({ range, shares, priced }: Slot) => priced && (range || shares);
    if (line.raw.stock === undefined || !line.slots.some(isAmount)) return undefined;
    for (const order of this.orders.given()) {
      const choices = readLine(line, order);
      if (choices) return { line, choices };
    }
    return undefined;
  }

  /** Returns the given orders without the one that the open form replaces. */
  get otherOrders(): readonly string[] {
    const former = this.replaced && fill(this.replaced.line, this.replaced.choices);
    return this.orders.given().filter((order) => order !== former);
  }

  /** Returns the choices that need no decision, and those that the map's selection makes. */
  knownChoices(line: Offer): Choices {
    return { ...onlyChoices(line), ...this.choicesFor(line) };
  }

  private choicesFor(line: Offer): Choices {
    const chosen = this.chosen.value;
    if (!chosen) return {};
    const pieces = this.within(chosen);
    for (const subject of [chosen, ...(pieces.length === 1 ? pieces : [])]) {
      const how = concerns(line, subject);
      if (how === 'subject') break;
      if (how === 'slot') return withTarget({ line, choices: {} }, subject)?.choices ?? {};
    }
    return {};
  }

  set(changes: Choices): void {
    const form = this.form.value;
    if (form) this.form.value = { ...form, choices: { ...form.choices, ...changes } };
  }

  /** Submits the order of the form. */
  submit(): void {
    const form = this.form.value;
    if (form && fill(form.line, form.choices) !== undefined) this.finish(form);
  }

  private finish(form: Form, replaced = this.replaced): void {
    this.clear();
    this.orders.give(form, replaced);
  }

  private forgetMeanings(): void {
    this.meanings.value = [];
    this.given.value = undefined;
    this.replaced = undefined;
  }

  clear(): void {
    batch(() => {
      this.chosen.value = undefined;
      this.form.value = undefined;
      this.forgetMeanings();
      this.shown.value = [];
    });
  }
}

/** Returns whether the clicks leave nothing to decide. */
function isComplete({ line, choices }: Form): boolean {
  const isOpenYet = line.slots.some((slot) => {
    if (!slot.picks) return true;
    return isOpen(slot, choices[slot.name]) && slot.picks.most === 1;
  });
  return !isOpenYet && fill(line, choices) !== undefined && line.weight !== OfferWeight.GRAVE;
}

/** Returns whether a slot can take no further values. */
function isDecided(slot: Slot, { choices }: Form): boolean {
  const most = Math.min(slot.picks?.most ?? 1, slot.values.length);
  return (choices[slot.name] ?? []).length >= most;
}

/** Returns the places or pieces that a slot accepts, as names of marks. */
function namesIn({ kind, values }: Slot): string[] {
  if (kind !== 'places' && kind !== 'pieces') return [];
  return values.map((value) => `${kind === 'places' ? 'place' : 'piece'} ${value}`);
}

function openTargets({ line, choices }: Form): string[] {
  return line.slots.filter((slot) => isOpen(slot, choices[slot.name])).flatMap(namesIn);
}

function isOpen(slot: Slot, choice: Choice): boolean {
  return slot.picks !== undefined && (choice ?? []).length < slot.picks.most;
}

/** Adds a value to a choice, or removes it if it was there. */
export function toggled(slot: Slot, choice: Choice, value: string): Choice {
  const before = choice ?? [];
  if (before.includes(value)) return before.filter((each) => each !== value);
  return slot.picks && slot.picks.most > 1 ? [...before, value] : [value];
}

/** Returns the pieces that can act: the subjects of offers, or else the values of their slots. */
function subjects(menu: Menu): ReadonlySet<string> {
  // If an offer has several pieces, only the first one acts.
  const about = menu.lines.flatMap((line) => line.pieces.slice(0, 1));
  const slots = menu.lines.flatMap((line) => line.slots);
  const taken = slots.flatMap((slot) => (slot.kind === 'pieces' ? slot.values : []));
  const found = new Set((about.length > 0 ? about : taken).map((piece) => `piece ${piece}`));
  // If nearly everything can act, marks do not help.
  return found.size > SUBJECTS_MAX ? new Set() : found;
}

function isSame(left: Subject, right: Subject): boolean {
  return left.place === right.place && left.piece === right.piece;
}

function isSameForm(left: Form, right: Form): boolean {
  return (
    left.line.notation === right.line.notation &&
    JSON.stringify(left.choices) === JSON.stringify(right.choices)
  );
}
