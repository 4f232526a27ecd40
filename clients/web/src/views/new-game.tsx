// The page for creating a game, with a form built from the descriptor of the kind.

import type { JsonObject, JsonValue, MessageInitShape } from '@bufbuild/protobuf';
import { type Signal, useSignal } from '@preact/signals';
import { games } from '../engine/calls';
import {
  DelegationRule,
  type GameKind,
  MissedDeadline as Missed,
  type MissedDeadline,
  type OptionInfo,
  type PaceSchema,
  type SeatPlanSchema,
} from '../engine/contract';
import { defaultWords, optionName, optionsOf, type Values } from '../options';
import { gamePath, go, rulePath } from '../router';
import { me } from '../session';
import { CallForm, Checkbox, Field, Select, useLoaded } from '../ui/components';
import { GamePicture } from '../ui/thumbnail';
import { capital, delegationWords, locale, missedWords, playersWords, rich, t } from '../words';
import { loadKinds } from './kinds';
import { Waiting } from './lobby';
import { MessageField } from './message-field';

type Occupant = { is: 'open' } | { is: 'kept'; name: string } | { is: 'automated'; level: string };
/** The occupant of a seat; `seat` is the number that the host chose, if any. */
type Plan = Occupant & { seat?: number };

export function NewGame() {
  const loaded = useLoaded(() => loadKinds());
  const chosen = useSignal('');
  const kinds = loaded.value.value;
  if (!kinds) {
    return (
      <main class="page">
        <Waiting failure={loaded.failure.value} />
      </main>
    );
  }
  const kind = kinds.find((each) => each.kind === chosen.value);
  return (
    <main class="page new-game">
      <h1>{t('lobby-new-game')}</h1>
      <fieldset class="kinds">
        <legend class="hidden">{t('new-game-game')}</legend>
        {kinds.map((each) => (
          <label key={each.kind} class={`card kind ${each.kind === chosen.value ? 'chosen' : ''}`}>
            <GamePicture kind={each.kind} />
            <input
              type="radio"
              name="kind"
              value={each.kind}
              checked={each.kind === chosen.value}
              onChange={() => (chosen.value = each.kind)}
            />
            <strong>{each.name}</strong>
            <span class="faint small">{playersWords(each)}</span>
            <span class="small" lang="en">
              {each.summary}
            </span>
          </label>
        ))}
      </fieldset>
      {kind ? <Form key={kind.kind} kind={kind} /> : <p class="hint">{t('new-game-choose')}</p>}
    </main>
  );
}

function firstPlans(kind: GameKind): Plan[] {
  const level = kind.levels.includes('standard') ? 'standard' : (kind.levels[0] ?? '');
  return Array.from(
    { length: kind.playersUsual },
    (_, index): Plan => (index === 0 ? { is: 'open' } : { is: 'automated', level }),
  );
}

interface Conduct {
  role: 'play' | 'master' | 'watch';
  isPrivate: boolean;
  anonymous: boolean;
  hideReady: boolean;
  openMessages: boolean;
  rated: boolean;
  noAnalysis: boolean;
  startWhenFull: boolean;
  delegation: DelegationRule;
  automaton: string;
}

