"""Conversion of orders, units and results between the engine's messages and DAIDE."""

from collections.abc import Iterator, Mapping, Sequence

from heliopause.diplomacy.v1 import event_pb2, map_pb2, order_pb2, table_pb2
from heliopause.v1 import envelope_pb2, game_pb2

from heliopause_daide.board import place_of, word_of
from heliopause_daide.tokens import NUMBERS, WORDS, Sentence, head, integer

_T = NUMBERS
SEASONS = {
    map_pb2.PHASE_UNSPECIFIED: "SPR",
    map_pb2.PHASE_SPRING_MOVEMENT: "SPR",
    map_pb2.PHASE_SPRING_RETREAT: "SUM",
    map_pb2.PHASE_FALL_MOVEMENT: "FAL",
    map_pb2.PHASE_FALL_RETREAT: "AUT",
    map_pb2.PHASE_WINTER: "WIN",
}
_KINDS = {map_pb2.UNIT_KIND_ARMY: "AMY", map_pb2.UNIT_KIND_FLEET: "FLT"}
_OWN_KINDS = {word: kind for kind, word in _KINDS.items()}

# DAIDE's notes for the engine's refusals.
_NOTES = {
    "cannot-reach-supported": "FAR",
    "coast-missing": "CST",
    "coast-unreachable": "FAR",
    "kind-missing": "NSU",
    "no-army-to-convoy": "NSA",
    "no-convoy-possible": "FAR",
    "no-retreat": "NVR",
    "no-such-unit": "NSU",
    "nobody-to-support": "NSU",
    "not-a-center": "NSC",
    "not-a-fleet": "NSF",
    "not-a-home": "HSC",
    "not-adjacent": "FAR",
    "not-at-sea": "NAS",
    "not-dislodged": "NRN",
    "not-on-route": "FAR",
    "not-owned": "YSC",
    "not-yours": "NYU",
    "nothing-to-build": "NMB",
    "nothing-to-order": "NRS",
    "nothing-to-remove": "NMR",
    "occupied": "ESC",
    "same-place": "FAR",
    "supported-move-impossible": "FAR",
    "supports-itself": "FAR",
    "wrong-phase": "NRS",
    "wrong-terrain": "FAR",
}

Powers = Mapping[int, str]
"""DAIDE's words for powers, by seat."""


class InvalidOrder(ValueError):
    """Words that are not an order."""


def note(refusal: str) -> str:
    """Returns DAIDE's note for a refusal of the engine."""
    return _NOTES.get(refusal, "FAR")


def turn(year: int, phase: int) -> Sentence:
    """Converts a year and a phase to a season and a year."""
    return [_T[SEASONS[map_pb2.Phase.ValueType(phase)]], integer(year)]


def unit(owner: str, one: map_pb2.Unit) -> Sentence:
    """Converts a unit to DAIDE's words."""
    return [_T[owner], _T[_KINDS.get(one.kind, "AMY")], word_of(one.at)]


def positions(table: table_pb2.Table, powers: Powers) -> Sentence:
    """Returns `NOW`: the turn and all units, including retreats of dislodged units."""
    sentence: Sentence = [_T["NOW"], turn(table.year, table.phase)]
    for power in table.powers:
        sentence += [unit(powers[power.seat], one) for one in power.units]
    for one in table.dislodged:
        retreats: Sentence = [word_of(place) for place in one.retreats]
        sentence.append([*unit(powers[one.unit.seat], one.unit.unit), _T["MRT"], retreats])
    return sentence


def centers(table: table_pb2.Table, powers: Powers, all_centers: Sequence[str]) -> Sentence:
    """Returns `SCO`: the supply centers by owner."""
    sentence: Sentence = [_T["SCO"]]
    owned: set[str] = set()
    for power in table.powers:
        if power.centers:
            sentence.append([_T[powers[power.seat]], *map(word_of, power.centers)])
            owned |= {center.upper() for center in power.centers}
    free = [center for center in all_centers if center.upper() not in owned]
    return [*sentence, [_T["UNO"], *map(word_of, free)]] if free else sentence


