// The fields of orders with many numbers or choices: tables with their totals.

import { type Slot, shareCost, shareName } from '@heliopause/client';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { type Assignment, type Budget, type Choice, sumOf } from '../table/offers';
import type { RowVerdict } from '../table/sheet';
import { t } from '../words';
import { Rule } from './rule';

/** The pause after a change before the engine judges the order. */
const REST_MS = 200;
/** With more slots, the table of assignments shows one row for each type. */
const ROWS_MAX = 12;
/** The number of names that a sentence lists. */
const NAMES_MAX = 8;

type SetChoice = (choice: Choice) => void;

/** A table of numbers with their prices and limits. */
export function SharesInput(props: {
  slot: Slot;
  rule: NonNullable<Slot['shares']>;
  choice: Choice;
  set: SetChoice;
}) {
  const { slot, rule, choice, set } = props;
  const { shares, most } = rule;
  const given = shares.map((_, at) => choice?.[at] ?? '');
  const left = most - sumOf(rule, choice);
  return (
    <div class="shares" role="group" aria-label={slot.label}>
      <table>
        <tbody>
          {shares.map((share, index) => {
            const name = shareName(share);
            const number = Number(given[index]) || 0;
            const isPriced = share.cost > 0 || share.costs.length > 0;
            const room = share.cost > 0 ? number + Math.floor(left / share.cost) : share.most;
            const change = (to: number) => set(given.with(index, String(to)));
            const limit =
              share.least > 0
                ? t('editors-least-to-most', { least: share.least, most: share.most })
                : t('editors-up-to', { most: share.most });
            return (
              <tr key={name} class={number > 0 ? 'chosen' : ''}>
                <th scope="row">
                  {name}
                  <span class="faint">
                    {share.cost > 0 ? t('editors-cost-each', { cost: share.cost, limit }) : limit}
                  </span>
                </th>
                <td class="stepper">
                  <Step
                    name={t('editors-fewer', { name })}
                    sign="−"
                    disabled={number <= share.least}
                    act={() => change(Math.max(number - 1, share.least))}
                  />
                  <input
                    type="number"
                    class="slot"
                    aria-label={name}
                    min={share.least}
                    max={share.most}
                    value={given[index]}
                    onInput={(event) => set(given.with(index, event.currentTarget.value))}
                  />
                  <Step
                    name={t('editors-more', { name })}
                    sign="+"
                    disabled={number >= Math.min(share.most, room)}
                    act={() => change(Math.min(number + 1, share.most))}
                  />
                </td>
                {isPriced ? <td class="number">{shareCost(share, number)}</td> : null}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function Step(props: { name: string; sign: string; disabled: boolean; act: () => void }) {
  const { name, sign, disabled, act } = props;
  return (
    <button
      type="button"
      class="icon small"
      aria-label={name}
      title={name}
      disabled={disabled}
      onClick={act}
    >
      {sign}
    </button>
  );
}

/** What an order spends, and what remains. */
export function BudgetLine({ budget }: { budget: Budget }) {
  const { amount: spent, elsewhere, available, unit } = budget;
  const left = available - spent - elsewhere;
  const amount = (number: number) => `${number} ${unit}`;
  const costs =
    elsewhere > 0
      ? t('editors-costs-others', { spent: amount(spent), others: amount(elsewhere) })
      : t('editors-costs', { spent: amount(spent) });
  return (
    <p class={`budget ${left < 0 ? 'bad' : ''}`} role="status">
      {costs.endsWith('.') ? costs : `${costs}.`}{' '}
      <strong>
        {left < 0
          ? t('editors-too-much', { amount: amount(-left) })
          : t('editors-left', { left, available: amount(available) })}
      </strong>
    </p>
  );
}

/** The engine's verdict on an order that is not submitted yet. */
export function LiveVerdict(props: {
  kind: string;
  order: string | undefined;
  others: readonly string[];
  judge: (order: string, others: readonly string[]) => Promise<RowVerdict | undefined>;
}) {
  const { kind, order, others, judge } = props;
  const found = useSignal<RowVerdict | undefined>(undefined);
  useEffect(() => {
    let isOver = false;
    if (order === undefined) found.value = undefined;
    const timer = setTimeout(async () => {
      const verdict = order === undefined ? undefined : await judge(order, others);
      if (!isOver) found.value = verdict;
    }, REST_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [order, others.join('\n')]);
  const verdict = found.value;
  if (!verdict?.sentence) return null;
  const isBad = !verdict.accepted || verdict.warned;
  return (
    <p class={`outcome ${isBad ? 'bad' : ''}`} role="status">
      <bdi>{verdict.sentence}</bdi>{' '}
      {verdict.accepted ? null : <Rule kind={kind} rule={verdict.rule} />}
    </p>
  );
}

const SPREAD = ' spread';
const MIXED = ' mixed';

/** A table that assigns one value to each slot, such as a target to each gun. */
export function Assignments(props: {
  groups: readonly Assignment[];
  choices: Readonly<Record<string, Choice>>;
  set: (changes: Readonly<Record<string, Choice>>) => void;
}) {
  const { groups, choices, set } = props;
  const slots = groups.flatMap((group) => group.slots);
  const opened = useSignal(slots.length <= ROWS_MAX);
  const chosenFor = ({ name }: Slot) => choices[name]?.[0] ?? '';
  const open = slots.filter((slot) => chosenFor(slot) === '').map(({ label }) => label);
  const counts = new Map<string, number>();
  for (const slot of slots) {
    const value = chosenFor(slot);
    if (value === '') continue;
    const name = slot.labelOf(value).replace(/ \(.*\)$/, '');
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return (
    <div class="assignments" role="group" aria-label={t('editors-assignments')}>
      <table>
        <tbody>
          {groups.map(({ name, slots: members }) => (
            <>
              {members.length > 1 ? (
                <GroupRow
                  key={name}
                  name={name}
                  members={members}
                  chosenFor={chosenFor}
                  set={set}
                />
              ) : null}
              {(opened.value || members.length === 1 ? members : []).map((slot) => (
                <tr key={slot.name} class={members.length > 1 ? 'member' : ''}>
                  <th scope="row">{slot.label}</th>
                  <td>
                    <select
                      class="slot"
                      aria-label={slot.label}
                      value={chosenFor(slot)}
                      onChange={({ currentTarget: { value } }) =>
                        set({ [slot.name]: value === '' ? undefined : [value] })
                      }
                    >
                      <Values slot={slot} />
                    </select>
                  </td>
                </tr>
              ))}
            </>
          ))}
        </tbody>
      </table>
      {slots.length > ROWS_MAX ? (
        <button type="button" class="link" onClick={() => (opened.value = !opened.value)}>
          {opened.value ? t('editors-only-types') : t('editors-each-of', { count: slots.length })}
        </button>
      ) : null}
      <p class="total" role="status">
        {[...counts].map(([name, count]) => `${name}: ${count}`).join(' · ')}
        {counts.size > 0 ? ' · ' : ''}
        {open.length === 0
          ? t('editors-all-assigned')
          : t('editors-unassigned', {
              open: open.length,
              count: slots.length,
              names: shortened(open),
            })}
      </p>
    </div>
  );
}

function shortened(names: readonly string[]): string {
  const more = names.length - NAMES_MAX;
  const shown = names.slice(0, NAMES_MAX).join(', ');
  return more > 0 ? t('editors-and-more', { names: shown, count: more }) : shown;
}

function Values({ slot }: { slot: Slot }) {
  return (
    <>
      <option value="">{slot.optional ? t('editors-no-value') : t('editors-choose')}</option>
      {slot.values.map((value) => (
        <option key={value} value={value}>
          {slot.labelOf(value)}
        </option>
      ))}
    </>
  );
}

/** A row that assigns the same value to all slots of a type, or spreads them over the values. */
function GroupRow(props: {
  name: string;
  members: readonly Slot[];
  chosenFor: (slot: Slot) => string;
  set: (changes: Readonly<Record<string, Choice>>) => void;
}) {
  const { name, members, chosenFor, set } = props;
  const [first] = members;
  if (!first) return null;
  const given = new Set(members.map(chosenFor));
  const [only = ''] = given;
  const assign = (value: string) => {
    const { values } = first;
    const valueAt = (at: number) => (value === SPREAD ? (values[at % values.length] ?? '') : value);
    const changes = members.map((slot, at): [string, Choice] => {
      const chosen = valueAt(at);
      return [slot.name, chosen === '' ? undefined : [chosen]];
    });
    set(Object.fromEntries(changes));
  };
  return (
    <tr class="group">
      <th scope="row">
        {members.length} × {name}
      </th>
      <td>
        <select
          class="slot"
          aria-label={t('editors-all', { name })}
          value={given.size > 1 ? MIXED : only}
          onChange={(event) => assign(event.currentTarget.value)}
        >
          {given.size > 1 ? (
            <option value={MIXED} disabled>
              {t('editors-different')}
            </option>
          ) : null}
          <Values slot={first} />
          {first.values.length > 1 ? <option value={SPREAD}>{t('editors-spread')}</option> : null}
        </select>
      </td>
    </tr>
  );
}

/** Many values of a slot by type, with the number of each type that is chosen. */
export function PickByType(props: {
  groups: readonly [string, string[]][];
  choice: Choice;
  set: SetChoice;
}) {
  const { groups, choice, set } = props;
  const given = new Set(choice ?? []);
  return (
    <div class="shares by-type">
      <table>
        <tbody>
          {groups.map(([type, values]) => {
            const count = values.filter((value) => given.has(value)).length;
            const take = (number: number) => {
              const others = [...given].filter((value) => !values.includes(value));
              const kept = values.filter((value) => given.has(value));
              const more = values.filter((value) => !given.has(value));
              set([...others, ...[...kept, ...more].slice(0, Math.max(number, 0))]);
            };
            return (
              <tr key={type} class={count > 0 ? 'chosen' : ''}>
                <th scope="row">{type}</th>
                <td class="stepper">
                  <Step
                    name={t('editors-fewer', { name: type })}
                    sign="−"
                    disabled={count === 0}
                    act={() => take(count - 1)}
                  />
                  <input
                    type="number"
                    class="slot"
                    aria-label={t('editors-number-of', { type })}
                    min={0}
                    max={values.length}
                    value={count}
                    onInput={(event) => take(Number(event.currentTarget.value))}
                  />
                  <Step
                    name={t('editors-more', { name: type })}
                    sign="+"
                    disabled={count === values.length}
                    act={() => take(count + 1)}
                  />
                </td>
                <td class="number faint">{t('editors-of', { count: values.length })}</td>
                <td>
                  <button
                    type="button"
                    class="link"
                    aria-label={t('editors-all-of-type', { count: values.length, type })}
                    onClick={() => take(count === values.length ? 0 : values.length)}
                  >
                    {count === values.length ? t('offers-select-none') : t('offers-select-all')}
                  </button>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
