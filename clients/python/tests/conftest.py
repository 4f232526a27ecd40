"""Engines and names for tests."""

import itertools
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from heliopause.testing import Engine


@pytest.fixture
def started(tmp_path: Path) -> Iterator[Callable[..., Engine]]:
    """Starts engines for a test: `started("--sandbox")`. Kills the engines that still run afterwards."""
    made: list[Engine] = []
    count = itertools.count()

    def start(*arguments: str, data: Path | None = None) -> Engine:
        folder = tmp_path / f"engine-{next(count)}"
        folder.mkdir()
        engine = Engine(folder, *arguments, data=data)
        engine.start()
        made.append(engine)
        return engine

    yield start
    for engine in made:
        engine.kill()


@pytest.fixture
def name() -> str:
    return f"name-{uuid.uuid4().hex[:8]}"
