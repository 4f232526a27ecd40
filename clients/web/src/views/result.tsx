// The result of a game: winners, scores, and what to do next.

import { quickPlay } from '../engine/calls';
import { type Game, GameStatus } from '../engine/contract';
import { gamePath, go } from '../router';
import { me } from '../session';
import type { Table } from '../table/table';
import { ActionButton, SeatDot } from '../ui/components';
import { headline, pointsTitle, pointsWords, seatWithPlayer, t } from '../words';
import { Rule } from './rule';

export function End({ table }: { table: Table }) {
  const game = table.game.value;
  if (!game) return null;
  const { outcome, status, sandbox, yourSeat } = game;
  const canRematch = me.value && status === GameStatus.ENDED && !sandbox && yourSeat !== undefined;
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
        {status === GameStatus.ENDED ? (
          <a class="button" href={`${gamePath(game.gameId)}/proof`}>
            {t('result-verify')}
          </a>
        ) : null}
        {canRematch ? (
          <ActionButton class="button strong" action={() => rematch(game.gameId)}>
            {t('quick-rematch')}
          </ActionButton>
        ) : null}
      </div>
      {canRematch ? <p class="hint">{t('quick-rematch-hint')}</p> : null}
      {status === GameStatus.ENDED ? <p class="hint">{t('result-over')}</p> : null}
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

/** Creates the rematch of a game, or joins the one that another player has created. */
async function rematch(gameId: string): Promise<void> {
  const { game } = await quickPlay.rematchGame({ gameId });
  if (game) go(gamePath(game.gameId));
}
