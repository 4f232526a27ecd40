"""A proxy that cuts connections and counts bytes."""

import asyncio
import contextlib
import threading
from types import TracebackType


class Proxy:
    """A proxy that closes each connection after `cut` bytes from the engine, or never if 0."""

    def __init__(self, target: str, *, cut: int = 0) -> None:
        self.host, _, port = target.rpartition(":")
        self.port, self.cut = int(port), cut
        self.address = ""
        self.cuts = 0
        self.bytes = 0
        self._loop = asyncio.new_event_loop()
        self._tasks: set[asyncio.Task[None]] = set()

    def __enter__(self) -> "Proxy":
        self._server = server = self._loop.run_until_complete(asyncio.start_server(self._serve, "127.0.0.1", 0))
        self.address = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        async def end() -> None:
            self._server.close()
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

        asyncio.run_coroutine_threadsafe(end(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        out: asyncio.StreamWriter | None = None
        try:
            back, out = await asyncio.open_connection(self.host, self.port)
            there = asyncio.create_task(self._pass_on(reader, out, 0))
            await self._pass_on(back, writer, self.cut)
            there.cancel()
        except (OSError, asyncio.CancelledError):
            pass
        finally:
            self._tasks.discard(task)
            for line in (writer, out):
                if line is not None:
                    line.transport.abort()

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, cut: int) -> None:
        left = cut
        with contextlib.suppress(OSError):
            while data := await reader.read(min(left or 65536, 65536)):
                writer.write(data)
                await writer.drain()
                self.bytes += len(data)
                if cut:
                    left -= len(data)
                    if not left:
                        self.cuts += 1
                        return
