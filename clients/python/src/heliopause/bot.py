"""Bots: give a function that chooses, and it plays."""

import asyncio
import inspect
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import aclosing
from random import Random
from typing import Any

from heliopause import aio, sync
from heliopause._fold import happened
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
# After so many refused answers to one decision the bot is at fault.
_ATTEMPTS = 5

Choose = Callable[[Any, Offers], "Reply | Awaitable[Reply]"]
"""Chooses orders for a seat: given a `Table` or another `Seat`, and the offers."""
Vote = Callable[[Any, table_pb2.Vote], "bool | Awaitable[bool]"]
"""Says yes or no to a vote that a worker is asked."""
Fault = Callable[[str, Exception], object]
"""Is called with a place, such as "game g-1, seat 2", and the error with which the bot failed there."""


def _log_fault(place: str, error: Exception) -> None:
    _LOG.error("%s: the bot failed", place, exc_info=error)


class Bot:
    """Plays with a function that chooses.

    `choose(table, offers)` answers an order as text, several orders, or an `Answer`. Where several orders belong
    together it gives all of them: afterwards the seat is ready, unless the `Answer` says otherwise. Else it is asked
    again until its turn is over. After a refusal it is asked again with `table.attempt` and `table.refused`.

    The function may be plain or `async`. A plain one runs in a thread, so it may take its time, and its table is
    one whose calls wait; that of an `async` one is of `heliopause.aio`. A worker's seat is a `Seat` and no `Table`:
    it knows the view and nothing else.
    """

    def __init__(
        self, choose: Choose, *, vote: Vote | None = None, seed: int | None = None, on_fault: Fault | None = None
    ) -> None:
        """`vote` answers the votes that a worker is asked; without it the answer is no.

        `on_fault` is called when the bot fails at a decision while its other games continue; without it the error is
        logged.
        """
        if not callable(choose):
            raise TypeError("a bot needs a function choose(table, offers)")
        self._choose, self._vote, self._on_fault = choose, vote, on_fault
        self._random = Random(seed)
        self._memos: dict[tuple[str, int], bytes] = {}

    async def play(self, table: aio.Table) -> table_pb2.Outcome:
        """Plays a seat until the game is over, whatever happens to the line or the engine."""
        while True:
            parts = table.parts()
            try:
                async with aclosing(parts):
                    async for part in parts:
                        kind = happened(part)
                        if kind == "game_ended" or (kind == "caught_up" and table.over):
                            return table.game.outcome
                        if kind in ("caught_up", "decision_opened", "status_changed"):
                            await self.answer(table)
            except CursorInvalid:
                # The operator has gone back to a backup: what came after it never happened.
                table.start_over()

    async def serve(self, client: aio.Client, *, on_fault: Fault = _log_fault) -> None:
        """Plays all games of an account, also those that it is invited to, until it is cancelled.

        `on_fault` is called with the bot's failures, unless the bot has its own.
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
                # Many notices while it looks make it look once more.
                await look.wait()
                look.clear()
                if listening.done():
                    listening.result()
                await self._look(client, tables, on_fault)
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
        """Plays automated seats as a worker, until it is cancelled.

        Profiles are written KIND:PROFILE:LEVEL, such as "diplomacy:power:random"; without a level or a profile they
        are all that the kind has. The account must be a worker's. `capacity` is how many decisions it takes at once;
        `welcomed` is called whenever an engine has taken it on, `on_fault` with the bot's failures, unless the bot has
        its own.
        """
        kinds = await client.kinds()
        wanted = [profile for text in profiles for profile in _profiles(text, kinds)]
        if not wanted:
            raise ValueError("name at least one profile, as KIND:PROFILE:LEVEL")
        on_fault = self._on_fault or on_fault
        worker = Worker(
            client.calls, self._decide, self._say, wanted, capacity=capacity, welcomed=welcomed, on_fault=on_fault
        )
        await worker.run()

    async def answer(self, table: aio.Table) -> None:
        """Answers what a seat is asked, until it is asked nothing more or is ready."""
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
                # Something happened while it thought: look again.
                continue
            except WrongStatus:
                # The game rests or is over. If it goes on, an event tells.
                return
            except (OrderRefused, MalformedOrder) as refusal:
                if table.attempt + 1 >= _ATTEMPTS:
                    raise
                _LOG.warning("%s, seat %d: %s", table.game_id, table.number, refusal)
                table.attempt, table.refused = table.attempt + 1, refusal.verdicts

    async def _give(self, table: aio.Table, offers: Offers, answer: Answer) -> bool:
        """Gives an answer. Says whether the seat may be asked more."""
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
            raise ValueError("the bot answered no orders to a decision that needs one")
        if answer.memo is not None:
            self._memos[table.game_id, table.number] = answer.memo
        for letter in answer.letters:
            try:
                await table.write(letter.text, letter.to)
            except Refusal as refusal:
                if refusal.reason != "PRESS_REFUSED":
                    raise
                _LOG.warning("%s, seat %d: a letter was refused: %s", table.game_id, table.number, refusal)
        return more

    async def _look(self, client: aio.Client, tables: dict[tuple[str, int], aio.Table], on_fault: Fault) -> None:
        """Takes the seats that are kept for the account, and answers all that it owes."""
        async for game in client.my_games(running_only=True):
            if game.invited:
                try:
                    await client.join(game.game_id)
                except Refusal as refusal:
                    _LOG.warning("%s: the seat was not taken: %s", game.game_id, refusal)
        async for owed in client.decisions():
            if owed.decision.ready:
                continue
            try:
                place = (owed.game_id, owed.seat)
                if place not in tables:
                    tables[place] = await client.table(owed.game_id, seat=owed.seat)
                await self.answer(tables[place])
            except Exception as error:
                # Its other games go on.
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
        """Runs the bot as a program with options from the command line; answers its exit code."""
        from heliopause._program import run_bot

        return run_bot(self, arguments)


def _profiles(text: str, kinds: Sequence[game_pb2.GameKind]) -> list[automation_pb2.WorkerProfile]:
    """What a text such as "diplomacy:power:random" names."""
    parts = text.split(":")
    if len(parts) > 3 or not all(parts):
        raise ValueError(f"{text!r} is no profile: write KIND:PROFILE:LEVEL")
    kind = next((kind for kind in kinds if kind.kind == parts[0]), None)
    if kind is None:
        raise ValueError(f"{text!r}: the kinds of game are {', '.join(kind.kind for kind in kinds)}")
    # Wrong profiles and levels are refused by the engine, which lists the right ones.
    profiles, levels = parts[1:2] or kind.profiles, parts[2:] or kind.levels
    return [automation_pb2.WorkerProfile(kind=kind.kind, profile=profile, levels=levels) for profile in profiles]
