"""Connections to engines: several that share their games, of which one is in use."""

import asyncio
import ipaddress
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import grpc

from heliopause.refusals import Unreachable

_USUAL = "127.0.0.1:50051"
_CHECK = "/grpc.health.v1.Health/Check"
# `HealthCheckResponse.status` is SERVING. Reading it takes no package.
_SERVING = b"\x08\x01"
# So long may an engine take to say how it is. One that hangs is left.
_HEALTH_SECONDS = 5.0
_MIB = 1 << 20

_OPTIONS: list[tuple[str, int | str]] = [
    # Answers are larger than what the library takes by itself.
    ("grpc.max_receive_message_length", 16 * _MIB),
    # A lost connection is opened again soon.
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 2000),
    # What is repeated, and when, is decided here and not in the library.
    ("grpc.enable_retries", 0),
]


@dataclass(frozen=True)
class Address:
    """Where an engine listens, and whether it speaks TLS."""

    target: str
    secure: bool

    @property
    def exposed(self) -> bool:
        """Whether others on the network can read what is sent there: plain http to another machine."""
        host = self.target.rpartition(":")[0].strip("[]").lower()
        try:
            here = ipaddress.ip_address(host).is_loopback
        except ValueError:
            here = host == "localhost" or host.endswith(".localhost")
        return not (self.secure or here)


def addresses(engines: str | Sequence[str] | None) -> list[Address]:
    """Reads addresses: "host:port", "http://host:port" or "https://host:port", with commas between several.

    Without any it takes those of the environment's HELIOPAUSE_ENGINE, else 127.0.0.1:50051.
    """
    if engines is None:
        engines = os.environ.get("HELIOPAUSE_ENGINE") or _USUAL
    texts = engines.split(",") if isinstance(engines, str) else list(engines)
    found: list[Address] = []
    for text in map(str.strip, texts):
        scheme, slashes, rest = text.rpartition("://")
        host, colon, port = rest.rstrip("/").rpartition(":")
        if (slashes and scheme not in ("http", "https")) or not (host and colon and port.isdecimal()):
            raise ValueError(
                f"{text!r} is no address of an engine: write HOST:PORT, http://HOST:PORT or https://HOST:PORT"
            )
        found.append(Address(f"{host}:{port}", scheme == "https"))
    if not found:
        raise ValueError("name at least one engine")
    return found


class Engines:
    """The engines that a client knows, and the connection that it uses.

    Of several the first that says it serves is used. After a failure the next that serves takes its place.
    """

    def __init__(
        self,
        engines: str | Sequence[str] | None,
        *,
        tls_ca: str | os.PathLike[str] | None,
        tls_cert: str | os.PathLike[str] | None,
        tls_key: str | os.PathLike[str] | None,
    ) -> None:
        self._addresses = addresses(engines)
        read = [Path(file).read_bytes() if file else None for file in (tls_ca, tls_key, tls_cert)]
        if (read[1] is None) != (read[2] is None):
            raise ValueError("a certificate and its key go together: give both tls_cert and tls_key")
        if any(read) and not all(address.secure for address in self._addresses):
            raise ValueError("certificates need engines with https:// addresses")
        self._certificates = read
        self._channels: dict[int, grpc.aio.Channel] = {}
        self._at = 0
        # A single engine needs no choice.
        self._chosen = len(self._addresses) == 1
        self._choosing: asyncio.Lock | None = None

    @property
    def current(self) -> str:
        """The address of the engine that is in use."""
        return self._addresses[self._at].target

    @property
    def exposed(self) -> str | None:
        """The first of these engines that is exposed."""
        return next((address.target for address in self._addresses if address.exposed), None)

    async def channel(self) -> grpc.aio.Channel:
        """The connection to use now. Raises `Unreachable` if no engine serves."""
        self._choosing = self._choosing or asyncio.Lock()
        async with self._choosing:
            if not self._chosen:
                await self._choose()
            return self._open(self._at)

    def leave(self, channel: grpc.aio.Channel) -> None:
        """Says that this connection failed: the next call looks for an engine that serves."""
        if len(self._addresses) > 1 and self._channels.get(self._at) is channel:
            self._chosen = False
            self._at = (self._at + 1) % len(self._addresses)

    async def close(self) -> None:
        """Closes all connections."""
        channels, self._channels = list(self._channels.values()), {}
        for channel in channels:
            await channel.close()

    async def _choose(self) -> None:
        """Takes the first engine that serves, beginning with the one whose turn it is."""
        for step in range(len(self._addresses)):
            at = (self._at + step) % len(self._addresses)
            if await self._serves(at):
                self._at, self._chosen = at, True
                return
        raise Unreachable("none of the engines serves", status=grpc.StatusCode.UNAVAILABLE)

    async def _serves(self, at: int) -> bool:
        """Asks an engine's health service whether it serves."""
        check = self._open(at).unary_unary(_CHECK, request_serializer=bytes, response_deserializer=bytes)
        try:
            return await check(b"", timeout=_HEALTH_SECONDS) == _SERVING
        except grpc.aio.AioRpcError:
            return False

    def _open(self, at: int) -> grpc.aio.Channel:
        """The connection to an engine, opened when it is first needed."""
        if at not in self._channels:
            address = self._addresses[at]
            if address.secure:
                credentials = grpc.ssl_channel_credentials(*self._certificates)
                self._channels[at] = grpc.aio.secure_channel(address.target, credentials, options=_OPTIONS)
            else:
                self._channels[at] = grpc.aio.insecure_channel(address.target, options=_OPTIONS)
        return self._channels[at]
