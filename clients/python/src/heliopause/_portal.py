"""Runs asynchronous code for blocking callers, with an event loop in its own thread."""

import asyncio
import threading
from collections.abc import AsyncGenerator, Coroutine, Generator
from typing import Any, TypeVar

T = TypeVar("T")


class Portal:
    """Access to an event loop from other threads."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Runs a coroutine in the loop and returns its result. An interrupt cancels the coroutine."""
        try:
            running = asyncio.get_running_loop()
        except RuntimeError:
            running = None
        if running is self._loop:
            work.close()
            raise RuntimeError("a blocking call inside an event loop would deadlock: use heliopause.aio")
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def iterate(self, parts: AsyncGenerator[T, None]) -> Generator[T, None, None]:
        """Yields the items of an asynchronous generator."""
        try:
            while True:
                try:
                    part = self.run(_next(parts))
                except StopAsyncIteration:
                    return
                yield part
        finally:
            # Do not wait: at the end of a program the loop may already have stopped.
            asyncio.run_coroutine_threadsafe(_close(parts), self._loop)


async def _next(parts: AsyncGenerator[T, None]) -> T:
    return await parts.__anext__()


async def _close(parts: AsyncGenerator[T, None]) -> None:
    await parts.aclose()


_made = threading.Lock()
_shared: Portal | None = None


def portal() -> Portal:
    """Returns the portal shared by all blocking clients. Its thread starts on first use."""
    global _shared
    with _made:
        if _shared is None:
            loop = asyncio.new_event_loop()
            threading.Thread(target=loop.run_forever, name="heliopause", daemon=True).start()
            _shared = Portal(loop)
        return _shared
