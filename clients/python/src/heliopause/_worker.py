"""Answers decisions of automated seats, leased by the engine to workers."""

import asyncio
import contextlib
import logging
import random
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

import grpc

from heliopause import refusals
from heliopause._calls import SILENCE_SECONDS, Backoff, Calls, is_retryable, within
from heliopause.aio.seat import Seat
from heliopause.answers import Answer, orders_of
from heliopause.methods import AutomationService
from heliopause.offers import Offers
from heliopause.v1 import automation_pb2, table_pb2
from heliopause.v1.envelope_pb2 import GameView

_LOG = logging.getLogger("heliopause")
_Call = grpc.aio.StreamStreamCall[automation_pb2.WorkRequest, automation_pb2.WorkResponse]
# The time that a stopping worker waits until the engine has taken back its leases.
_STOP_SECONDS = 5.0


class Leased(Seat):
    """A leased seat. Only the content of the lease is available."""

    def __init__(self, lease: automation_pb2.Lease) -> None:
        super().__init__(lease.game_id, lease.kind, lease.seat)
        self.decision = lease.decision if lease.HasField("decision") else None
        self.level = lease.level
        self.random = random.Random(lease.seed)
        self.memo = lease.memo
        self._view = lease.view

    async def view(self) -> GameView:
        """Returns the view of the seat."""
        return self._view


_Say = Callable[[automation_pb2.WorkRequest], None]
Decide = Callable[[Seat, Offers], Awaitable[Answer]]
Vote = Callable[[Seat, table_pb2.Vote], Awaitable[bool]]


@dataclass
class _Held:
    """A lease being processed."""

    lease: automation_pb2.Lease
    refused: asyncio.Queue[automation_pb2.Refused] = field(default_factory=lambda: asyncio.Queue())
    work: "asyncio.Task[None] | None" = None


