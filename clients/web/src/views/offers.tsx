// The offers: possible orders as sentences with slots to fill.

import type { Offer, Slot } from '@heliopause/client';
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { OfferWeight } from '../engine/contract';
import { isPhone } from '../settings';
import {
  assignmentsOf,
  budgetOf,
  buttonTexts,
  type Choice,
  type Choices,
  choiceError,
  type Form,
  fill,
  headingOf,
  type Menu,
  parts,
  rankOf,
  valuesByType,
  withoutRepeats,
} from '../table/offers';
import { type Picker, toggled } from '../table/picker';
import type { RowVerdict } from '../table/sheet';
import { rich, t } from '../words';
import { Assignments, BudgetLine, LiveVerdict, PickByType, SharesInput } from './editors';
import { Rule } from './rule';
import { Terms } from './term';

const SHOWN = 12;
/** Longer lists of values show how many are chosen. */
const COUNTED = 8;

type Judge = (order: string, others: readonly string[]) => Promise<RowVerdict | undefined>;

export function OfferList(props: {
  menu: Menu;
  picker: Picker;
  kind: string;
  disabled: boolean;
  give: (line: Offer, choices: Form['choices']) => void;
  /** The given orders that can be removed. */
  given: readonly string[];
  remove: (order: string) => void;
  judge: Judge;
}) {
  const { menu, picker, kind, disabled, give, given, remove, judge } = props;
  const search = useSignal('');
  const opened = useSignal<ReadonlySet<string>>(new Set());
  const text = search.value.toLowerCase();
  const lines = withoutRepeats(picker.lines.value).filter((line) => {
    const { title, label, notation } = line;
    const words = `${headingOf(line)} ${title} ${label} ${notation}`.toLowerCase();
    return !isEnd(line) && words.includes(text);
  });
  const groups = grouped(lines);
  const { chosen } = picker;
  const shown = groups.flatMap(([heading, each]) => visible(heading, each, opened.value));
  const form = picker.form.value;
  const list = useRef<HTMLElement>(null);
  // On a phone, the orders of the selection take the place of the prompt.
  useEffect(() => {
    if (isPhone.value && chosen.value) list.current?.scrollIntoView({ block: 'start' });
  }, [chosen.value]);
  return (
    <section ref={list} class="offers" aria-label={t('offers-title')}>
      <GoneOrder picker={picker} />
      {form && !shown.includes(form.line) ? (
        <div class="offer open">
          <OfferForm {...props} form={form} />
        </div>
      ) : null}
      {chosen.value ? (
        <p class="chosen-bar">
          <span>
            {rich('offers-about', {
              piece: <strong>{menu.labelOf(chosen.value.piece || chosen.value.place)}</strong>,
            })}
          </span>
          <button type="button" class="link" onClick={() => picker.clear()}>
            {t('offers-show-all')}
          </button>
        </p>
      ) : null}
      {picker.ordersHere(given).map(({ order, sentence }) => (
        <p key={order} class="given row between">
          <bdi>{sentence}</bdi>
          <RemoveButton name={order} disabled={disabled} remove={() => remove(order)} />
        </p>
      ))}
      {menu.lines.length > 8 ? (
        <input
          type="search"
          aria-label={t('offers-find')}
          placeholder={t('offers-find')}
          value={search.value}
          onInput={(event) => (search.value = event.currentTarget.value)}
        />
      ) : null}
      {lines.length === 0 ? <p class="faint">{t('offers-none')}</p> : null}
      {groups.map(([heading, each]) => (
        <section key={heading} class="offer-group">
          <h3>
            <Terms kind={kind} text={heading} />
          </h3>
          <ul>
            {namedOffers(visible(heading, each, opened.value), picker).map(([line, name]) => (
              <OfferItem
                key={line.notation}
                line={line}
                name={name}
                menu={menu}
                picker={picker}
                kind={kind}
                disabled={disabled}
                give={give}
                judge={judge}
              />
            ))}
          </ul>
          {each.length > SHOWN && !opened.value.has(heading) ? (
            <button
              type="button"
              class="link"
              onClick={() => (opened.value = new Set([...opened.value, heading]))}
            >
              {t('offers-more', { count: each.length - SHOWN })}
            </button>
          ) : null}
        </section>
      ))}
    </section>
  );
}

/** Returns offers of a group with the texts of their buttons. */
function namedOffers(lines: readonly Offer[], picker: Picker): [Offer, string][] {
  return [...buttonTexts(lines, (line) => picker.knownChoices(line))];
}

export function RemoveButton(props: { name: string; disabled: boolean; remove: () => void }) {
  const { name, disabled, remove } = props;
  return (
    <button
      type="button"
      class="icon small"
      aria-label={t('offers-remove', { name })}
      disabled={disabled}
      onClick={remove}
    >
      ×
    </button>
  );
}

function visible(heading: string, lines: Offer[], opened: ReadonlySet<string>): Offer[] {
  return opened.has(heading) ? lines : lines.slice(0, SHOWN);
}

/** Returns whether an offer ends the turn, the step or the answer. It is shown as an action. */
export function isEnd(line: Offer): boolean {
  return line.weight === OfferWeight.END && line.slots.length === 0;
}

