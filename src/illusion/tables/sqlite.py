"""The embedded store: SQLite in WAL mode, one writer thread that commits whatever has gathered in one go.

A commit costs a disk flush (`synchronous=FULL`), however many entries it holds; while one is flushed, the next ones
gather. Readers have a connection of their own and never wait for the writer.
"""

import asyncio
import queue
import sqlite3
import threading
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from illusion.tables.store import Stale, StoreFailed

SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS log (
    table_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    entry BLOB NOT NULL,
    PRIMARY KEY (table_id, seq)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS unfinished (table_id TEXT PRIMARY KEY) WITHOUT ROWID;
"""


@dataclass(slots=True)
class _Append:
    table: str
    first: int
    entries: Sequence[bytes]
    ended: bool
    done: "Future[None]"


class SqliteStore:
    """A Store in one file."""

    def __init__(self, path: Path | str) -> None:
        self._path = str(path)
        self._waiting: queue.SimpleQueue[_Append | None] = queue.SimpleQueue()
        with self._connect() as connection:
            connection.executescript(SCHEMA)
        connection.close()
        self._reader = ThreadPoolExecutor(1, "sqlite-reader")
        self._reading = self._reader.submit(self._connect).result()
        self._writer = threading.Thread(target=self._write, name="sqlite-writer", daemon=True)
        self._writer.start()

    async def append(self, table: str, first: int, entries: Sequence[bytes], *, ended: bool = False) -> None:
        done: Future[None] = Future()
        self._waiting.put(_Append(table, first, entries, ended, done))
        await asyncio.wrap_future(done)

    async def read(self, table: str, after: int = 0) -> list[bytes]:
        sql = "SELECT entry FROM log WHERE table_id = ? AND seq > ? ORDER BY seq"
        rows = await self._query(sql, table, after)
        return [entry for (entry,) in rows]

    async def unfinished(self) -> list[str]:
        return [table for (table,) in await self._query("SELECT table_id FROM unfinished ORDER BY table_id")]

    async def close(self) -> None:
        """Finish what has been begun, then close the file."""
        self._waiting.put(None)
        await asyncio.to_thread(self._writer.join)
        await asyncio.wrap_future(self._reader.submit(self._reading.close))
        self._reader.shutdown()

    async def _query(self, sql: str, *parameters: object) -> list[tuple[Any]]:
        return await asyncio.wrap_future(self._reader.submit(lambda: self._reading.execute(sql, parameters).fetchall()))

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._path, isolation_level=None, check_same_thread=False)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA busy_timeout = 5000")
        return connection

    def _write(self) -> None:
        connection = self._connect()
        stopping = False
        while not stopping:
            group = [self._waiting.get()]
            while not self._waiting.empty():
                group.append(self._waiting.get())
            stopping = None in group
            self._commit(connection, [append for append in group if append is not None])
        connection.close()

    def _commit(self, connection: sqlite3.Connection, group: list[_Append]) -> None:
        """All appends of a group in one transaction; one that comes too late fails alone."""
        stored: list[_Append] = []
        try:
            connection.execute("BEGIN IMMEDIATE")
            for append in group:
                if self._insert(connection, append):
                    stored.append(append)
                else:
                    append.done.set_exception(Stale())
            connection.execute("COMMIT")
        except sqlite3.Error as error:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            for append in group:
                if not append.done.done():
                    append.done.set_exception(StoreFailed(str(error)))
            return
        for append in stored:
            append.done.set_result(None)

    def _insert(self, connection: sqlite3.Connection, append: _Append) -> bool:
        (last,) = connection.execute("SELECT max(seq) FROM log WHERE table_id = ?", (append.table,)).fetchone()
        if (last or 0) + 1 != append.first:
            return False
        rows = [(append.table, seq, entry) for seq, entry in enumerate(append.entries, append.first)]
        connection.executemany("INSERT INTO log VALUES (?, ?, ?)", rows)
        if append.ended:
            connection.execute("DELETE FROM unfinished WHERE table_id = ?", (append.table,))
        elif append.first == 1:
            connection.execute("INSERT INTO unfinished VALUES (?)", (append.table,))
        return True
