"""A wire between a server and its database that can be cut, or go silent without anybody being told."""

import asyncio
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar
from urllib.parse import urlsplit

Result = TypeVar("Result")


class Wire:
    """Carries connections to a database from a port of its own; in a thread, as tests of processes are not async."""

    def __init__(self, database: str) -> None:
        parts = urlsplit(database)
        assert parts.port is not None
        self._to = parts.port
        self._lines: set[asyncio.StreamWriter] = set()
        self._whole = True
        self._loop = asyncio.new_event_loop()
        self._flowing = asyncio.Event()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()
        self._server = self._do(asyncio.start_server(self._carry, "127.0.0.1", 0)).result()
        self.port: int = self._server.sockets[0].getsockname()[1]
        self.database = database.replace(f":{parts.port}/", f":{self.port}/")
        self.mend()

    def cut(self) -> None:
        """Every connection breaks, and new ones are turned away."""
        self._do(self._cut()).result()

    def freeze(self) -> None:
        """Nothing is carried any more, and nobody is told."""
        self._loop.call_soon_threadsafe(self._flowing.clear)

    def mend(self) -> None:
        self._whole = True
        self._loop.call_soon_threadsafe(self._flowing.set)

    def close(self) -> None:
        self.cut()
        self._do(self._end()).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _do(self, work: Coroutine[Any, Any, Result]) -> "Future[Result]":
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    async def _cut(self) -> None:
        self._whole = False
        for line in list(self._lines):
            line.transport.abort()

    async def _end(self) -> None:
        self._server.close()
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if not self._whole:
            writer.transport.abort()
            return
        there_reader, there = await asyncio.open_connection("127.0.0.1", self._to)
        self._lines |= {writer, there}
        await asyncio.gather(self._flow(reader, there), self._flow(there_reader, writer))
        self._lines -= {writer, there}

    async def _flow(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        try:
            while some := await source.read(65536):
                await self._flowing.wait()
                sink.write(some)
                await sink.drain()
        except OSError:
            pass
        finally:
            sink.close()
