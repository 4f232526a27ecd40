"""The engine of an environment: the given one, or one started by this process."""

import asyncio
import atexit
import shutil
import tempfile
import threading
import uuid
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, TypeVar

from heliopause import _portal
from heliopause.aio.client import Client
from heliopause.env.games import Games, Rules
from heliopause.testing.programs import AiClient, Engine

T = TypeVar("T")

# Finished games are not needed, and the default lifetime is a day.
_LIFETIMES = ("--sandbox", "--sandbox-lifetime", "10m", "--evict-after", "1m")

_made = threading.Lock()
_engine: Engine | None = None
_ai: AiClient | None = None


def start_engine(*, automation: bool) -> str:
    """Starts an engine once per process, with an AI client if needed. Returns its address."""
    global _engine, _ai
    with _made:
        if _engine is None:
            folder = Path(tempfile.mkdtemp(prefix="heliopause-"))
            engine = Engine(folder, *_LIFETIMES)
            engine.start()
            atexit.register(shutil.rmtree, folder, ignore_errors=True)
            atexit.register(engine.kill)
            _engine = engine
        if automation and _ai is None:
            ai = AiClient(_engine.log.parent, _engine)
            ai.start()
            atexit.register(ai.kill)
            _ai = ai
        return _engine.address


class Place:
    """Games of an engine for blocking callers."""

    def __init__(self, rules: Rules, engine: str | None, token: str | None) -> None:
        address = engine or start_engine(automation=bool(rules.automated))
        self._portal = _portal.portal()
        self._client = Client(address, token=token, patience=300)
        self.games = Games(self._client, rules)
        if self._client.token is None:
            self.run(self._client.register(f"learner-{uuid.uuid4().hex[:8]}"))
        self.players = self.run(self.games.players())

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Runs a coroutine and returns its result."""
        return self._portal.run(work)

    def close(self) -> None:
        """Closes the connection."""
        self.run(asyncio.wait_for(self._client.close(), 10))
