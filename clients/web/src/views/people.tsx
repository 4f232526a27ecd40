// The players: seats, goals, votes, and the player's own conduct.

import { useSignal } from '@preact/signals';
import { games } from '../engine/calls';
import {
  DelegationRule,
  type Game,
  GameStatus,
  type Goal,
  type Seat,
  type Vote,
  VoteState,
  VoteSubject,
} from '../engine/contract';
import { expectOwnVote } from '../notices';
import { playerPath } from '../router';
import { me } from '../session';
import type { Table } from '../table/table';
import { ActionButton, CallForm, confirm, SeatDot, Select } from '../ui/components';
import {
  dateAndTime,
  durationMs,
  msOf,
  occupantOf,
  paceWords,
  rich,
  seatName,
  seatWithPlayer,
  span,
  t,
  votes,
  voteWords,
} from '../words';
import { kindsOf } from './kinds';
import { MasterControls } from './master';
import { useOptionWords } from './option-words';
import { Rule } from './rule';

export function People({ table }: { table: Table }) {
  const game = table.game.value;
  if (!game) return null;
  const isPlayed = game.status === GameStatus.RUNNING || game.status === GameStatus.PAUSED;
  const canTake = isPlayed && me.value && table.seat === undefined && !game.youAreGameMaster;
  const take = (seat: number) => table.act(() => games.joinGame({ gameId: table.id, seat }));
  return (
    <div class="people">
      <Goals table={table} game={game} />
      <section aria-label={t('forming-seats')}>
        <h3>{t('forming-seats')}</h3>
        <ul class="seats">
          {game.seats.map((seat) => (
            <SeatItem
              key={seat.number}
              seat={seat}
              game={game}
              takes={canTake ? take : undefined}
            />
          ))}
        </ul>
      </section>
      {isPlayed && (table.seat !== undefined || table.votes.value.length > 0) ? (
        <Votes table={table} game={game} />
      ) : null}
      {isPlayed && table.seat !== undefined && !game.sandbox ? (
        <Conduct table={table} game={game} />
      ) : null}
      {game.youAreHost || game.youAreGameMaster || game.sandbox ? (
        <MasterControls table={table} game={game} />
      ) : null}
      <About game={game} />
    </div>
  );
}

function SeatItem(props: {
  seat: Seat;
  game: Game;
  takes: ((seat: number) => Promise<unknown>) | undefined;
}) {
  const { seat, game, takes } = props;
  const waiting = game.pendingSeats.find((each) => each.seat === seat.number);
  const isMine = seat.number === game.yourSeat;
  return (
    <li class={seat.alive || game.status === GameStatus.FORMING ? 'wrap' : 'gone'}>
      <SeatDot seat={seat.number} />
      <span class="seat-who">
        <strong>
          <bdi>{seat.role}</bdi>
        </strong>{' '}
        <span class="faint">
          {isMine || seat.playerId === '' || !me.value ? (
            <bdi>{isMine ? t('words-you') : occupantOf(seat)}</bdi>
          ) : (
            <a href={playerPath(seat.playerId)}>
              <bdi>{occupantOf(seat)}</bdi>
            </a>
          )}
          {seat.standIn ? `, ${t('people-stand-in', { profile: seat.standIn.profile })}` : ''}
          {seat.onVacation ? `, ${t('people-on-vacation')}` : ''}
        </span>
      </span>
      {waiting?.ready ? <span class="chip good">{t('people-ready')}</span> : null}
      {waiting && waiting.ready !== true ? (
        <span class="chip">{waiting.ordered ? t('people-ordered') : t('people-deciding')}</span>
      ) : null}
      {seat.vacant && takes ? (
        <ActionButton
          class="button small"
          label={t('people-take-over-role', { role: seat.role })}
          action={() => takes(seat.number)}
        >
          {t('people-take-over')}
        </ActionButton>
      ) : null}
    </li>
  );
}

function Goals({ table, game }: { table: Table; game: Game }) {
  const goals = table.goals.value;
  if (goals.length === 0) return null;
  return (
    <section aria-label={t('people-goals')}>
      <h3>{t('people-goals')}</h3>
      <ul class="goals">
        {goals.map((goal) => (
          <GoalItem key={`${goal.seat} ${goal.label} ${goal.rule}`} goal={goal} game={game} />
        ))}
      </ul>
    </section>
  );
}

function GoalItem({ goal, game }: { goal: Goal; game: Game }) {
  const most = Number(goal.target ?? 0n);
  const value = Number(goal.value);
  const name = goal.seat ? seatName(game, goal.seat) : t('people-the-game');
  return (
    <li class={goal.seat === game.yourSeat ? 'mine' : ''}>
      <span class="row">
        {goal.seat ? <SeatDot seat={goal.seat} /> : null}
        <bdi>{name}</bdi>
        <Rule kind={game.kind} rule={goal.rule} />
      </span>
      {most > 0 ? (
        <meter
          min={0}
          max={most}
          value={Math.min(value, most)}
          aria-label={`${name}: ${goal.sentence}`}
        />
      ) : null}
      <span class="faint small">{goal.sentence}</span>
    </li>
  );
}