function Form({ kind }: { kind: GameKind }) {
  const name = useSignal('');
  const values = useSignal<Values>({});
  const plans = useSignal<readonly Plan[]>(firstPlans(kind));
  const pace = useSignal<PaceForm>(NO_PACE);
  const conduct = useSignal<Conduct>({
    role: 'play',
    isPrivate: false,
    anonymous: false,
    hideReady: false,
    openMessages: false,
    rated: false,
    noAnalysis: false,
    startWhenFull: true,
    delegation: DelegationRule.UNSPECIFIED,
    automaton: '',
  });
  const create = async () => {
    const { role, automaton, ...rest } = conduct.value;
    const hasOptions = Object.keys(values.value).length > 0;
    const options = hasOptions ? await optionsOf(kind, { ...values.value }) : undefined;
    const made = await games.createGame({
      kind: kind.kind,
      name: name.value.trim().normalize('NFC'),
      ...(options ? { options } : {}),
      seats: plans.value.map(planOf),
      ...paceOf(pace.value),
      ...rest,
      gameMaster: role === 'master',
      spectate: role === 'watch',
      automatonLevel: automaton,
    });
    if (made.game) go(gamePath(made.game.gameId));
  };
  return (
    <CallForm class="form" label={t('new-game-form', { name: kind.name })} action={create}>
      {(busy) => (
        <>
          <section class="card">
            <h2>{kind.name}</h2>
            <p class="hint">
              {rich('new-game-new-to', {
                tutorial: <a href={`/learn/${kind.kind}`}>{t('new-game-play-tutorial')}</a>,
                rulebook: <a href={rulePath(kind.kind)}>{t('new-game-read-rulebook')}</a>,
              })}
            </p>
            <Field label={t('new-game-name')} hint={t('new-game-name-hint')}>
              {(id, hint) => (
                <input
                  id={id}
                  aria-describedby={hint}
                  maxLength={64}
                  value={name.value}
                  onInput={(event) => (name.value = event.currentTarget.value)}
                />
              )}
            </Field>
            <Seats
              kind={kind}
              roles={rolesOf(kind, values.value)}
              plans={plans}
              conduct={conduct}
            />
          </section>
          <Rules kind={kind} values={values} />
          <details class="card">
            <summary>
              <h2>{t('new-game-pace')}</h2>
            </summary>
            <PaceFields kind={kind} pace={pace} />
          </details>
          <details class="card">
            <summary>
              <h2>{t('new-game-conduct')}</h2>
            </summary>
            <ConductFields kind={kind} conduct={conduct} />
          </details>
          <p class="row">
            <button type="submit" class="button strong large" aria-busy={busy}>
              {t('new-game-create')}
            </button>
          </p>
        </>
      )}
    </CallForm>
  );
}

function planOf(plan: Plan): MessageInitShape<typeof SeatPlanSchema> {
  const seat = plan.seat === undefined ? {} : { seat: plan.seat };
  switch (plan.is) {
    case 'open':
      return { ...seat, plan: { case: 'open', value: {} } };
    case 'kept':
      return { ...seat, plan: { case: 'reservedFor', value: plan.name.trim() } };
    case 'automated':
      return { ...seat, plan: { case: 'automated', value: { profile: '', level: plan.level } } };
  }
}

/** Returns the names of seats that a host can choose; empty if seats differ only by number. */
function rolesOf(kind: GameKind, values: Values): readonly string[] {
  // An option with names can rename the seats, so the default names may be wrong.
  const isNamed = kind.options.some(
    ({ name, type }) => type.case === 'names' && values[name] !== undefined,
  );
  return isNamed
    ? kind.roles.map((_, index) => t('words-seat', { number: index + 1 }))
    : kind.roles;
}

