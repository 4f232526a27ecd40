"""How calls are made: which are repeated, when, and how streams go on after a break."""

import asyncio
import logging
import time
import uuid
from collections.abc import AsyncGenerator, Callable, Coroutine
from typing import TYPE_CHECKING, Any, TypeVar

import grpc

from heliopause import methods, refusals
from heliopause._engines import Engines
from heliopause._method import A, Duplex, Listening, Method, Q, Unary

if TYPE_CHECKING:
    from google.protobuf.message import Message

T = TypeVar("T")

_LOG = logging.getLogger("heliopause")
# A Heartbeat comes at least every 20 seconds.
SILENCE_SECONDS = 60.0
# A restart of the engine takes less than the first of these. Failures are logged again after each further period.
_TELL_AFTER_SECONDS, _TELL_EVERY_SECONDS = 5.0, 60.0
# To repeat these could do something twice: they take no request id, and set no value.
_ONCE: tuple[Method[Any, Any], ...] = (methods.PlayerService.RotateToken, methods.AdminService.CreateInvitation)
# The same call may succeed later, with the same request id.
_AGAIN = {"RATE_LIMITED", "OVERLOADED", "JOURNAL_UNAVAILABLE", "DRAINING", "LOST_RACE"}


class Pause:
    """How long to wait before the next attempt: as the engine says, else longer each time."""

    def __init__(self, patience: float | None) -> None:
        """All attempts since now, or since the first failure after a `reset`, may take `patience` seconds."""
        self._patience = patience
        self._next = 0.1
        self._began: float | None = time.monotonic()
        self._told = 0.0

    def reset(self) -> None:
        """Starts again with short pauses: the engine has answered."""
        self._next, self._began = 0.1, None

    def after(self, name: str, refusal: refusals.Refusal) -> float:
        """The seconds to wait after a refusal. Raises the refusal when the patience is over.

        Logs the failure: as a warning after some seconds and then every minute, so that a program with a wrong address
        is not silent.
        """
        now = time.monotonic()
        if self._began is None:
            self._began, self._told = now, 0.0
        seconds = self._next
        if refusal.retry_after is not None:
            seconds = refusal.retry_after
        else:
            self._next = min(self._next * 2, 5.0)
        failing = now + seconds - self._began
        if self._patience is not None and failing > self._patience:
            raise refusal
        tells = failing >= self._told + (_TELL_EVERY_SECONDS if self._told else _TELL_AFTER_SECONDS)
        self._told = failing if tells else self._told
        _LOG.log(logging.WARNING if tells else logging.INFO, "%s: %s; again in %.1f s", name, refusal, seconds)
        return seconds


def may_repeat(refusal: refusals.Refusal) -> bool:
    """Whether the same call may succeed later."""
    return isinstance(refusal, refusals.Unreachable) or refusal.reason in _AGAIN or refusal.retry_after is not None


async def within(seconds: "float | None", work: "Coroutine[Any, Any, T]") -> T:
    """What comes of some work, or a `TimeoutError`.

    Before Python 3.12 `asyncio.wait_for` loses the cancellation of its caller if the work ends at the same moment.
    """
    task = asyncio.create_task(work)
    try:
        done, _ = await asyncio.wait([task], timeout=seconds)
        if not done:
            raise asyncio.TimeoutError
        return task.result()
    finally:
        task.cancel()


