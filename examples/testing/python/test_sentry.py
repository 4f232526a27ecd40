"""How the sentry plays, against a real engine. `pytest` runs it; docs/testing.md explains it."""

import json
import os
import pathlib
import subprocess

import pytest
from harness import program

SCENARIO = pathlib.Path(__file__).parents[1] / "sentry.json"

# Two outsiders. Seat 1 is on turn, one step from the sentry's only starship.
POSITION = {
    "hexes": [
        {"hex": {"q": 0, "r": 2}, "marker": "MARKER_FRIENDLY", "owner": 1},
        {"hex": {"q": 0, "r": -2}, "marker": "MARKER_FRIENDLY", "owner": 2},
    ],
    "players": [
        {"bases": [{"at": {"q": 0, "r": 2}}], "starships": [{"serial": 1, "at": {"q": 0, "r": 0}}]},
        {"bases": [{"at": {"q": 0, "r": -2}}], "starships": [{"serial": 1, "at": {"q": 1, "r": 0}}]},
    ],
}


def duel(account, sentry, **more):
    """A game from the position, with the sentry at seat 2 and the test at seat 1."""
    guest = {"seat": 2, "player": sentry.name}
    position = {"starshipsAtLarge": POSITION}
    return account.sandbox(kind="starships-at-large", position=position, guests=[guest], **more)


def test_it_takes_its_seat_and_its_turn(account, sentry):
    table = duel(account, sentry)
    scripted = table.seats[1]
    scripted.until("the sentry sits", lambda event: event.seat_changed.seat.player == sentry.name)
    scripted.order("end")
    # It thinks for a second. Nothing is slept through here: the test goes on with the event.
    scripted.until_asked("turn")
    assert len(scripted.view().known.players[1].starships) == 1


@pytest.mark.parametrize("dice, lost", [([5, 5, 2, 6], 1), ([6, 2], 2)], ids=["it fights on and wins", "it loses"])
def test_it_attacks_whoever_comes(account, sentry, dice, lost):
    table = duel(account, sentry, dice=dice)
    scripted = table.seats[1]
    scripted.order("move A1 to (1,0)", "end")
    assert scripted.until_told("lost").piece.owner == lost
    scripted.until_asked("turn")
    assert not scripted.view().known.players[lost - 1].starships


def test_it_waits_for_automation_too(account, sentry, ai_client):
    table = account.sandbox(
        kind="starships-at-large",
        players=3,
        guests=[{"seat": 2, "player": sentry.name}],
        automated=[{"seat": 3, "by": {"level": "standard"}}],
    )
    scripted = table.seats[1]
    for _ in range(2):
        scripted.until_asked("turn")
        scripted.order("end")


def test_the_scenario(engine, sentry, ai_client, tmp_path):
    """The same as a file: docs/scenarios.md."""
    address, data = engine
    scenario = json.loads(SCENARIO.read_text())
    scenario["let"] = {"bot": sentry.name}
    file = tmp_path / "sentry.json"
    file.write_text(json.dumps(scenario))
    command = [program("cli-client"), "scenario", "--keep-going", file, "--engine", f"http://{address}"]
    command += ["--with-ai", "--ai-token-file", data / "worker.token"]
    ran = subprocess.run(command, env={**os.environ, "HOME": str(tmp_path)}, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr
