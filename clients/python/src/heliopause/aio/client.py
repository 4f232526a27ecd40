"""An account on an engine: find games, take seats."""

import os
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from pathlib import Path
from types import TracebackType
from typing import Any

from google.protobuf import json_format

from heliopause._calls import Calls
from heliopause._engines import Engines
from heliopause._method import A, Listening, Q, Unary
from heliopause.aio.sandbox import Sandbox
from heliopause.aio.table import Table
from heliopause.methods import GameService, PlayerService, SandboxService
from heliopause.v1 import envelope_pb2, game_pb2, player_pb2, sandbox_pb2, table_pb2

Json = Mapping[str, Any]
"""A message in proto3 JSON."""


class Client:
    """An account on an engine, or on several engines that share their games.

    Calls that may be made again are made again, with the same request id, as long as the patience lasts, and
    streams go on where they were. Whatever fails in the end raises a `Refusal`.
    """

    def __init__(
        self,
        engines: str | Sequence[str] | None = None,
        *,
        token: str | None = None,
        token_file: str | os.PathLike[str] | None = None,
        timeout: float = 30.0,
        patience: float | None = 60.0,
        gzip: bool = True,
        tls_ca: str | os.PathLike[str] | None = None,
        tls_cert: str | os.PathLike[str] | None = None,
        tls_key: str | os.PathLike[str] | None = None,
    ) -> None:
        """Connects when the first call is made.

        `engines` are addresses, "host:port" or "https://host:port", as a list or with commas between them; without
        any HELIOPAUSE_ENGINE names them, else it is 127.0.0.1:50051. `token` is the account's, else HELIOPAUSE_TOKEN
        or `token_file` has it. `register` opens a new account, and writes its token to `token_file`. A call may take
        `timeout` seconds, all its attempts together `patience`; None is for ever. `tls_ca` is trusted instead of the
        system's authorities; `tls_cert` and `tls_key` show who the client is.
        """
        if timeout <= 0 or (patience is not None and patience < 0):
            raise ValueError("a timeout must be more than 0, and a patience not less")
        connections = Engines(engines, tls_ca=tls_ca, tls_cert=tls_cert, tls_key=tls_key)
        self._token_file = None if token_file is None else Path(token_file)
        token = token or os.environ.get("HELIOPAUSE_TOKEN") or self._read_token()
        self.calls = Calls(connections, token=token, timeout=timeout, patience=patience, gzip=gzip)

    @property
    def token(self) -> str | None:
        """The account's token."""
        return self.calls.token

    @property
    def engine(self) -> str:
        """The address of the engine that is in use."""
        return self.calls.engines.current

    async def close(self) -> None:
        """Closes all connections."""
        await self.calls.engines.close()

    async def register(self, name: str, *, invitation: str = "") -> player_pb2.Player:
        """Opens an account, which this client is from now on.

        Without a `token_file` keep its `token`: it is not shown again.
        """
        request = player_pb2.RegisterRequest(name=name, invitation=invitation)
        answer = await self.calls.call(PlayerService.Register, request)
        self.calls.token = answer.token
        if self._token_file is not None:
            self._token_file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._token_file.touch(mode=0o600)
            self._token_file.write_text(f"{answer.token}\n")
        return answer.player

    async def sign_in(self, name: str, *, invitation: str = "") -> player_pb2.Player:
        """Who this account is. Opens an account of this name if the client has no token yet."""
        return await (self.register(name, invitation=invitation) if self.token is None else self.me())

    async def me(self) -> player_pb2.Player:
        """Who this account is."""
        return (await self.calls.call(PlayerService.GetMe, player_pb2.GetMeRequest())).player

    async def kinds(self) -> Sequence[game_pb2.GameKind]:
        """The games that can be played."""
        return (await self.calls.call(GameService.ListKinds, game_pb2.ListKindsRequest())).kinds

    async def games(
        self, *, kind: str = "", joinable: bool = False, search: str = ""
    ) -> AsyncGenerator[game_pb2.GameSummary, None]:
        """The games that this account may see, newest first."""
        request = game_pb2.ListGamesRequest(kind=kind, joinable=joinable, search=search)
        async for page in self.calls.pages(GameService.ListGames, request):
            for game in page.games:
                yield game

    async def my_games(self, *, running_only: bool = False) -> AsyncGenerator[player_pb2.MyGame, None]:
        """The games in which this account sits, is invited, or which it leads; newest first."""
        request = player_pb2.ListMyGamesRequest(running_only=running_only)
        async for page in self.calls.pages(PlayerService.ListMyGames, request):
            for game in page.games:
                yield game

    async def decisions(self) -> AsyncGenerator[game_pb2.OpenDecision, None]:
        """The decisions that this account owes, in all its games and seats."""
        async for page in self.calls.pages(GameService.ListMyDecisions, game_pb2.ListMyDecisionsRequest()):
            for decision in page.decisions:
                yield decision

    async def notices(self) -> AsyncGenerator[game_pb2.StreamMyGamesResponse, None]:
        """What happens in all games of this account, as hints to look. It never ends by itself."""
        notices = self.calls.listen(GameService.StreamMyGames, game_pb2.StreamMyGamesRequest)
        async with aclosing(notices):
            async for notice in notices:
                yield notice

    async def new_game(
        self,
        kind: str,
        *,
        opponents: int = 0,
        level: str = "",
        open_seats: int = 0,
        invited: Sequence[str] = (),
        options: envelope_pb2.GameOptions | Json | None = None,
        pace: table_pb2.Pace | Json | None = None,
        name: str = "",
        private: bool = False,
        seat: int | None = None,
        in_order: bool = False,
    ) -> Table:
        """Makes a game, in which this account plays; it starts once no seat is open.

        Lots decide at the start who has which seat. `seat` chooses this account's own, and with `in_order` no lots are
        drawn: this account has the first seat. `opponents` are played by automation of a `level`, `open_seats` are for
        anybody, others for the players `invited`. Options and pace may be in proto3 JSON, options
        with or without the envelope: `{"rounds": 4}` or `{"starshipsAtLarge": {"rounds": 4}}`.
        """
        seats = [game_pb2.SeatPlan(open=table_pb2.OpenSeat(), seat=seat)]
        seats += [game_pb2.SeatPlan(open=table_pb2.OpenSeat()) for _ in range(open_seats)]
        seats += [game_pb2.SeatPlan(reserved_for=player) for player in invited]
        seats += [game_pb2.SeatPlan(automated=table_pb2.AutomatedSeat(level=level)) for _ in range(opponents)]
        request = game_pb2.CreateGameRequest(
            kind=kind,
            name=name,
            options=await self._enveloped(kind, options, envelope_pb2.GameOptions),
            pace=_message(pace, table_pb2.Pace),
            seats=seats,
            is_private=private,
            start_when_full=True,
            seats_in_order=in_order,
        )
        return Table(self.calls, (await self.calls.call(GameService.CreateGame, request)).game)

    async def join(self, game_id: str, *, seat: int | None = None, invite_code: str = "") -> Table:
        """Takes a seat: the one named, else one by lot, or the first that this account may take."""
        request = game_pb2.JoinGameRequest(game_id=game_id, seat=seat, invite_code=invite_code)
        return Table(self.calls, (await self.calls.call(GameService.JoinGame, request)).game)

    async def table(self, game_id: str, *, seat: int | None = None, spectator: bool = False) -> Table:
        """The seat that this account has in a game, or a spectator's place if it has none.

        In a sandbox its owner may name any seat.
        """
        table = Table(self.calls, table_pb2.Game(game_id=game_id), seat=seat, spectator=spectator)
        game = await table.refresh()
        again = Table(self.calls, game, seat=seat, spectator=spectator)
        again.decision = table.decision
        return again

    async def sandbox(
        self,
        kind: str,
        *,
        players: int | None = None,
        position: envelope_pb2.GamePosition | Json | None = None,
        options: envelope_pb2.GameOptions | Json | None = None,
        pace: table_pb2.Pace | Json | None = None,
        seed: bytes = b"",
        dice: Sequence[int] = (),
        automated: Mapping[int, str] | None = None,
        guests: Mapping[int, str] | None = None,
        name: str = "",
    ) -> Sandbox:
        """Makes a sandbox game, from a position or by its options.

        Both may be in proto3 JSON, with or without the envelope. `automated` names levels by seats, `guests` accounts
        by seats. All other seats are this account's.
        """
        request = sandbox_pb2.CreateSandboxGameRequest(
            kind=kind,
            players=players,
            position=await self._enveloped(kind, position, envelope_pb2.GamePosition),
            options=await self._enveloped(kind, options, envelope_pb2.GameOptions),
            pace=_message(pace, table_pb2.Pace),
            seed=seed,
            dice=dice,
            name=name,
        )
        for seat, level in (automated or {}).items():
            request.automated.add(seat=seat).by.level = level
        for seat, player in (guests or {}).items():
            request.guests.add(seat=seat, player=player)
        return Sandbox(self.calls, (await self.calls.call(SandboxService.CreateSandboxGame, request)).game)

    async def call(self, method: Unary[Q, A], request: Q) -> A:
        """Makes any call of the contract, such as `methods.GameService.GetGame`."""
        return await self.calls.call(method, request)

    async def read(self, method: Listening[Q, A], request: Q) -> AsyncGenerator[A, None]:
        """Reads a stream that has an end, such as `methods.GameService.ExportGame`."""
        parts = self.calls.read(method, request)
        async with aclosing(parts):
            async for part in parts:
                yield part

    def _read_token(self) -> str | None:
        """The token that the file keeps, if there is one."""
        file = self._token_file
        return (file.read_text().strip() or None) if file is not None and file.exists() else None

    async def _enveloped(self, kind: str, given: Q | Json | None, made: type[Q]) -> Q | None:
        """A message with the envelope of a kind of game around it, which may be given without."""
        known = {name for field in made.DESCRIPTOR.fields for name in (field.name, field.json_name)}
        if isinstance(given, Mapping) and not (len(given) == 1 and given.keys() <= known):
            options = next((one.default_options for one in await self.kinds() if one.kind == kind), None)
            field = None if options is None else options.WhichOneof("game")
            # The engine says what is wrong with an unknown kind.
            given = None if field is None else {field: given}
        return _message(given, made)

    async def __aenter__(self) -> "Client":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


def _message(given: Q | Json | None, made: type[Q]) -> Q | None:
    """A message, which may be given in proto3 JSON."""
    if given is None or isinstance(given, made):
        return given
    if not isinstance(given, Mapping):
        raise TypeError(f"give a {made.__name__} or its JSON, not a {type(given).__name__}")
    try:
        return json_format.ParseDict(dict(given), made())
    except json_format.ParseError as error:
        raise ValueError(f"{made.__name__}: {error}") from None