class Worker:
    """Keeps the stream to the engine open and answers leases."""

    def __init__(
        self,
        calls: Calls,
        decide: Decide,
        vote: Vote,
        profiles: Sequence[automation_pb2.WorkerProfile],
        *,
        capacity: int,
        welcomed: Callable[[], object] | None,
        on_fault: Callable[[str, Exception], object],
    ) -> None:
        self._calls, self._decide, self._vote = calls, decide, vote
        self._hello = automation_pb2.Hello(worker="heliopause-python", profiles=profiles, capacity=capacity)
        self._held: dict[int, _Held] = {}
        self._welcomed, self._on_fault = welcomed, on_fault
        self._lease_seconds = 30.0

    async def run(self) -> None:
        """Works until canceled, then returns all leases."""
        pause = Backoff(self._calls.stream_patience)
        while True:
            try:
                await self._session(await self._calls.duplex(AutomationService.Work), pause)
                refusal = refusals.Refusal("the stream has ended")
            except refusals.Refusal as failed:
                refusal = failed
                if not is_retryable(refusal):
                    raise
            wait = pause.after("Work", refusal)
            await self._calls.fail_over(refusal)
            await asyncio.sleep(wait)

    async def _session(self, call: _Call, pause: Backoff) -> None:
        # Canceling a write or a read ends the whole stream. One task therefore writes and one reads, and
        # both are canceled only at the end, after all leases have been returned.
        unsent: asyncio.Queue[automation_pb2.WorkRequest] = asyncio.Queue()
        writing = asyncio.create_task(self._write(call, unsent))
        say = unsent.put_nowait
        say(automation_pb2.WorkRequest(hello=self._hello))
        reading = asyncio.create_task(self._read(call, say, pause))
        try:
            await asyncio.wait([reading])
            reading.result()
        except grpc.aio.AioRpcError as error:
            raise refusals.of(error) from None
        except asyncio.TimeoutError:
            raise refusals.Unreachable("the engine sent nothing for a minute") from None
        except asyncio.CancelledError:
            await self._return_all(unsent)
            raise
        finally:
            writing.cancel()
            reading.cancel()
            for held in self._held.values():
                if held.work is not None:
                    held.work.cancel()
            self._held.clear()
            call.cancel()

    async def _read(self, call: _Call, say: _Say, pause: Backoff) -> None:
        while isinstance(part := await within(SILENCE_SECONDS, call.read()), automation_pb2.WorkResponse):
            pause.reset()
            self._take(part, say)

    def _take(self, part: automation_pb2.WorkResponse, say: _Say) -> None:
        """Handles a message of the engine. Messages unknown to this version are ignored."""
        match part.WhichOneof("message"):
            case "welcome":
                self._lease_seconds = part.welcome.lease_time.ToTimedelta().total_seconds() or self._lease_seconds
                if self._welcomed is not None:
                    self._welcomed()
            case "lease":
                held = self._held[part.lease.lease.lease_id] = _Held(part.lease)
                held.work = asyncio.create_task(self._answer(held, say))
            case "accepted":
                self._held.pop(part.accepted.lease.lease_id, None)
            case "refused":
                if held_still := self._held.get(part.refused.lease.lease_id):
                    held_still.refused.put_nowait(part.refused)
            case "revoked":
                gone = self._held.pop(part.revoked.lease.lease_id, None)
                if gone is not None and gone.work is not None:
                    gone.work.cancel()
            case _:
                pass

    async def _answer(self, held: _Held, say: _Say) -> None:
        """Answers a lease, and repeats this after each refusal. Returns the lease if deciding fails."""
        renewing = asyncio.create_task(self._renew(held, say))
        seat = Leased(held.lease)
        try:
            while True:
                say(automation_pb2.WorkRequest(answer=await self._think(held.lease, seat)))
                refused = await held.refused.get()
                _LOG.warning("%s, seat %d: rejected: %s", seat.game_id, seat.number, refused.message)
                seat.attempt, seat.refused = seat.attempt + 1, refused.verdicts
                if not refused.attempts_left:
                    self._held.pop(held.lease.lease.lease_id, None)
                    return
        except Exception as error:
            self._on_fault(f"{seat.game_id}, seat {seat.number}", error)
            self._held.pop(held.lease.lease.lease_id, None)
            back = automation_pb2.Release(lease=held.lease.lease, reason=repr(error)[:200])
            say(automation_pb2.WorkRequest(release=back))
        finally:
            renewing.cancel()

    async def _think(self, lease: automation_pb2.Lease, seat: Leased) -> automation_pb2.Answer:
        if lease.WhichOneof("asked") == "vote":
            return automation_pb2.Answer(lease=lease.lease, vote=await self._vote(seat, lease.vote))
        decision = lease.decision
        offers = Offers(lease.offers, decision=decision, phase=decision.phase, revision=decision.revision)
        answer = await self._decide(seat, offers)
        said = automation_pb2.Answer(lease=lease.lease, ready=answer.ready and decision.revisable, memo=answer.memo)
        if answer.orders:
            said.orders.CopyFrom(orders_of(answer.orders))
        elif not said.ready:
            raise ValueError("the bot returned no orders, but this decision requires at least one")
        if lease.may_write:
            for message in answer.messages:
                said.messages.add(to_seats=message.to, text=message.text)
        return said

    async def _renew(self, held: _Held, say: _Say) -> None:
        while True:
            await asyncio.sleep(self._lease_seconds / 2)
            say(automation_pb2.WorkRequest(renew=automation_pb2.Renew(lease=held.lease.lease)))

    async def _return_all(self, unsent: "asyncio.Queue[automation_pb2.WorkRequest]") -> None:
        for held in list(self._held.values()):
            cause = automation_pb2.RELEASE_CAUSE_STOPPING
            back = automation_pb2.Release(lease=held.lease.lease, reason="the worker is stopping", cause=cause)
            unsent.put_nowait(automation_pb2.WorkRequest(release=back))
        with contextlib.suppress(asyncio.TimeoutError):
            await within(_STOP_SECONDS, unsent.join())

    @staticmethod
    async def _write(call: _Call, unsent: "asyncio.Queue[automation_pb2.WorkRequest]") -> None:
        while True:
            request = await unsent.get()
            try:
                await call.write(request)
            except (grpc.aio.AioRpcError, asyncio.InvalidStateError) as error:
                # The stream has ended. The reading task reports that.
                _LOG.debug("not sent: %s", error)
            finally:
                unsent.task_done()
