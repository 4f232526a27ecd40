// What a player points at, and the order that grows from it: first click a subject, second a target.

import type { Offer, Slot } from '@heliopause/client';
import { batch, computed, type ReadonlySignal, signal, untracked } from '@preact/signals';
import { OfferWeight } from '../engine/contract';
import type { Spot } from '../picture/atlas';
import {
  type Choice,
  concerns,
  EMPTY_MENU,
  type Form,
  fill,
  finished,
  isSameOffer,
  type Menu,
  moved,
  type Subject,
  say,
  takes,
  usual,
} from './offers';

const SUBJECTS_MAX = 80;

export class Picker {
  readonly chosen = signal<Subject | undefined>(undefined);
  readonly form = signal<Form | undefined>(undefined);
  /** What a second click can mean, if it can mean several things. */
  readonly meanings = signal<readonly Form[]>([]);
  readonly atlas = signal<readonly Spot[]>([]);
  readonly lines: ReadonlySignal<readonly Offer[]>;
  readonly able: ReadonlySignal<ReadonlySet<string>>;
  readonly targets: ReadonlySignal<ReadonlySet<string>>;

  private readonly menu: ReadonlySignal<Menu>;
  private readonly isCurrent: ReadonlySignal<boolean>;
  private readonly give: (form: Form) => void;
  /** The menu and the phase of the decision that were followed last. */
  private known: Menu = EMPTY_MENU;
  private phase: bigint | undefined;
  /** Whether the subject was chosen while the next question was still unknown. */
  private isAhead = false;

  constructor(
    menu: ReadonlySignal<Menu>,
    isCurrent: ReadonlySignal<boolean>,
    give: (form: Form) => void,
  ) {
    this.menu = menu;
    this.isCurrent = isCurrent;
    this.give = give;
    this.lines = computed(() => this.about(this.chosen.value));
    this.able = computed(() => (this.chosen.value ? new Set<string>() : subjects(menu.value)));
    this.targets = computed(() => this.findTargets());
  }

  /** The offers that concern what was chosen; all if nothing is. */
  private about(subject: Subject | undefined, menu = this.menu.value): readonly Offer[] {
    const { lines } = menu;
    if (!subject) return lines;
    const all = [subject, ...this.within(subject)];
    return lines.filter((line) => all.some((each) => concerns(line, each) !== undefined));
  }

  /**
   * Moves the selection and the half-made order to a newer menu. Everything that the menu still
   * allows stays. `phase` is that of the decision, if there is one. Returns sentences about what
   * was dropped.
   */
  follow(menu: Menu, phase: bigint | undefined): string[] {
    return untracked(() =>
      batch(() => {
        const dropped = phase === this.phase ? this.moveTo(menu) : this.leave(menu, phase);
        this.known = menu;
        this.phase = phase;
        return dropped;
      }),
    );
  }

  /** Finds the same offer in a newer menu. Of equal offers the one with the same place matches. */
  private inMenu(menu: Menu, line: Offer): Offer | undefined {
    const isSame = (each: Offer) => isSameOffer(each, line);
    const place = this.known.lines.filter(isSame).indexOf(line);
    return menu.lines.filter(isSame)[Math.max(place, 0)];
  }

  private moveTo(menu: Menu): string[] {
    const dropped: string[] = [];
    const form = this.form.value;
    // An offer that mends a warning need not be in any menu.
    if (form && (this.known.lines.includes(form.line) || this.inMenu(menu, form.line))) {
      const line = this.inMenu(menu, form.line);
      const next = line && moved(form, line);
      if (!next) dropped.push(`No longer possible: ${say(form.line, form.choices)}.`);
      else if (next.lost.length > 0) {
        dropped.push(
          `No longer possible: ${next.lost.join(', ')} in “${say(form.line, form.choices)}”.`,
        );
      }
      this.form.value = next?.form;
    }
    this.meanings.value = this.meanings.value.flatMap((meaning) => {
      const line = this.inMenu(menu, meaning.line);
      const next = line && moved(meaning, line);
      if (next && next.lost.length === 0) return [next.form];
      dropped.push(`No longer possible: ${say(meaning.line, meaning.choices)}.`);
      return [];
    });
    const chosen = this.chosen.value;
    if (chosen && this.about(chosen, this.known).length > 0) {
      if (this.about(chosen, menu).length === 0) {
        this.chosen.value = undefined;
        const name = this.known.labelOf(chosen.piece || chosen.place);
        dropped.push(`Nothing can be ordered for ${name} any more.`);
      }
    }
    return dropped;
  }

  /** Drops what belongs to a question that has closed. */
  private leave(menu: Menu, phase: bigint | undefined): string[] {
    const forms = [this.form.value, ...this.meanings.value].filter((form) => form !== undefined);
    const chosen = this.chosen.value;
    const isKept =
      this.isAhead && (phase === undefined || (chosen && this.about(chosen, menu).length > 0));
    if (!isKept) this.clear();
    this.form.value = undefined;
    this.meanings.value = [];
    if (phase !== undefined) this.isAhead = false;
    return forms.slice(0, 1).map((form) => {
      return `The question has closed. Not given: ${say(form.line, form.choices)}.`;
    });
  }

  /** Opens a form again whose order was not accepted, unless the player makes another one. */
  putBack(form: Form): void {
    if (this.form.value || this.meanings.value.length > 0 || this.chosen.value) return;
    const line = this.inMenu(this.menu.value, form.line);
    if (line && line.slots.length > 0) this.form.value = moved(form, line).form;
  }

  /** The pieces that stand at a place that was chosen. */
  private within({ place, piece }: Subject): Subject[] {
    if (piece !== '') return [];
    const spot = this.atlas.value.find((each) => each.name === place);
    return (spot?.pieces ?? []).map((each) => ({ place, piece: each.name }));
  }

