"""Where the games are played: an engine that is named, or one of this process's own."""

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

# Games that are over are of no use any more; an engine keeps them a day if nobody says otherwise.
_LIFETIMES = ("--sandbox", "--sandbox-lifetime", "10m", "--evict-after", "1m")

_made = threading.Lock()
_engine: Engine | None = None
_ai: AiClient | None = None


def own_engine(*, automation: bool) -> str:
    """The address of an engine that this process starts once, and of an AI client beside it if that is needed."""
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
    """Games at an engine, for programs that are not asynchronous."""

    def __init__(self, rules: Rules, engine: str | None, token: str | None) -> None:
        address = engine or own_engine(automation=bool(rules.automated))
        self._portal = _portal.portal()
        self._client = Client(address, token=token, patience=300)
        self.games = Games(self._client, rules)
        if self._client.token is None:
            self.run(self._client.register(f"learner-{uuid.uuid4().hex[:8]}"))
        self.players = self.run(self.games.players())

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Does something and waits for it."""
        return self._portal.run(work)

    def close(self) -> None:
        """Closes the connection."""
        self.run(asyncio.wait_for(self._client.close(), 10))
