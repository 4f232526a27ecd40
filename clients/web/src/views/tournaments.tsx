// The list of tournaments, and the form for a new one.

import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { useSignal } from '@preact/signals';
import { tournaments } from '../engine/calls-tournaments';
import {
  type GameKind,
  type Tournament,
  TournamentStatus,
  TournamentSystem,
} from '../engine/contract';
import { optionsOf, type Values } from '../options';
import { go, tournamentPath } from '../router';
import { me } from '../session';
import {
  ActionButton,
  CallForm,
  Checkbox,
  ErrorLine,
  Field,
  Select,
  useLoaded,
} from '../ui/components';
import { GamePicture } from '../ui/thumbnail';
import { instant, msOf, rich, t } from '../words';
import { loadKinds } from './kinds';
import { KindName, Waiting } from './lobby';
import { Rules } from './new-game';

const DAY_S = 24 * 60 * 60;
const DEADLINES_S = [5 * 60, 60 * 60, DAY_S, 2 * DAY_S, 7 * DAY_S];

export function systemWords(system: TournamentSystem): string {
  switch (system) {
    case TournamentSystem.ROUND_ROBIN:
      return t('tournament-round-robin');
    case TournamentSystem.ROTATING_TABLES:
      return t('tournament-rotating-tables');
    default:
      return t('tournament-swiss');
  }
}

export function stateWords({ status, round, rounds }: Tournament): string {
  switch (status) {
    case TournamentStatus.OPEN:
      return t('tournament-open');
    case TournamentStatus.RUNNING:
      return t('tournament-round-of', { round, rounds });
    case TournamentStatus.CANCELLED:
      return t('tournament-cancelled');
    default:
      return t('tournament-ended');
  }
}

export function Tournaments() {
  const more = useSignal<Tournament[]>([]);
  const next = useSignal('');
  const page = (pageToken: string) => tournaments.listTournaments({ pageToken });
  const loaded = useLoaded(async () => {
    const first = await page('');
    more.value = [];
    next.value = first.nextPageToken;
    return first.tournaments;
  });
  const found = loaded.value.value;
  const all = [...(found ?? []), ...more.value];
  return (
    <main class="page">
      <header class="page-head">
        <h1>{t('tournament-title')}</h1>
        {me.value && !me.value.guest ? (
          <a class="button strong" href="/tournaments/new">
            {t('tournament-new')}
          </a>
        ) : null}
      </header>
      {me.value?.guest ? <GuestNote /> : null}
      {found ? (
        <ErrorLine failure={loaded.failure.value} />
      ) : (
        <Waiting failure={loaded.failure.value} />
      )}
      {found && all.length === 0 ? <p class="empty">{t('tournament-none')}</p> : null}
      <ul class="games">
        {all.map((each) => (
          <Card key={each.tournamentId} tournament={each} />
        ))}
      </ul>
      {next.value === '' ? null : (
        <ActionButton
          action={async () => {
            const answer = await page(next.value);
            more.value = [...more.value, ...answer.tournaments];
            next.value = answer.nextPageToken;
          }}
        >
          {t('tournament-more')}
        </ActionButton>
      )}
    </main>
  );
}

/** Explains why a guest can neither create nor enter tournaments. */
export function GuestNote() {
  return (
    <p class="note">
      {rich('tournament-guest', {
        account: <a href="/account">{t('tournament-choose-name')}</a>,
      })}
    </p>
  );
}

function Card({ tournament }: { tournament: Tournament }) {
  const { tournamentId, name, kind, system, status, entryCount, entriesMax, yourEntry } =
    tournament;
  const start = msOf(tournament.startTime);
  const isOver = status === TournamentStatus.ENDED || status === TournamentStatus.CANCELLED;
  return (
    <li class={`card game ${isOver ? 'past' : ''}`}>
      <div class="game-main">
        <GamePicture kind={kind} />
        <div class="game-what">
          <a href={tournamentPath(tournamentId)} class="cover">
            <bdi>{name}</bdi>
          </a>
          <p class="faint">
            <KindName kind={kind} /> · {systemWords(system)} ·{' '}
            {t('tournament-entries', { entries: entryCount, most: entriesMax })}
          </p>
        </div>
      </div>
      <div class="game-state">
        <span class="chip">{stateWords(tournament)}</span>
        {yourEntry > 0 ? <span class="chip warm">{t('tournament-entered')}</span> : null}
        {status === TournamentStatus.OPEN && start !== undefined ? (
          <span class="small">{t('tournament-starts', { time: instant(start) })}</span>
        ) : null}
      </div>
    </li>
  );
}

export function NewTournament() {
  const loaded = useLoaded(loadKinds);
  const chosen = useSignal('');
  const kinds = loaded.value.value?.filter(({ playersMax }) => playersMax > 1);
  if (me.value?.guest) {
    return (
      <main class="page">
        <h1>{t('tournament-new')}</h1>
        <GuestNote />
      </main>
    );
  }
  if (!kinds) {
    return (
      <main class="page">
        <Waiting failure={loaded.failure.value} />
      </main>
    );
  }
  const kind = kinds.find((each) => each.kind === chosen.value) ?? kinds[0];
  return (
    <main class="page">
      <h1>{t('tournament-new')}</h1>
      {kind ? (
        <>
          <Field label={t('tournament-game')}>
            {(id) => (
              <Select
                id={id}
                value={kind.kind}
                options={kinds.map((each) => [each.kind, each.name] as const)}
                set={(value) => (chosen.value = value)}
              />
            )}
          </Field>
          <Form key={kind.kind} kind={kind} />
        </>
      ) : null}
    </main>
  );
}

function systemsOf({ playersMin, playersMax }: GameKind): TournamentSystem[] {
  const { SWISS, ROUND_ROBIN, ROTATING_TABLES } = TournamentSystem;
  return [
    ...(playersMin <= 2 ? [SWISS, ROUND_ROBIN] : []),
    ...(playersMax > 2 ? [ROTATING_TABLES] : []),
  ];
}