function Seats(props: {
  kind: GameKind;
  roles: readonly string[];
  plans: { value: readonly Plan[] };
  conduct: { value: Conduct };
}) {
  const { kind, roles, plans, conduct } = props;
  const own =
    conduct.value.role === 'play' ? plans.value.findIndex((plan) => plan.is === 'open') : -1;
  const set = (index: number, plan: Occupant) => {
    const { seat } = plans.value[index] ?? {};
    plans.value = plans.value.with(index, seat === undefined ? plan : { ...plan, seat });
  };
  const choose = (index: number, chosen: string) => {
    const { seat: _, ...plan } = plans.value[index] ?? { is: 'open' };
    plans.value = plans.value.with(index, chosen === '' ? plan : { ...plan, seat: Number(chosen) });
  };
  const choices = (index: number) => [
    ['', t('forming-by-lot')] as const,
    ...roles
      .slice(0, plans.value.length)
      .map((role, at) => [String(at + 1), role] as const)
      .filter(([seat]) => plans.value.every((plan, at) => at === index || plan.seat !== +seat)),
  ];
  const resize = (number: number) => {
    const level = kind.levels.includes('standard') ? 'standard' : (kind.levels[0] ?? '');
    const next = plans.value.slice(0, number).map(({ seat, ...plan }) =>
      // A seat that the smaller game lacks is drawn by lot.
      seat === undefined || seat > number ? plan : { ...plan, seat },
    );
    while (next.length < number) next.push({ is: 'automated', level });
    plans.value = next;
  };
  const ways = [
    ['open', t('new-game-open')] as const,
    ['kept', t('new-game-reserved')] as const,
    ...kind.levels.map((level) => [`level ${level}`, t('new-game-automated', { level })] as const),
  ];
  return (
    <section aria-label={t('forming-seats')}>
      <Field label={t('new-game-players')} hint={`${playersWords(kind)}.`}>
        {(id, hint) => (
          <input
            id={id}
            type="number"
            aria-describedby={hint}
            min={kind.playersMin}
            max={kind.playersMax}
            value={plans.value.length}
            onChange={({ currentTarget }) => {
              const wanted = Math.max(Math.round(Number(currentTarget.value)), kind.playersMin);
              resize(Math.min(wanted, kind.playersMax));
              // The number of seats may be the same as before, which renders nothing.
              currentTarget.value = String(plans.value.length);
            }}
          />
        )}
      </Field>
      <ol class="seat-plans">
        {plans.value.map((plan, index) => (
          <li key={index} class="row">
            <span class="seat-number">{index + 1}</span>
            <div class="row wrap">
              {index === own ? (
                <span>{rich('new-game-you', { name: <bdi>{me.value?.name}</bdi> })}</span>
              ) : (
                <Select
                  label={t('words-seat', { number: index + 1 })}
                  value={plan.is === 'automated' ? `level ${plan.level}` : plan.is}
                  options={ways}
                  set={(value) => {
                    if (value === 'open') set(index, { is: 'open' });
                    else if (value === 'kept') set(index, { is: 'kept', name: '' });
                    else set(index, { is: 'automated', level: value.slice('level '.length) });
                  }}
                />
              )}
              {plan.is === 'kept' ? (
                <input
                  aria-label={t('new-game-player-for-seat', { number: index + 1 })}
                  placeholder={t('account-player-name')}
                  required
                  value={plan.name}
                  onInput={(event) => set(index, { is: 'kept', name: event.currentTarget.value })}
                />
              ) : null}
              {roles.length > 0 ? (
                <Select
                  label={t('new-game-seat-of-player', { number: index + 1 })}
                  value={String(plan.seat ?? '')}
                  options={choices(index)}
                  set={(chosen) => choose(index, chosen)}
                />
              ) : null}
            </div>
          </li>
        ))}
      </ol>
      {roles.length > 0 ? <p class="hint">{t('join-lots')}</p> : null}
    </section>
  );
}

function rangeWords({ least, most, zero }: { least: number; most: number; zero: string }): string {
  return zero === ''
    ? t('new-game-range', { least, most })
    : t('new-game-range-zero', { least, most, zero });
}

/** The options of a kind of game. */
export function Rules({ kind, values }: { kind: GameKind; values: Signal<Values> }) {
  if (kind.options.length === 0) return null;
  return (
    <details class="card">
      <summary>
        <h2>{t('new-game-rules')}</h2>
      </summary>
      <div class="fields">
        {kind.options.map((info) => (
          <Option
            key={info.name}
            kind={kind}
            info={info}
            value={values.value[info.name]}
            set={(value) => {
              const next: Record<string, JsonValue> = { ...values.value };
              if (value === undefined) delete next[info.name];
              else next[info.name] = value;
              values.value = next;
            }}
          />
        ))}
      </div>
    </details>
  );
}

