"""Runs what is asynchronous for those who are not: by an event loop in a thread of its own."""

import asyncio
import threading
from collections.abc import AsyncGenerator, Coroutine, Generator
from typing import Any, TypeVar

T = TypeVar("T")


class Portal:
    """The way into an event loop from other threads."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Does something in the loop and waits for it. An interrupt cancels it."""
        try:
            running = asyncio.get_running_loop()
        except RuntimeError:
            running = None
        if running is self._loop:
            work.close()
            raise RuntimeError("this would wait for itself: use heliopause.aio in asynchronous code")
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def iterate(self, parts: AsyncGenerator[T, None]) -> Generator[T, None, None]:
        """Reads what comes one by one."""
        try:
            while True:
                try:
                    part = self.run(_next(parts))
                except StopAsyncIteration:
                    return
                yield part
        finally:
            # Nobody waits for this: when a program ends, the loop may have ended before.
            asyncio.run_coroutine_threadsafe(_close(parts), self._loop)


async def _next(parts: AsyncGenerator[T, None]) -> T:
    return await parts.__anext__()


async def _close(parts: AsyncGenerator[T, None]) -> None:
    await parts.aclose()


_made = threading.Lock()
_shared: Portal | None = None


def portal() -> Portal:
    """The portal of all clients of this process that are not asynchronous. Its thread begins with the first."""
    global _shared
    with _made:
        if _shared is None:
            loop = asyncio.new_event_loop()
            threading.Thread(target=loop.run_forever, name="heliopause", daemon=True).start()
            _shared = Portal(loop)
        return _shared
