// The result of a game: winners, scores, and what to do next.

import type { MessageInitShape } from '@bufbuild/protobuf';
import { games } from '../engine/calls';
import { type Game, GameStatus, type SeatPlanSchema } from '../engine/contract';
import { gamePath, go } from '../router';
import { me } from '../session';
import type { Table } from '../table/table';
import { ActionButton, SeatDot } from '../ui/components';
import { headline, pointsTitle, pointsWords, seatWithPlayer, t } from '../words';
import { Rule } from './rule';

export function End({ table }: { table: Table }) {
  const game = table.game.value;
  if (!game) return null;
  const { outcome } = game;
  return (
    <section class="end" aria-label={t('result-title')}>
      <h2>{headline(game)}</h2>
      {outcome ? (
        <p>
          <bdi>{outcome.summary}</bdi> <Rule kind={game.kind} rule={outcome.rule} />
        </p>
      ) : (
        <p>{t('result-canceled')}</p>
      )}
      {outcome && outcome.scores.length > 0 ? (
        <div class="scroll-x">
          <Scores game={game} />
        </div>
      ) : null}
      <div class="row wrap">
        {game.status === GameStatus.ENDED ? (
          <a class="button" href={`${gamePath(game.gameId)}/proof`}>
            {t('result-verify')}
          </a>
        ) : null}
        {me.value && !game.sandbox ? (
          <ActionButton class="button strong" action={() => again(game)}>
            {t('result-again')}
          </ActionButton>
        ) : null}
      </div>
      {game.status === GameStatus.ENDED ? (
        <p class="hint">{t('result-over')}</p>
      ) : null}
    </section>
  );
}

function Scores({ game }: { game: Game }) {
  const { outcome } = game;
  if (!outcome) return null;
  return (
    <table class="scores">
      <caption class="hidden">{t('result-scores')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('result-place')}</th>
          <th scope="col">{t('result-seat')}</th>
          <th scope="col">{pointsTitle(outcome.unit)}</th>
          <th scope="col">{t('result-details')}</th>
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
            <td class="number">{pointsWords(score.points, outcome.decimals)}</td>
            <td class="faint">
              {score.lines.map((line) => `${line.label}: ${line.value}`).join(' · ')}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Creates a game with the same options, players and automated seats. */
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
    openMessages: game.openMessages,
  });
  if (made.game) go(gamePath(made.game.gameId));
}