/** A field for an option, built from its descriptor. */
function Option(props: {
  kind: GameKind;
  info: OptionInfo;
  value: JsonValue | undefined;
  set: (value: JsonValue | undefined) => void;
}) {
  const { kind, info, value, set } = props;
  const usual = defaultWords(info);
  const hint = usual ? `${info.sentence} ${t('new-game-usual', { usual })}` : info.sentence;
  const { type } = info;
  switch (type.case) {
    case 'flag':
      return (
        <Field label={optionName(info)} hint={hint}>
          {(id, described) => (
            <Select
              id={id}
              describedBy={described}
              value={value === undefined ? '' : String(value)}
              options={[
                ['', t('new-game-default')],
                ['true', t('new-game-yes')],
                ['false', t('new-game-no')],
              ]}
              set={(text) => set(text === '' ? undefined : text === 'true')}
            />
          )}
        </Field>
      );
    case 'number':
      return (
        <Field label={optionName(info)} hint={`${hint} ${rangeWords(type.value)}`}>
          {(id, described) => (
            <input
              id={id}
              type="number"
              aria-describedby={described}
              min={type.value.zero ? 0 : type.value.least}
              max={type.value.most}
              placeholder={usual}
              value={value === undefined ? '' : Number(value)}
              onInput={(event) => {
                const text = event.currentTarget.value;
                set(text === '' ? undefined : Number(text));
              }}
            />
          )}
        </Field>
      );
    case 'word':
      return (
        <Field label={optionName(info)} hint={hint}>
          {(id, described) => (
            <Select
              id={id}
              describedBy={described}
              value={value === undefined ? '' : String(value)}
              options={[
                ['', t('new-game-default')] as const,
                ...type.value.words.map((word) => [word.value, capital(word.meaning)] as const),
              ]}
              set={(text) => set(text === '' ? undefined : text)}
            />
          )}
        </Field>
      );
    case 'shares':
      return <SharesField info={info} value={value} set={set} hint={hint} />;
    case 'names':
      return (
        <Field
          label={optionName(info)}
          hint={`${hint} ${t('new-game-names', { most: type.value.most })}`}
        >
          {(id, described) => (
            <textarea
              id={id}
              aria-describedby={described}
              rows={3}
              value={Array.isArray(value) ? value.join('\n') : ''}
              onInput={(event) => {
                const names = event.currentTarget.value.split('\n');
                set(names.every((name) => name.trim() === '') ? undefined : names);
              }}
              onBlur={() => {
                if (Array.isArray(value)) set(value.filter((name) => String(name).trim() !== ''));
              }}
            />
          )}
        </Field>
      );
    default:
      return <MessageField kind={kind} info={info} value={value} set={set} hint={hint} />;
  }
}

function SharesField(props: {
  info: OptionInfo;
  value: JsonValue | undefined;
  set: (value: JsonValue | undefined) => void;
  hint: string;
}) {
  const { info, value, set, hint } = props;
  if (info.type.case !== 'shares') return null;
  const { shares, sum } = info.type.value;
  const given = (value ?? {}) as JsonObject;
  const at = (name: string, usual: number) => Number(given[name] ?? usual);
  const total = shares.reduce((all, share) => all + at(share.name, share.defaultValue), 0);
  return (
    <fieldset class="several">
      <legend>{optionName(info)}</legend>
      <p class="hint">{hint}</p>
      {shares.map((share) => (
        <label key={share.name} class="inline">
          {capital(share.label || share.name)}
          <input
            type="number"
            class="slot"
            min={share.least}
            max={sum}
            value={at(share.name, share.defaultValue)}
            onInput={(event) => {
              const all = Object.fromEntries(
                shares.map((each) => [each.name, at(each.name, each.defaultValue)]),
              );
              set({ ...all, [share.name]: Number(event.currentTarget.value) });
            }}
          />
        </label>
      ))}
      <p class={total === sum ? 'hint' : 'trouble'}>{t('new-game-together', { total, sum })}</p>
    </fieldset>
  );
}

interface PaceForm {
  amount: string;
  unit: Unit;
  at: string;
  grace: string;
  kinds: Readonly<Record<string, string>>;
  missed: MissedDeadline;
  misses: string;
  vacation: string;
  early: boolean;
  weekdays: readonly number[];
}
type Unit = 'minutes' | 'hours' | 'days';
const SECONDS: Record<Unit, number> = { minutes: 60, hours: 3600, days: 86_400 };

