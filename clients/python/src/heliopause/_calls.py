"""Calls and streams: retries, timeouts, and resuming after a lost connection."""

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
# The engine sends a heartbeat at least every 20 seconds.
SILENCE_SECONDS = 60.0
# A restart of the engine takes less than the first period. Later failures are logged once per minute.
_REPORT_AFTER_SECONDS, _REPORT_EVERY_SECONDS = 5.0, 60.0
# Calls that are never retried after an unknown outcome. Without a request id, a retry could act twice.
_NOT_IDEMPOTENT: tuple[Method[Any, Any], ...] = (
    methods.PlayerService.RotateToken,
    methods.AdminService.CreateInvitation,
)
# Reasons after which the same call may succeed later, with the same request id.
_RETRYABLE = {"RATE_LIMITED", "OVERLOADED", "JOURNAL_UNAVAILABLE", "DRAINING", "LOST_RACE"}


class Backoff:
    """Delays between attempts, as given by the engine or else growing."""

    def __init__(self, patience: float | None) -> None:
        """Limits all attempts from now on, or from the first failure after `reset`, to `patience` seconds."""
        self._patience = patience
        self._next = 0.1
        self._began: float | None = time.monotonic()
        self._told = 0.0

    def reset(self) -> None:
        """Resets the backoff after a response of the engine."""
        self._next, self._began = 0.1, None

    def after(self, name: str, refusal: refusals.Refusal) -> float:
        """Returns the seconds to wait after a refusal. Raises the refusal if `patience` is exceeded.

        Logs a warning after some seconds and then every minute, so that a wrong address is noticed.
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
        tells = failing >= self._told + (_REPORT_EVERY_SECONDS if self._told else _REPORT_AFTER_SECONDS)
        self._told = failing if tells else self._told
        _LOG.log(logging.WARNING if tells else logging.INFO, "%s: %s; retrying in %.1f s", name, refusal, seconds)
        return seconds


def is_retryable(refusal: refusals.Refusal) -> bool:
    """Returns whether the same call may succeed later."""
    return isinstance(refusal, refusals.Unreachable) or refusal.reason in _RETRYABLE or refusal.retry_after is not None


async def within(seconds: "float | None", work: "Coroutine[Any, Any, T]") -> T:
    """Returns the result of `work`, or raises `TimeoutError`.

    Before Python 3.12 `asyncio.wait_for` loses the caller's cancellation if the work ends at the same
    moment.
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
    """Calls to engines with a token."""

    def __init__(
        self, engines: Engines, *, token: str | None, timeout: float, patience: float | None, gzip: bool
    ) -> None:
        self.engines = engines
        self.token = token
        self.stream_patience: float | None = None
        """How long a stream may be disconnected, in seconds, before it fails. None means no limit."""
        self._exposed = engines.exposed
        self._timeout = timeout
        self._patience = patience
        self._compression = grpc.Compression.Gzip if gzip else grpc.Compression.NoCompression

    async def call(self, method: Unary[Q, A], request: Q) -> A:
        """Makes a call and retries it where that is safe, until `patience` has elapsed.

        Requests with a request id field get an id. The engine executes requests with the same id only
        once.
        """
        request = _with_request_id(request)
        pause = Backoff(self._patience)
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
            if not is_retryable(refusal) or (unsure and method in _NOT_IDEMPOTENT):
                raise refusal
            wait = pause.after(method.name, refusal)
            self._leave(channel, refusal)
            await asyncio.sleep(wait)

    async def pages(self, method: Unary[Q, A], request: Q) -> AsyncGenerator[A, None]:
        """Reads all pages of a list."""
        while True:
            page = await self.call(method, request)
            yield page
            token: str = getattr(page, "next_page_token")  # noqa: B009 -- all lists have it
            if not token:
                return
            setattr(request, "page_token", token)  # noqa: B010

    async def read(self, method: Listening[Q, A], request: Q) -> AsyncGenerator[A, None]:
        """Reads a finite stream without retries. Raises an error if the stream breaks."""
        call = self._listen(await self.engines.channel(), method, request)
        try:
            async for part in call:
                yield part
        except grpc.aio.AioRpcError as error:
            raise refusals.of(error) from None
        finally:
            call.cancel()

    async def listen(self, method: Listening[Q, A], request: Callable[[], Q]) -> AsyncGenerator[A, None]:
        """Reads an endless stream. Sends the current request again after every break."""
        pause = Backoff(self.stream_patience)
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
                refusal = refusals.Unreachable("the engine sent nothing for a minute")
            finally:
                if call is not None:
                    call.cancel()
            if not is_retryable(refusal):
                raise refusal
            wait = pause.after(method.name, refusal)
            self._leave(channel, refusal)
            await asyncio.sleep(wait)

    async def duplex(self, method: Duplex[Q, A]) -> "grpc.aio.StreamStreamCall[Q, A]":
        """Opens a bidirectional stream without retries. The caller must reopen the stream after a break."""
        channel = await self.engines.channel()
        serialize: Callable[[Q], bytes] = method.request.SerializeToString
        opened = channel.stream_stream(
            method.path,
            request_serializer=serialize,
            response_deserializer=method.answer.FromString,
        )
        return opened(metadata=self._metadata(), compression=self._compression)

    async def fail_over(self, refusal: refusals.Refusal) -> None:
        """Switches to another engine if the current one cannot serve."""
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
        if channel is not None and refusal.status in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED):
            self.engines.leave(channel)

    def _metadata(self) -> tuple[tuple[str, str], ...]:
        if not self.token:
            return ()
        if self._exposed:
            message = "The connection to http://%s is not encrypted: others can read the token. Use https://."
            _LOG.warning(message, self._exposed)
            self._exposed = None
        return (("authorization", f"Bearer {self.token}"),)


def _with_request_id(request: Q) -> Q:
    message: Message = request
    if "request_id" not in message.DESCRIPTOR.fields_by_name or getattr(message, "request_id"):  # noqa: B009
        return request
    named = type(request)()
    named.CopyFrom(request)
    setattr(named, "request_id", str(uuid.uuid4()))  # noqa: B010
    return named
