"""Imports games saved by the Python package `diplomacy`: phases as positions, or whole games."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from heliopause.aio import Client, Sandbox
from heliopause.diplomacy.v1 import map_pb2, order_pb2, position_pb2, table_pb2
from heliopause.refusals import Refusal
from heliopause.v1 import envelope_pb2, game_pb2

POWERS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")
_PHASES = {
    ("S", "M"): map_pb2.PHASE_SPRING_MOVEMENT,
    ("S", "R"): map_pb2.PHASE_SPRING_RETREAT,
    ("F", "M"): map_pb2.PHASE_FALL_MOVEMENT,
    ("F", "R"): map_pb2.PHASE_FALL_RETREAT,
    ("W", "A"): map_pb2.PHASE_WINTER,
}
_KINDS = {"A": map_pb2.UNIT_KIND_ARMY, "F": map_pb2.UNIT_KIND_FLEET}


class InvalidFile(ValueError):
    """A file that is not a saved game of the standard map."""


@dataclass(frozen=True)
class Phase:
    """A phase of a saved game."""

    name: str
    """The short name, such as S1901M."""
    year: int
    phase: map_pb2.Phase.ValueType
    position: envelope_pb2.GamePosition
    """The position at the start."""
    orders: Mapping[int, Sequence[str]]


@dataclass
class Replayed:
    """The result of replaying a game."""

    sandbox: Sandbox
    phases: int
    """The number of replayed phases."""
    refused: list[str]
    """Orders that the engine rejected."""
    differences: list[str]
    """Differences between the engine's positions and the file's."""


def load(path: Path) -> list[Phase]:
    """Reads the phases of a saved game from a file. Raises `InvalidFile` if the file is invalid."""
    try:
        return phases(json.loads(path.read_text(encoding="utf-8")))
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise InvalidFile(f"{path}: {error}") from None


def phases(game: Any) -> list[Phase]:
    """Parses the phases of a saved game in order. Raises `InvalidFile`, which names the invalid part."""
    saved = cast("dict[str, Any]", game) if isinstance(game, dict) else {}
    if not isinstance(saved.get("phases"), list):
        raise InvalidFile("a saved game must be an object with `phases`")
    if saved.get("map", "standard") != "standard":
        raise InvalidFile(f"map: {saved['map']!r} is not supported; the only map is 'standard'")
    read = [_phase(one, f"phases[{at}]") for at, one in enumerate(saved["phases"])]
    return [one for one in read if one is not None]


def _phase(one: Any, where: str) -> Phase | None:
    phase = cast("dict[str, Any]", one) if isinstance(one, dict) else {}
    if not isinstance(phase.get("state"), dict):
        raise InvalidFile(f"{where}: a phase must be an object with `name`, `state` and `orders`")
    name: Any = phase.get("name", "")
    if name in ("COMPLETED", "FORMING"):
        return None
    parts = re.fullmatch(r"([SFW])(\d{4})([MRA])", str(name))
    if not parts or (parts[1], parts[3]) not in _PHASES:
        raise InvalidFile(f"{where}.name: {name!r} is not a phase such as S1901M")
    kind = _PHASES[parts[1], parts[3]]
    table = _table(phase["state"], int(parts[2]), kind, f"{where}.state")
    position = envelope_pb2.GamePosition(diplomacy=position_pb2.Position(table=table))
    orders: dict[int, Sequence[str]] = {}
    for power, lines in _object(phase.get("orders"), f"{where}.orders").items():
        orders[_seat(power, f"{where}.orders")] = [str(line) for line in lines or ()]
    return Phase(str(name), int(parts[2]), kind, position, orders)


def _table(state: Any, year: int, phase: map_pb2.Phase.ValueType, where: str) -> table_pb2.Table:
    table = table_pb2.Table(players=len(POWERS), year=year, phase=phase)
    for seat in range(1, len(POWERS) + 1):
        table.powers.add(seat=seat)
    for power, units in _object(state.get("units"), f"{where}.units").items():
        seat = _seat(power, f"{where}.units")
        # A star marks dislodged units.
        standing = [unit for unit in units if not str(unit).startswith("*")]
        table.powers[seat - 1].units.extend(_unit(unit, f"{where}.units.{power}") for unit in standing)
    for power, centers in _object(state.get("centers"), f"{where}.centers").items():
        table.powers[_seat(power, f"{where}.centers") - 1].centers.extend(map(str, centers))
    for power, retreats in _object(state.get("retreats"), f"{where}.retreats").items():
        for unit, places in _object(retreats, f"{where}.retreats.{power}").items():
            gone = table.dislodged.add(retreats=map(str, places))
            gone.unit.seat = _seat(power, f"{where}.retreats")
            gone.unit.unit.CopyFrom(_unit(unit, f"{where}.retreats.{power}"))
            gone.by = _holder(table, gone.unit.unit.at)
    return table


def _holder(table: table_pb2.Table, at: str) -> int:
    """Returns the seat of the unit that dislodged another in a province, or 0 if there is none."""
    for power in table.powers:
        if any(_province(unit.at) == _province(at) for unit in power.units):
            return power.seat
    return 0


def _object(value: Any, where: str) -> Mapping[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise InvalidFile(f"{where}: expected an object, found {value!r}")
    return cast("dict[str, Any]", value)


def _seat(power: Any, where: str) -> int:
    if power not in POWERS:
        raise InvalidFile(f"{where}: {power!r} is not a power; the powers are {', '.join(POWERS)}")
    return POWERS.index(power) + 1


def _unit(text: Any, where: str) -> map_pb2.Unit:
    parts = str(text).lstrip("*").split()
    if len(parts) != 2 or parts[0] not in _KINDS:
        raise InvalidFile(f"{where}: {text!r} is not a unit such as A PAR")
    return map_pb2.Unit(kind=_KINDS[parts[0]], at=parts[1])


def _province(place: str) -> str:
    return place.partition("/")[0].upper()


def order(text: str, phase: map_pb2.Phase.ValueType) -> order_pb2.Order | None:
    """Converts an order of the package to the engine's, or None if it cannot be parsed."""
    words = [word for word in text.upper().split() if word]
    if words == ["WAIVE"]:
        return order_pb2.Order(waive=order_pb2.Waive())
    if len(words) < 3 or words[0] not in _KINDS:
        return None
    unit, verb, rest = map_pb2.Unit(kind=_KINDS[words[0]], at=words[1]), words[2], words[3:]
    if verb in ("S", "C") and len(rest) in (2, 4) and rest[0] in _KINDS:
        other = map_pb2.Unit(kind=_KINDS[rest[0]], at=rest[1])
        if verb == "S" and len(rest) == 2:
            return order_pb2.Order(support_hold=order_pb2.SupportHold(unit=unit, other=other))
        if len(rest) == 4 and rest[2] == "-":
            if verb == "S":
                return order_pb2.Order(support_move=order_pb2.SupportMove(unit=unit, other=other, to=rest[3]))
            return order_pb2.Order(convoy=order_pb2.Convoy(unit=unit, army=other, to=rest[3]))
        return None
    if verb == "-" and len(rest) in (1, 2) and rest[1:] in ([], ["VIA"]):
        return order_pb2.Order(move=order_pb2.Move(unit=unit, to=rest[0], via_convoy=len(rest) == 2))
    if verb == "R" and len(rest) == 1:
        return order_pb2.Order(retreat=order_pb2.Retreat(unit=unit, to=rest[0]))
    if rest:
        return None
    if verb == "D":
        winter = phase == map_pb2.PHASE_WINTER
        removed, disbanded = order_pb2.Remove(unit=unit), order_pb2.Disband(unit=unit)
        return order_pb2.Order(remove=removed) if winter else order_pb2.Order(disband=disbanded)
    alone = {
        "H": order_pb2.Order(hold=order_pb2.Hold(unit=unit)),
        "B": order_pb2.Order(build=order_pb2.Build(unit=unit)),
    }
    return alone.get(verb)


