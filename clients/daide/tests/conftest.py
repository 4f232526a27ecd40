"""A scripted DAIDE client, and hosts to which it connects."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager

import pytest
from heliopause.testing import AiClient, Engine

from heliopause_daide import Host, Plan, wire
from heliopause_daide.seat import Seat
from heliopause_daide.tokens import Sentence, flat, head, nested, say, spoken


class Peer:
    """A scripted DAIDE client."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer
        self.heard: list[str] = []

    async def send(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    async def say(self, text: str) -> None:
        await self.send(wire.diplomacy(list(flat(say(text)))).encoded())

    async def raw(self) -> wire.Message:
        return await asyncio.wait_for(wire.receive(self.reader), 60)

    async def receive(self) -> Sentence:
        message = await self.raw()
        assert message.kind == wire.Kind.DIPLOMACY, message
        sentence = nested(wire.words_of(message))
        self.heard.append(spoken(sentence))
        return sentence

    async def until(self, *words: str) -> Sentence:
        while True:
            sentence = await self.receive()
            if head(sentence) in words:
                return sentence

    async def begin(self) -> None:
        await self.send(wire.initial().encoded())
        assert await self.raw() == wire.representation()

    async def sit(self, name: str = "Albert") -> None:
        """Sends a name and accepts the map, as a client does."""
        await self.begin()
        await self.say(f"NME ('{name}') ('v1')")
        assert spoken(await self.receive()) == f"YES (NME ('{name}') ('v1'))"
        assert spoken(await self.receive()) == "MAP ('standard')"
        await self.say("YES (MAP ('standard'))")


async def lost(peer: Peer, seat: Seat) -> None:
    """Closes the connection of a seat and waits until the adapter notices."""
    peer.writer.close()
    for _ in range(1000):
        if not seat.connection.live:
            return
        await asyncio.sleep(0.01)
    raise TimeoutError("the adapter did not notice")


Connect = Callable[[], AbstractAsyncContextManager[Peer]]
Serving = Callable[..., AbstractAsyncContextManager[tuple[Host, Connect]]]


@pytest.fixture
def serving(engine: Engine, ai_client: AiClient) -> Serving:
    """Runs a host with a plan, and connects clients to it."""

    @contextlib.asynccontextmanager
    async def serve(
        **plan: object,
    ) -> AsyncGenerator[tuple[Host, Connect], None]:
        host = Host(Plan(engine=engine.address, **plan))  # type: ignore[arg-type]
        server = await host.serve("127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]

        @contextlib.asynccontextmanager
        async def connect() -> AsyncGenerator[Peer, None]:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            try:
                yield Peer(reader, writer)
            finally:
                writer.close()

        try:
            yield host, connect
        finally:
            server.close()
            await host.close()

    return serve
