"""A hostile engine cannot control the terminal."""

import logging

import pytest
from heliopause._program import show  # pyright: ignore[reportPrivateUsage]
from heliopause.refusals import Refusal

from heliopause_daide import command

HOSTILE = "\x1b]52;c;aGk=\x07\x1b[8m\u202e"


def test_refusals_and_log_lines_show_control_characters_as_code_points(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def refuse(_: object) -> None:
        show(f"game={HOSTILE}")
        logging.getLogger("heliopause_daide").warning("no seat: %s", HOSTILE)
        raise Refusal(HOSTILE)

    monkeypatch.setattr(command, "_serve", refuse)
    monkeypatch.setattr(logging.getLogger(), "handlers", [])
    assert command.main(["serve"]) == 1
    printed = capsys.readouterr()
    for output in (printed.out, printed.err):
        assert "<U+001B>" in output
        assert not any(one in output for one in "\x1b\x07\u202e")
    assert printed.err.count("<U+202E>") == 2
