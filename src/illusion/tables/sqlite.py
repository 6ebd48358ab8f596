"""The embedded store: SQLite in WAL mode, one writer thread that commits whatever has gathered in one go.

A commit costs a disk flush (`synchronous=FULL`), however many entries it holds; while one is flushed, the next ones
gather. Readers have a connection of their own and never wait for the writer.
"""

import asyncio
import math
import queue
import sqlite3
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from illusion.tables.schema import missing
from illusion.tables.store import CannotOpen, Claims, Stale, StoreFailed, unheard

SCHEMA: Final = (
    """
    CREATE TABLE IF NOT EXISTS log (
        table_id TEXT NOT NULL,
        seq INTEGER NOT NULL,
        entry BLOB NOT NULL,
        PRIMARY KEY (table_id, seq)
    ) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS unfinished (table_id TEXT PRIMARY KEY) WITHOUT ROWID;
    """,  # "if not exists": files from before versions were counted say 0, too
)


@dataclass(slots=True)
class _Append:
    table: str
    first: int
    entries: Sequence[bytes]
    ended: bool
    done: "Future[None]"


class SqliteStore:
    """A Store in one file, for one process."""

    shared = False

    def __init__(self, path: Path | str) -> None:
        self.on_hint: Callable[[str, int], object] = unheard  # nobody else writes, so there are none
        self._path = str(path)
        self._waiting: queue.SimpleQueue[_Append | None] = queue.SimpleQueue()
        self._unclaimed: list[str] | None = None
        try:
            connection = self._connect()
            _migrate(connection)
            connection.close()
        except sqlite3.Error as error:
            raise CannotOpen(f"{path} is not a database that can be written: {error}") from None
        self._reader = ThreadPoolExecutor(1, "sqlite-reader")
        self._reading = self._reader.submit(self._connect).result()
        self._writer = threading.Thread(target=self._write, name="sqlite-writer", daemon=True)
        self._writer.start()

    async def open(self) -> None:
        """A file is ready as soon as it is named."""

    async def append(self, table: str, first: int, entries: Sequence[bytes], *, ended: bool = False) -> None:
        done: Future[None] = Future()
        self._waiting.put(_Append(table, first, entries, ended, done))
        await asyncio.wrap_future(done)
        if first == 1 and not ended and self._unclaimed is not None:
            self._unclaimed.append(table)

    async def read(self, table: str, after: int = 0) -> list[bytes]:
        sql = "SELECT entry FROM log WHERE table_id = ? AND seq > ? ORDER BY seq"
        rows = await self._query(sql, table, after)
        return [entry for (entry,) in rows]

    async def heads(self, tables: Sequence[str]) -> dict[str, int]:
        heads = {}
        for table in tables:
            ((last,),) = await self._query("SELECT max(seq) FROM log WHERE table_id = ?", table)
            if last is not None:
                heads[table] = last
        return heads

    async def tables(self) -> list[str]:
        return [table for (table,) in await self._query("SELECT DISTINCT table_id FROM log ORDER BY table_id")]

    async def claim(self) -> Claims:
        """Nobody else asks: first all that were left unfinished, and from then on those that are opened here."""
        if self._unclaimed is None:
            self._unclaimed = []
            fresh = [table for (table,) in await self._query("SELECT table_id FROM unfinished ORDER BY table_id")]
        else:
            fresh, self._unclaimed = self._unclaimed, []
        return Claims(fresh, math.inf)

    async def close(self) -> None:
        """Finish what has been begun, then close the file."""
        self._waiting.put(None)
        await asyncio.to_thread(self._writer.join)
        await asyncio.wrap_future(self._reader.submit(self._reading.close))
        self._reader.shutdown()

    async def _query(self, sql: str, *parameters: object) -> list[tuple[Any]]:
        try:
            asked = self._reader.submit(lambda: self._reading.execute(sql, parameters).fetchall())
            return await asyncio.wrap_future(asked)
        except sqlite3.Error as error:
            raise StoreFailed(str(error)) from error

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
            # Who has gone away meanwhile wants nothing any more; from here on nobody can.
            self._commit(
                connection, [append for append in group if append and append.done.set_running_or_notify_cancel()]
            )
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


def _migrate(connection: sqlite3.Connection) -> None:
    """All missing versions in one transaction, so that a file is never between two versions."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        for script in missing(SCHEMA, version):
            for statement in script.split(";"):
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {len(SCHEMA)}")
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
