"""A scripted model, and servers in this process."""

from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import pytest
from heliopause.testing import Engine
from mcp import Client
from mcp.types import TextContent

from heliopause_mcp import Sessions, Settings, make


class Model:
    """A scripted model that uses the SDK's client."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.read: list[str] = []

    async def call(self, tool: str, **arguments: object) -> str:
        """Calls a tool and returns its response. Raises `AssertionError` if the tool refuses."""
        text, refused = await self.either(tool, **arguments)
        assert not refused, text
        return text

    async def refused(self, tool: str, **arguments: object) -> str:
        text, refused = await self.either(tool, **arguments)
        assert refused, text
        return text

    async def either(self, tool: str, **arguments: object) -> tuple[str, bool]:
        result = await self.client.call_tool(tool, arguments)
        text = "\n".join(part.text for part in result.content if isinstance(part, TextContent))
        self.read.append(text)
        return text, bool(result.is_error)


Playing = Callable[..., AbstractAsyncContextManager[Model]]


@pytest.fixture
def playing(engine: Engine) -> Playing:
    """Runs a model with a server in this process."""

    @asynccontextmanager
    async def play(*, token: str | None = None, **settings: object) -> AsyncGenerator[Model, None]:
        sessions = Sessions(Settings(engine=engine.address, **settings), token=token)  # type: ignore[arg-type]
        try:
            async with Client(make(sessions)) as client:
                yield Model(client)
        finally:
            await sessions.close()

    return play
