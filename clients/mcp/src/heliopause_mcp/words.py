"""Formats responses of the engine for a model. Text that may contain players' words is quoted or marked."""

from collections.abc import Iterable

from heliopause import Offers, Slot
from heliopause.aio import Table
from heliopause.v1 import event_pb2, game_pb2, offer_pb2, table_pb2

from heliopause_mcp.untrusted import marked, of_game, quoted

_OVER = (table_pb2.GAME_STATUS_ENDED, table_pb2.GAME_STATUS_CANCELLED)
# The maximum number of listed values of a slot.
_MOST_VALUES = 60


def status(game: table_pb2.Game | game_pb2.GameSummary) -> str:
    """Returns the status of a game as a word."""
    return table_pb2.GameStatus.Name(game.status).removeprefix("GAME_STATUS_").lower()


def summary(game: game_pb2.GameSummary) -> str:
    """Formats a game in a list."""
    return f"{game.game_id}  {game.kind}  {status(game)}  {quoted(game.name)}"


def state(table: Table) -> str:
    """Formats the state of a game and the seat's pending decision."""
    game = table.game
    where = f": {quoted(game.progress)}" if game.progress else ""
    lines = [f"Game {game.game_id}, {game.kind}, {status(game)}{where}. You are seat {table.number}."]
    for seat in game.seats:
        who = {"player": quoted(seat.player), "automated": "automation", "open": "open"}
        occupant = seat.WhichOneof("occupant") or ""
        mine = " (you)" if seat.number == table.number else ""
        lines.append(f"  seat {seat.number}, {quoted(seat.role)}: {who.get(occupant, 'reserved')}{mine}")
    if game.status in _OVER:
        lines.append(f"The game is over: {quoted(game.outcome.summary)}")
    elif table.decision is None:
        lines.append("You have no pending decision: call wait.")
    else:
        ready = " You are ready." if table.decision.ready else ""
        lines.append(f"Your decision ({table.decision.kind}): {quoted(table.decision.prompt)}{ready}")
    return "\n".join(lines)


def goals(goals: Iterable[table_pb2.Goal], number: int) -> str:
    """Formats the victory conditions with the progress of each seat, the model's seat first."""
    ranked = sorted(goals, key=lambda goal: (goal.HasField("seat") and goal.seat != number, goal.seat))
    lines = [
        f"  {f'seat {goal.seat}' if goal.HasField('seat') else 'all'}: {quoted(goal.sentence)}{_rule(goal.rule)}"
        for goal in ranked
    ]
    return "\n".join(["Victory conditions:", *lines]) if lines else ""


def menu(offers: Offers, words: str, most: int) -> str:
    """Formats the offers that contain all words, each with the values of its slots."""
    if offers.decision is None:
        return "You have no pending decision: call wait."
    wanted = words.lower().split()
    chosen = [offer for offer in offers if all(word in f"{offer.heading} {offer.notation}".lower() for word in wanted)]
    lines = [f"Your decision: {quoted(offers.decision.prompt)}"]
    if offers.decision.revisable:
        lines.append("Give all orders, one per line. Set ready=true in the last call; until then you can change them.")
    listed: list[str] = []
    for offer in chosen[:most]:
        stock = offers.stocks[offer.raw.stock].available if offer.raw.HasField("stock") else None
        available = f" ({stock.amount} {stock.unit} available)" if stock else ""
        listed.append(f"- {offer.notation}   {offer.label}{available}")
        listed += [f"    {{{slot.name}}}: {_slot(slot)}" for slot in offer.slots]
    if listed:
        lines.append(of_game("\n".join(listed)))
    if len(chosen) > most:
        lines.append(f"and {len(chosen) - most} more: filter by a unit or a word, or raise `most`.")
    if not offers.complete:
        lines.append("Other orders may be legal too: check them with validate.")
    return "\n".join(lines)


def _slot(slot: Slot) -> str:
    parts = [f"{slot.label}: {_choices(slot)}" if slot.label else _choices(slot)]
    if slot.raw.text not in ("", "{}"):
        parts.append(f"written as {quoted(slot.raw.text)}")
    if slot.optional:
        parts.append("may be omitted")
    return "; ".join(parts)


