"""Bots: a function chooses the orders, and the bot plays with them."""

import asyncio
import inspect
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import aclosing
from random import Random
from typing import Any

from heliopause import aio, sync
from heliopause._apply import event_name
from heliopause._portal import Portal
from heliopause._worker import Worker
from heliopause.answers import Answer, Reply, answer_of
from heliopause.offers import Offers
from heliopause.refusals import (
    CursorInvalid,
    MalformedOrder,
    OrderRefused,
    PhaseClosed,
    Refusal,
    StaleRevision,
    WrongStatus,
)
from heliopause.v1 import automation_pb2, game_pb2, table_pb2

_LOG = logging.getLogger("heliopause")
# The number of refused answers to a decision after which the bot gives up.
_ATTEMPTS = 5

Choose = Callable[[Any, Offers], "Reply | Awaitable[Reply]"]
"""Chooses orders for a seat: called with a `Table` or another `Seat`, and the offers."""
Vote = Callable[[Any, table_pb2.Vote], "bool | Awaitable[bool]"]
"""Votes yes or no when a worker is asked."""
Fault = Callable[[str, Exception], object]
"""Called with the place of an error, such as "game g-1, seat 2", and the error."""


def _log_fault(place: str, error: Exception) -> None:
    _LOG.error("%s: the bot failed", place, exc_info=error)


