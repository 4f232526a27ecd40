"""What the engine answers, as text for a model."""

from collections.abc import Sequence

from heliopause import Offers
from heliopause.aio import Table
from heliopause.v1 import event_pb2, game_pb2, table_pb2

from heliopause_mcp.untrusted import marked, quoted, visible

_OVER = (table_pb2.GAME_STATUS_ENDED, table_pb2.GAME_STATUS_CANCELLED)


def status(game: table_pb2.Game) -> str:
    """Whether a game runs, as a word."""
    return table_pb2.GameStatus.Name(game.status).removeprefix("GAME_STATUS_").lower()


def summary(game: game_pb2.GameSummary) -> str:
    """A line about a game in a list."""
    word = table_pb2.GameStatus.Name(game.status).removeprefix("GAME_STATUS_").lower()
    return f"{game.game_id}  {game.kind}  {word}  {quoted(game.name)}"


def stand(table: Table) -> str:
    """Where a game stands, and what the seat is asked."""
    game = table.game
    lines = [
        f"Game {game.game_id}, {game.kind}, {status(game)}: {visible(game.progress)}. You are seat {table.number}."
    ]
    for seat in game.seats:
        who = {"player": quoted(seat.player), "automated": "automation", "open": "nobody yet"}
        occupant = seat.WhichOneof("occupant") or ""
        mine = " (you)" if seat.number == table.number else ""
        lines.append(f"  seat {seat.number}, {visible(seat.role)}: {who.get(occupant, 'kept for somebody')}{mine}")
    if game.status in _OVER:
        lines.append(f"The game is over: {visible(game.outcome.summary)}")
    elif table.decision is None:
        lines.append("You are asked nothing now: call wait.")
    else:
        ready = " You are ready." if table.decision.ready else ""
        lines.append(f"You are asked ({table.decision.kind}): {visible(table.decision.prompt)}{ready}")
    return "\n".join(lines)


def menu(offers: Offers, words: str, most: int) -> str:
    """The orders that a seat may give: those with all the words, each offer with what its slots take."""
    if offers.decision is None:
        return "You are asked nothing now: call wait."
    wanted = words.lower().split()
    chosen = [offer for offer in offers if all(word in f"{offer.heading} {offer.notation}".lower() for word in wanted)]
    lines = [visible(offers.decision.prompt)]
    if offers.decision.revisable:
        lines.append("Give all your orders, one a line, with ready=true in the last call; you may change them before.")
    for offer in chosen[:most]:
        lines.append(f"- {visible(offer.notation)}   {visible(offer.label)}")
        lines += [f"    {{{slot.name}}}: {_choices(slot.choices(60), slot.label)}" for slot in offer.slots]
    if len(chosen) > most:
        lines.append(f"and {len(chosen) - most} more: name a unit or a word to see fewer, or raise `most`.")
    if not offers.complete:
        lines.append("Other orders may be legal too: judge tells.")
    return "\n".join(lines)


def _choices(choices: Sequence[str] | None, label: str) -> str:
    return visible(", ".join(choices)) if choices is not None else f"{visible(label)} (judge tells whether it fits)"


def verdict(one: game_pb2.Verdict) -> str:
    """What the rules say to an order."""
    if one.accepted:
        warned = "".join(f" Warning: {visible(warning.sentence)}" for warning in one.warnings)
        told = f"{visible(one.notation)}: legal.{warned}"
    else:
        told = f"{visible(one.notation)}: refused{_rule(one.rule)}: {visible(one.message)}"
    return "\n".join([told, *map(_line, (line for line in one.lines if line.warned or not line.accepted))])


def _line(one: game_pb2.LineVerdict) -> str:
    """What the rules say to a line of a sheet that is not carried out, or in doubt."""
    word = "in doubt" if one.accepted else "not carried out"
    return f"  line {one.line} {word}{_rule(one.rule)}: {visible(one.sentence)}"


def _rule(number: str) -> str:
    return f" (rule {visible(number)})" if number else ""


def event(one: event_pb2.Event, table: Table) -> str:
    """An event, and whose words it holds."""
    if one.WhichOneof("body") == "message":
        return f"{one.number}: {letter(one.message, table)}"
    return f"{one.number}: {visible(one.text)}"


def letter(one: table_pb2.Message, table: Table) -> str:
    """A letter: own ones as they are, those of others marked."""
    to = "the game master" if one.to_game_master else f"seats {', '.join(map(str, one.to_seats))}"
    if one.from_game_master:
        return f"letter {one.number} from the game master to {to}\n" + marked("the game master", one.text)
    if one.HasField("from_seat") and one.from_seat == table.number:
        return f"letter {one.number} that you wrote to {to}: {visible(one.text)}"
    sender = f"seat {one.from_seat}" if one.HasField("from_seat") else "somebody who hides their name"
    return f"letter {one.number} to {to}\n" + marked(sender, one.text)
