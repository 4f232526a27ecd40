"""Scenario files as tests."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from test_refusals import POSITION


def file(folder: Path, rule: str) -> Path:
    made = folder / "scenario.json"
    steps = [{"seat": 1, "order": "move A1 to (0,-3)", "expect": {"refused": {"rule": rule}}}]
    scenario = {
        "name": "too far",
        "game": "starships-at-large",
        "position": POSITION["starshipsAtLarge"],
        "steps": steps,
    }
    made.write_text(json.dumps(scenario))
    return made


def test_a_passing_scenario(scenario: Callable[..., str], tmp_path: Path) -> None:
    assert "too far" in scenario(file(tmp_path, "4"))


def test_a_failing_scenario(scenario: Callable[..., str], tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="17"):
        scenario(file(tmp_path, "17"))
