"""Runs bots during a test."""

import asyncio
import contextlib
import signal
import threading
import uuid
from collections.abc import Awaitable, Callable, Generator, Sequence

from heliopause import aio
from heliopause.bot import Bot
from heliopause.testing.programs import Engine

Fail = Callable[[BaseException], None]


@contextlib.contextmanager
def serving(bot: Bot, engine: Engine, *, name: str | None = None) -> Generator[str, None, None]:
    """Lets a bot play all games of a new account during a test. Yields the account's name.

    Reserve a seat for the account: `sandbox(..., guests={2: name})`. If the bot fails, the test fails
    immediately with the bot's error, unless the bot has its own `on_fault`.
    """
    found: list[str] = []

    async def play(ready: Callable[[], None], fail: Fail) -> None:
        async with aio.Client(engine.address, patience=None) as client:
            found.append((await client.register(name or f"bot-{uuid.uuid4().hex[:8]}")).name)
            ready()
            await bot.serve(client, on_fault=lambda _, error: fail(error))

    with _in_background(play):
        yield found[0]


@contextlib.contextmanager
def working(bot: Bot, engine: Engine, profiles: Sequence[str], *, capacity: int = 4) -> Generator[None, None, None]:
    """Lets a bot work for leases during a test. Profiles are KIND[:PROFILE[:LEVEL]].

    If the bot fails, the test fails immediately with the bot's error, unless the bot has its own
    `on_fault`.
    """

    async def work(ready: Callable[[], None], fail: Fail) -> None:
        token = engine.worker_token.read_text().strip()
        async with aio.Client(engine.address, token=token, patience=None) as client:
            await bot.work(client, profiles, capacity=capacity, welcomed=ready, on_fault=lambda _, error: fail(error))

    with _in_background(work):
        yield


class _Test:
    """The code of a test with a bot in the background. The bot's first failure interrupts the test."""

    def __init__(self) -> None:
        self.failed: BaseException | None = None
        self._lock, self._runs = threading.Lock(), False
        self._in_main = threading.current_thread() is threading.main_thread()
        self._task: asyncio.Task[object] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        with contextlib.suppress(RuntimeError):
            self._loop = asyncio.get_running_loop()
            self._task = asyncio.current_task()

    def fail(self, error: BaseException) -> None:
        """Stores the bot's error and interrupts the test, if the test runs in the main thread."""
        with self._lock:
            if self.failed is not None:
                return
            self.failed = error
            if not self._runs:
                return
            if self._loop is not None and self._task is not None:
                self._loop.call_soon_threadsafe(self._task.cancel)
            elif self._in_main:
                # A real signal also interrupts waits for locks.
                signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)

    @contextlib.contextmanager
    def running(self) -> Generator[None, None, None]:
        """Wraps the test's code. An interruption by `fail` raises the bot's error."""
        with self._lock:
            if self.failed is not None:
                raise self.failed
            self._runs = True
        # Shells start background jobs with interrupts ignored.
        ignored = self._in_main and signal.getsignal(signal.SIGINT) is signal.SIG_IGN
        if ignored:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            try:
                yield
            finally:
                with self._lock:
                    self._runs = False
                if ignored:
                    signal.signal(signal.SIGINT, signal.SIG_IGN)
        except (KeyboardInterrupt, asyncio.CancelledError):
            if self.failed is None:
                raise
            # Since Python 3.11 tasks count cancellations.
            getattr(self._task, "uncancel", lambda: 0)()


@contextlib.contextmanager
def _in_background(play: Callable[[Callable[[], None], Fail], Awaitable[None]]) -> Generator[None, None, None]:
    ready, test = threading.Event(), _Test()
    made: list[tuple[asyncio.AbstractEventLoop, asyncio.Task[None]]] = []

    async def run() -> None:
        task = asyncio.current_task()
        assert task is not None
        made.append((asyncio.get_running_loop(), task))
        try:
            await play(ready.set, test.fail)
        except asyncio.CancelledError:
            return
        except BaseException as error:
            test.fail(error)
        finally:
            ready.set()

    thread = threading.Thread(target=lambda: asyncio.run(run()), name="bot", daemon=True)
    thread.start()
    ready.wait()
    try:
        with test.running():
            yield
    finally:
        loop, task = made[0]
        with contextlib.suppress(RuntimeError):
            # After a failure the loop is closed.
            loop.call_soon_threadsafe(task.cancel)
        thread.join()
    if test.failed is not None:
        raise test.failed
