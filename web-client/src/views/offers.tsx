// The offers: what a seat may order, as sentences whose slots can be filled.

import { useSignal } from '@preact/signals';
import { OfferWeight } from '../engine/contract';
import {
  type Blank,
  type Choice,
  fill,
  type Line,
  type Menu,
  parts,
  problem,
  say,
  shareName,
} from '../table/offers';
import { type Form, type Picker, toggled } from '../table/picker';
import { Rule } from './rule';

/** So many offers of a group are shown at once; more on demand. */
const SHOWN = 12;

export function OfferList(props: {
  menu: Menu;
  picker: Picker;
  kind: string;
  disabled: boolean;
  give: (line: Line, choices: Form['choices']) => void;
}) {
  const { menu, picker, kind, disabled, give } = props;
  const search = useSignal('');
  const opened = useSignal<ReadonlySet<string>>(new Set());
  const text = search.value.toLowerCase();
  const meanings = picker.meanings.value;
  if (meanings.length > 0) return <Meanings {...props} meanings={meanings} />;
  const lines = picker.lines.value.filter(
    (line) =>
      !isEnd(line) && `${line.heading} ${line.label} ${line.notation}`.toLowerCase().includes(text),
  );
  const groups = grouped(lines);
  const { chosen } = picker;
  return (
    <section class="offers" aria-label="Possible orders">
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
            {(opened.value.has(heading) ? each : each.slice(0, SHOWN)).map((line) => (
              <OfferItem
                key={line.index}
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

/** Whether it ends the turn, the step or the answer: such an offer stands among the actions. */
export function isEnd(line: Line): boolean {
  return line.weight === OfferWeight.END && line.blanks.length === 0;
}

/** Offers by heading; the heading with the weightiest offer stands first. */
function grouped(lines: readonly Line[]): [string, Line[]][] {
  const groups = new Map<string, Line[]>();
  for (const line of lines) groups.set(line.heading, [...(groups.get(line.heading) ?? []), line]);
  const weight = (each: readonly Line[]) => Math.min(...each.map((line) => rank(line)));
  return [...groups].toSorted(([, left], [, right]) => weight(left) - weight(right));
}

function rank({ weight }: Line): number {
  return weight === OfferWeight.UNSPECIFIED ? OfferWeight.USUAL : weight;
}

/** What two clicks can mean. */
function Meanings(props: {
  meanings: readonly Form[];
  menu: Menu;
  picker: Picker;
  kind: string;
  disabled: boolean;
}) {
  const { meanings, menu, picker, kind, disabled } = props;
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
          <li key={`${form.line.index} ${JSON.stringify(form.choices)}`} class="offer">
            <button
              type="button"
              class="offer-button"
              disabled={disabled}
              onClick={() => picker.open(form)}
            >
              {unfinished(form, menu)}
            </button>
            <Rule kind={kind} rule={form.line.rule} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The sentence of an offer, with what is still to be chosen in brackets. */
function unfinished({ line, choices }: Form, menu: Menu): string {
  const open = line.blanks.filter((blank) => problem(blank, choices[blank.name]) !== undefined);
  const label = open.reduce(
    (text, blank) => text.replace(`{${blank.name}}`, () => `[${blank.label}]`),
    line.label,
  );
  return say({ ...line, label }, choices, menu);
}

function OfferItem(props: {
  line: Line;
  menu: Menu;
  picker: Picker;
  kind: string;
  disabled: boolean;
  give: (line: Line, choices: Form['choices']) => void;
}) {
  const { line, menu, picker, kind, disabled, give } = props;
  const form = picker.form.value;
  if (form?.line === line) {
    return (
      <li class="offer open">
        <OfferForm
          form={form}
          menu={menu}
          picker={picker}
          disabled={disabled}
          give={give}
          kind={kind}
        />
      </li>
    );
  }
  const tone = line.weight === OfferWeight.GRAVE ? 'grave' : '';
  const open = () => (line.blanks.length === 0 ? give(line, {}) : picker.begin(line));
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
        {unfinished({ line, choices: {} }, menu)}
        {line.blanks.length > 0 ? <span aria-hidden="true"> …</span> : null}
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
  kind: string;
  disabled: boolean;
  give: (line: Line, choices: Form['choices']) => void;
}) {
  const { form, menu, picker, disabled, give } = props;
  const { line, choices } = form;
  const order = fill(line, choices);
  const missing = line.blanks
    .map((blank) => problem(blank, choices[blank.name]))
    .find((each) => each);
  return (
    <form
      class="offer-form"
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
            <Slot
              key={part.blank.name}
              blank={part.blank}
              menu={menu}
              choice={choices[part.blank.name]}
              set={(choice) => picker.set(part.blank, choice)}
            />
          ),
        )}
      </p>
      {line.blanks
        .filter((blank) => !line.label.includes(`{${blank.name}}`))
        .map((blank) => (
          <p key={blank.name} class="sentence">
            {blank.label}:{' '}
            <Slot
              blank={blank}
              menu={menu}
              choice={choices[blank.name]}
              set={(choice) => picker.set(blank, choice)}
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

function Slot(props: { blank: Blank; menu: Menu; choice: Choice; set: (choice: Choice) => void }) {
  const { blank, menu, choice, set } = props;
  const { kind } = blank;
  switch (kind.case) {
    case 'places':
    case 'pieces':
    case 'words':
      return kind.value.most === 1 ? (
        <PickOne blank={blank} menu={menu} choice={choice} set={set} />
      ) : (
        <PickSeveral blank={blank} menu={menu} choice={choice} set={set} />
      );
    case 'number':
      return (
        <input
          type="number"
          class="slot"
          aria-label={blank.label}
          min={kind.value.least}
          max={kind.value.most}
          step={Math.max(kind.value.step, 1)}
          required={!blank.optional}
          value={choice?.[0] ?? ''}
          onInput={(event) => set([event.currentTarget.value])}
        />
      );
    case 'shares':
      return (
        <span class="shares" role="group" aria-label={blank.label}>
          {kind.value.shares.map((share, index) => (
            <label key={shareName(share)}>
              {shareName(share)}
              <input
                type="number"
                class="slot"
                min={share.least}
                max={share.most}
                value={choice?.[index] ?? String(Math.max(share.least, 0))}
                onInput={(event) => {
                  const next = kind.value.shares.map(
                    (each, i) => choice?.[i] ?? String(Math.max(each.least, 0)),
                  );
                  next[index] = event.currentTarget.value;
                  set(next);
                }}
              />
            </label>
          ))}
        </span>
      );
    case 'free':
      return (
        <input
          type="text"
          class="slot wide"
          aria-label={blank.label}
          placeholder={kind.value.example}
          maxLength={kind.value.most}
          required={!blank.optional}
          value={choice?.[0] ?? ''}
          onInput={(event) => set([event.currentTarget.value])}
        />
      );
    default:
      return null;
  }
}

function PickOne(props: {
  blank: Blank;
  menu: Menu;
  choice: Choice;
  set: (choice: Choice) => void;
}) {
  const { blank, menu, choice, set } = props;
  return (
    <select
      class="slot"
      aria-label={blank.label}
      required={!blank.optional}
      value={choice?.[0] ?? ''}
      onChange={(event) =>
        set(event.currentTarget.value === '' ? undefined : [event.currentTarget.value])
      }
    >
      <option value="">{blank.optional ? `(no ${blank.label})` : blank.label}</option>
      {blank.values.map((value) => (
        <option key={value} value={value}>
          {menu.labelOf(value)}
        </option>
      ))}
    </select>
  );
}

function PickSeveral(props: {
  blank: Blank;
  menu: Menu;
  choice: Choice;
  set: (choice: Choice) => void;
}) {
  const { blank, menu, choice, set } = props;
  const given = choice ?? [];
  const { kind } = blank;
  const most =
    kind.case === 'places' || kind.case === 'pieces' || kind.case === 'words' ? kind.value.most : 1;
  return (
    <fieldset class="several">
      <legend>{blank.label}</legend>
      {blank.values.length > 2 && most >= blank.values.length ? (
        <button
          type="button"
          class="link"
          onClick={() => set(given.length === blank.values.length ? [] : [...blank.values])}
        >
          {given.length === blank.values.length ? 'None' : 'All'}
        </button>
      ) : null}
      {blank.values.map((value) => (
        <label key={value} class="tick">
          <input
            type="checkbox"
            checked={given.includes(value)}
            disabled={!given.includes(value) && given.length >= most}
            onChange={() => set(toggled(blank, choice, value))}
          />
          <span>{menu.labelOf(value)}</span>
        </label>
      ))}
    </fieldset>
  );
}