class Calls:
    """Makes calls to engines with a token."""

    def __init__(
        self, engines: Engines, *, token: str | None, timeout: float, patience: float | None, gzip: bool
    ) -> None:
        self.engines = engines
        self.token = token
        self.stream_patience: float | None = None
        """How many seconds a stream may be lost before it fails; None is without limit."""
        self._exposed = engines.exposed
        self._timeout = timeout
        self._patience = patience
        self._compression = grpc.Compression.Gzip if gzip else grpc.Compression.NoCompression

    async def call(self, method: Unary[Q, A], request: Q) -> A:
        """Makes a call, and makes it again where that is safe, until the patience is over.

        A request that can have an id gets one: the engine does it once, however often it is sent.
        """
        request = _named(request)
        pause = Pause(self._patience)
        while True:
            channel = None
            try:
                channel = await self.engines.channel()
                ask = channel.unary_unary(
                    method.path,
                    request_serializer=method.request.SerializeToString,
                    response_deserializer=method.answer.FromString,
                )
                call = ask(request, timeout=self._timeout, metadata=self._metadata(), compression=self._compression)
                return await call
            except grpc.aio.AioRpcError as error:
                refusal = refusals.of(error)
            except refusals.Unreachable as unreachable:
                refusal = unreachable
            unsure = isinstance(refusal, refusals.Unreachable) and channel is not None
            if not may_repeat(refusal) or (unsure and method in _ONCE):
                raise refusal
            wait = pause.after(method.name, refusal)
            self._leave(channel, refusal)
            await asyncio.sleep(wait)

    async def pages(self, method: Unary[Q, A], request: Q) -> AsyncGenerator[A, None]:
        """All pages of a list."""
        while True:
            page = await self.call(method, request)
            yield page
            token: str = getattr(page, "next_page_token")  # noqa: B009 -- all lists have it
            if not token:
                return
            setattr(request, "page_token", token)  # noqa: B010

    async def read(self, method: Listening[Q, A], request: Q) -> AsyncGenerator[A, None]:
        """Reads a stream that has an end, once. A break is an error: what came so far is only its beginning."""
        call = self._listen(await self.engines.channel(), method, request)
        try:
            async for part in call:
                yield part
        except grpc.aio.AioRpcError as error:
            raise refusals.of(error) from None
        finally:
            call.cancel()

    async def listen(self, method: Listening[Q, A], request: Callable[[], Q]) -> AsyncGenerator[A, None]:
        """Reads a stream that never ends. After every break it asks anew, with the request as it is then."""
        pause = Pause(self.stream_patience)
        while True:
            call, channel = None, None
            try:
                channel = await self.engines.channel()
                call = self._listen(channel, method, request())
                while isinstance(part := await within(SILENCE_SECONDS, call.read()), method.answer):
                    pause.reset()
                    yield part
                refusal: refusals.Refusal = refusals.Unreachable("the stream has ended")
            except grpc.aio.AioRpcError as error:
                refusal = refusals.of(error)
            except refusals.Unreachable as unreachable:
                refusal = unreachable
            except asyncio.TimeoutError:
                refusal = refusals.Unreachable("nothing came for a minute")
            finally:
                if call is not None:
                    call.cancel()
            if not may_repeat(refusal):
                raise refusal
            wait = pause.after(method.name, refusal)
            self._leave(channel, refusal)
            await asyncio.sleep(wait)

    async def duplex(self, method: Duplex[Q, A]) -> "grpc.aio.StreamStreamCall[Q, A]":
        """Opens a stream in both directions. It goes wrong as it may: the caller opens it again."""
        channel = await self.engines.channel()
        serialize: Callable[[Q], bytes] = method.request.SerializeToString
        opened = channel.stream_stream(
            method.path,
            request_serializer=serialize,
            response_deserializer=method.answer.FromString,
        )
        return opened(metadata=self._metadata(), compression=self._compression)

    async def look_elsewhere(self, refusal: refusals.Refusal) -> None:
        """Leaves the engine in use, if it cannot serve."""
        try:
            self._leave(await self.engines.channel(), refusal)
        except refusals.Unreachable:
            return

    def _listen(
        self, channel: grpc.aio.Channel, method: Listening[Q, A], request: Q
    ) -> "grpc.aio.UnaryStreamCall[Q, A]":
        serialize: Callable[[Q], bytes] = method.request.SerializeToString
        opened = channel.unary_stream(
            method.path,
            request_serializer=serialize,
            response_deserializer=method.answer.FromString,
        )
        return opened(request, metadata=self._metadata(), compression=self._compression)

    def _leave(self, channel: grpc.aio.Channel | None, refusal: refusals.Refusal) -> None:
        """Leaves an engine that does not answer or is about to stop."""
        if channel is not None and refusal.status in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED):
            self.engines.leave(channel)

    def _metadata(self) -> tuple[tuple[str, str], ...]:
        if not self.token:
            return ()
        if self._exposed:
            told = "http://%s is not encrypted: others on the network can read the token; use https"
            _LOG.warning(told, self._exposed)
            self._exposed = None
        return (("authorization", f"Bearer {self.token}"),)


def _named(request: Q) -> Q:
    """The request with an id, if it can have one and has none."""
    message: Message = request
    if "request_id" not in message.DESCRIPTOR.fields_by_name or getattr(message, "request_id"):  # noqa: B009
        return request
    named = type(request)()
    named.CopyFrom(request)
    setattr(named, "request_id", str(uuid.uuid4()))  # noqa: B010
    return named
