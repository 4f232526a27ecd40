// Applies events to a game and its pending decision without calls. Arguments are never changed.

import type { Event } from '../gen/heliopause/v1/event_pb.js';
import { type Decision, type Game, GameStatus } from '../gen/heliopause/v1/table_pb.js';

/** Returns whether a game has ended or was canceled. */
export function isOver(game: Game): boolean {
  return game.status === GameStatus.ENDED || game.status === GameStatus.CANCELLED;
}

/**
 * Applies an event to a game: status, seats, deadline, pace and outcome. Events do not contain the
 * progress, the seat on turn and the awaited seats. Reload the game to update these.
 */
export function applyToGame({ body, time }: Event, game: Game): Game {
  switch (body.case) {
    case 'statusChanged': {
      const changed = { ...game, status: body.value.status };
      return isOver(changed) && time ? { ...changed, endTime: time } : changed;
    }
    case 'seatChanged': {
      const { seat } = body.value;
      return seat
        ? {
            ...game,
            seats: game.seats.map((known) => (known.number === seat.number ? seat : known)),
          }
        : game;
    }
    case 'deadlineChanged':
      return withField(game, 'dueTime', body.value.dueTime);
    case 'paceChanged': {
      const { pace, effectiveTime } = body.value;
      if (effectiveTime)
        return withField({ ...game, nextPaceTime: effectiveTime }, 'nextPace', pace);
      return withField(
        withField(withField(game, 'pace', pace), 'nextPace', undefined),
        'nextPaceTime',
        undefined,
      );
    }
    case 'gameEnded': {
      const status = isOver(game) ? game.status : GameStatus.ENDED;
      return withField({ ...game, status }, 'outcome', body.value.outcome);
    }
    default:
      return game;
  }
}

/** Applies an event to the pending decision. */
export function applyToDecision(
  { body }: Event,
  decision: Decision | undefined,
): Decision | undefined {
  switch (body.case) {
    case 'decisionOpened':
      return body.value.decision;
    case 'decisionClosed':
      return decision && (decision.phase ?? 0n) <= body.value.phase ? undefined : decision;
    case 'ordersAccepted': {
      const { phase, revision } = body.value;
      return decision && decision.phase === phase ? { ...decision, revision } : decision;
    }
    case 'flagsChanged': {
      const { ready, wait } = body.value;
      return decision && { ...decision, ready, wait };
    }
    default:
      return decision;
  }
}

function withField<M, F extends keyof M>(message: M, field: F, value: M[F] | undefined): M {
  const { [field]: _, ...rest } = message;
  return (value === undefined ? rest : { ...rest, [field]: value }) as M;
}