/** Groups offers by heading. The heading with the offer of the greatest weight is first. */
function grouped(lines: readonly Offer[]): [string, Offer[]][] {
  const groups = new Map<string, Offer[]>();
  for (const line of lines) {
    const heading = headingOf(line);
    groups.set(heading, [...(groups.get(heading) ?? []), line]);
  }
  const weight = (each: readonly Offer[]) => Math.min(...each.map(rankOf));
  return [...groups].toSorted(([, left], [, right]) => weight(left) - weight(right));
}

function OfferItem(props: {
  line: Offer;
  name: string;
  menu: Menu;
  picker: Picker;
  kind: string;
  disabled: boolean;
  give: (line: Offer, choices: Form['choices']) => void;
  judge: Judge;
}) {
  const { line, name, picker, kind, disabled, give } = props;
  const form = picker.form.value;
  if (form?.line === line) {
    return (
      <li class="offer open">
        <OfferForm {...props} form={form} />
      </li>
    );
  }
  const tone = line.weight === OfferWeight.GRAVE ? 'grave' : '';
  const open = () => {
    if (line.slots.length > 0) {
      picker.begin(line);
      return;
    }
    // The order completes the selection: the next click starts another one.
    picker.clear();
    give(line, {});
  };
  return (
    <li class={`offer ${tone}`}>
      <button
        type="button"
        class="offer-button"
        data-offer={line.key}
        disabled={disabled}
        title={line.notation}
        onClick={open}
      >
        <bdi>
          <Terms kind={kind} text={name} plain />
        </bdi>
        {line.slots.length > 0 ? <span aria-hidden="true"> …</span> : null}
      </button>
      <Rule kind={kind} rule={line.rule} />
    </li>
  );
}

function OfferForm(props: {
  form: Form;
  menu: Menu;
  picker: Picker;
  kind: string;
  disabled: boolean;
  judge: Judge;
}) {
  const { form, menu, picker, kind, disabled, judge } = props;
  const { line, choices } = form;
  const ref = useRef<HTMLFormElement>(null);
  // Focuses the form wherever it was opened from. The next click on the map must not miss.
  useEffect(() => {
    ref.current?.focus({ preventScroll: true });
    ref.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  // The line of the order grows with the choices.
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (ref.current?.contains(document.activeElement)) {
      end.current?.scrollIntoView({ block: 'nearest' });
    }
  }, [choices]);
  const order = fill(line, choices);
  const missing = line.slots
    .map((slot) => choiceError(slot, choices[slot.name]))
    .find((each) => each);
  const others = picker.otherOrders;
  const budget = budgetOf(menu, form, others);
  return (
    <form
      ref={ref}
      class="offer-form"
      tabIndex={-1}
      aria-label={t('offers-fill-in')}
      onSubmit={(event) => {
        event.preventDefault();
        picker.submit();
      }}
    >
      <Sentence line={line} kind={kind} choices={choices} set={(changes) => picker.set(changes)} />
      <div ref={end} class="form-end">
        {budget ? <BudgetLine budget={budget} /> : null}
        <LiveVerdict kind={kind} order={order} others={others} judge={judge} />
        <p class="row wrap">
          <button
            type="submit"
            class="button strong small"
            disabled={disabled || order === undefined}
          >
            {menu.sheet ? t('offers-add-to-sheet') : t('offers-submit')}
          </button>
          <button type="button" class="button small" onClick={() => picker.clear()}>
            {t('page-cancel')}
          </button>
          <code class="faint">{order ?? ''}</code>
        </p>
        {missing ? <p class="hint">{missing}</p> : null}
      </div>
    </form>
  );
}

/** An offer as a sentence with a field for each slot. */
function Sentence(props: {
  line: Offer;
  kind: string;
  choices: Form['choices'];
  set: (changes: Choices) => void;
}) {
  const { line, kind, choices, set } = props;
  const assigned = assignmentsOf(line);
  const isAssigned = (slot: Slot) => assigned.some(({ slots }) => slots.includes(slot));
  const input = (slot: Slot) => (
    <SlotInput
      key={slot.name}
      slot={slot}
      choice={choices[slot.name]}
      set={(choice) => set({ [slot.name]: choice })}
    />
  );
  const words = assigned.length > 0 ? line.title : line.label;
  return (
    <>
      <div class="sentence">
        {parts(words, line).map((part) =>
          'text' in part ? (
            <Terms key={part.text} kind={kind} text={part.text} />
          ) : (
            input(part.slot)
          ),
        )}
      </div>
      {assigned.length > 0 ? <Assignments groups={assigned} choices={choices} set={set} /> : null}
      {line.slots
        .filter((slot) => !words.includes(`{${slot.name}}`) && !isAssigned(slot))
        .map((slot) => (
          <div key={slot.name} class="sentence">
            {slot.label}: {input(slot)}
          </div>
        ))}
    </>
  );
}

