"""The embedded store: SQLite in WAL mode, with one writer thread and group commit.

A commit costs one disk flush (`synchronous=FULL`), however many entries it holds, so appends that arrive during a
commit share the next one. Reads have a connection of their own and never wait for the writer.
"""

import asyncio
import logging
import math
import queue
import sqlite3
import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final

import msgspec

from illusion.tables.stores.base import MIN_COMMIT_INTERVAL_S, CannotOpen, Claims, Hint, StoreFailed, ignore
from illusion.tables.stores.sqlite.database_file import file_at, identity
from illusion.tables.stores.sqlite.log import MAX_UNSORTED, Append, Log, connect, make_private, migrate

LOG: Final = logging.getLogger("illusion")
HEADS: Final = """
SELECT table_id, max(seq) FROM entries WHERE table_id IN (SELECT value FROM json_each(?)) GROUP BY table_id
"""


@dataclass(slots=True)
class _Waiting(Append):
    done: "asyncio.Future[None]"


@dataclass(slots=True)
class _Check:
    done: "asyncio.Future[None]"


class SqliteStore:
    """A Store in one file, for one process."""

    shared = False

    def __init__(self, path: Path | str) -> None:
        self.on_remote_append: Callable[[Hint], object] = ignore  # never called: no other process writes
        self.on_remote_message: Callable[[str, bytes], object] = ignore
        self._path = file_at(path)
        self._pending: list[_Waiting] = []
        self._to_writer: queue.SimpleQueue[list[_Waiting] | _Check | None] = queue.SimpleQueue()
        self._busy = False
        """A group is being written, or is scheduled to be."""
        self._last_commit = 0.0
        self._unclaimed: dict[str, None] | None = None
        try:
            make_private(self._path)
            with closing(connect(self._path)) as connection:
                migrate(connection)
                Log(connection).sort_all()
        except sqlite3.Error as error:
            raise CannotOpen(f"{path} is not a database that can be written: {error}") from None
        self._reader = ThreadPoolExecutor(1, "sqlite-reader")
        self._reading = self._reader.submit(connect, self._path).result()
        self._opened = identity(self._path)
        self._writer = threading.Thread(target=self._write, name="sqlite-writer", daemon=True)
        self._writer.start()

    async def open(self) -> None:
        """The file itself was opened by the constructor."""
        self._loop = asyncio.get_running_loop()

    def append(
        self, table: str, first: int, entries: Sequence[bytes], *, ended: bool = False
    ) -> "asyncio.Future[None]":
        done = self._loop.create_future()
        self._pending.append(_Waiting(table, first, entries, ended, done))
        if not self._busy:
            self._schedule_commit()
        return done

    async def read(self, table: str, after: int = 0) -> list[bytes]:
        sql = "SELECT entry FROM entries WHERE table_id = ? AND seq > ? ORDER BY seq"
        rows = await self._query(sql, table, after)
        return [entry for (entry,) in rows]

    async def heads(self, tables: Sequence[str]) -> dict[str, int]:
        return dict(await self._query(HEADS, msgspec.json.encode(tables).decode()))

    def send_message(self, table: str, message: bytes) -> None:
        """There are no other processes."""

    async def unfinished(self) -> int:
        ((count,),) = await self._query("SELECT count(*) FROM unfinished")
        return int(count)

    async def tables(self) -> list[str]:
        return [table for (table,) in await self._query("SELECT DISTINCT table_id FROM entries ORDER BY table_id")]

    async def claim(self, wanted: Collection[str] = (), others: int = 0) -> Claims:
        """There is no other process, so the lease never expires."""
        if self._unclaimed is None:
            self._unclaimed = {}
            unfinished = await self._query("SELECT table_id FROM unfinished ORDER BY table_id")
            self._unclaimed |= dict.fromkeys(table for (table,) in unfinished)
        claimed = [table for table in wanted if table in self._unclaimed]
        for table in claimed:
            del self._unclaimed[table]
        for table in list(islice(self._unclaimed, others)):
            del self._unclaimed[table]
            claimed.append(table)
        return Claims(claimed, math.inf)

    async def hand_over(self, takers: Mapping[str, str]) -> None:
        """There are no other processes."""

    async def check_writable(self) -> None:
        if not self._writer.is_alive():
            raise StoreFailed("the store is closed")
        if identity(self._path) != self._opened:  # what is written now is gone with the last connection
            LOG.error("database-replaced")
            raise StoreFailed("the database's file was removed or replaced")
        check = _Check(self._loop.create_future())
        self._to_writer.put(check)
        await check.done

    async def close(self) -> None:
        """Finish pending writes, then close the file."""
        while self._busy:
            await asyncio.sleep(0.005)
        self._to_writer.put(None)
        await asyncio.to_thread(self._writer.join)
        await asyncio.wrap_future(self._reader.submit(self._reading.close))
        self._reader.shutdown()

    async def _query(self, sql: str, *parameters: object) -> list[Any]:
        try:
            asked = self._reader.submit(lambda: self._reading.execute(sql, parameters).fetchall())
            return await asyncio.wrap_future(asked)
        except sqlite3.Error as error:
            raise StoreFailed(str(error)) from error

    def _schedule_commit(self) -> None:
        """Deferred until the loop is idle, so that the writer thread gets the GIL."""
        self._busy = True
        self._loop.call_later(max(self._last_commit + MIN_COMMIT_INTERVAL_S - self._loop.time(), 0), self._start_commit)

    def _start_commit(self) -> None:
        """Appends cancelled before now are skipped; for one cancelled later the outcome is unknown."""
        group = [append for append in self._pending if not append.done.cancelled()]
        self._pending.clear()
        self._busy = bool(group)
        self._last_commit = self._loop.time()
        if group:
            self._to_writer.put(group)

    def _write(self) -> None:
        connection = connect(self._path)
        log = Log(connection)
        while (work := self._to_writer.get()) is not None:
            if isinstance(work, _Check):
                self._loop.call_soon_threadsafe(_resolve, work.done, log.check())
                continue
            self._loop.call_soon_threadsafe(self._settle, work, log.commit(work))
            log.sort(MAX_UNSORTED)
        connection.close()

    def _settle(self, appends: list[_Waiting], outcomes: list[Exception | None]) -> None:
        """On the event loop: resolve the futures of a group, and note new tables as unclaimed."""
        for append, outcome in zip(appends, outcomes, strict=True):
            if outcome is None and append.first == 1 and not append.ended and self._unclaimed is not None:
                self._unclaimed[append.table] = None
            _resolve(append.done, outcome)
        self._busy = False
        if self._pending:
            self._schedule_commit()


def _resolve(done: "asyncio.Future[None]", outcome: Exception | None) -> None:
    if done.done():  # nobody waits any more
        return
    if outcome is None:
        done.set_result(None)
    else:
        done.set_exception(outcome)