const NO_PACE: PaceForm = {
  amount: '',
  unit: 'hours',
  at: '',
  grace: '',
  kinds: {},
  missed: Missed.UNSPECIFIED,
  misses: '',
  vacation: '',
  early: true,
  weekdays: [],
};

function seconds(amount: string, unit: Unit) {
  return { seconds: BigInt(Math.round(Number(amount) * SECONDS[unit])), nanos: 0 };
}

/** Returns the short names of the days of a week, from Monday. */
function weekdayNames(): string[] {
  const format = new Intl.DateTimeFormat(locale.value, { weekday: 'short', timeZone: 'UTC' });
  // 1 January 2024 was a Monday.
  return Array.from({ length: 7 }, (_, day) => format.format(Date.UTC(2024, 0, 1 + day)));
}

function paceOf(form: PaceForm): { pace?: MessageInitShape<typeof PaceSchema> } {
  const kinds = Object.entries(form.kinds).filter(([, amount]) => amount !== '');
  if (form.amount === '' && kinds.length === 0) return {};
  const [hour, minute] = form.at.split(':').map(Number);
  const shared = {
    weekdays: [...form.weekdays],
    ...(form.grace === '' ? {} : { grace: seconds(form.grace, 'minutes') }),
    ...(hour === undefined || minute === undefined ? {} : { atMinute: hour * 60 + minute }),
  };
  return {
    pace: {
      ...(form.amount === ''
        ? {}
        : { standard: { interval: seconds(form.amount, form.unit), ...shared } }),
      byKind: Object.fromEntries(
        kinds.map(([kind, amount]) => [kind, { interval: seconds(amount, form.unit), ...shared }]),
      ),
      closeEarly: form.early,
      missed: form.missed,
      ...(form.misses === '' ? {} : { automateAfterMisses: Number(form.misses) }),
      vacationDays: Number(form.vacation || '0'),
      utcOffsetMinutes: -new Date().getTimezoneOffset(),
    },
  };
}

function PaceFields({ kind, pace }: { kind: GameKind; pace: { value: PaceForm } }) {
  const form = pace.value;
  const set = (part: Partial<PaceForm>) => {
    pace.value = { ...pace.value, ...part };
  };
  const number = (label: string, key: 'amount' | 'grace' | 'misses' | 'vacation', hint: string) => (
    <Field label={label} hint={hint}>
      {(id, described) => (
        <input
          id={id}
          type="number"
          min={0}
          step="any"
          aria-describedby={described}
          value={form[key]}
          onInput={(event) => set({ [key]: event.currentTarget.value })}
        />
      )}
    </Field>
  );
  return (
    <div class="fields">
      {number(t('new-game-phase-time'), 'amount', t('new-game-phase-time-hint'))}
      <Field label={t('new-game-unit')}>
        {(id) => (
          <Select
            id={id}
            value={form.unit}
            options={[
              ['minutes', t('new-game-minutes')],
              ['hours', t('new-game-hours')],
              ['days', t('new-game-days')],
            ]}
            set={(unit) => set({ unit })}
          />
        )}
      </Field>
      {kind.phaseKinds.length > 1
        ? kind.phaseKinds.map((each) => (
            <Field
              key={each}
              label={t('new-game-kind-time', { kind: each })}
              hint={t('new-game-kind-time-hint')}
            >
              {(id, described) => (
                <input
                  id={id}
                  type="number"
                  min={0}
                  step="any"
                  aria-describedby={described}
                  value={form.kinds[each] ?? ''}
                  onInput={(event) =>
                    set({ kinds: { ...form.kinds, [each]: event.currentTarget.value } })
                  }
                />
              )}
            </Field>
          ))
        : null}
      <Field label={t('new-game-due-at')} hint={t('new-game-due-at-hint')}>
        {(id, described) => (
          <input
            id={id}
            type="time"
            aria-describedby={described}
            value={form.at}
            onInput={(event) => set({ at: event.currentTarget.value })}
          />
        )}
      </Field>
      {number(t('new-game-grace'), 'grace', t('new-game-grace-hint'))}
      <Field label={t('new-game-missed')}>
        {(id) => (
          <Select
            id={id}
            value={String(form.missed)}
            options={[Missed.UNSPECIFIED, Missed.EXTEND, Missed.HOLD, Missed.AUTOMATE].map(
              (missed) => [String(missed), capital(missedWords(missed))] as const,
            )}
            set={(value) => set({ missed: Number(value) as MissedDeadline })}
          />
        )}
      </Field>
      {number(t('new-game-misses'), 'misses', t('new-game-misses-hint'))}
      {number(t('new-game-vacation'), 'vacation', t('new-game-vacation-hint'))}
      <fieldset class="several">
        <legend>{t('new-game-weekdays')}</legend>
        {weekdayNames().map((day, index) => (
          <label key={day} class="tick">
            <input
              type="checkbox"
              checked={form.weekdays.includes(index + 1)}
              onChange={() =>
                set({
                  weekdays: form.weekdays.includes(index + 1)
                    ? form.weekdays.filter((each) => each !== index + 1)
                    : [...form.weekdays, index + 1],
                })
              }
            />
            <span>{day}</span>
          </label>
        ))}
      </fieldset>
      <Checkbox value={form.early} set={(early) => set({ early })}>
        {t('new-game-early')}
      </Checkbox>
    </div>
  );
}

