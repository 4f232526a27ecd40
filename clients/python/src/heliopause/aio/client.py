"""An account on an engine: lists, creates and joins games."""

import asyncio
import os
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from datetime import datetime, timedelta
from pathlib import Path
from types import TracebackType
from typing import Any

from google.protobuf import json_format

from heliopause._calls import Calls
from heliopause._engines import Engines
from heliopause._method import A, Listening, Q, Unary
from heliopause.aio.sandbox import Sandbox
from heliopause.aio.table import Table
from heliopause.methods import (
    AnalysisService,
    GameService,
    PlayerService,
    ProfileService,
    QuickPlayService,
    SandboxService,
    TournamentService,
)
from heliopause.v1 import (
    analysis_pb2,
    envelope_pb2,
    game_pb2,
    player_pb2,
    profile_pb2,
    quick_play_pb2,
    sandbox_pb2,
    scene_pb2,
    table_pb2,
    tournament_pb2,
)

Json = Mapping[str, Any]
"""A message in proto3 JSON."""

_POLL_SECONDS = 2.0


class Client:
    """An account on an engine, or on several engines that share games.

    Calls are retried where that is safe, with the same request id, until `patience` has elapsed. Streams
    resume where they broke. Calls and streams that fail in the end raise a `Refusal`.
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
        """Creates a client, which connects on the first call.

        `engines` are addresses, "host:port" or "https://host:port", as a list or separated by commas.
        The default is HELIOPAUSE_ENGINE or 127.0.0.1:50051. The token is `token`, HELIOPAUSE_TOKEN, or
        the content of `token_file`. `register` creates an account and writes its token to `token_file`.
        `timeout` is the timeout of one attempt in seconds. `patience` is the limit for all attempts of a
        call, and None means no limit. `tls_ca` replaces the system's authorities. `tls_cert` and
        `tls_key` are the client's certificate and its key.
        """
        if timeout <= 0:
            raise ValueError(f"timeout: {timeout} is too small; it must be greater than 0")
        if patience is not None and patience < 0:
            raise ValueError(f"patience: {patience} is too small; the minimum is 0")
        connections = Engines(engines, tls_ca=tls_ca, tls_cert=tls_cert, tls_key=tls_key)
        self._token_file = None if token_file is None else Path(token_file)
        token = token or os.environ.get("HELIOPAUSE_TOKEN") or self._read_token()
        self.calls = Calls(connections, token=token, timeout=timeout, patience=patience, gzip=gzip)

    @property
    def token(self) -> str | None:
        """The account's token, or None before an account is created."""
        return self.calls.token

    @property
    def engine(self) -> str:
        """The address of the engine in use."""
        return self.calls.engines.current

    async def close(self) -> None:
        """Closes all connections."""
        await self.calls.engines.close()

    async def register(self, name: str, *, invitation: str = "") -> player_pb2.Player:
        """Creates an account and uses it for later calls.

        Without a `token_file`, store the client's `token`: the engine does not show it again.
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
        """Returns the player of this account. Creates an account of this name if there is no token."""
        return await (self.register(name, invitation=invitation) if self.token is None else self.me())

    async def me(self) -> player_pb2.Player:
        """Returns the player of this account."""
        return (await self.calls.call(PlayerService.GetMe, player_pb2.GetMeRequest())).player

    async def profile(self, player: str = "") -> profile_pb2.Profile:
        """Returns the results and ratings of a player, by name or id; of this account by default."""
        request = profile_pb2.GetProfileRequest(player=player)
        return (await self.calls.call(ProfileService.GetProfile, request)).profile

    async def leaderboard(
        self, kind: str, *, size: profile_pb2.LadderSize.ValueType = profile_pb2.LADDER_SIZE_UNSPECIFIED
    ) -> AsyncGenerator[profile_pb2.LeaderboardEntry, None]:
        """Lists the certain ratings of a kind, best first. `size` may be omitted if there is only one."""
        request = profile_pb2.ListLeaderboardRequest(kind=kind, size=size)
        async for page in self.calls.pages(ProfileService.ListLeaderboard, request):
            for entry in page.entries:
                yield entry

    async def tournaments(
        self,
        *,
        kind: str = "",
        status: tournament_pb2.TournamentStatus.ValueType = tournament_pb2.TOURNAMENT_STATUS_UNSPECIFIED,
    ) -> AsyncGenerator[tournament_pb2.Tournament, None]:
        """Lists tournaments: first those that are not over, in the order of their start."""
        request = tournament_pb2.ListTournamentsRequest(kind=kind, status=status)
        async for page in self.calls.pages(TournamentService.ListTournaments, request):
            for tournament in page.tournaments:
                yield tournament

    async def tournament(self, tournament_id: str) -> tournament_pb2.GetTournamentResponse:
        """Returns a tournament with its standings, rounds and games."""
        request = tournament_pb2.GetTournamentRequest(tournament_id=tournament_id)
        return await self.calls.call(TournamentService.GetTournament, request)

    async def enter(self, tournament_id: str) -> None:
        """Enters a tournament."""
        request = tournament_pb2.JoinTournamentRequest(tournament_id=tournament_id)
        await self.calls.call(TournamentService.JoinTournament, request)

    async def withdraw(self, tournament_id: str) -> None:
        """Withdraws from a tournament."""
        request = tournament_pb2.WithdrawFromTournamentRequest(tournament_id=tournament_id)
        await self.calls.call(TournamentService.WithdrawFromTournament, request)

    async def kinds(self) -> Sequence[game_pb2.GameKind]:
        """Returns the kinds of games."""
        return (await self.calls.call(GameService.ListKinds, game_pb2.ListKindsRequest())).kinds

    async def board(
        self, kind: str, *, options: envelope_pb2.GameOptions | Json | None = None, distances: bool = False
    ) -> scene_pb2.Board:
        """Returns what is fixed of the board of a kind: its places, and the steps between them."""
        given = await self._enveloped(kind, options, envelope_pb2.GameOptions)
        request = game_pb2.GetBoardRequest(kind=kind, options=given, distances=distances)
        return (await self.calls.call(GameService.GetBoard, request)).board

    async def games(
        self,
        *,
        kind: str = "",
        joinable: bool = False,
        search: str = "",
        player: str = "",
        status: table_pb2.GameStatus.ValueType = table_pb2.GAME_STATUS_UNSPECIFIED,
        rated: bool | None = None,
        created: tuple[datetime | None, datetime | None] = (None, None),
        ended: tuple[datetime | None, datetime | None] = (None, None),
    ) -> AsyncGenerator[game_pb2.GameSummary, None]:
        """Lists games that this account may see, newest first.

        `created` and `ended` are the first time and the time after the last; None is no limit.
        """
        request = game_pb2.ListGamesRequest(
            kind=kind, joinable=joinable, search=search, player=player, status=status, rated=rated
        )
        limits = (
            (request.created_from_time, created[0]),
            (request.created_before_time, created[1]),
            (request.ended_from_time, ended[0]),
            (request.ended_before_time, ended[1]),
        )
        for field, time in limits:
            if time is not None:
                field.FromDatetime(time)
        async for page in self.calls.pages(GameService.ListGames, request):
            for game in page.games:
                yield game

    async def my_games(self, *, running_only: bool = False) -> AsyncGenerator[player_pb2.MyGame, None]:
        """Lists games in which this account has a seat, is invited, or is game master, newest first."""
        request = player_pb2.ListMyGamesRequest(running_only=running_only)
        async for page in self.calls.pages(PlayerService.ListMyGames, request):
            for game in page.games:
                yield game

    async def decisions(self) -> AsyncGenerator[game_pb2.OpenDecision, None]:
        """Lists the pending decisions of this account in all its games and seats."""
        async for page in self.calls.pages(GameService.ListMyDecisions, game_pb2.ListMyDecisionsRequest()):
            for decision in page.decisions:
                yield decision

    async def notices(self) -> AsyncGenerator[game_pb2.StreamMyGamesResponse, None]:
        """Streams notices of all games of this account, without an end."""
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
        rated: bool = False,
        no_analysis: bool = False,
    ) -> Table:
        """Creates a game, in which this account plays. It starts when all seats are taken.

        Seats are drawn by lot at the start. `seat` chooses the seat of this account. With `in_order` there
        are no lots, and this account has the first seat. Then follow `opponents`, automated at a `level`,
        `open_seats`, and seats reserved for the players in `invited`. Options and pace may be proto3 JSON.
        Options may have the envelope or not: `{"starshipsAtLarge": {"rounds": 4}}` or `{"rounds": 4}`.
        A `rated` game changes the ratings of its players. `no_analysis` forbids branches before the end.
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
            rated=rated,
            no_analysis=no_analysis,
        )
        return Table(self.calls, (await self.calls.call(GameService.CreateGame, request)).game)

    async def quick_play(
        self,
        kind: str,
        *,
        pace: quick_play_pb2.QuickPace.ValueType = quick_play_pb2.QUICK_PACE_LIVE,
        players: tuple[int, int] = (0, 0),
        rated: bool = False,
        bots_after: timedelta | None = None,
        preferences: Sequence[int] = (),
    ) -> Table:
        """Waits in the queue for opponents, and returns the table of the new game.

        `players` are the smallest and the largest number of players; 0 means the usual number. After
        `bots_after`, automation takes the missing seats. `preferences` are seats, best first. Raises
        TimeoutError if the engine has removed the entry, for example after an hour.
        """
        request = quick_play_pb2.JoinQueueRequest(
            kind=kind,
            players_min=players[0],
            players_max=players[1],
            pace=pace,
            rated=rated,
            preferences=preferences,
        )
        if bots_after is not None:
            request.bots_after.FromTimedelta(bots_after)
        entry = (await self.calls.call(QuickPlayService.JoinQueue, request)).entry
        while entry.state != quick_play_pb2.QUEUE_STATE_READY:
            await asyncio.sleep(_POLL_SECONDS)
            answer = await self.calls.call(QuickPlayService.GetQueue, quick_play_pb2.GetQueueRequest())
            if not answer.HasField("entry"):
                raise TimeoutError(f"quick_play: the queue has no opponents for {kind}")
            entry = answer.entry
        return await self.table(entry.game_id)

    async def leave_queue(self) -> None:
        """Leaves the queue of `quick_play`."""
        await self.calls.call(QuickPlayService.LeaveQueue, quick_play_pb2.LeaveQueueRequest())

    async def rematch(self, game_id: str) -> Table:
        """Creates the rematch of a finished game with rotated seats, or joins it."""
        request = quick_play_pb2.RematchGameRequest(game_id=game_id)
        return Table(self.calls, (await self.calls.call(QuickPlayService.RematchGame, request)).game)

    async def join(self, game_id: str, *, seat: int | None = None, invite_code: str = "") -> Table:
        """Joins a game at the given seat, or else at a seat drawn by lot or the first open seat."""
        request = game_pb2.JoinGameRequest(game_id=game_id, seat=seat, invite_code=invite_code)
        return Table(self.calls, (await self.calls.call(GameService.JoinGame, request)).game)

    async def table(self, game_id: str, *, seat: int | None = None, spectator: bool = False) -> Table:
        """Opens a game at this account's seat, or as spectator if it has none.

        The owner of a sandbox may name any seat.
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
        """Creates a sandbox game from a position or from options.

        Both may be proto3 JSON, with or without the envelope. `automated` gives levels by seat, and
        `guests` gives account names by seat. This account has all other seats.
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
            request.automated.add(seat=seat).automation.level = level
        for seat, player in (guests or {}).items():
            request.guests.add(seat=seat, player=player)
        return Sandbox(self.calls, (await self.calls.call(SandboxService.CreateSandboxGame, request)).game)

    async def analyze(
        self,
        game_id: str,
        *,
        phase: int | None = None,
        seat: int | None = None,
        revealed: bool = False,
        level: str = "",
        name: str = "",
        seed: bytes = b"",
    ) -> Sandbox:
        """Branches a game: creates a sandbox game from the current state or the end of a `phase`.

        What this account's seat does not see is a guess, unless the game is over and `revealed` is set.
        With a `level`, automation plays all seats except `seat`, by default this account's own.
        """
        request = analysis_pb2.CreateAnalysisRequest(
            game_id=game_id,
            at_phase=phase,
            seat=seat,
            revealed=revealed,
            automation_level=level,
            name=name,
            seed=seed,
        )
        return Sandbox(self.calls, (await self.calls.call(AnalysisService.CreateAnalysis, request)).game)

    async def analyses(self, game_id: str) -> list[analysis_pb2.Analysis]:
        """Lists this account's branches of a game, oldest first."""
        request = analysis_pb2.ListAnalysesRequest(game_id=game_id)
        return list((await self.calls.call(AnalysisService.ListAnalyses, request)).analyses)

    async def rename_analysis(self, game_id: str, name: str) -> analysis_pb2.Analysis:
        """Renames a branch. The id is that of the branch's own game."""
        request = analysis_pb2.RenameAnalysisRequest(game_id=game_id, name=name)
        return (await self.calls.call(AnalysisService.RenameAnalysis, request)).analysis

    async def delete_analysis(self, game_id: str) -> None:
        """Deletes a branch. The id is that of the branch's own game."""
        await self.calls.call(AnalysisService.DeleteAnalysis, analysis_pb2.DeleteAnalysisRequest(game_id=game_id))

    async def call(self, method: Unary[Q, A], request: Q) -> A:
        """Makes any call of the contract, such as `methods.GameService.GetGame`."""
        return await self.calls.call(method, request)

    async def read(self, method: Listening[Q, A], request: Q) -> AsyncGenerator[A, None]:
        """Reads a finite stream, such as `methods.GameService.ExportGame`."""
        parts = self.calls.read(method, request)
        async with aclosing(parts):
            async for part in parts:
                yield part

    def _read_token(self) -> str | None:
        file = self._token_file
        return (file.read_text().strip() or None) if file is not None and file.exists() else None

    async def _enveloped(self, kind: str, given: Q | Json | None, made: type[Q]) -> Q | None:
        """Returns `given` in the envelope of a kind, which it may already have, or None for an unknown kind."""
        known = {name for field in made.DESCRIPTOR.fields for name in (field.name, field.json_name)}
        if isinstance(given, Mapping) and not (len(given) == 1 and given.keys() <= known):
            options = next((one.default_options for one in await self.kinds() if one.kind == kind), None)
            field = None if options is None else options.WhichOneof("game")
            # The engine rejects an unknown kind with an error.
            given = None if field is None else {field: given}
        return _message(given, made)

    async def __aenter__(self) -> "Client":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


def _message(given: Q | Json | None, made: type[Q]) -> Q | None:
    if given is None or isinstance(given, made):
        return given
    if not isinstance(given, Mapping):
        raise TypeError(f"expected {made.__name__} or its JSON, found {type(given).__name__}")
    try:
        return json_format.ParseDict(dict(given), made())
    except json_format.ParseError as error:
        raise ValueError(f"{made.__name__}: {error}") from None
