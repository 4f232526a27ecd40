"""Bots that play while a test goes on."""

import asyncio
import contextlib
import threading
import uuid
from collections.abc import Awaitable, Callable, Generator, Sequence

from heliopause import aio
from heliopause.bot import Bot
from heliopause.testing.programs import Engine


@contextlib.contextmanager
def serving(bot: Bot, engine: Engine, *, name: str | None = None) -> Generator[str, None, None]:
    """Lets a bot play all games of a new account as long as the test needs it; gives the account's name.

    Keep a seat for it: `sandbox(..., guests={2: name})`. If the bot fails, the test does.
    """
    found: list[str] = []

    async def play(ready: Callable[[], None]) -> None:
        async with aio.Client(engine.address, patience=None) as client:
            found.append((await client.register(name or f"bot-{uuid.uuid4().hex[:8]}")).name)
            ready()
            await bot.serve(client)

    with _beside(play):
        yield found[0]


@contextlib.contextmanager
def working(bot: Bot, engine: Engine, profiles: Sequence[str], *, capacity: int = 4) -> Generator[None, None, None]:
    """Lets a bot work for leases from now on, as long as the test needs it. Profiles: KIND[:PROFILE[:LEVEL]]."""

    async def work(ready: Callable[[], None]) -> None:
        token = engine.worker_token.read_text().strip()
        async with aio.Client(engine.address, token=token, patience=None) as client:
            await bot.work(client, profiles, capacity=capacity, welcomed=ready)

    with _beside(work):
        yield


@contextlib.contextmanager
def _beside(play: Callable[[Callable[[], None]], Awaitable[None]]) -> Generator[None, None, None]:
    """Runs something in a thread of its own until the test is done with it."""
    ready, failed = threading.Event(), list[BaseException]()
    made: list[tuple[asyncio.AbstractEventLoop, asyncio.Task[None]]] = []

    async def run() -> None:
        task = asyncio.current_task()
        assert task is not None
        made.append((asyncio.get_running_loop(), task))
        try:
            await play(ready.set)
        except asyncio.CancelledError:
            return
        except BaseException as error:
            failed.append(error)
        finally:
            ready.set()

    thread = threading.Thread(target=lambda: asyncio.run(run()), name="bot", daemon=True)
    thread.start()
    ready.wait()
    try:
        if not failed:
            yield
    finally:
        loop, task = made[0]
        with contextlib.suppress(RuntimeError):
            # Its loop is closed if it has failed.
            loop.call_soon_threadsafe(task.cancel)
        thread.join()
    if failed:
        raise failed[0]