def read(words: Sentence, me: str) -> game_pb2.Orders:
    """Converts an order to the engine's. Raises `InvalidOrder`, or `NotMine` for another power's unit."""
    if len(words) == 2 and words[1] == _T["WVE"]:
        _check_owner([words[0]] if isinstance(words[0], int) else words[0], me)
        return _orders(order_pb2.Order(waive=order_pb2.Waive()))
    subject, verb, rest = _part(words, 0), _word(words, 1), words[2:]
    one = _unit(subject, me)
    return _orders(_order(one, verb, rest))


def _order(one: map_pb2.Unit, verb: str, rest: Sentence) -> order_pb2.Order:
    if not rest:
        alone = {
            "HLD": order_pb2.Order(hold=order_pb2.Hold(unit=one)),
            "DSB": order_pb2.Order(disband=order_pb2.Disband(unit=one)),
            "BLD": order_pb2.Order(build=order_pb2.Build(unit=one)),
            "REM": order_pb2.Order(remove=order_pb2.Remove(unit=one)),
        }
        if verb in alone:
            return alone[verb]
    if verb == "MTO" and len(rest) == 1:
        return order_pb2.Order(move=order_pb2.Move(unit=one, to=_place(rest[0])))
    if verb == "RTO" and len(rest) == 1:
        return order_pb2.Order(retreat=order_pb2.Retreat(unit=one, to=_place(rest[0])))
    if verb == "CTO" and len(rest) == 3 and rest[1] == _T["VIA"] and isinstance(rest[2], list):
        return order_pb2.Order(move=order_pb2.Move(unit=one, to=_place(rest[0]), via_convoy=True))
    if verb == "CVY" and len(rest) == 3 and rest[1] == _T["CTO"]:
        army = _unit(_part(rest, 0), None)
        return order_pb2.Order(convoy=order_pb2.Convoy(unit=one, army=army, to=_place(rest[2])))
    if verb == "SUP" and len(rest) == 1:
        other = _unit(_part(rest, 0), None)
        return order_pb2.Order(support_hold=order_pb2.SupportHold(unit=one, other=other))
    if verb == "SUP" and len(rest) == 3 and rest[1] == _T["MTO"]:
        other = _unit(_part(rest, 0), None)
        return order_pb2.Order(support_move=order_pb2.SupportMove(unit=one, other=other, to=_place(rest[2])))
    raise InvalidOrder(f"{verb} with {len(rest)} more words is not an order")


class NotMine(ValueError):
    """An order for another power's unit."""


def _orders(order: order_pb2.Order) -> game_pb2.Orders:
    return game_pb2.Orders(orders=[envelope_pb2.GameOrder(diplomacy=order)])


def _part(words: Sentence, at: int) -> Sentence:
    if len(words) <= at or not isinstance(part := words[at], list):
        raise InvalidOrder(f"expected brackets at word {at + 1}")
    return part


def _word(words: Sentence, at: int) -> str:
    word = words[at] if len(words) > at else None
    if not isinstance(word, int) or word not in WORDS:
        raise InvalidOrder(f"expected a word of the language at word {at + 1}")
    return WORDS[word]


def _check_owner(words: Sentence, me: str | None) -> None:
    owner = _word(words, 0)
    if me is not None and owner != me:
        raise NotMine(owner)


def _unit(words: Sentence, me: str | None) -> map_pb2.Unit:
    kind = _word(words, 1)
    if len(words) != 3 or kind not in _OWN_KINDS:
        raise InvalidOrder("expected a unit: a power, AMY or FLT, and a place")
    _check_owner(words, me)
    return map_pb2.Unit(kind=_OWN_KINDS[kind], at=_place(words[2]))


def _place(word: "int | Sentence") -> str:
    parts = [WORDS.get(one, "") for one in (word if isinstance(word, list) else [word]) if isinstance(one, int)]
    if not 1 <= len(parts) <= 2 or NUMBERS.get(parts[0], 0) < 0x5000:
        raise InvalidOrder("expected a province, or a province and a coast in brackets")
    return place_of(*parts)