function Votes({ table, game }: { table: Table; game: Game }) {
  const subject = useSignal(String(VoteSubject.DRAW));
  const target = useSignal('');
  const hours = useSignal('24');
  const open = table.votes.value.filter((vote) => vote.state === VoteState.OPEN);
  const closed = table.votes.value.filter((vote) => vote.state !== VoteState.OPEN).slice(0, 3);
  const own = table.seat;
  const others = game.seats.filter(
    (seat) => seat.number !== own && seat.occupant.case === 'player',
  );
  return (
    <section aria-label={t('people-votes')}>
      <h3>{t('people-votes')}</h3>
      <ul class="votes">
        {[...open, ...closed].map((vote) => (
          <VoteItem key={String(vote.number)} vote={vote} game={game} table={table} />
        ))}
      </ul>
      {own === undefined ? null : (
        <CallForm
          class="row wrap"
          label={t('people-propose-vote')}
          action={async () => {
            const wanted = Number(subject.value) as VoteSubject;
            expectOwnVote(table.id);
            const { vote } = await games.proposeVote({
              gameId: table.id,
              ...(table.as.seat === undefined ? {} : { seat: table.as.seat }),
              subject: wanted,
              ...(wanted === VoteSubject.REPLACE ? { targetSeat: Number(target.value) } : {}),
              ...(wanted === VoteSubject.EXTEND
                ? {
                    extension: {
                      seconds: BigInt(Math.round(Number(hours.value) * 3600)),
                      nanos: 0,
                    },
                  }
                : {}),
            });
            if (vote) await table.readVotes();
          }}
        >
          {(busy) => (
            <>
              <Select
                label={t('people-vote-subject')}
                value={subject.value}
                options={votes().map(([value, name]) => [String(value), name] as const)}
                set={(value) => (subject.value = value)}
              />
              {Number(subject.value) === VoteSubject.EXTEND ? (
                // biome-ignore lint/a11y/noLabelWithoutControl: the input is a value of the message.
                <label class="inline">
                  {rich('people-by-hours', {
                    hours: (
                      <input
                        type="number"
                        class="slot"
                        aria-label={t('people-hours')}
                        min={1}
                        max={720}
                        value={hours.value}
                        onInput={(event) => (hours.value = event.currentTarget.value)}
                      />
                    ),
                  })}
                </label>
              ) : null}
              {Number(subject.value) === VoteSubject.REPLACE ? (
                <Select
                  label={t('people-player-to-replace')}
                  value={target.value}
                  options={[
                    ['', t('people-choose-player')],
                    ...others.map(
                      (seat) => [String(seat.number), seatWithPlayer(game, seat.number)] as const,
                    ),
                  ]}
                  set={(value) => (target.value = value)}
                />
              ) : null}
              <button type="submit" class="button small" aria-busy={busy}>
                {t('people-propose')}
              </button>
            </>
          )}
        </CallForm>
      )}
    </section>
  );
}

function stateWords(state: VoteState): string {
  switch (state) {
    case VoteState.OPEN:
      return t('people-vote-open');
    case VoteState.PASSED:
      return t('people-vote-passed');
    case VoteState.FAILED:
      return t('people-vote-failed');
    case VoteState.EXPIRED:
      return t('people-vote-lapsed');
    default:
      return '';
  }
}

/** Returns the votes that wait for the player. */
export function pendingVotes(table: Table): Vote[] {
  const own = table.seat;
  return table.votes.value.filter(
    ({ state, yes, no }) =>
      state === VoteState.OPEN && own !== undefined && !yes.includes(own) && !no.includes(own),
  );
}

export function PendingVotes({ table }: { table: Table }) {
  const game = table.game.value;
  const pending = pendingVotes(table);
  if (!game || pending.length === 0) return null;
  return (
    <section class="note" aria-label={t('people-pending-votes')}>
      <ul class="votes">
        {pending.map((vote) => (
          <VoteItem key={String(vote.number)} vote={vote} game={game} table={table} />
        ))}
      </ul>
    </section>
  );
}

