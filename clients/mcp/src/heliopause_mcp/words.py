"""What the engine answers, as text for a model. All text that may hold words of players is quoted or marked."""

from collections.abc import Iterable

from heliopause import Offers, Slot
from heliopause.aio import Table
from heliopause.v1 import event_pb2, game_pb2, offer_pb2, table_pb2

from heliopause_mcp.untrusted import marked, of_game, quoted

_OVER = (table_pb2.GAME_STATUS_ENDED, table_pb2.GAME_STATUS_CANCELLED)
# So many values of a slot are listed.
_MOST_VALUES = 60


def status(game: table_pb2.Game | game_pb2.GameSummary) -> str:
    """Whether a game runs, as a word."""
    return table_pb2.GameStatus.Name(game.status).removeprefix("GAME_STATUS_").lower()


def summary(game: game_pb2.GameSummary) -> str:
    """A line about a game in a list."""
    return f"{game.game_id}  {game.kind}  {status(game)}  {quoted(game.name)}"


def stand(table: Table) -> str:
    """Where a game stands, and what the seat is asked."""
    game = table.game
    where = f": {quoted(game.progress)}" if game.progress else ""
    lines = [f"Game {game.game_id}, {game.kind}, {status(game)}{where}. You are seat {table.number}."]
    for seat in game.seats:
        who = {"player": quoted(seat.player), "automated": "automation", "open": "nobody yet"}
        occupant = seat.WhichOneof("occupant") or ""
        mine = " (you)" if seat.number == table.number else ""
        lines.append(f"  seat {seat.number}, {quoted(seat.role)}: {who.get(occupant, 'kept for somebody')}{mine}")
    if game.status in _OVER:
        lines.append(f"The game is over: {quoted(game.outcome.summary)}")
    elif table.decision is None:
        lines.append("You are asked nothing now: call wait.")
    else:
        ready = " You are ready." if table.decision.ready else ""
        lines.append(f"You are asked ({table.decision.kind}): {quoted(table.decision.prompt)}{ready}")
    return "\n".join(lines)


def goals(goals: Iterable[table_pb2.Goal], number: int) -> str:
    """How one wins, and how far each seat is; the own seat first. Empty if the game counts nothing."""
    ranked = sorted(goals, key=lambda goal: (goal.HasField("seat") and goal.seat != number, goal.seat))
    lines = [
        f"  {f'seat {goal.seat}' if goal.HasField('seat') else 'all'}: {quoted(goal.sentence)}{_rule(goal.rule)}"
        for goal in ranked
    ]
    return "\n".join(["How one wins:", *lines]) if lines else ""


def menu(offers: Offers, words: str, most: int) -> str:
    """The orders that a seat may give: those with all the words, each offer with what its slots take."""
    if offers.decision is None:
        return "You are asked nothing now: call wait."
    wanted = words.lower().split()
    chosen = [offer for offer in offers if all(word in f"{offer.heading} {offer.notation}".lower() for word in wanted)]
    lines = [f"You are asked: {quoted(offers.decision.prompt)}"]
    if offers.decision.revisable:
        lines.append("Give all your orders, one a line, with ready=true in the last call; you may change them before.")
    listed: list[str] = []
    for offer in chosen[:most]:
        listed.append(f"- {offer.notation}   {offer.label}")
        listed += [f"    {{{slot.name}}}: {_slot(slot)}" for slot in offer.slots]
    if listed:
        lines.append(of_game("\n".join(listed)))
    if len(chosen) > most:
        lines.append(f"and {len(chosen) - most} more: name a unit or a word to see fewer, or raise `most`.")
    if not offers.complete:
        lines.append("Other orders may be legal too: judge tells.")
    return "\n".join(lines)


def _slot(slot: Slot) -> str:
    """What a slot takes, and how the order writes it."""
    told = [f"{slot.label}: {_choices(slot)}" if slot.label else _choices(slot)]
    if slot.raw.text not in ("", "{}"):
        told.append(f"written as {quoted(slot.raw.text)}")
    if slot.optional:
        told.append("may be left out")
    return "; ".join(told)


