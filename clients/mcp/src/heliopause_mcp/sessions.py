"""Sessions: each account has one, with at most one seat."""

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

# The engine accepts a token no more, or its account.
_NOT_ACCEPTED = ("TOKEN_INVALID", "BANNED")
# So many tokens of an account are known; the engine is asked again about others. An account has no more at once.
_MOST_TOKENS = 32
# Budgets are kept for the accounts that came last.
_MOST_BUDGETS = 10_000


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
    idle_seconds: float = 1800.0
    """Over HTTP: a session without calls ends after this time. It is longer than people let a model pause."""


@dataclass
class Session:
    """An account with a budget, and the seat that it plays."""

    account: str
    client: Client
    budget: Budget
    table: Table | None = None
    doing: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Calls of one session are made one after the other."""
    tokens: list[str] = field(default_factory=list[str])
    """Digests of the account's tokens that the engine accepted, oldest first."""
    calls: int = 0
    """The number of calls that use the session now."""
    used: float = field(default_factory=time.monotonic)
    """The end of the last call."""

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

    Over HTTP the account's token comes in the header `Authorization`, which the model never sees. The engine tells
    whose token it is, so all tokens of an account share its session and its budget.
    """

    def __init__(self, settings: Settings, *, token: str | None = None, token_file: Path | None = None) -> None:
        """The token is that of the session on standard input and output; without one it opens an account."""
        self.settings = settings
        self._token, self._file = token, token_file
        self._made: dict[str, Session] = {}
        self._of_token: dict[str, Session] = {}
        # An account that comes back after its session ended continues with the same budget.
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
        """The session of a call, for this call alone. Calls to the engine carry the caller's own token."""
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
        """The session of the account that a token belongs to; a new one if it has none."""
        settings = self.settings
        client = Client(settings.engine, token=token, tls_ca=settings.tls_ca)
        try:
            account = (await client.me()).player_id
            session = self._made.get(account)
            if session is None:
                if len(self._made) >= settings.most_sessions:
                    raise Refused("The server has as many sessions as it may; try again later.")
                session = self._made[account] = Session(account, client, self._budget(account))
        except BaseException:
            await client.close()
            raise
        session.used = time.monotonic()
        # Tokens are kept by the client alone.
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
        """Forgets a token that the engine refuses. A session without tokens ends."""
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
        """The token of the session on standard input and output."""
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
