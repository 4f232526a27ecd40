"""The code in README.md runs."""

import os
import re
import subprocess
import sys
from importlib.metadata import requires
from pathlib import Path

import pytest

from heliopause.testing import Engine

pytestmark = pytest.mark.usefixtures("ai_client")
README = Path(__file__).parents[1] / "README.md"
BOT, CLIENT, TEST, LEARNING = re.findall(r"```python\n(.*?)```", README.read_text(), re.DOTALL)


def environment(engine: Engine) -> dict[str, str]:
    return {**os.environ, "HELIOPAUSE_ENGINE": engine.address}


def test_the_first_bot_plays_a_game(engine: Engine, tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(BOT)
    assert len(BOT.splitlines()) <= 15
    command = re.findall(r"^python (bot.py --new .*)$", README.read_text(), re.MULTILINE)
    assert len(command) == 1
    ran = subprocess.run(
        [sys.executable, *command[0].split()],
        cwd=tmp_path,
        env=environment(engine),
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert re.search(r"\nthe game is over: .*\nseat [12]: place [12] of 2, -?\d+ \w+\n$", ran.stdout)


def test_the_client_runs(engine: Engine, tmp_path: Path) -> None:
    (tmp_path / "client.py").write_text(CLIENT.replace("127.0.0.1:50051", engine.address))
    # The second run uses the account of the first.
    for _ in range(2):
        ran = subprocess.run(
            [sys.executable, "client.py"],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
            env=environment(engine),
        )
        assert ran.returncode == 0, ran.stderr
        assert "Round 1" in ran.stdout
        assert "(rule 4)" in ran.stdout
        assert " Ordered: end.\n" in ran.stdout


def test_types_of_messages_are_installed() -> None:
    # Without these, type checkers treat messages as `Any`.
    assert any(one.startswith("types-protobuf") for one in requires("heliopause") or [])


def test_the_test_passes(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(TEST)
    pytester.runpytest_subprocess().assert_outcomes(passed=1)


def test_the_environment_plays_a_game(engine: Engine, tmp_path: Path) -> None:
    # Use the engine of the test instead of starting another.
    text = LEARNING.replace("players=2)", f"players=2, engine={engine.address!r})")
    (tmp_path / "learn.py").write_text(text)
    ran = subprocess.run([sys.executable, "learn.py"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert len(ran.stdout.splitlines()) >= 10
    assert {line.split()[0] for line in ran.stdout.splitlines()} == {"seat_1", "seat_2"}
