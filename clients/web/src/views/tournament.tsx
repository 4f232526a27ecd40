// The page of a tournament: entry, standings, rounds and games.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { tournaments } from '../engine/calls-tournaments';
import {
  type GetTournamentResponse,
  type Tournament,
  type TournamentGame,
  TournamentGameState,
  type TournamentStanding,
  TournamentStatus,
  TournamentSystem,
} from '../engine/contract';
import { gamePath, playerPath } from '../router';
import { me } from '../session';
import { ActionButton, CallForm, confirm, ErrorLine, Field, useLoaded } from '../ui/components';
import { instant, msOf, paceWords, t } from '../words';
import { KindName, Waiting } from './lobby';
import { GuestNote, stateWords, systemWords } from './tournaments';

const REFRESH_MS = 10_000;

export function TournamentPage({ id }: { id: string }) {
  const loaded = useLoaded(() => tournaments.getTournament({ tournamentId: id }));
  const found = loaded.value.value;
  useEffect(() => {
    const load = () => document.visibilityState === 'visible' && loaded.again();
    const timer = setInterval(load, REFRESH_MS);
    return () => clearInterval(timer);
  }, [id]);
  if (!found?.tournament) {
    return (
      <main class="page">
        <Waiting failure={loaded.failure.value} />
      </main>
    );
  }
  const { tournament, standings, rounds } = found;
  return (
    <main class="page stacked">
      <header class="page-head">
        <h1>
          <bdi>{tournament.name}</bdi>
        </h1>
        <nav class="row" aria-label={t('tournament-actions')}>
          <a class="button" href="/tournaments">
            {t('tournament-all')}
          </a>
        </nav>
      </header>
      <ErrorLine failure={loaded.failure.value} />
      <Facts tournament={tournament} />
      {me.value ? <Actions tournament={tournament} again={loaded.again} /> : null}
      <section class="card" aria-label={t('tournament-standings')}>
        <h2>{t('tournament-standings')}</h2>
        <Standings tournament={tournament} standings={standings} again={loaded.again} />
      </section>
      {rounds.toReversed().map((round) => (
        <section
          key={round.number}
          class="card"
          aria-label={t('tournament-round', { number: round.number })}
        >
          <h2>{t('tournament-round', { number: round.number })}</h2>
          <Games games={round.games} byes={round.byes} standings={standings} />
        </section>
      ))}
    </main>
  );
}

function Facts({ tournament }: { tournament: Tournament }) {
  const { status, kind, system, seats, host, cancelReason, description, pace } = tournament;
  const start = msOf(tournament.startTime);
  const end = msOf(tournament.roundEndTime);
  return (
    <section class="card" aria-label={t('tournament-about')}>
      <p>
        <KindName kind={kind} /> · {systemWords(system)} · {stateWords(tournament)}
        {tournament.rated ? <> · {t('tournament-is-rated')}</> : null}
        {seats > 2 ? <> · {t('tournament-seats-each', { seats })}</> : null}
      </p>
      <p class="faint">{paceWords(pace)}</p>
      {host ? (
        <p class="faint">
          {t('tournament-host')}{' '}
          <a href={playerPath(host.playerId)}>
            <bdi>{host.name}</bdi>
          </a>
        </p>
      ) : null}
      {status === TournamentStatus.OPEN ? (
        <p>
          {start === undefined
            ? t('tournament-host-starts')
            : t('tournament-starts', { time: instant(start) })}
        </p>
      ) : null}
      {end === undefined ? null : <p>{t('tournament-round-ends', { time: instant(end) })}</p>}
      {cancelReason === '' ? null : <p>{cancelReason}</p>}
      {description === '' ? null : <p class="description">{description}</p>}
    </section>
  );
}

function Actions({ tournament, again }: { tournament: Tournament; again: () => void }) {
  const { tournamentId, status, yourEntry, youAreHost, botsAllowed } = tournament;
  const isOpen = status === TournamentStatus.OPEN;
  const isRunning = status === TournamentStatus.RUNNING;
  const then = (call: () => Promise<unknown>) => async () => {
    await call();
    again();
  };
  if (!isOpen && !isRunning) return null;
  return (
    <div class="row wrap actions">
      {isOpen && me.value?.guest ? <GuestNote /> : null}
      {isOpen && yourEntry === 0 && !me.value?.guest ? (
        <ActionButton
          class="button strong"
          action={then(() => tournaments.joinTournament({ tournamentId }))}
        >
          {t('tournament-join')}
        </ActionButton>
      ) : null}
      {yourEntry > 0 ? (
        <ActionButton
          action={then(async () => {
            const isSure =
              isOpen ||
              (await confirm(
                t('tournament-withdraw'),
                t('tournament-withdraw-warning'),
                t('tournament-withdraw'),
              ));
            if (isSure) await tournaments.withdrawFromTournament({ tournamentId });
          })}
        >
          {t('tournament-withdraw')}
        </ActionButton>
      ) : null}
      {youAreHost && isOpen ? (
        <ActionButton
          class="button strong"
          action={then(() => tournaments.startTournament({ tournamentId }))}
        >
          {t('tournament-start-now')}
        </ActionButton>
      ) : null}
      {youAreHost ? (
        <ActionButton
          action={then(async () => {
            const isSure = await confirm(
              t('tournament-cancel'),
              t('tournament-cancel-warning'),
              t('tournament-cancel'),
            );
            if (isSure) await tournaments.cancelTournament({ tournamentId });
          })}
        >
          {t('tournament-cancel')}
        </ActionButton>
      ) : null}
      {youAreHost && isOpen && botsAllowed ? (
        <BotForm tournamentId={tournamentId} again={again} />
      ) : null}
    </div>
  );
}

