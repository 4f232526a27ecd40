"""The command `heliopause`, run as a process."""

# pyright: reportPrivateUsage=false

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from heliopause import Client
from heliopause.testing import Engine, ProgramError, program


def run(
    folder: Path, *arguments: str, typed: str = "", engine: str = "127.0.0.1:1"
) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "HELIOPAUSE_CONFIG_DIR": str(folder), "HELIOPAUSE_ENGINE": engine}
    command = [str(Path(sys.executable).with_name("heliopause")), *arguments]
    return subprocess.run(command, env=environment, input=typed, capture_output=True, text=True, check=False)


def test_play_prompts_and_submits_orders(engine: Engine, tmp_path: Path) -> None:
    typed = "?\nm\n99\nend\nfly\nq\n"
    ran = run(tmp_path, "play", "--new", "starships-at-large", "--opponents", "0", typed=typed, engine=engine.address)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.count("Round 1") == 2
    assert "NUMBER: choose an offer" in ran.stdout
    assert "Choose a number from 1 to " in ran.stdout
    assert "> end" in ran.stdout
    assert "Rejected: line 1, column 1" in ran.stdout
    again = ran.stdout.rsplit("heliopause play ", 1)[1].split()
    # The account is stored, so a returning player has the same seat.
    back = run(tmp_path, "play", *again, typed="q\n", engine=engine.address)
    assert "at seat 1 of game" in back.stdout
    assert [path.stat().st_mode & 0o777 for path in tmp_path.rglob("*.token")] == [0o600]


def test_offers_are_chosen_by_number(engine: Engine, account: Client, tmp_path: Path) -> None:
    table = account.new_game("starships-at-large")
    offers = table.offers()
    number = next(at for at, offer in enumerate(offers, 1) if offer.key == "move")
    place = offers[number - 1].slots[0].values[0]
    typed = f"{number}\n1\nq\n"
    token = account.token or ""
    ran = run(tmp_path, "play", "--game", table.game_id, "--token", token, typed=typed, engine=engine.address)
    assert ran.returncode == 0, ran.stderr
    assert f"> {offers[number - 1].fill(it=place)}\n" in ran.stdout
    assert any(event.HasField("orders_accepted") for event in table.history())


def test_list_shows_kinds_and_games(engine: Engine, account: Client, tmp_path: Path, name: str) -> None:
    game_id = account.new_game("diplomacy", open_seats=1, name=name).game_id
    ran = run(tmp_path, "list", engine=engine.address)
    assert ran.returncode == 0, ran.stderr
    assert "diplomacy: Diplomacy, 2 to 7 players" in ran.stdout
    assert f"{game_id}  diplomacy  {name} (waiting for players, 1 open)" in ran.stdout


@pytest.mark.parametrize(
    ("arguments", "code", "output"),
    [
        (["list"], 3, "no engine"),
        (["random"], 2, "nothing to play"),
        (["play", "--engine", "nowhere"], 2, "'nowhere' is not an engine address"),
        (["play", "--new", "x", "--options", "{"], 2, "not valid JSON"),
        (["dance"], 2, "invalid choice"),
    ],
)
def test_exit_codes(tmp_path: Path, arguments: list[str], code: int, output: str) -> None:
    ran = run(tmp_path, *arguments)
    assert (ran.returncode, ran.stdout) == (code, "")
    assert output in ran.stderr


def test_a_refusal_is_printed(engine: Engine, tmp_path: Path) -> None:
    ran = run(tmp_path, "watch", "--game", "nothing", engine=engine.address)
    assert ran.returncode == 1
    assert "GAME_NOT_FOUND" in ran.stderr


def test_a_missing_program_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HELIOPAUSE_BIN", str(tmp_path))
    with pytest.raises(ProgramError, match=f"engine-service was not found in {tmp_path}"):
        program("engine-service")
    monkeypatch.delenv("HELIOPAUSE_BIN")
    monkeypatch.setenv("PATH", str(tmp_path))
    (tmp_path / "target/debug").mkdir(parents=True)
    found = tmp_path / "target/debug/engine-service"
    found.touch(mode=0o755)
    monkeypatch.chdir(found.parent)
    assert program("engine-service") == found


def test_an_engine_that_does_not_start_shows_its_log(tmp_path: Path) -> None:
    engine = Engine(tmp_path, "--no-such-flag")
    with pytest.raises(ProgramError, match="no-such-flag"):
        engine.start()
    assert not engine.running


def test_an_engine_that_exits_fails_its_test(engine: Engine, tmp_path: Path) -> None:
    other = Engine(tmp_path, "--sandbox")
    other.start()
    assert other._process is not None
    other._process.kill()
    other._process.wait()
    with pytest.raises(ProgramError, match="exited unexpectedly with -9"):
        other.stop()


WAITING = ["random", "--new", "starships-at-large", "--engine", "127.0.0.1:1"]


def test_a_bot_reports_every_minute_that_no_engine_answers(tmp_path: Path) -> None:
    # The same program with a shorter minute.
    hurried = "from heliopause import _calls, command; _calls._REPORT_EVERY_SECONDS = 2.0; command.main()"
    environment = {**os.environ, "HELIOPAUSE_CONFIG_DIR": str(tmp_path)}
    waiting = [sys.executable, "-c", hurried, *WAITING]
    with subprocess.Popen(waiting, env=environment, stderr=subprocess.PIPE, text=True) as bot:
        assert bot.stderr is not None
        output = [bot.stderr.readline() for _ in range(3)]
        bot.kill()
    assert all("Connection refused; retrying in" in line for line in output), output


def test_a_bot_exits_when_its_patience_is_over(tmp_path: Path) -> None:
    ran = run(tmp_path, *WAITING, "--patience", "0.5")
    assert ran.returncode == 3
    assert "no engine is available: " in ran.stderr
    for wrong in ("x", "-1", "nan"):
        ran = run(tmp_path, *WAITING, "--patience", wrong)
        assert ran.returncode == 2
        assert "--patience" in ran.stderr


def test_a_bot_exits_when_its_patience_is_over_during_a_game(started: Callable[..., Engine], tmp_path: Path) -> None:
    engine = started()
    command = [str(Path(sys.executable).with_name("heliopause")), "random", "--new", "starships-at-large"]
    # The opponent never plays.
    playing = [*command, "--engine", engine.address, "--patience", "1"]
    with subprocess.Popen(playing, stdout=subprocess.PIPE, text=True) as bot:
        assert bot.stdout is not None
        assert bot.stdout.readline().startswith("playing ")
        engine.kill()
        assert bot.wait(60) == 3