  private findTargets(): ReadonlySet<string> {
    const found = new Set<string>();
    const form = this.form.value;
    const chosen = this.chosen.value;
    const add = (slot: Slot) => {
      const { kind } = slot;
      if (kind !== 'places' && kind !== 'pieces') return;
      for (const value of slot.values)
        found.add(`${kind === 'places' ? 'place' : 'piece'} ${value}`);
    };
    if (form) {
      for (const slot of form.line.slots) {
        if (isOpen(slot, form.choices[slot.name])) add(slot);
      }
    } else if (chosen) {
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

  /** Something was clicked on the map, or chosen in the tree. */
  pick(subject: Subject | undefined): void {
    if (!subject) {
      this.clear();
      return;
    }
    const form = this.form.value;
    if (form && this.pickFor(form, subject)) return;
    const { chosen } = this;
    if (chosen.value && !isSame(chosen.value, subject)) {
      const subjects = [chosen.value, ...this.within(chosen.value)];
      const targets = [subject, ...(subject.piece === '' ? [] : [{ ...subject, piece: '' }])];
      const found = subjects.flatMap((each) =>
        targets.flatMap((target) => finished(this.lines.value, each, target)),
      );
      const unique = found.filter(
        (each, index) => found.findIndex((other) => isSameForm(other, each)) === index,
      );
      if (unique.length > 0) {
        this.offer(unique);
        return;
      }
    }
    batch(() => {
      this.form.value = undefined;
      this.meanings.value = [];
      this.isAhead = !this.isCurrent.value;
      chosen.value = chosen.value && isSame(chosen.value, subject) ? undefined : subject;
    });
  }

  /** Puts what was clicked into the open form, if a slot takes it. */
  private pickFor(form: Form, subject: Subject): boolean {
    for (const slot of form.line.slots) {
      const before = form.choices[slot.name];
      const value = takes(slot, subject.piece, 'pieces')
        ? subject.piece
        : takes(slot, subject.place, 'places')
          ? subject.place
          : undefined;
      if (value === undefined || !(isOpen(slot, before) || before?.includes(value))) continue;
      this.set(slot, toggled(slot, before, value));
      const filled = this.form.value;
      if (filled && isWhole(filled)) this.finish(filled);
      return true;
    }
    return false;
  }

  private offer(found: readonly Form[]): void {
    const [only, ...others] = found;
    if (only && others.length === 0) {
      this.open(only);
      return;
    }
    batch(() => {
      this.meanings.value = found;
      this.form.value = undefined;
    });
  }

  /** Gives an order that is whole, or asks for the rest of it. */
  open({ line, choices }: Form): void {
    const form = { line, choices: { ...usual(line), ...choices } };
    if (isWhole(form)) this.finish(form);
    else {
      batch(() => {
        this.form.value = form;
        this.meanings.value = [];
      });
    }
  }

  /** Opens an offer with nothing chosen but what is on the map. */
  begin(line: Offer): void {
    const chosen = this.chosen.value;
    const choices = usual(line);
    for (const slot of line.slots) {
      if (choices[slot.name] !== undefined || !chosen) continue;
      if (takes(slot, chosen.piece, 'pieces')) choices[slot.name] = [chosen.piece];
      else if (takes(slot, chosen.place, 'places')) choices[slot.name] = [chosen.place];
    }
    batch(() => {
      this.form.value = { line, choices };
      this.meanings.value = [];
    });
  }

  set(slot: Slot, choice: Choice): void {
    const form = this.form.value;
    if (form) this.form.value = { ...form, choices: { ...form.choices, [slot.name]: choice } };
  }

  private finish(form: Form): void {
    this.clear();
    this.give(form);
  }

  clear(): void {
    batch(() => {
      this.chosen.value = undefined;
      this.form.value = undefined;
      this.meanings.value = [];
    });
  }
}

/** Whether an order is whole by what was pointed at, with nothing left to decide. */
function isWhole({ line, choices }: Form): boolean {
  const isOpenYet = line.slots.some((slot) => {
    if (!slot.picks) return true;
    return isOpen(slot, choices[slot.name]) && slot.picks.most === 1;
  });
  return !isOpenYet && fill(line, choices) !== undefined && line.weight !== OfferWeight.GRAVE;
}

function isOpen(slot: Slot, choice: Choice): boolean {
  return slot.picks !== undefined && (choice ?? []).length < slot.picks.most;
}

/** A choice with a value more, or without it if it was there. */
export function toggled(slot: Slot, choice: Choice, value: string): Choice {
  const before = choice ?? [];
  if (before.includes(value)) return before.filter((each) => each !== value);
  return slot.picks && slot.picks.most > 1 ? [...before, value] : [value];
}

/** The pieces that can do something: what offers are about, or else what their slots take. */
function subjects(menu: Menu): ReadonlySet<string> {
  // Of several pieces the first one acts.
  const about = menu.lines.flatMap((line) => line.pieces.slice(0, 1));
  const slots = menu.lines.flatMap((line) => line.slots);
  const taken = slots.flatMap((slot) => (slot.kind === 'pieces' ? slot.values : []));
  const found = new Set((about.length > 0 ? about : taken).map((piece) => `piece ${piece}`));
  // Where everything can do something, marks say nothing.
  return found.size > SUBJECTS_MAX ? new Set() : found;
}

function isSame(left: Subject, right: Subject): boolean {
  return left.place === right.place && left.piece === right.piece;
}

function isSameForm(left: Form, right: Form): boolean {
  return left.line === right.line && JSON.stringify(left.choices) === JSON.stringify(right.choices);
}