function BotForm({ tournamentId, again }: { tournamentId: string; again: () => void }) {
  const level = useSignal('standard');
  const enter = async () => {
    const bot = { profile: '', level: level.value.trim() };
    await tournaments.joinTournament({ tournamentId, bot });
    again();
  };
  return (
    <CallForm class="row aligned" label={t('tournament-enter-bot')} action={enter}>
      {(busy) => (
        <>
          <Field label={t('tournament-bot-level')} hint={t('tournament-bot-hint')}>
            {(id, hint) => (
              <input
                id={id}
                aria-describedby={hint}
                required
                maxLength={25}
                value={level.value}
                onInput={(event) => (level.value = event.currentTarget.value)}
              />
            )}
          </Field>
          <button type="submit" class="button" aria-busy={busy}>
            {t('tournament-enter-bot')}
          </button>
        </>
      )}
    </CallForm>
  );
}

function Standings(props: {
  tournament: Tournament;
  standings: GetTournamentResponse['standings'];
  again: () => void;
}) {
  const { tournament, standings, again } = props;
  const { tournamentId, status, system, youAreHost } = tournament;
  const isOpen = status === TournamentStatus.OPEN;
  const hasBuchholz = system !== TournamentSystem.ROUND_ROBIN;
  if (standings.length === 0) return <p>{t('tournament-no-entries')}</p>;
  return (
    <div class="scroll-x">
      <table class="data">
        <thead>
          <tr>
            {isOpen ? null : <th scope="col">{t('tournament-rank')}</th>}
            <th scope="col">{t('tournament-who')}</th>
            {isOpen ? null : (
              <>
                <th scope="col">{t('tournament-points')}</th>
                {hasBuchholz ? <th scope="col">{t('tournament-buchholz')}</th> : null}
                <th scope="col">{t('tournament-sonneborn-berger')}</th>
                <th scope="col">{t('tournament-direct')}</th>
                <th scope="col">{t('tournament-won')}</th>
                <th scope="col">{t('tournament-games')}</th>
              </>
            )}
            {isOpen && youAreHost ? <th scope="col">{t('tournament-actions')}</th> : null}
          </tr>
        </thead>
        <tbody>
          {standings.map((each) => (
            <tr key={each.entry}>
              {isOpen ? null : <td>{each.rank}</td>}
              <td>
                <Entrant standing={each} />
                {each.withdrawn ? (
                  <>
                    {' '}
                    <span class="chip">{t('tournament-withdrawn')}</span>
                  </>
                ) : null}
              </td>
              {isOpen ? null : (
                <>
                  <td>{each.points}</td>
                  {hasBuchholz ? <td>{each.buchholz}</td> : null}
                  <td>{each.sonnebornBerger}</td>
                  <td>{each.directEncounter}</td>
                  <td>{each.won}</td>
                  <td>{each.games}</td>
                </>
              )}
              {isOpen && youAreHost ? (
                <td>
                  <ActionButton
                    class="button small"
                    action={async () => {
                      const { entry } = each;
                      await tournaments.withdrawFromTournament({ tournamentId, entry });
                      again();
                    }}
                  >
                    {t('tournament-remove')}
                  </ActionButton>
                </td>
              ) : null}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Entrant({ standing }: { standing: TournamentStanding | undefined }) {
  const who = standing?.who;
  if (who?.case === 'player') {
    return (
      <a href={playerPath(who.value.playerId)}>
        <bdi>{who.value.name}</bdi>
      </a>
    );
  }
  if (who?.case === 'automated') {
    return (
      <>
        {`${who.value.profile} (${who.value.level})`}{' '}
        <span class="chip">{t('tournament-automated')}</span>
      </>
    );
  }
  return <span class="faint">{t('tournament-deleted')}</span>;
}

function Games(props: {
  games: readonly TournamentGame[];
  byes: readonly number[];
  standings: readonly TournamentStanding[];
}) {
  const of = (entry: number) => props.standings.find((each) => each.entry === entry);
  return (
    <ul>
      {props.games.map((game, index) => (
        <li key={index}>
          {game.seats.map((seat, at) => (
            <span key={seat.entry}>
              {at > 0 ? ' – ' : ''}
              <Entrant standing={of(seat.entry)} />
              {game.state === TournamentGameState.PLAYING ? '' : ` ${seat.points}`}
            </span>
          ))}{' '}
          <span class="faint">{gameWords(game.state)}</span>{' '}
          {game.gameId === '' ? null : (
            <a
              href={gamePath(game.gameId)}
              aria-label={t('tournament-game-of', { table: index + 1 })}
            >
              {t('tournament-open-game')}
            </a>
          )}
        </li>
      ))}
      {props.byes.map((entry) => (
        <li key={`bye ${entry}`}>
          <Entrant standing={of(entry)} /> <span class="faint">{t('tournament-bye')}</span>
        </li>
      ))}
    </ul>
  );
}

function gameWords(state: TournamentGameState): string {
  switch (state) {
    case TournamentGameState.PLAYING:
      return t('tournament-playing');
    case TournamentGameState.FORFEITED:
      return t('tournament-forfeited');
    case TournamentGameState.CANCELLED:
      return t('tournament-game-cancelled');
    case TournamentGameState.TIMED_OUT:
      return t('tournament-timed-out');
    default:
      return '';
  }
}
