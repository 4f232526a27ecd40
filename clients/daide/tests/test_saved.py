"""Saved games of the Python package `diplomacy`: an export of this project, and one written by hand."""

import copy
import json
import subprocess
from pathlib import Path

import pytest
from heliopause.aio import Client
from heliopause.diplomacy.v1 import map_pb2
from heliopause.testing import Engine

from heliopause_daide import InvalidFile, as_history, as_position, load, phases

START = {
    "AUSTRIA": ["A BUD", "F TRI", "A VIE"],
    "ENGLAND": ["F EDI", "F LON", "A LVP"],
    "FRANCE": ["F BRE", "A MAR", "A PAR"],
    "GERMANY": ["A BER", "F KIE", "A MUN"],
    "ITALY": ["F NAP", "A ROM", "A VEN"],
    "RUSSIA": ["A MOS", "F SEV", "F STP/SC", "A WAR"],
    "TURKEY": ["F ANK", "A CON", "A SMY"],
}
CENTERS = {power: [unit.split()[1].partition("/")[0] for unit in units] for power, units in START.items()}


def state(**moved: list[str]) -> dict[str, object]:
    return {"units": {**START, **moved}, "centers": CENTERS, "retreats": {}}


GAME = {
    "id": "test",
    "map": "standard",
    "phases": [
        {
            "name": "S1901M",
            "state": state(),
            "orders": {
                "AUSTRIA": ["A VIE - TYR", "F TRI H", "A BUD S A VIE - TYR"],
                "FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR", "F BRE - MAO"],
                "GERMANY": ["A MUN - BUR", "F KIE - HOL"],
                "ITALY": ["A VEN S F TRI", "F NAP - ION", "A ROM - APU"],
                "TURKEY": None,
            },
        },
        {
            "name": "F1901M",
            "state": state(
                AUSTRIA=["A BUD", "F TRI", "A TYR"],
                FRANCE=["F MAO", "A MAR", "A BUR"],
                GERMANY=["A BER", "F HOL", "A MUN"],
                ITALY=["F ION", "A APU", "A VEN"],
            ),
            "orders": {"ITALY": ["F ION C A APU - TUN", "A APU - TUN VIA"], "FRANCE": ["F MAO - SPA/NC"]},
        },
    ],
}


async def test_a_history_is_replayed(engine: Engine) -> None:
    async with Client(engine.address) as client:
        await client.register("import-history")
        played = await as_history(client, phases(GAME))
        assert played.phases == 2
        # Only the support of a unit two provinces away is refused. The package also ignores that order.
        assert [line.split(":")[0] for line in played.refused] == ["S1901M AUSTRIA A BUD S A VIE - TYR"]
        assert played.differences == []
        table = (await played.sandbox.position()).position.diplomacy.table
        assert "Tun" in [unit.at for unit in table.powers[4].units]
        assert "Spa/nc" in [unit.at for unit in table.powers[2].units]
        seat = played.sandbox.seat(1)
        assert [phase.title async for phase in seat.phases()][:2] == ["Spring 1901, movement", "Fall 1901, movement"]


async def test_a_difference_is_reported(engine: Engine) -> None:
    other = copy.deepcopy(GAME)
    other["phases"][1]["state"]["units"]["RUSSIA"] = ["A MOS", "F SEV", "F BOT", "A WAR"]  # type: ignore[index]
    async with Client(engine.address) as client:
        await client.register("import-difference")
        played = await as_history(client, phases(other))
        assert len(played.differences) == 1
        assert played.differences[0].startswith("F1901M RUSSIA: the file has the units A MOS, A WAR, F BOT, F SEV")


async def test_a_retreat_is_imported_as_a_position(engine: Engine) -> None:
    units = {**START, "ITALY": ["*A TYR", "F NAP", "A ROM"], "AUSTRIA": ["A TYR", "F TRI", "A VIE"]}
    retreat = {"units": units, "centers": CENTERS, "retreats": {"ITALY": {"A TYR": ["PIE", "VEN"]}}}
    (phase,) = phases({"phases": [{"name": "S1901R", "state": retreat, "orders": {}}]})
    assert phase.phase == map_pb2.PHASE_SPRING_RETREAT
    async with Client(engine.address) as client:
        await client.register("import-retreat")
        sandbox = await as_position(client, phase)
        offers = await sandbox.seat(5).offers()
        assert offers.decision is not None
        assert offers.decision.kind == "retreat"
        assert any("Pie" in order for order in offers.orders())


NO_GAMES: list[tuple[object, str]] = [
    ([], "a saved game must be an object"),
    ({"phases": [], "map": "ancmed"}, "map: 'ancmed'"),
    ({"phases": [{"name": "S1901M"}]}, "phases\\[0\\]"),
    ({"phases": [{"name": "X1", "state": {}}]}, "phases\\[0\\].name"),
    ({"phases": [{"name": "S1901M", "state": {"units": {"MARS": []}}}]}, "'MARS' is not a power"),
    ({"phases": [{"name": "S1901M", "state": {"units": {"ITALY": ["X"]}}}]}, "'X' is not a unit"),
]


@pytest.mark.parametrize(("game", "where"), NO_GAMES)
def test_an_invalid_saved_game_is_rejected(game: object, where: str) -> None:
    with pytest.raises(InvalidFile, match=where):
        phases(game)


def test_the_command_imports_a_file(engine: Engine, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_text(json.dumps(GAME))
    assert len(load(file)) == 2

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = ["heliopause-daide", "--engine", engine.address, "import", str(file), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    whole = run()
    assert whole.returncode == 0, whole.stderr
    assert "2 of 2 phases were played" in whole.stdout
    assert "game=" in run("--phase", "F1901M").stdout
    assert "no phase F1950M" in run("--phase", "F1950M").stderr
    file.write_text("{")
    assert run().returncode == 2
