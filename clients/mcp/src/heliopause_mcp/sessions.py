"""Sessions: whoever calls has one account and at most one seat."""

import asyncio
import hashlib
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from heliopause.aio import Client, Table

from heliopause_mcp.budget import Budget


class Refused(Exception):
    """What a session may not do."""


@dataclass(frozen=True)
class Settings:
    """What the operator says."""

    engine: str | None = None
    tls_ca: str | None = None
    game: str | None = None
    """The one game that sessions may play; None leaves the choice to them."""
    may_create: bool = True
    calls: int | None = None
    characters: int | None = None
    most_sessions: int = 64


@dataclass
class Session:
    """An account with a budget, and the seat that it plays."""

    client: Client
    budget: Budget
    table: Table | None = None
    doing: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Calls of one session are made one after the other."""

    def seat(self) -> Table:
        """The seat that is played. Raises `Refused` if there is none yet."""
        if self.table is None:
            raise Refused("You sit nowhere yet: call list_games and join, or new_game.")
        return self.table

    def sit(self, table: Table) -> None:
        """Takes a seat, once."""
        self.free()
        self.table = table

    def free(self) -> None:
        """Raises `Refused` if the session has a seat in a game that goes on."""
        if self.table is not None and not self.table.over:
            where = f"game {self.table.game_id}, seat {self.table.number}"
            raise Refused(f"A session has one seat, and yours is in {where}. Play it to its end.")


class Sessions:
    """All sessions of a server: one on standard input and output; over HTTP one for each account.

    Over HTTP the account's token comes in the header `Authorization`, which the model never sees. There are no
    sessions without one.
    """

    def __init__(self, settings: Settings, *, token: str | None = None, token_file: Path | None = None) -> None:
        """The token is that of the session on standard input and output; without one it opens an account."""
        self.settings = settings
        self._token, self._file = token, token_file
        self._made: dict[str, Session] = {}
        self._making = asyncio.Lock()

    async def of(self, headers: Mapping[str, str] | None) -> Session:
        """The session of a call."""
        token = self._token if headers is None else _bearer(headers)
        # Tokens are kept by the client alone.
        key = "" if headers is None else hashlib.sha256((token or "").encode()).hexdigest()
        async with self._making:
            if key not in self._made:
                if len(self._made) >= self.settings.most_sessions:
                    raise Refused("The server has as many sessions as it may; try again later.")
                self._made[key] = await self._open(token)
            return self._made[key]

    async def close(self) -> None:
        """Closes all connections."""
        made, self._made = list(self._made.values()), {}
        for session in made:
            await session.client.close()

    async def _open(self, token: str | None) -> Session:
        settings = self.settings
        if token is None and self._file is not None and self._file.exists():
            token = self._file.read_text().strip()
        client = Client(settings.engine, token=token, tls_ca=settings.tls_ca)
        try:
            if client.token is None:
                await client.register(f"model-{uuid.uuid4().hex[:8]}")
                self._keep(client.token or "")
            else:
                await client.me()
        except BaseException:
            await client.close()
            raise
        return Session(client, Budget(settings.calls, settings.characters))

    def _keep(self, token: str) -> None:
        if self._file is not None:
            self._file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._file.touch(mode=0o600)
            self._file.write_text(f"{token}\n")


def _bearer(headers: Mapping[str, str]) -> str:
    scheme, _, token = headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise Refused("Send the token of your account in the header Authorization: Bearer TOKEN.")
    return token.strip()
