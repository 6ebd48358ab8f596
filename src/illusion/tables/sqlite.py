"""The embedded store: SQLite in WAL mode, one writer thread that commits whatever has gathered in one go.

A commit costs a disk flush (`synchronous=FULL`), however many entries it holds; while one is flushed, the next ones
gather. Readers have a connection of their own and never wait for the writer.
"""

import asyncio
import math
import queue
import sqlite3
import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import msgspec

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


HEADS: Final = """
SELECT json_group_object(value, (SELECT coalesce(max(seq), 0) FROM log WHERE table_id = value)) FROM json_each(?)
"""
INSERT: Final = "INSERT OR ROLLBACK INTO log VALUES (?, ?, ?)"
"""Whatever fails fails the whole group, so SQLite need not be ready to undo one statement alone."""
ROWS: Final = 32
"""Rows that go into one statement: few statements cost little, and few different ones stay prepared."""


@dataclass(slots=True)
class _Append:
    table: str
    first: int
    entries: Sequence[bytes]
    ended: bool
    done: "asyncio.Future[None]"


class SqliteStore:
    """A Store in one file, for one process."""

    shared = False

    def __init__(self, path: Path | str) -> None:
        self.on_hint: Callable[[str, int], object] = unheard  # nobody else is there, so there are none
        self.on_mention: Callable[[str, bytes], object] = unheard
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
        done = asyncio.get_running_loop().create_future()
        self._waiting.put(_Append(table, first, entries, ended, done))
        await done

    async def read(self, table: str, after: int = 0) -> list[bytes]:
        sql = "SELECT entry FROM log WHERE table_id = ? AND seq > ? ORDER BY seq"
        rows = await self._query(sql, table, after)
        return [entry for (entry,) in rows]

    async def heads(self, tables: Sequence[str]) -> dict[str, int]:
        ((found,),) = await self._query(HEADS, _listed(tables))
        return {table: last for table, last in _decoded(found).items() if last}

    def mention(self, table: str, said: bytes) -> None:
        """There is nobody else to hear it."""

    async def unfinished(self) -> int:
        ((count,),) = await self._query("SELECT count(*) FROM unfinished")
        return int(count)

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
        connection.execute("PRAGMA wal_autocheckpoint = 8000")  # 32 MB: what changed often is copied back once
        return connection

    def _write(self) -> None:
        connection = self._connect()
        stopping = False
        while not stopping:
            group = [self._waiting.get()]
            while not self._waiting.empty():
                group.append(self._waiting.get())
            stopping = None in group
            # Who has gone away by now wants nothing any more; who goes away later does not know what became of it.
            appends = [append for append in group if append is not None and not append.done.cancelled()]
            if appends:
                outcomes = _commit(connection, appends)
                appends[0].done.get_loop().call_soon_threadsafe(self._settle, appends, outcomes)
        connection.close()

    def _settle(self, appends: list[_Append], outcomes: list[Exception | None]) -> None:
        """Back in the event loop: tell a whole group how it went. Tables that were opened are to be claimed."""
        for append, outcome in zip(appends, outcomes, strict=True):
            if outcome is None and append.first == 1 and not append.ended and self._unclaimed is not None:
                self._unclaimed.append(append.table)
            if append.done.done():
                continue
            if outcome is None:
                append.done.set_result(None)
            else:
                append.done.set_exception(outcome)


def _commit(connection: sqlite3.Connection, group: list[_Append]) -> list[Exception | None]:
    """All appends of a group in one transaction; one that comes too late fails alone."""
    try:
        connection.execute("BEGIN IMMEDIATE")
        heads = _heads(connection, {append.table for append in group})
        outcomes, rows = list[Exception | None](), list[object]()
        for append in group:
            if heads[append.table] + 1 != append.first:
                outcomes.append(Stale())
                continue
            outcomes.append(None)
            for seq, entry in enumerate(append.entries, append.first):
                rows += (append.table, seq, entry)
            heads[append.table] = append.first + len(append.entries) - 1
            if append.ended:
                connection.execute("DELETE FROM unfinished WHERE table_id = ?", (append.table,))
            elif append.first == 1:
                connection.execute("INSERT INTO unfinished VALUES (?)", (append.table,))
        for start in range(0, len(rows), 3 * ROWS):
            some = rows[start : start + 3 * ROWS]
            connection.execute(INSERT + ", (?, ?, ?)" * (len(some) // 3 - 1), some)
        connection.execute("COMMIT")
    except sqlite3.Error as error:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        return [StoreFailed(str(error)) for _ in group]
    return outcomes


def _heads(connection: sqlite3.Connection, tables: Iterable[str]) -> dict[str, int]:
    """The last number of each table, as one row: every step into SQLite gives the other threads a turn."""
    (found,) = connection.execute(HEADS, (_listed(tables),)).fetchone()
    return _decoded(found)


def _listed(tables: Iterable[str]) -> str:
    return msgspec.json.encode(list(tables)).decode()


def _decoded(found: str) -> dict[str, int]:
    heads: dict[str, int] = msgspec.json.decode(found)
    return heads


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
