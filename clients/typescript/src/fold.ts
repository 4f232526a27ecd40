// What a client learns from events, without asking again. Nothing here changes what it is given.

import type { Event } from "../gen/heliopause/v1/event_pb.js";
import { type Decision, type Game, GameStatus } from "../gen/heliopause/v1/table_pb.js";

/** Whether a game has ended or was cancelled. */
export function isOver(game: Game): boolean {
  return game.status === GameStatus.ENDED || game.status === GameStatus.CANCELLED;
}

/**
 * A game after an event: status, seats, deadline, pace and outcome. Events do not tell the progress, whose turn it is and who is
 * waited for; for these ask for the game.
 */
export function intoGame({ body, time }: Event, game: Game): Game {
  switch (body.case) {
    case "statusChanged": {
      const changed = { ...game, status: body.value.status };
      return isOver(changed) && time ? { ...changed, endTime: time } : changed;
    }
    case "seatChanged": {
      const { seat } = body.value;
      return seat ? { ...game, seats: game.seats.map((known) => (known.number === seat.number ? seat : known)) } : game;
    }
    case "deadlineChanged":
      return withOnly(game, "dueTime", body.value.dueTime);
    case "paceChanged": {
      const { pace, effectiveTime } = body.value;
      if (effectiveTime) return withOnly({ ...game, nextPaceTime: effectiveTime }, "nextPace", pace);
      return withOnly(withOnly(withOnly(game, "pace", pace), "nextPace", undefined), "nextPaceTime", undefined);
    }
    case "gameEnded": {
      const status = isOver(game) ? game.status : GameStatus.ENDED;
      return withOnly({ ...game, status }, "outcome", body.value.outcome);
    }
    default:
      return game;
  }
}

/** The open decision after an event. */
export function intoDecision({ body }: Event, decision: Decision | undefined): Decision | undefined {
  switch (body.case) {
    case "decisionOpened":
      return body.value.decision;
    case "decisionClosed":
      return decision && (decision.phase ?? 0n) <= body.value.phase ? undefined : decision;
    case "ordersAccepted": {
      const { phase, revision } = body.value;
      return decision && decision.phase === phase ? { ...decision, revision } : decision;
    }
    case "flagsChanged": {
      const { ready, wait } = body.value;
      return decision && { ...decision, ready, wait };
    }
    default:
      return decision;
  }
}

/** A message with a field, or without it. */
function withOnly<M, F extends keyof M>(message: M, field: F, value: M[F] | undefined): M {
  const { [field]: _, ...rest } = message;
  return (value === undefined ? rest : { ...rest, [field]: value }) as M;
}
