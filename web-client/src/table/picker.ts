// What a player points at, and the order that grows from it: first click a subject, second a target.

import type { Offer, Slot } from '@heliopause/client';
import { batch, computed, type ReadonlySignal, signal } from '@preact/signals';
import { OfferWeight } from '../engine/contract';
import type { Spot } from '../picture/atlas';
import {
  type Choice,
  type Choices,
  concerns,
  fill,
  finished,
  type Menu,
  type Subject,
  takes,
} from './offers';

const SUBJECTS_MAX = 80;

/** An offer whose slots are being filled. */
export interface Form {
  line: Offer;
  choices: Choices;
}

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
  private readonly give: (line: Offer, choices: Choices) => void;

  constructor(menu: ReadonlySignal<Menu>, give: (line: Offer, choices: Choices) => void) {
    this.menu = menu;
    this.give = give;
    this.lines = computed(() => this.about(this.chosen.value));
    this.able = computed(() => (this.chosen.value ? new Set<string>() : subjects(menu.value)));
    this.targets = computed(() => this.findTargets());
  }

  /** The offers that concern what was chosen; all if nothing is. */
  private about(subject: Subject | undefined): readonly Offer[] {
    const { lines } = this.menu.value;
    if (!subject) return lines;
    const all = [subject, ...this.within(subject)];
    return lines.filter((line) => all.some((each) => concerns(line, each) !== undefined));
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
  open(form: Form): void {
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
    const choices: Record<string, Choice> = {};
    for (const slot of line.slots) {
      // Where there is only one way to choose, it is chosen.
      const [only, ...others] = slot.values;
      if (only !== undefined && others.length === 0 && !slot.optional) choices[slot.name] = [only];
      else if (slot.range) choices[slot.name] = [String(slot.range.most)];
      else if (chosen && takes(slot, chosen.piece, 'pieces')) choices[slot.name] = [chosen.piece];
      else if (chosen && takes(slot, chosen.place, 'places')) choices[slot.name] = [chosen.place];
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

  private finish({ line, choices }: Form): void {
    this.clear();
    this.give(line, choices);
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
