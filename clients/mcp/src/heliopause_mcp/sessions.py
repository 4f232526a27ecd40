"""Sessions: one for each account, with at most one seat."""

import asyncio
import hashlib
import time
import uuid
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from heliopause import Refusal
from heliopause.aio import Client, Table

from heliopause_mcp.budget import Budget

# Reasons with which the engine rejects a token or its account.
_NOT_ACCEPTED = ("TOKEN_INVALID", "BANNED")
# The number of tokens remembered for each account, which is also the engine's limit.
_MOST_TOKENS = 32
# Budgets are remembered for this number of most recent accounts.
_MOST_BUDGETS = 10_000


class Refused(Exception):
    """The session may not do what a tool requests."""


@dataclass(frozen=True)
class Settings:
    """The operator's settings."""

    engine: str | None = None
    tls_ca: str | None = None
    game: str | None = None
    """The only game that sessions may play, or None for any game."""
    may_create: bool = True
    calls: int | None = None
    characters: int | None = None
    most_sessions: int = 64
    idle_seconds: float = 1800.0
    """The time after which a session without calls ends, over HTTP. Models usually pause for less."""


@dataclass
class Session:
    """An account with its budget and its seat."""

    account: str
    client: Client
    budget: Budget
    table: Table | None = None
    doing: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Serializes the calls of a session."""
    tokens: list[str] = field(default_factory=list[str])
    """Digests of the tokens that the engine accepted, oldest first."""
    calls: int = 0
    """The number of current calls."""
    used: float = field(default_factory=time.monotonic)
    """The time of the end of the last call."""

    def seat(self) -> Table:
        """Returns the seat. Raises `Refused` if there is none yet."""
        if self.table is None:
            raise Refused("You have no seat yet: call list_games and join, or new_game.")
        return self.table

    def sit(self, table: Table) -> None:
        """Makes this seat the seat of the session. Raises `Refused` if the session has one."""
        self.free()
        self.table = table

    def free(self) -> None:
        """Raises `Refused` if the session has a seat in a running game."""
        if self.table is not None and not self.table.over:
            where = f"game {self.table.game_id}, seat {self.table.number}"
            raise Refused(f"A session has one seat. Yours is in {where}; play that game to the end.")


class Sessions:
    """All sessions of a server: one on standard input and output, or one per account over HTTP.

    Over HTTP the token of the account is in the header `Authorization`, which the model never sees. The
    engine identifies the account, so all tokens of an account share its session and its budget.
    """

    def __init__(self, settings: Settings, *, token: str | None = None, token_file: Path | None = None) -> None:
        """Sets the token for standard input and output. By default, uses `token_file` or a new account."""
        self.settings = settings
        self._token, self._file = token, token_file
        self._made: dict[str, Session] = {}
        self._of_token: dict[str, Session] = {}
        # An account that returns after its session ended continues with the same budget.
        self._budgets: dict[str, Budget] = {}
        self._registering = asyncio.Lock()

    def _budget(self, account: str) -> Budget:
        budget = self._budgets.pop(account, None) or Budget(self.settings.calls, self.settings.characters)
        self._budgets[account] = budget
        if len(self._budgets) > _MOST_BUDGETS:
            del self._budgets[next(iter(self._budgets))]
        return budget

    @asynccontextmanager
    async def use(self, headers: Mapping[str, str] | None) -> AsyncGenerator[Session, None]:
        """Provides the session of a call. Calls to the engine use the caller's own token."""
        if headers is None:
            async with self._registering:
                token = await self._own()
        else:
            token = _bearer(headers)
            await self._end_idle()
        session = self._of_token.get(_digest(token)) or await self._open(token)
        session.calls += 1
        try:
            async with session.doing:
                session.client.calls.token = token
                yield session
        except Refusal as refusal:
            if refusal.reason in _NOT_ACCEPTED:
                self._forget(session, token)
            raise
        finally:
            session.calls -= 1
            session.used = time.monotonic()
            if not session.tokens and not session.calls:
                await session.client.close()

    async def close(self) -> None:
        """Closes all connections."""
        made = list(self._made.values())
        self._made, self._of_token = {}, {}
        for session in made:
            await session.client.close()

    async def _open(self, token: str) -> Session:
        settings = self.settings
        client = Client(settings.engine, token=token, tls_ca=settings.tls_ca)
        try:
            account = (await client.me()).player_id
            session = self._made.get(account)
            if session is None:
                if len(self._made) >= settings.most_sessions:
                    most = settings.most_sessions
                    raise Refused(f"The server has reached its maximum number of sessions, {most}. Try again later.")
                session = self._made[account] = Session(account, client, self._budget(account))
        except BaseException:
            await client.close()
            raise
        session.used = time.monotonic()
        # Only the client stores tokens. The session has digests.
        if _digest(token) not in session.tokens:
            session.tokens.append(_digest(token))
        self._of_token[_digest(token)] = session
        if len(session.tokens) > _MOST_TOKENS:
            del self._of_token[session.tokens.pop(0)]
        if session.client is not client:
            await client.close()
        return session

    async def _end_idle(self) -> None:
        before = time.monotonic() - self.settings.idle_seconds
        for session in [one for one in self._made.values() if not one.calls and one.used <= before]:
            self._end(session)
            await session.client.close()

    def _forget(self, session: Session, token: str) -> None:
        """Forgets a token that the engine rejected. A session without tokens ends."""
        if self._of_token.pop(_digest(token), None) is not None:
            session.tokens.remove(_digest(token))
        if not session.tokens:
            self._end(session)

    def _end(self, session: Session) -> None:
        for token in session.tokens:
            self._of_token.pop(token, None)
        session.tokens.clear()
        if self._made.get(session.account) is session:
            del self._made[session.account]

    async def _own(self) -> str:
        if self._token is None:
            async with Client(self.settings.engine, token_file=self._file, tls_ca=self.settings.tls_ca) as client:
                await client.sign_in(f"model-{uuid.uuid4().hex[:8]}")
                self._token = client.token or ""
        return self._token


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _bearer(headers: Mapping[str, str]) -> str:
    scheme, _, token = headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise Refused("Send the token of your account in the header Authorization: Bearer TOKEN.")
    return token.strip()
