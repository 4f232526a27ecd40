"""Connections to one or several engines that share games, and the choice between them."""

import asyncio
import ipaddress
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import grpc

from heliopause.refusals import Unreachable

_DEFAULT = "127.0.0.1:50051"
_CHECK = "/grpc.health.v1.Health/Check"
# `HealthCheckResponse.status` is SERVING. Decoded by hand to save a dependency.
_SERVING = b"\x08\x01"
# The timeout of a health check. An engine that hangs is skipped.
_HEALTH_SECONDS = 5.0
_MIB = 1 << 20

_OPTIONS: list[tuple[str, int | str]] = [
    # Responses exceed the default limit.
    ("grpc.max_receive_message_length", 16 * _MIB),
    # Limit the delay between attempts to reconnect to two seconds.
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 2000),
    # This package retries calls itself.
    ("grpc.enable_retries", 0),
]


@dataclass(frozen=True)
class Address:
    """The address of an engine, and whether it uses TLS."""

    target: str
    secure: bool

    @property
    def exposed(self) -> bool:
        """Whether traffic is unencrypted, because the engine is on another machine and uses HTTP."""
        host = self.target.rpartition(":")[0].strip("[]").lower()
        try:
            here = ipaddress.ip_address(host).is_loopback
        except ValueError:
            here = host == "localhost" or host.endswith(".localhost")
        return not (self.secure or here)


def addresses(engines: str | Sequence[str] | None) -> list[Address]:
    """Parses addresses: "host:port", "http://host:port" or "https://host:port", separated by commas.

    The default is HELIOPAUSE_ENGINE or 127.0.0.1:50051.
    """
    if engines is None:
        engines = os.environ.get("HELIOPAUSE_ENGINE") or _DEFAULT
    texts = engines.split(",") if isinstance(engines, str) else list(engines)
    found: list[Address] = []
    for text in map(str.strip, texts):
        scheme, slashes, rest = text.rpartition("://")
        host, colon, port = rest.rstrip("/").rpartition(":")
        if (slashes and scheme not in ("http", "https")) or not (host and colon and port.isdecimal()):
            raise ValueError(
                f"{text!r} is not an engine address; expected HOST:PORT, http://HOST:PORT or https://HOST:PORT"
            )
        found.append(Address(f"{host}:{port}", scheme == "https"))
    if not found:
        raise ValueError("specify the address of at least one engine")
    return found


class Engines:
    """The known engines and the connection in use.

    If there are several, the first healthy engine is used until it fails.
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
            raise ValueError("a certificate needs its key: specify both tls_cert and tls_key")
        if any(read) and not all(address.secure for address in self._addresses):
            raise ValueError("certificates require https:// engine addresses")
        self._certificates = read
        self._channels: dict[int, grpc.aio.Channel] = {}
        self._at = 0
        # A single engine needs no health check.
        self._chosen = len(self._addresses) == 1
        self._choosing: asyncio.Lock | None = None

    @property
    def current(self) -> str:
        """The address of the engine in use."""
        return self._addresses[self._at].target

    @property
    def exposed(self) -> str | None:
        """The first of the engines that is exposed, or None if there is none."""
        return next((address.target for address in self._addresses if address.exposed), None)

    async def channel(self) -> grpc.aio.Channel:
        """Returns the connection to use now. Raises `Unreachable` if no engine is ready."""
        self._choosing = self._choosing or asyncio.Lock()
        async with self._choosing:
            if not self._chosen:
                await self._choose()
            return self._open(self._at)

    def leave(self, channel: grpc.aio.Channel) -> None:
        """Reports a failed connection. The next call chooses an engine that is ready."""
        if len(self._addresses) > 1 and self._channels.get(self._at) is channel:
            self._chosen = False
            self._at = (self._at + 1) % len(self._addresses)

    async def close(self) -> None:
        """Closes all connections."""
        channels, self._channels = list(self._channels.values()), {}
        for channel in channels:
            await channel.close()

    async def _choose(self) -> None:
        """Chooses the first engine that is ready, starting with the current one."""
        for step in range(len(self._addresses)):
            at = (self._at + step) % len(self._addresses)
            if await self._serves(at):
                self._at, self._chosen = at, True
                return
        tried = ", ".join(address.target for address in self._addresses)
        raise Unreachable(f"none of the engines is ready: {tried}", status=grpc.StatusCode.UNAVAILABLE)

    async def _serves(self, at: int) -> bool:
        check = self._open(at).unary_unary(_CHECK, request_serializer=bytes, response_deserializer=bytes)
        try:
            return await check(b"", timeout=_HEALTH_SECONDS) == _SERVING
        except grpc.aio.AioRpcError:
            return False

    def _open(self, at: int) -> grpc.aio.Channel:
        if at not in self._channels:
            address = self._addresses[at]
            if address.secure:
                credentials = grpc.ssl_channel_credentials(*self._certificates)
                self._channels[at] = grpc.aio.secure_channel(address.target, credentials, options=_OPTIONS)
            else:
                self._channels[at] = grpc.aio.insecure_channel(address.target, options=_OPTIONS)
        return self._channels[at]