/** The rules for delegation that a host can choose. The unspecified one is the usual rule. */
const DELEGATIONS = [DelegationRule.UNSPECIFIED, DelegationRule.NONE, DelegationRule.FREE];

function ConductFields({ kind, conduct }: { kind: GameKind; conduct: { value: Conduct } }) {
  const form = conduct.value;
  const set = (part: Partial<Conduct>) => {
    conduct.value = { ...conduct.value, ...part };
  };
  return (
    <div class="fields">
      <Field label={t('new-game-role')}>
        {(id) => (
          <Select
            id={id}
            value={form.role}
            options={[
              ['play', t('new-game-role-player')],
              ['master', t('new-game-role-master')],
              ['watch', t('new-game-role-spectator')],
            ]}
            set={(role) => set({ role })}
          />
        )}
      </Field>
      <Field label={t('new-game-delegation')}>
        {(id) => (
          <Select
            id={id}
            value={String(form.delegation)}
            options={DELEGATIONS.map((rule) => [String(rule), delegationWords(rule)] as const)}
            set={(value) => set({ delegation: Number(value) as DelegationRule })}
          />
        )}
      </Field>
      <Field label={t('new-game-automaton')}>
        {(id) => (
          <Select
            id={id}
            value={form.automaton}
            options={[
              ['', t('new-game-default')] as const,
              ...kind.levels.map((level) => [level, capital(level)] as const),
            ]}
            set={(automaton) => set({ automaton })}
          />
        )}
      </Field>
      <div class="ticks">
        <Checkbox value={form.isPrivate} set={(isPrivate) => set({ isPrivate })}>
          {t('new-game-private')}
        </Checkbox>
        <Checkbox value={form.anonymous} set={(anonymous) => set({ anonymous })}>
          {t('new-game-anonymous')}
        </Checkbox>
        <Checkbox value={form.hideReady} set={(hideReady) => set({ hideReady })}>
          {t('new-game-hide-ready')}
        </Checkbox>
        <Checkbox value={form.openMessages} set={(openMessages) => set({ openMessages })}>
          {t('new-game-open-messages')}
        </Checkbox>
        <Checkbox value={form.rated} set={(rated) => set({ rated })}>
          {t('new-game-rated')}
        </Checkbox>
        <Checkbox value={!form.noAnalysis} set={(isOn) => set({ noAnalysis: !isOn })}>
          {t('analysis-option')}
        </Checkbox>
        <Checkbox value={form.startWhenFull} set={(startWhenFull) => set({ startWhenFull })}>
          {t('new-game-start-full')}
        </Checkbox>
      </div>
    </div>
  );
}