def _choices(slot: Slot) -> str:
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
            facts = {value: slot.facts_of(value) for value in slot.values[:_MOST_VALUES]}
            values = [f"{value} ({fact})" if fact else value for value, fact in facts.items()]
            if len(slot.values) > _MOST_VALUES:
                values.append(f"and {len(slot.values) - _MOST_VALUES} more")
            several = f"{picks.least} to {picks.most} of these, separated by {quoted(picks.separator)}: "
            return (several if picks.most > 1 else "") + ", ".join(values)
        case _:
            return "unknown to this version; check with validate"


def _steps(step: int) -> str:
    return f" in steps of {step}" if step > 1 else ""


def _shares(rule: offer_pb2.NumberShares) -> str:
    costs = [share.cost for share in rule.shares]
    parts = [
        ", ".join(_share(share, weighted=any(costs)) for share in rule.shares),
        f"separated by {quoted(rule.separator)}",
    ]
    if any(costs):
        parts.append(f"sum {rule.least}-{rule.most}")
    return "; ".join([*parts, "a 0 is written" if rule.zeros else "a 0 is omitted"])


def _share(share: offer_pb2.NumberShare, *, weighted: bool) -> str:
    """Describes one of several numbers, optionally with its weight in the sum."""
    words = [] if share.text in ("", "{}") else [quoted(share.text)]
    words.append(f"{share.least}-{share.most}")
    words += [f"({share.label})"] if share.label else []
    words += [f"counts {share.cost} times"] if weighted and share.cost != 1 else []
    return " ".join(words)


def _free(rule: offer_pb2.FreeText) -> str:
    parts = [f"text of {rule.least}-{rule.most} characters"]
    if rule.alphabet:
        parts.append(f"from {quoted(_ranges(rule.alphabet))}")
    if rule.first_characters:
        parts.append(f"starting with one of {quoted(_ranges(rule.first_characters))}")
    return ", ".join([*parts, *([f"such as {quoted(rule.example)}"] if rule.example else [])])


def _ranges(alphabet: str) -> str:
    """Abbreviates a set of characters: "A-Za-z0-9_"."""
    runs: list[str] = []
    for one in alphabet:
        if runs and ord(one) == ord(runs[-1][-1]) + 1:
            runs[-1] += one
        else:
            runs.append(one)
    return "".join(f"{run[0]}-{run[-1]}" if len(run) > 3 else run for run in runs)


def verdict(one: game_pb2.Verdict) -> str:
    """Formats the verdict on an order."""
    if one.accepted:
        warned = "".join(f" Warning: {quoted(warning.sentence)}" for warning in one.warnings)
        text = f"{quoted(one.notation)}: legal.{warned}"
    else:
        text = f"{quoted(one.notation)}: rejected{_rule(one.rule)}: {quoted(one.message)}"
    return "\n".join([text, *map(_line, (line for line in one.lines if line.warned or not line.accepted))])


def _line(one: game_pb2.LineVerdict) -> str:
    word = "uncertain" if one.accepted else "not executed"
    return f"  line {one.line} {word}{_rule(one.rule)}: {quoted(one.sentence)}"


def _rule(number: str) -> str:
    return f" (rule {number})" if number else ""


def event(one: event_pb2.Event, table: Table) -> str:
    """Formats an event and marks its author."""
    if one.WhichOneof("body") == "message":
        return f"{one.number}: {message(one.message, table)}"
    return f"{one.number}: {quoted(one.text)}"


def message(one: table_pb2.Message, table: Table) -> str:
    """Formats a message as untrusted, even the seat's own: an earlier player may have written it."""
    to = "the game master" if one.to_game_master else f"seats {', '.join(map(str, one.to_seats))}"
    if one.from_game_master:
        return f"message {one.number} from the game master to {to}\n" + marked("the game master", one.text)
    if one.HasField("from_seat") and one.from_seat == table.number:
        return f"message {one.number} from your seat to {to}\n" + marked("your seat", one.text)
    sender = f"seat {one.from_seat}" if one.HasField("from_seat") else "an anonymous seat"
    return f"message {one.number} to {to}\n" + marked(sender, one.text)
