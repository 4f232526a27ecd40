"""A game of one's own, with scripted dice and a clock that can be set forward."""

from collections.abc import AsyncGenerator, Sequence
from datetime import datetime, timedelta, timezone

from heliopause._calls import Calls
from heliopause.aio.table import Table
from heliopause.methods import SandboxService
from heliopause.v1 import event_pb2, sandbox_pb2, table_pb2


class Sandbox:
    """A sandbox game. Its owner holds every seat that nobody else has."""

    def __init__(self, calls: Calls, game: table_pb2.Game) -> None:
        """Sandboxes come from a client: `sandbox`."""
        self.game = game
        """The game as it was when it last was answered."""
        self.game_id = game.game_id
        """The id of the game."""
        self._calls = calls

    def seat(self, number: int) -> Table:
        """A seat, to look and to order for it."""
        if not any(seat.number == number for seat in self.game.seats):
            raise ValueError(f"there is no seat {number}, only 1 to {len(self.game.seats)}")
        game = table_pb2.Game()
        game.CopyFrom(self.game)
        return Table(self._calls, game, seat=number)

    async def script_dice(self, dice: Sequence[int], *, replace: bool = False) -> int:
        """Adds values for the next dice; answers how many wait now."""
        request = sandbox_pb2.ScriptDiceRequest(game_id=self.game_id, dice=dice, replace=replace)
        return (await self._calls.call(SandboxService.ScriptDice, request)).waiting

    async def advance_clock(self, by: timedelta) -> datetime:
        """Sets the clock forward and carries out the deadlines that pass; answers the game's time."""
        request = sandbox_pb2.AdvanceClockRequest(game_id=self.game_id)
        request.by.FromTimedelta(by)
        answer = await self._calls.call(SandboxService.AdvanceClock, request)
        self.game = answer.game
        return answer.game_time.ToDatetime(timezone.utc)

    async def close_phase(self) -> table_pb2.Game:
        """Closes the open phase; defaults stand in for missing orders."""
        request = sandbox_pb2.CloseSandboxPhaseRequest(game_id=self.game_id)
        self.game = (await self._calls.call(SandboxService.CloseSandboxPhase, request)).game
        return self.game

    async def position(self) -> sandbox_pb2.GetPositionResponse:
        """Everything: the position, the dice that wait, and what automation is asked."""
        request = sandbox_pb2.GetPositionRequest(game_id=self.game_id)
        return await self._calls.call(SandboxService.GetPosition, request)

    async def master_events(self) -> AsyncGenerator[event_pb2.Event, None]:
        """The game master's events, oldest first."""
        request = sandbox_pb2.ListMasterEventsRequest(game_id=self.game_id)
        async for page in self._calls.pages(SandboxService.ListMasterEvents, request):
            for event in page.events:
                yield event
