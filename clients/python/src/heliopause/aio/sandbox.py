"""Sandbox games with scripted dice and an adjustable clock."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from datetime import datetime, timedelta, timezone

from heliopause._calls import Calls
from heliopause.aio.table import Table
from heliopause.methods import SandboxService
from heliopause.v1 import event_pb2, sandbox_pb2, table_pb2


class Sandbox:
    """A sandbox game. Its owner has every seat without a guest or automation."""

    def __init__(self, calls: Calls, game: table_pb2.Game) -> None:
        """Use `Client.sandbox` to create a sandbox game."""
        self.game = game
        """The game as last returned by the engine."""
        self.game_id = game.game_id
        """The id of the game."""
        self._calls = calls

    def seat(self, number: int) -> Table:
        """Opens a seat, to view and play it."""
        if not any(seat.number == number for seat in self.game.seats):
            raise ValueError(f"seat {number} does not exist; the seats are 1 to {len(self.game.seats)}")
        game = table_pb2.Game()
        game.CopyFrom(self.game)
        return Table(self._calls, game, seat=number)

    async def clone(self, count: int = 1, *, seed: bytes = b"") -> list[Sandbox]:
        """Creates copies of the game at its current position. The same `seed` gives the same dice."""
        request = sandbox_pb2.CloneSandboxGameRequest(game_id=self.game_id, count=count, seed=seed)
        game_ids = (await self._calls.call(SandboxService.CloneSandboxGame, request)).game_ids
        return [Sandbox(self._calls, _renamed(self.game, game_id)) for game_id in game_ids]

    async def script_dice(self, dice: Sequence[int], *, replace: bool = False) -> int:
        """Appends results for the next dice. Returns the number of queued results."""
        request = sandbox_pb2.ScriptDiceRequest(game_id=self.game_id, dice=dice, replace=replace)
        return (await self._calls.call(SandboxService.ScriptDice, request)).waiting

    async def advance_clock(self, by: timedelta) -> datetime:
        """Advances the clock and applies the deadlines that pass. Returns the game's time."""
        request = sandbox_pb2.AdvanceClockRequest(game_id=self.game_id)
        request.duration.FromTimedelta(by)
        answer = await self._calls.call(SandboxService.AdvanceClock, request)
        self.game = answer.game
        return answer.game_time.ToDatetime(timezone.utc)

    async def close_phase(self) -> table_pb2.Game:
        """Closes the open phase. Missing orders are replaced by defaults."""
        request = sandbox_pb2.CloseSandboxPhaseRequest(game_id=self.game_id)
        self.game = (await self._calls.call(SandboxService.CloseSandboxPhase, request)).game
        return self.game

    async def position(self) -> sandbox_pb2.GetPositionResponse:
        """Returns the position, the queued dice, and the pending requests to automation."""
        request = sandbox_pb2.GetPositionRequest(game_id=self.game_id)
        return await self._calls.call(SandboxService.GetPosition, request)

    async def master_events(self) -> AsyncGenerator[event_pb2.Event, None]:
        """Lists the game master's events, oldest first."""
        request = sandbox_pb2.ListMasterEventsRequest(game_id=self.game_id)
        async for page in self._calls.pages(SandboxService.ListMasterEvents, request):
            for event in page.events:
                yield event


def _renamed(game: table_pb2.Game, game_id: str) -> table_pb2.Game:
    copy = table_pb2.Game()
    copy.CopyFrom(game)
    copy.game_id = game_id
    return copy