class Bot:
    """Plays with a function that chooses orders.

    `choose(table, offers)` returns an order as text, several orders, or an `Answer`. Return all orders
    together if the decision is revisable. The seat is then ready, unless the `Answer` says otherwise. If
    the decision is not revisable, the function is called until the turn is over. After a refusal, the
    function is called again with `table.attempt` and `table.refused`.

    The function may be plain or `async`. A plain function runs in a thread and receives a blocking table.
    An `async` function receives a table of `heliopause.aio`. A worker's seat is a `Seat` instead of a
    `Table` and has only the view.
    """

    def __init__(
        self, choose: Choose, *, vote: Vote | None = None, seed: int | None = None, on_fault: Fault | None = None
    ) -> None:
        """Creates a bot. `vote` answers votes as a worker, by default with no.

        `on_fault` is called when a decision fails while other games continue. The default logs the
        error.
        """
        if not callable(choose):
            raise TypeError(f"choose: expected a function choose(table, offers), found {choose!r}")
        self._choose, self._vote, self._on_fault = choose, vote, on_fault
        self._random = Random(seed)
        self._memos: dict[tuple[str, int], bytes] = {}

    async def play(self, table: aio.Table) -> table_pb2.Outcome:
        """Plays a seat until the game is over, across lost connections and restarts of the engine."""
        while True:
            parts = table.parts()
            try:
                async with aclosing(parts):
                    async for part in parts:
                        kind = event_name(part)
                        if kind == "game_ended" or (kind == "caught_up" and table.over):
                            return table.game.outcome
                        if kind in ("caught_up", "decision_opened", "status_changed"):
                            await self.answer(table)
            except CursorInvalid:
                # The operator restored a backup: later events never happened.
                table.start_over()

    async def serve(self, client: aio.Client, *, on_fault: Fault = _log_fault) -> None:
        """Plays all games of an account, including invitations, until canceled.

        `on_fault` is called when a decision fails, unless the bot has its own `on_fault`.
        """
        on_fault = self._on_fault or on_fault
        look, tables = asyncio.Event(), dict[tuple[str, int], aio.Table]()

        async def listen() -> None:
            notices = client.notices()
            async with aclosing(notices):
                async for notice in notices:
                    if notice.WhichOneof("notice") in ("caught_up", "fell_behind", "game"):
                        look.set()

        listening = asyncio.create_task(listen())
        listening.add_done_callback(lambda _: look.set())
        try:
            while True:
                # Notices that arrive meanwhile cause only one more pass.
                await look.wait()
                look.clear()
                if listening.done():
                    listening.result()
                await self._answer_all(client, tables, on_fault)
        finally:
            listening.cancel()

    async def work(
        self,
        client: aio.Client,
        profiles: Sequence[str],
        *,
        capacity: int = 4,
        welcomed: Callable[[], object] | None = None,
        on_fault: Fault = _log_fault,
    ) -> None:
        """Plays automated seats as a worker until canceled.

        Profiles are KIND:PROFILE:LEVEL, such as "diplomacy:power:random". Without a level or a profile,
        the worker plays all levels or profiles of the kind. The account must be a worker. `capacity` is
        the number of decisions handled at the same time. `welcomed` is called whenever an engine accepts
        the worker, and `on_fault` when a decision fails, unless the bot has its own `on_fault`.
        """
        kinds = await client.kinds()
        wanted = [profile for text in profiles for profile in _profiles(text, kinds)]
        if not wanted:
            raise ValueError("specify at least one profile as KIND:PROFILE:LEVEL")
        on_fault = self._on_fault or on_fault
        worker = Worker(
            client.calls, self._decide, self._say, wanted, capacity=capacity, welcomed=welcomed, on_fault=on_fault
        )
        await worker.run()

    async def answer(self, table: aio.Table) -> None:
        """Answers the decisions of a seat until there are none or the seat is ready."""
        table.attempt, table.refused, asked = 0, (), None
        while True:
            try:
                offers = await table.offers()
                if offers.decision is None or offers.decision.ready:
                    return
                if asked != offers.phase:
                    table.attempt, table.refused, asked = 0, (), offers.phase
                table.random = self._random
                table.memo = self._memos.get((table.game_id, table.number), b"")
                if not await self._give(table, offers, await self._decide(table, offers)):
                    return
            except (StaleRevision, PhaseClosed):
                # The state changed while the bot was thinking, so read the state again.
                continue
            except WrongStatus:
                # The game is paused or over. An event follows when the game continues.
                return
            except (OrderRefused, MalformedOrder) as refusal:
                if table.attempt + 1 >= _ATTEMPTS:
                    raise
                _LOG.warning("%s, seat %d: %s", table.game_id, table.number, refusal)
                table.attempt, table.refused = table.attempt + 1, refusal.verdicts

    async def _give(self, table: aio.Table, offers: Offers, answer: Answer) -> bool:
        """Submits an answer. Returns whether the seat may have more decisions."""
        assert offers.decision is not None
        ready, more = answer.ready and offers.decision.revisable, True
        if answer.orders:
            given = await table.order(answer.orders, ready=ready, phase=offers.phase, revision=offers.revision)
            refused = given.HasField("refused") and given.refused.refusal != "decision-closed"
            table.attempt = table.attempt + 1 if refused else 0
            table.refused = [given.refused] if refused else ()
        elif ready:
            await table.ready()
        elif offers.decision.revisable:
            more = False
        else:
            raise ValueError("the bot returned no orders, but this decision requires at least one")
        if answer.memo is not None:
            self._memos[table.game_id, table.number] = answer.memo
        for message in answer.messages:
            try:
                await table.write(message.text, message.to)
            except Refusal as refusal:
                if refusal.reason != "MESSAGE_REFUSED":
                    raise
                _LOG.warning("%s, seat %d: a message was rejected: %s", table.game_id, table.number, refusal)
        return more

    async def _answer_all(self, client: aio.Client, tables: dict[tuple[str, int], aio.Table], on_fault: Fault) -> None:
        """Accepts invitations and answers all pending decisions of the account."""
        async for game in client.my_games(running_only=True):
            if game.invited:
                try:
                    await client.join(game.game_id)
                except Refusal as refusal:
                    _LOG.warning("%s: could not join: %s", game.game_id, refusal)
        async for owed in client.decisions():
            if owed.decision.ready:
                continue
            try:
                place = (owed.game_id, owed.seat)
                if place not in tables:
                    tables[place] = await client.table(owed.game_id, seat=owed.seat)
                await self.answer(tables[place])
            except Exception as error:
                # The other games continue.
                on_fault(f"{owed.game_id}, seat {owed.seat}", error)

    async def _decide(self, seat: aio.Seat, offers: Offers) -> Answer:
        return answer_of(await self._ask(self._choose, seat, offers))

    async def _say(self, seat: aio.Seat, vote: table_pb2.Vote) -> bool:
        return self._vote is not None and bool(await self._ask(self._vote, seat, vote))

    async def _ask(self, function: Callable[..., Any], seat: aio.Seat, subject: object) -> Any:
        """Calls a function of the bot's author, which may be plain or asynchronous."""
        if inspect.iscoroutinefunction(function):
            return await function(seat, subject)
        portal = Portal(asyncio.get_running_loop())
        plain = sync.Table(seat, portal) if isinstance(seat, aio.Table) else sync.Seat(seat, portal)
        return await asyncio.to_thread(function, plain, subject)

    def main(self, arguments: Sequence[str] | None = None) -> int:
        """Runs the bot as a program with command-line options. Returns the exit code."""
        from heliopause._program import run_bot

        return run_bot(self, arguments)


def _profiles(text: str, kinds: Sequence[game_pb2.GameKind]) -> list[automation_pb2.WorkerProfile]:
    parts = text.split(":")
    if len(parts) > 3 or not all(parts):
        raise ValueError(f"{text!r} is not a profile; expected KIND:PROFILE:LEVEL")
    kind = next((kind for kind in kinds if kind.kind == parts[0]), None)
    if kind is None:
        raise ValueError(f"{text!r}: unknown kind of game; the kinds are {', '.join(kind.kind for kind in kinds)}")
    # The engine rejects unknown profiles and levels and lists the valid ones.
    profiles, levels = parts[1:2] or kind.profiles, parts[2:] or kind.levels
    return [automation_pb2.WorkerProfile(kind=kind.kind, profile=profile, levels=levels) for profile in profiles]
