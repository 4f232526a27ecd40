"""Tests of the sentry with a real engine, explained in docs/testing.md."""

import subprocess
import sys
from pathlib import Path

import pytest
from heliopause import Bot, Client
from heliopause.testing import serving

from sentry import choose

HERE = Path(__file__).parent

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


@pytest.mark.parametrize(("dice", "lost"), [([5, 5, 2, 6], 1), ([6, 2], 2)], ids=["it fights on and wins", "it loses"])
def test_it_attacks_intruders(engine, sandbox, dice, lost):
    with serving(Bot(choose), engine) as name:
        game = sandbox("starships-at-large", position=POSITION, dice=dice, guests={2: name})
        me = game.seat(1)
        me.order(["move A1 to (1,0)", "end"])
        told = me.until(lambda event: event.game.starships_at_large.HasField("lost"))
        assert told.game.starships_at_large.lost.piece.owner == lost
        me.until_asked("turn")
        assert not me.view().starships_at_large.known.players[lost - 1].starships


def test_it_waits_for_automation_too(engine, ai_client, sandbox):
    with serving(Bot(choose), engine) as name:
        game = sandbox("starships-at-large", players=3, guests={2: name}, automated={3: "standard"})
        me = game.seat(1)
        for _ in range(2):
            me.until_asked("turn")
            me.order("end")


def test_the_scenario(engine, ai_client, scenario):
    """The same as a scenario file, explained in docs/scenarios.md."""
    with serving(Bot(choose), engine, name="sentry"):
        scenario(HERE.parent / "sentry.json", with_ai=True)


def test_the_program(engine, sandbox, tmp_path):
    """The bot as a separate process, like a program in any language."""
    with Client(engine.address, token_file=tmp_path / "token") as client:
        name = client.register("sentry program").name
    command = [sys.executable, HERE / "sentry.py", "--engine", engine.address, "--token-file", tmp_path / "token"]
    bot = subprocess.Popen([*command, "--serve"])
    try:
        me = sandbox("starships-at-large", players=2, guests={2: name}).seat(1)
        for _ in range(2):
            me.until_asked("turn")
            me.order("end")
        assert bot.poll() is None
    finally:
        bot.terminate()
        bot.wait()
