// The offers: what a seat may order, as sentences whose slots can be filled.

import type { Offer, Slot } from '@heliopause/client';
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { OfferWeight } from '../engine/contract';
import {
  type Choice,
  type Form,
  fill,
  headingOf,
  type Menu,
  parts,
  problem,
  say,
  shareName,
} from '../table/offers';
import { type Picker, toggled } from '../table/picker';
import { Rule } from './rule';

/** So many offers of a group are shown at once; more on demand. */
const SHOWN = 12;

export function OfferList(props: {
  menu: Menu;
  picker: Picker;
  kind: string;
  disabled: boolean;
  give: (line: Offer, choices: Form['choices']) => void;
}) {
  const { menu, picker, kind, disabled, give } = props;
  const search = useSignal('');
  const opened = useSignal<ReadonlySet<string>>(new Set());
  const text = search.value.toLowerCase();
  const meanings = picker.meanings.value;
  if (meanings.length > 0) return <Meanings {...props} meanings={meanings} />;
  const lines = picker.lines.value.filter(
    (line) =>
      !isEnd(line) &&
      `${headingOf(line)} ${line.label} ${line.notation}`.toLowerCase().includes(text),
  );
  const groups = grouped(lines);
  const { chosen } = picker;
  const shown = groups.flatMap(([heading, each]) => visible(heading, each, opened.value));
  const form = picker.form.value;
  return (
    <section class="offers" aria-label="Possible orders">
      {form && !shown.includes(form.line) ? (
        <div class="offer open">
          <OfferForm {...props} form={form} />
        </div>
      ) : null}
      {chosen.value ? (
        <p class="chosen-bar">
          <span>
            About <strong>{menu.labelOf(chosen.value.piece || chosen.value.place)}</strong>
          </span>
          <button type="button" class="link" onClick={() => picker.clear()}>
            Show all orders
          </button>
        </p>
      ) : null}
      {menu.lines.length > 8 ? (
        <input
          type="search"
          aria-label="Find an order"
          placeholder="Find an order"
          value={search.value}
          onInput={(event) => (search.value = event.currentTarget.value)}
        />
      ) : null}
      {lines.length === 0 ? <p class="faint">Nothing can be ordered here.</p> : null}
      {groups.map(([heading, each]) => (
        <section key={heading} class="offer-group">
          <h3>{heading}</h3>
          <ul>
            {visible(heading, each, opened.value).map((line) => (
              <OfferItem
                key={line.notation}
                line={line}
                menu={menu}
                picker={picker}
                kind={kind}
                disabled={disabled}
                give={give}
              />
            ))}
          </ul>
          {each.length > SHOWN && !opened.value.has(heading) ? (
            <button
              type="button"
              class="link"
              onClick={() => (opened.value = new Set([...opened.value, heading]))}
            >
              {each.length - SHOWN} more
            </button>
          ) : null}
        </section>
      ))}
    </section>
  );
}

/** The offers of a group that are shown. */
function visible(heading: string, lines: Offer[], opened: ReadonlySet<string>): Offer[] {
  return opened.has(heading) ? lines : lines.slice(0, SHOWN);
}

/** Whether it ends the turn, the step or the answer: such an offer stands among the actions. */
export function isEnd(line: Offer): boolean {
  return line.weight === OfferWeight.END && line.slots.length === 0;
}

/** Offers by heading; the heading with the weightiest offer stands first. */
function grouped(lines: readonly Offer[]): [string, Offer[]][] {
  const groups = new Map<string, Offer[]>();
  for (const line of lines) {
    const heading = headingOf(line);
    groups.set(heading, [...(groups.get(heading) ?? []), line]);
  }
  const weight = (each: readonly Offer[]) => Math.min(...each.map((line) => rank(line)));
  return [...groups].toSorted(([, left], [, right]) => weight(left) - weight(right));
}

function rank({ weight }: Offer): number {
  return weight === OfferWeight.UNSPECIFIED ? OfferWeight.USUAL : weight;
}

/** What two clicks can mean. */
function Meanings(props: {
  meanings: readonly Form[];
  picker: Picker;
  kind: string;
  disabled: boolean;
}) {
  const { meanings, picker, kind, disabled } = props;
  return (
    <section class="offers meanings" aria-label="What do you mean?">
      <p class="chosen-bar">
        <strong>What do you mean?</strong>
        <button type="button" class="link" onClick={() => picker.clear()}>
          Nothing
        </button>
      </p>
      <ul>
        {meanings.map((form) => (
          <li key={`${form.line.notation} ${JSON.stringify(form.choices)}`} class="offer">
            <button
              type="button"
              class="offer-button"
              disabled={disabled}
              onClick={() => picker.open(form)}
            >
              {say(form.line, form.choices)}
            </button>
            <Rule kind={kind} rule={form.line.rule} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function OfferItem(props: {
  line: Offer;
  menu: Menu;
  picker: Picker;
  kind: string;
  disabled: boolean;
  give: (line: Offer, choices: Form['choices']) => void;
}) {
  const { line, menu, picker, kind, disabled, give } = props;
  const form = picker.form.value;
  if (form?.line === line) {
    return (
      <li class="offer open">
        <OfferForm form={form} menu={menu} picker={picker} disabled={disabled} give={give} />
      </li>
    );
  }
  const tone = line.weight === OfferWeight.GRAVE ? 'grave' : '';
  const open = () => {
    if (line.slots.length > 0) {
      picker.begin(line);
      return;
    }
    // The order ends what was begun with the selection: the next click begins another one.
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
        <bdi>{say(line, {})}</bdi>
        {line.slots.length > 0 ? <span aria-hidden="true"> …</span> : null}
      </button>
      <Rule kind={kind} rule={line.rule} />
    </li>
  );
}

/** An offer whose slots are being filled. */
function OfferForm(props: {
  form: Form;
  menu: Menu;
  picker: Picker;
  disabled: boolean;
  give: (line: Offer, choices: Form['choices']) => void;
}) {
  const { form, menu, picker, disabled, give } = props;
  const { line, choices } = form;
  const ref = useRef<HTMLFormElement>(null);
  // Wherever it was opened from: the next key or touch is for it.
  useEffect(() => ref.current?.focus(), []);
  const order = fill(line, choices);
  const missing = line.slots.map((slot) => problem(slot, choices[slot.name])).find((each) => each);
  return (
    <form
      ref={ref}
      class="offer-form"
      tabIndex={-1}
      aria-label="Fill in the order"
      onSubmit={(event) => {
        event.preventDefault();
        if (order === undefined) return;
        picker.clear();
        give(line, choices);
      }}
    >
      <p class="sentence">
        {parts(line.label, line).map((part) =>
          'text' in part ? (
            <span key={part.text}>{part.text}</span>
          ) : (
            <Blank
              key={part.slot.name}
              slot={part.slot}
              menu={menu}
              choice={choices[part.slot.name]}
              set={(choice) => picker.set(part.slot, choice)}
            />
          ),
        )}
      </p>
      {line.slots
        .filter((slot) => !line.label.includes(`{${slot.name}}`))
        .map((slot) => (
          <p key={slot.name} class="sentence">
            {slot.label}:{' '}
            <Blank
              slot={slot}
              menu={menu}
              choice={choices[slot.name]}
              set={(choice) => picker.set(slot, choice)}
            />
          </p>
        ))}
      <p class="row">
        <button
          type="submit"
          class="button strong small"
          disabled={disabled || order === undefined}
        >
          {menu.sheet ? 'Add to the sheet' : 'Give this order'}
        </button>
        <button type="button" class="button small" onClick={() => picker.clear()}>
          Cancel
        </button>
        <code class="faint">{order ?? ''}</code>
      </p>
      {missing ? <p class="hint">{missing}</p> : null}
    </form>
  );
}

function Blank(props: { slot: Slot; menu: Menu; choice: Choice; set: (choice: Choice) => void }) {
  const { slot, menu, choice, set } = props;
  const { picks, range, shares, free } = slot;
  if (picks) {
    const Pick = picks.most === 1 ? PickOne : PickSeveral;
    return <Pick slot={slot} menu={menu} choice={choice} set={set} />;
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
  if (shares) return <Several slot={slot} shares={shares.shares} choice={choice} set={set} />;
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

/** Several numbers, each with its name. */
function Several(props: {
  slot: Slot;
  shares: NonNullable<Slot['shares']>['shares'];
  choice: Choice;
  set: (choice: Choice) => void;
}) {
  const { slot, shares, choice, set } = props;
  const given = shares.map((_, at) => choice?.[at] ?? '');
  return (
    <span class="shares" role="group" aria-label={slot.label}>
      {shares.map((share, index) => (
        <label key={shareName(share)}>
          {shareName(share)}
          <input
            type="number"
            class="slot"
            min={share.least}
            max={share.most}
            value={given[index]}
            onInput={(event) => set(given.with(index, event.currentTarget.value))}
          />
        </label>
      ))}
    </span>
  );
}

function PickOne(props: { slot: Slot; menu: Menu; choice: Choice; set: (choice: Choice) => void }) {
  const { slot, menu, choice, set } = props;
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
      <option value="">{slot.optional ? `(no ${slot.label})` : slot.label}</option>
      {slot.values.map((value) => (
        <option key={value} value={value}>
          {menu.labelOf(value)}
        </option>
      ))}
    </select>
  );
}

function PickSeveral(props: {
  slot: Slot;
  menu: Menu;
  choice: Choice;
  set: (choice: Choice) => void;
}) {
  const { slot, menu, choice, set } = props;
  const given = choice ?? [];
  const most = slot.picks?.most ?? 1;
  return (
    <fieldset class="several">
      <legend>{slot.label}</legend>
      {slot.values.length > 2 && most >= slot.values.length ? (
        <button
          type="button"
          class="link"
          onClick={() => set(given.length === slot.values.length ? [] : [...slot.values])}
        >
          {given.length === slot.values.length ? 'None' : 'All'}
        </button>
      ) : null}
      {slot.values.map((value) => (
        <label key={value} class="tick">
          <input
            type="checkbox"
            checked={given.includes(value)}
            disabled={!given.includes(value) && given.length >= most}
            onChange={() => set(toggled(slot, choice, value))}
          />
          <span>{menu.labelOf(value)}</span>
        </label>
      ))}
    </fieldset>
  );
}