def _choices(slot: Slot) -> str:
    """The values that a slot takes, or their bounds."""
    raw = slot.raw
    match slot.kind:
        case "number":
            return f"{raw.number.least}-{raw.number.most}" + _steps(raw.number.step)
        case "shares":
            return _shares(raw.shares)
        case "free":
            return _free(raw.free)
        case "places" | "pieces" | "words":
            picks = getattr(raw, slot.kind)
            values = [*slot.values[:_MOST_VALUES]]
            if len(slot.values) > _MOST_VALUES:
                values.append(f"and {len(slot.values) - _MOST_VALUES} more")
            several = f"{picks.least} to {picks.most} of them with {quoted(picks.separator)} between: "
            return (several if picks.most > 1 else "") + ", ".join(values)
        case _:
            return "this version does not know what; judge tells whether it fits"


def _steps(step: int) -> str:
    return f" in steps of {step}" if step > 1 else ""


def _shares(rule: offer_pb2.NumberShares) -> str:
    """Several numbers with a sum."""
    costs = [share.cost for share in rule.shares]
    told = [
        ", ".join(_share(share, told=any(costs)) for share in rule.shares),
        f"with {quoted(rule.separator)} between",
    ]
    if any(costs):
        told.append(f"their sum is {rule.least}-{rule.most}")
    return "; ".join([*told, "a 0 is written" if rule.zeros else "a 0 is left out"])


def _share(share: offer_pb2.NumberShare, *, told: bool) -> str:
    """One of several numbers, and how often it counts in the sum if that is told."""
    words = [] if share.text in ("", "{}") else [quoted(share.text)]
    words.append(f"{share.least}-{share.most}")
    words += [f"({share.label})"] if share.label else []
    words += [f"counted {share.cost} times"] if told and share.cost != 1 else []
    return " ".join(words)


def _free(rule: offer_pb2.FreeText) -> str:
    """A text that the player writes."""
    told = [f"a text of {rule.least}-{rule.most} characters"]
    if rule.alphabet:
        told.append(f"out of {quoted(_ranges(rule.alphabet))}")
    if rule.initials:
        told.append(f"beginning with one of {quoted(_ranges(rule.initials))}")
    return ", ".join([*told, *([f"such as {quoted(rule.example)}"] if rule.example else [])])


def _ranges(alphabet: str) -> str:
    """Characters in short: "A-Za-z0-9_"."""
    runs: list[str] = []
    for one in alphabet:
        if runs and ord(one) == ord(runs[-1][-1]) + 1:
            runs[-1] += one
        else:
            runs.append(one)
    return "".join(f"{run[0]}-{run[-1]}" if len(run) > 3 else run for run in runs)


def verdict(one: game_pb2.Verdict) -> str:
    """What the rules say to an order."""
    if one.accepted:
        warned = "".join(f" Warning: {quoted(warning.sentence)}" for warning in one.warnings)
        told = f"{quoted(one.notation)}: legal.{warned}"
    else:
        told = f"{quoted(one.notation)}: refused{_rule(one.rule)}: {quoted(one.message)}"
    return "\n".join([told, *map(_line, (line for line in one.lines if line.warned or not line.accepted))])


def _line(one: game_pb2.LineVerdict) -> str:
    """What the rules say to a line of a sheet that is not carried out, or in doubt."""
    word = "in doubt" if one.accepted else "not carried out"
    return f"  line {one.line} {word}{_rule(one.rule)}: {quoted(one.sentence)}"


def _rule(number: str) -> str:
    return f" (rule {number})" if number else ""


def event(one: event_pb2.Event, table: Table) -> str:
    """An event, and whose words it holds."""
    if one.WhichOneof("body") == "message":
        return f"{one.number}: {letter(one.message, table)}"
    return f"{one.number}: {quoted(one.text)}"


def letter(one: table_pb2.Message, table: Table) -> str:
    """A letter, marked. Also those of the own seat: another player may have had it before."""
    to = "the game master" if one.to_game_master else f"seats {', '.join(map(str, one.to_seats))}"
    if one.from_game_master:
        return f"letter {one.number} from the game master to {to}\n" + marked("the game master", one.text)
    if one.HasField("from_seat") and one.from_seat == table.number:
        return f"letter {one.number} from your seat to {to}\n" + marked("your seat", one.text)
    sender = f"seat {one.from_seat}" if one.HasField("from_seat") else "somebody who hides their name"
    return f"letter {one.number} to {to}\n" + marked(sender, one.text)