def written(order: order_pb2.Order, seat: int, powers: Powers, owners: Mapping[str, int]) -> Sentence:
    """Converts an order of the engine. `owners` are the seats of all units, by province."""

    def mine(one: map_pb2.Unit) -> Sentence:
        return unit(powers[seat], one)

    def other(one: map_pb2.Unit) -> Sentence:
        return unit(powers[owners.get(one.at.partition("/")[0].upper(), seat)], one)

    match order.WhichOneof("kind"):
        case "move":
            move = order.move
            if move.via_convoy:
                return [mine(move.unit), _T["CTO"], word_of(move.to), _T["VIA"], []]
            return [mine(move.unit), _T["MTO"], word_of(move.to)]
        case "support_hold":
            return [mine(order.support_hold.unit), _T["SUP"], other(order.support_hold.other)]
        case "support_move":
            to = word_of(order.support_move.to.partition("/")[0])
            return [mine(order.support_move.unit), _T["SUP"], other(order.support_move.other), _T["MTO"], to]
        case "convoy":
            return [mine(order.convoy.unit), _T["CVY"], other(order.convoy.army), _T["CTO"], word_of(order.convoy.to)]
        case "retreat":
            return [mine(order.retreat.unit), _T["RTO"], word_of(order.retreat.to)]
        case "disband":
            return [mine(order.disband.unit), _T["DSB"]]
        case "build":
            return [mine(order.build.unit), _T["BLD"]]
        case "remove":
            return [mine(order.remove.unit), _T["REM"]]
        case "waive":
            return [_T[powers[seat]], _T["WVE"]]
        case _:
            return [mine(order.hold.unit), _T["HLD"]]


def _subject(order: order_pb2.Order) -> str:
    kind = order.WhichOneof("kind")
    given = getattr(order, kind) if kind else None
    at: str = given.unit.at if given is not None and hasattr(given, "unit") else ""
    return at.partition("/")[0].upper()


_RESULTS = {
    "bounced": "BNC",
    "cut": "CUT",
    "disrupted": "DSR",
    "illegal": "NSO",
    "no_convoy": "DSR",
    "not_matching": "NSO",
    "paradox": "DSR",
}


def moved(event: event_pb2.Moved, powers: Powers) -> Iterator[Sentence]:
    """Yields the order of every unit in a movement phase, with its result."""
    owners = {_subject(report.order): report.seat for report in event.reports}
    for report in event.reports:
        result = _RESULTS.get(report.result.WhichOneof("kind") or "", "SUC")
        sentence: Sentence = [_T[result], *([_T["RET"]] if report.dislodged else [])]
        yield [written(report.order, report.seat, powers, owners), sentence]


def retreated(event: event_pb2.Retreated, powers: Powers) -> Iterator[Sentence]:
    """Yields retreats with their results."""
    for report in event.reports:
        subject = unit(powers[report.unit.seat], report.unit.unit)
        if report.WhichOneof("fate") == "to":
            yield [[subject, _T["RTO"], word_of(report.to)], [_T["SUC"]]]
        else:
            yield [[subject, _T["DSB"]], [_T["SUC"]]]


def adjusted(event: event_pb2.Adjusted, powers: Powers) -> Iterator[Sentence]:
    """Yields builds and removals with their results."""
    for report in event.reports:
        power = powers[report.seat]
        match report.WhichOneof("result"):
            case "built":
                yield [[unit(power, report.built), _T["BLD"]], [_T["SUC"]]]
            case "removed":
                yield [[unit(power, report.removed), _T["REM"]], [_T["SUC"]]]
            case "waived":
                yield [[_T[power], _T["WVE"]], [_T["SUC"]]]
            case _:
                continue


# The first words of press that level 10 allows, and the first words of its subject.
_PRESS = ("PRP", "TRY", "YES", "REJ", "BWX", "HUH", "FCT", "CCL")
_ABOUT = ("PCE", "ALY", "DRW", "SLO", "NOT", "NAR")


def press_fault(words: Sentence) -> "int | None":
    """Returns the position of the first word that level 10 does not allow, or None if there is none."""
    verb = head(words)
    if verb not in _PRESS or len(words) != 2 or not isinstance(words[1], list):
        return 0
    if verb in ("PRP", "FCT") and head(words[1]) not in _ABOUT:
        return 1
    return None