async def as_position(client: Client, phase: Phase) -> Sandbox:
    """Creates a sandbox game with the position of a phase."""
    return await client.sandbox("diplomacy", position=phase.position, name=f"From {phase.name}")


async def as_history(client: Client, saved: Sequence[Phase]) -> Replayed:
    """Replays a saved game in a sandbox, which then has its whole history."""
    if not saved:
        raise InvalidFile("the game has no phases")
    sandbox = await as_position(client, saved[0])
    replayed = Replayed(sandbox, 0, [], [])
    for phase in saved:
        now = await _now(sandbox)
        if (now.year, now.phase) != (phase.year, phase.phase):
            # The engine skips phases without decisions.
            continue
        replayed.differences += _differences(phase, now)
        await _play(sandbox, phase, replayed)
        replayed.phases += 1
    return replayed


async def _now(sandbox: Sandbox) -> table_pb2.Table:
    return (await sandbox.position()).position.diplomacy.table


async def _play(sandbox: Sandbox, phase: Phase, replayed: Replayed) -> None:
    """Submits the orders of all powers with a decision, and closes the phase."""
    for seat, lines in phase.orders.items():
        table = sandbox.seat(seat)
        if not lines or (await table.offers()).decision is None:
            continue
        for line in lines:
            read = order(line, phase.phase)
            try:
                if read is None:
                    raise InvalidFile("the order cannot be parsed")
                await table.order(game_pb2.Orders(orders=[envelope_pb2.GameOrder(diplomacy=read)]))
            except (Refusal, InvalidFile) as refused:
                replayed.refused.append(f"{phase.name} {POWERS[seat - 1]} {line}: {refused}")
    await sandbox.close_phase()


def _differences(phase: Phase, now: table_pb2.Table) -> list[str]:
    differences: list[str] = []
    for saved, here in zip(phase.position.diplomacy.table.powers, now.powers, strict=False):
        name = POWERS[saved.seat - 1]
        for what, theirs, ours in (
            ("units", {_written(one) for one in saved.units}, {_written(one) for one in here.units}),
            ("centers", {one.upper() for one in saved.centers}, {one.upper() for one in here.centers}),
        ):
            if theirs != ours:
                differences.append(
                    f"{phase.name} {name}: the file has the {what} {_list(theirs)}, but the engine has {_list(ours)}"
                )
    return differences


def _written(unit: map_pb2.Unit) -> str:
    return f"{'A' if unit.kind == map_pb2.UNIT_KIND_ARMY else 'F'} {unit.at.upper()}"


def _list(these: set[str]) -> str:
    return ", ".join(sorted(these)) or "none"