function VoteItem({ vote, game, table }: { vote: Vote; game: Game; table: Table }) {
  const own = table.seat;
  const isOpen = vote.state === VoteState.OPEN;
  const mine =
    own === undefined ? '' : vote.yes.includes(own) ? 'yes' : vote.no.includes(own) ? 'no' : '';
  const cast = (yes: boolean) => async () => {
    expectOwnVote(table.id);
    await games.castVote({
      gameId: table.id,
      ...(table.as.seat === undefined ? {} : { seat: table.as.seat }),
      vote: vote.number,
      yes,
    });
    await table.readVotes();
  };
  const extension = durationMs(vote.extension);
  const subject = [
    voteWords(vote.subject),
    vote.seat ? `(${seatWithPlayer(game, vote.seat)})` : '',
    extension ? t('people-vote-extension', { span: span(extension / 1000) }) : '',
  ];
  return (
    <li>
      <p>
        {rich('people-vote', {
          player: <bdi>{seatWithPlayer(game, vote.proposedBy)}</bdi>,
          subject: subject.filter((words) => words !== '').join(' '),
          yes: vote.yes.length,
          needed: vote.needed,
          no: vote.no.length,
        })}{' '}
        <span class="chip">{stateWords(vote.state)}</span>
      </p>
      {isOpen && own !== undefined ? (
        <p class="row">
          <ActionButton class="button small" pressed={mine === 'yes'} action={cast(true)}>
            {t('people-yes')}
          </ActionButton>
          <ActionButton class="button small" pressed={mine === 'no'} action={cast(false)}>
            {t('people-no')}
          </ActionButton>
        </p>
      ) : null}
    </li>
  );
}

function Conduct({ table, game }: { table: Table; game: Game }) {
  const days = useSignal('3');
  const level = useSignal('standard');
  const seat = game.seats.find((each) => each.number === table.seat);
  if (!seat) return null;
  const kind = kindsOf.value?.find((each) => each.kind === game.kind);
  return (
    <details class="conduct">
      <summary>{t('people-conduct')}</summary>
      <div class="row wrap">
        {(game.pace?.vacationDays ?? 0) > 0 || seat.onVacation ? (
          seat.onVacation ? (
            <ActionButton
              class="button small"
              action={() => games.setVacation({ gameId: table.id, days: 0 })}
            >
              {t('people-am-back')}
            </ActionButton>
          ) : (
            <>
              <input
                type="number"
                class="slot"
                aria-label={t('new-game-vacation')}
                min={1}
                max={game.pace?.vacationDays ?? 1}
                value={days.value}
                onInput={(event) => (days.value = event.currentTarget.value)}
              />
              <ActionButton
                class="button small"
                action={() =>
                  games.setVacation({
                    gameId: table.id,
                    days: Number(days.value),
                  })
                }
              >
                {t('people-start-vacation')}
              </ActionButton>
            </>
          )
        ) : null}
      </div>
      {game.delegation === DelegationRule.NONE ? null : (
        <div class="row wrap">
          {seat.standIn ? (
            <ActionButton class="button small" action={() => games.delegate({ gameId: table.id })}>
              {t('people-take-back')}
            </ActionButton>
          ) : (
            <>
              <Select
                label={t('people-level')}
                value={level.value}
                options={(kind?.levels ?? ['standard']).map((each) => [each, each] as const)}
                set={(value) => (level.value = value)}
              />
              <ActionButton
                class="button small"
                action={() =>
                  games.delegate({
                    gameId: table.id,
                    automation: { profile: '', level: level.value },
                  })
                }
              >
                {t('people-delegate')}
              </ActionButton>
            </>
          )}
        </div>
      )}
      <ActionButton
        class="button small danger"
        action={async () => {
          const body = <p>{t('people-resign-text', { role: seat.role })}</p>;
          if (await confirm(t('people-resign-question'), body, t('people-resign'))) {
            await table.act(() => games.resign({ gameId: table.id }));
          }
        }}
      >
        {t('people-resign')}
      </ActionButton>
    </details>
  );
}

function About({ game }: { game: Game }) {
  const kind = kindsOf.value?.find((each) => each.kind === game.kind);
  const words = useOptionWords(game);
  const started = msOf(game.startTime);
  return (
    <details class="about">
      <summary>{t('forming-about')}</summary>
      <dl>
        <dt>{t('new-game-rules')}</dt>
        <dd>{kind?.name ?? game.kind}</dd>
        <dt>{t('people-options')}</dt>
        <dd>{words.length > 0 ? words.join('; ') : t('people-default')}</dd>
        <dt>{t('new-game-pace')}</dt>
        <dd>{paceWords(game.pace)}</dd>
        <dt>{t('people-rated')}</dt>
        <dd>{game.rated ? t('people-rated-yes') : t('people-rated-no')}</dd>
        {game.host ? (
          <>
            <dt>{t('operator-host')}</dt>
            <dd>
              <bdi>{game.host}</bdi>
            </dd>
          </>
        ) : null}
        {game.gameMaster ? (
          <>
            <dt>{t('people-master')}</dt>
            <dd>
              <bdi>{game.gameMaster}</bdi>
            </dd>
          </>
        ) : null}
        {started ? (
          <>
            <dt>{t('people-started')}</dt>
            <dd>{dateAndTime(started)}</dd>
          </>
        ) : null}
        {game.inviteCode ? (
          <>
            <dt>{t('join-code')}</dt>
            <dd>
              <code>{game.inviteCode}</code>
            </dd>
          </>
        ) : null}
      </dl>
    </details>
  );
}