function Form({ kind }: { kind: GameKind }) {
  const systems = systemsOf(kind);
  const name = useSignal('');
  const description = useSignal('');
  const system = useSignal(systems[0] ?? TournamentSystem.SWISS);
  const seats = useSignal(Math.max(3, kind.playersUsual));
  const rounds = useSignal('');
  const entriesMax = useSignal('');
  const deadline = useSignal(String(DAY_S));
  const start = useSignal('');
  const rated = useSignal(true);
  const botsAllowed = useSignal(false);
  const twice = useSignal(false);
  const values = useSignal<Values>({});
  const isTables = system.value === TournamentSystem.ROTATING_TABLES;
  const isRoundRobin = system.value === TournamentSystem.ROUND_ROBIN;
  const create = async () => {
    const hasOptions = Object.keys(values.value).length > 0;
    const options = hasOptions ? await optionsOf(kind, { ...values.value }) : undefined;
    const { tournament } = await tournaments.createTournament({
      kind: kind.kind,
      name: name.value.trim().normalize('NFC'),
      description: description.value.trim().normalize('NFC'),
      system: system.value,
      seats: isTables ? seats.value : 0,
      rounds: isRoundRobin ? 0 : Number(rounds.value),
      entriesMax: Number(entriesMax.value),
      twice: isRoundRobin && twice.value,
      rated: rated.value,
      botsAllowed: botsAllowed.value,
      pace: {
        standard: { interval: { seconds: BigInt(deadline.value), nanos: 0 } },
        automateAfterMisses: 2,
      },
      ...(options ? { options } : {}),
      ...(start.value === '' ? {} : { startTime: timestampFromDate(new Date(start.value)) }),
    });
    if (tournament) go(tournamentPath(tournament.tournamentId));
  };
  const number = (
    label: string,
    hint: string,
    value: { value: string },
    least: number,
    most: number,
  ) => (
    <Field label={label} hint={hint}>
      {(id, described) => (
        <input
          id={id}
          type="number"
          aria-describedby={described}
          min={least}
          max={most}
          value={value.value}
          onInput={(event) => (value.value = event.currentTarget.value)}
        />
      )}
    </Field>
  );
  return (
    <CallForm class="form" label={t('tournament-new')} action={create}>
      {(busy) => (
        <>
          <section class="card">
            <Field label={t('tournament-name')}>
              {(id) => (
                <input
                  id={id}
                  required
                  maxLength={40}
                  value={name.value}
                  onInput={(event) => (name.value = event.currentTarget.value)}
                />
              )}
            </Field>
            <Field label={t('tournament-description')} hint={t('tournament-optional')}>
              {(id, hint) => (
                <textarea
                  id={id}
                  aria-describedby={hint}
                  rows={3}
                  maxLength={1000}
                  value={description.value}
                  onInput={(event) => (description.value = event.currentTarget.value)}
                />
              )}
            </Field>
            <Field label={t('tournament-system')} hint={systemHint(system.value)}>
              {(id, hint) => (
                <Select
                  id={id}
                  describedBy={hint}
                  value={String(system.value)}
                  options={systems.map((each) => [String(each), systemWords(each)] as const)}
                  set={(value) => (system.value = Number(value))}
                />
              )}
            </Field>
            {isTables ? (
              <Field label={t('tournament-seats')}>
                {(id) => (
                  <input
                    id={id}
                    type="number"
                    required
                    min={Math.max(3, kind.playersMin)}
                    max={Math.min(12, kind.playersMax)}
                    value={seats.value}
                    onInput={(event) => (seats.value = Number(event.currentTarget.value))}
                  />
                )}
              </Field>
            ) : null}
            {isRoundRobin ? (
              <Checkbox value={twice.value} set={(value) => (twice.value = value)}>
                {t('tournament-twice')}
              </Checkbox>
            ) : (
              number(t('tournament-rounds'), t('tournament-rounds-hint'), rounds, 1, 15)
            )}
            {number(
              t('tournament-entries-max'),
              t('tournament-optional'),
              entriesMax,
              2,
              isRoundRobin ? 24 : 128,
            )}
            <Field label={t('tournament-deadline')} hint={t('tournament-deadline-hint')}>
              {(id, hint) => (
                <Select
                  id={id}
                  describedBy={hint}
                  value={deadline.value}
                  options={DEADLINES_S.map((each) => [String(each), deadlineWords(each)] as const)}
                  set={(value) => (deadline.value = value)}
                />
              )}
            </Field>
            <Field label={t('tournament-start')} hint={t('tournament-start-hint')}>
              {(id, hint) => (
                <input
                  id={id}
                  type="datetime-local"
                  aria-describedby={hint}
                  value={start.value}
                  onInput={(event) => (start.value = event.currentTarget.value)}
                />
              )}
            </Field>
            <Checkbox value={rated.value} set={(value) => (rated.value = value)}>
              {t('tournament-rated')}
            </Checkbox>
            <Checkbox value={botsAllowed.value} set={(value) => (botsAllowed.value = value)}>
              {t('tournament-bots-allowed')}
            </Checkbox>
          </section>
          <Rules kind={kind} values={values} />
          <p class="row">
            <button type="submit" class="button strong large" aria-busy={busy}>
              {t('tournament-create')}
            </button>
          </p>
        </>
      )}
    </CallForm>
  );
}

function systemHint(system: TournamentSystem): string {
  switch (system) {
    case TournamentSystem.ROUND_ROBIN:
      return t('tournament-round-robin-hint');
    case TournamentSystem.ROTATING_TABLES:
      return t('tournament-rotating-tables-hint');
    default:
      return t('tournament-swiss-hint');
  }
}

function deadlineWords(seconds: number): string {
  if (seconds >= DAY_S) return t('tournament-days', { days: seconds / DAY_S });
  if (seconds >= 60 * 60) return t('tournament-hours', { hours: seconds / 60 / 60 });
  return t('tournament-minutes', { minutes: seconds / 60 });
}