/** An unfinished order that is no longer possible, with the values chosen for it. */
function GoneOrder({ picker }: { picker: Picker }) {
  const gone = picker.gone.value;
  if (!gone) return null;
  return (
    <section class="offer-form" aria-label={t('offers-unfinished')}>
      <Values form={gone} />
      <p class="row">
        <span class="hint" role="status">
          {t('offers-gone')}
        </span>
        <button type="button" class="link" onClick={() => picker.dismiss()}>
          {t('page-dismiss')}
        </button>
      </p>
    </section>
  );
}

/** An unfinished order while no decision is pending. */
export function UnfinishedOrder({ picker }: { picker: Picker }) {
  const form = picker.form.value;
  return (
    <>
      <GoneOrder picker={picker} />
      {form ? (
        <section class="offer-form" aria-label={t('offers-unfinished')}>
          <Values form={form} />
          <p class="hint">{t('offers-not-submitted')}</p>
        </section>
      ) : null}
    </>
  );
}

/** The fields of a form that cannot be changed. */
function Values({ form: { line, choices } }: { form: Form }) {
  return (
    <fieldset class="bare" disabled>
      <Sentence line={line} kind="" choices={choices} set={() => undefined} />
    </fieldset>
  );
}

function SlotInput(props: { slot: Slot; choice: Choice; set: (choice: Choice) => void }) {
  const { slot, choice, set } = props;
  const { picks, range, shares, free } = slot;
  if (picks) {
    const Pick = picks.most === 1 ? PickOne : PickSeveral;
    return <Pick slot={slot} choice={choice} set={set} />;
  }
  if (range) {
    return (
      <input
        type="number"
        class="slot"
        aria-label={slot.label}
        min={range.least}
        max={range.most}
        step={Math.max(range.step, 1)}
        required={!slot.optional}
        value={choice?.[0] ?? ''}
        onInput={(event) => set([event.currentTarget.value])}
      />
    );
  }
  if (shares) return <SharesInput slot={slot} rule={shares} choice={choice} set={set} />;
  if (!free) return null;
  return (
    <input
      type="text"
      class="slot wide"
      aria-label={slot.label}
      placeholder={free.example}
      maxLength={free.most}
      required={!slot.optional}
      value={choice?.[0] ?? ''}
      onInput={(event) => set([event.currentTarget.value])}
    />
  );
}

/** Returns the facts of a value, such as its price, to show after its name. */
function factsText(slot: Slot, value: string): string {
  const facts = slot.factsOf(value);
  return facts && ` · ${facts}`;
}

function PickOne(props: { slot: Slot; choice: Choice; set: (choice: Choice) => void }) {
  const { slot, choice, set } = props;
  return (
    <select
      class="slot"
      aria-label={slot.label}
      required={!slot.optional}
      value={choice?.[0] ?? ''}
      onChange={(event) =>
        set(event.currentTarget.value === '' ? undefined : [event.currentTarget.value])
      }
    >
      <option value="">
        {slot.optional ? t('offers-no-value', { label: slot.label }) : slot.label}
      </option>
      {slot.values.map((value) => (
        <option key={value} value={value}>
          {slot.labelOf(value)}
          {factsText(slot, value)}
        </option>
      ))}
    </select>
  );
}

/** Returns whether the order of the chosen values matters. Only the label says so. */
function isPreference({ label }: Slot): boolean {
  return label.includes('in order of preference');
}

function PickSeveral(props: { slot: Slot; choice: Choice; set: (choice: Choice) => void }) {
  const { slot, choice, set } = props;
  const { values } = slot;
  const given = choice ?? [];
  const most = slot.picks?.most ?? 1;
  const groups = values.length > COUNTED && most >= values.length ? valuesByType(slot) : [];
  const isByType = groups.length > 0 && groups.length <= values.length / 2;
  const isRanked = given.length > 0 && isPreference(slot);
  const ticks = values.map((value) => (
    <label key={value} class="tick">
      <input
        type="checkbox"
        checked={given.includes(value)}
        disabled={!given.includes(value) && given.length >= most}
        onChange={() => set(toggled(slot, choice, value))}
      />
      <span>
        {slot.labelOf(value)}
        <span class="faint">{factsText(slot, value)}</span>
        {isRanked && given.includes(value) ? (
          <span class="badge">{given.indexOf(value) + 1}</span>
        ) : null}
      </span>
    </label>
  ));
  return (
    <fieldset class="several">
      <legend>
        {slot.label}
        {values.length > COUNTED ? (
          <output class="faint">
            {' '}
            ({t('offers-chosen-of', { chosen: given.length, count: values.length })})
          </output>
        ) : null}
      </legend>
      {isPreference(slot) ? <p class="hint">{t('offers-preference')}</p> : null}
      {values.length > 2 && most >= values.length ? (
        <button
          type="button"
          class="link"
          onClick={() => set(given.length === values.length ? [] : [...values])}
        >
          {given.length === values.length ? t('offers-select-none') : t('offers-select-all')}
        </button>
      ) : null}
      {isByType ? (
        <>
          <PickByType groups={groups} choice={choice} set={set} />
          <details>
            <summary>{t('offers-which')}</summary>
            <div class="several">{ticks}</div>
          </details>
        </>
      ) : (
        ticks
      )}
    </fieldset>
  );
}
