"""Applies events to a game and its pending decision without calls."""

from heliopause.v1 import event_pb2, game_pb2, table_pb2

OVER = (table_pb2.GAME_STATUS_ENDED, table_pb2.GAME_STATUS_CANCELLED)


def event_name(part: game_pb2.StreamEventsResponse) -> str:
    """Returns the name of an event's body, or else of the part of a stream, or an empty string if unknown."""
    kind = part.WhichOneof("part")
    return (part.event.WhichOneof("body") if kind == "event" else kind) or ""


def apply_to_game(event: event_pb2.Event, game: table_pb2.Game) -> None:
    """Applies an event to a game: status, seats, deadline, pace and outcome.

    Events do not contain the progress and the seat on turn. Reload the game for these.
    """
    match event.WhichOneof("body"):
        case "status_changed":
            game.status = event.status_changed.status
            if game.status in OVER:
                game.end_time.CopyFrom(event.time)
        case "seat_changed":
            seat = event.seat_changed.seat
            for known in game.seats:
                if known.number == seat.number:
                    known.CopyFrom(seat)
        case "deadline_changed":
            game.ClearField("due_time")
            if event.deadline_changed.HasField("due_time"):
                game.due_time.CopyFrom(event.deadline_changed.due_time)
        case "pace_changed":
            changed = event.pace_changed
            (game.next_pace if changed.HasField("effective_time") else game.pace).CopyFrom(changed.pace)
            game.ClearField("next_pace_time")
            if changed.HasField("effective_time"):
                game.next_pace_time.CopyFrom(changed.effective_time)
            else:
                game.ClearField("next_pace")
        case "game_ended":
            game.outcome.CopyFrom(event.game_ended.outcome)
            if game.status not in OVER:
                game.status = table_pb2.GAME_STATUS_ENDED
        case _:
            return


def apply_to_decision(event: event_pb2.Event, decision: table_pb2.Decision | None) -> table_pb2.Decision | None:
    """Returns the pending decision after an event, or None if there is none."""
    match event.WhichOneof("body"):
        case "decision_opened":
            return event.decision_opened.decision
        case "decision_closed":
            closed = decision is not None and decision.phase <= event.decision_closed.phase
            return None if closed else decision
        case "orders_accepted":
            if decision is not None and decision.phase == event.orders_accepted.phase:
                return _with(decision, revision=event.orders_accepted.revision)
        case "flags_changed":
            if decision is not None:
                return _with(decision, ready=event.flags_changed.ready, wait=event.flags_changed.wait)
        case _:
            pass
    return decision


def _with(decision: table_pb2.Decision, **fields: int) -> table_pb2.Decision:
    changed = table_pb2.Decision()
    changed.CopyFrom(decision)
    for field, value in fields.items():
        setattr(changed, field, value)
    return changed
