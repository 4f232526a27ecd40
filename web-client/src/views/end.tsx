// The end: who won, by what numbers, and what can be done now.

import type { MessageInitShape } from '@bufbuild/protobuf';
import { games } from '../engine/calls';
import { type Game, GameStatus, type SeatPlanSchema } from '../engine/contract';
import { gamePath, go } from '../router';
import { me } from '../session';
import type { Table } from '../table/table';
import { Act, SeatDot } from '../ui/parts';
import { seatName, seatWithPlayer } from '../words';
import { Rule } from './rule';

export function End({ table }: { table: Table }) {
  const game = table.game.value;
  if (!game) return null;
  const { outcome } = game;
  return (
    <section class="end" aria-label="The end">
      <h2>{headline(game)}</h2>
      {outcome ? (
        <p>
          {outcome.summary} <Rule kind={game.kind} rule={outcome.rule} />
        </p>
      ) : (
        <p>The game was cancelled.</p>
      )}
      {outcome && outcome.scores.length > 0 ? <Scores game={game} /> : null}
      <div class="row wrap">
        {game.status === GameStatus.ENDED ? (
          <a class="button" href={`${gamePath(game.gameId)}/proof`}>
            Prove the dice
          </a>
        ) : null}
        {me.value && !game.sandbox ? (
          <Act class="button strong" does={() => again(game)}>
            Again with the same seats
          </Act>
        ) : null}
      </div>
      {game.status === GameStatus.ENDED ? (
        <p class="hint">Nothing is secret any more: the map shows everything, at every phase.</p>
      ) : null}
    </section>
  );
}

function headline(game: Game): string {
  const { outcome } = game;
  if (!outcome) return 'Cancelled';
  const winners = outcome.winners.map((seat) => seatName(game, seat));
  if (outcome.draw) return `A draw of ${winners.join(', ')}`;
  const level = outcome.level ? `, ${outcome.level}` : '';
  if (winners.length === 0) return `Nobody wins${level}`;
  const isMine = game.yourSeat !== undefined && outcome.winners.includes(game.yourSeat);
  if (isMine && winners.length === 1) return `You win${level}`;
  return `${winners.join(' and ')} ${winners.length > 1 ? 'win' : 'wins'}${level}`;
}

function Scores({ game }: { game: Game }) {
  const { outcome } = game;
  if (!outcome) return null;
  return (
    <table class="scores">
      <caption class="hidden">Final scores</caption>
      <thead>
        <tr>
          <th scope="col">Place</th>
          <th scope="col">Seat</th>
          <th scope="col">{outcome.unit ? `Points (${outcome.unit})` : 'Points'}</th>
          <th scope="col">Of which</th>
        </tr>
      </thead>
      <tbody>
        {outcome.scores.map((score) => (
          <tr key={score.seat} class={outcome.winners.includes(score.seat) ? 'won' : ''}>
            <td>{score.place}</td>
            <th scope="row">
              <SeatDot seat={score.seat} />
              <bdi>{seatWithPlayer(game, score.seat)}</bdi>
            </th>
            <td class="number">{String(score.points)}</td>
            <td class="faint">
              {score.lines.map((line) => `${line.label}: ${line.value}`).join(' · ')}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A new game like this one: seats are kept for the same people, automation stays. */
async function again(game: Game): Promise<void> {
  const own = game.yourSeat;
  const players = game.seats.filter(
    (seat) => game.outcome?.scores.some((s) => s.seat === seat.number) ?? true,
  );
  const seats = players.map(({ number, occupant }): MessageInitShape<typeof SeatPlanSchema> => {
    if (number === own || occupant.case === 'open') return { plan: { case: 'open', value: {} } };
    if (occupant.case === 'player' && occupant.value !== '') {
      return { plan: { case: 'reservedFor', value: occupant.value } };
    }
    if (occupant.case === 'automated') {
      const { level } = occupant.value;
      return { plan: { case: 'automated', value: { profile: '', level } } };
    }
    return { plan: { case: 'open', value: {} } };
  });
  const made = await games.createGame({
    kind: game.kind,
    name: game.name,
    ...(game.options ? { options: game.options } : {}),
    ...(game.pace ? { pace: game.pace } : {}),
    seats,
    spectate: own === undefined,
    isPrivate: game.isPrivate,
    anonymous: game.anonymous,
    delegation: game.delegation,
    startWhenFull: true,
    hideReady: game.hideReady,
    openLetters: game.openLetters,
  });
  if (made.game) go(gamePath(made.game.gameId));
}
