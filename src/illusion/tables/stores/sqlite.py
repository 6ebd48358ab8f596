"""The embedded store: one SQLite file in WAL mode, one thread that writes in groups, and one that reads.

A commit costs one disk flush (`synchronous=FULL`), however many entries it holds. Reads never wait for the writer.
"""

import asyncio
import logging
import sqlite3
from collections.abc import Awaitable, Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec

from illusion.tables.stores.database_file import file_at, identity, make_private
from illusion.tables.stores.store import Append, CannotOpen, GroupCommit, StoreFailed, StoreObserver

LOG: Final = logging.getLogger("illusion")
VERSION: Final = 3
SCHEMA: Final = (
    """
    CREATE TABLE log (
        table_id TEXT NOT NULL,
        seq INTEGER NOT NULL,
        entry BLOB NOT NULL,
        unfinished INTEGER, -- 1 in the first row of a table that has not ended
        PRIMARY KEY (table_id, seq)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX unfinished ON log (table_id) WHERE unfinished",
    f"PRAGMA user_version = {VERSION}",
)
HEAD: Final = "SELECT coalesce(max(seq), 0) FROM log WHERE table_id = ?"
HEADS: Final = """
SELECT table_id, max(seq) FROM log WHERE table_id IN (SELECT value FROM json_each(?)) GROUP BY table_id
"""
INSERT: Final = "INSERT INTO log VALUES (?, ?, ?, ?)"
END: Final = "UPDATE log SET unfinished = NULL WHERE table_id = ? AND seq = 1"

Result = TypeVar("Result")


class SqliteStore:
    """A Store in one file, for one process."""

    shared = False

    def __init__(self, path: Path | str) -> None:
        self._path = path
        self._writer, self._reader = ThreadPoolExecutor(1, "sqlite-writer"), ThreadPoolExecutor(1, "sqlite-reader")
        self._appends = GroupCommit(self._commit)
        self._unclaimed: set[str] = set()

    async def open(self, _observer: StoreObserver | None = None, /) -> None:
        """There is nothing to observe: nobody else writes."""
        path = file_at(self._path)
        try:
            make_private(path)
            _make(path)
            self._writing, self._reading = connect(path), connect(path)
            self._file, self._opened, self._is_there = path, identity(path), True
            unfinished = self._reading.execute("SELECT table_id FROM log WHERE unfinished")
            self._unclaimed = {table for (table,) in unfinished}
        except sqlite3.Error as error:
            raise CannotOpen(f"{self._path} is not a database that can be written: {error}") from None

    def append(self, table: str, first: int, entries: Sequence[bytes], *, ended: bool = False) -> Awaitable[None]:
        return self._appends.append(table, first, entries, ended=ended)

    async def read(self, table: str, after: int = 0) -> list[bytes]:
        rows = await self._query("SELECT entry FROM log WHERE table_id = ? AND seq > ? ORDER BY seq", table, after)
        return [entry for (entry,) in rows]

    async def heads(self, tables: Sequence[str]) -> dict[str, int]:
        return dict(await self._query(HEADS, msgspec.json.encode(tables).decode()))

    def send_message(self, table: str, message: bytes) -> None:
        """There are no other servers."""

    async def unfinished(self) -> int:
        ((count,),) = await self._query("SELECT count(*) FROM log WHERE unfinished")
        return int(count)

    async def tables(self) -> list[str]:
        return [table for (table,) in await self._query("SELECT table_id FROM log WHERE seq = 1 ORDER BY table_id")]

    async def claim(self, wanted: Collection[str] = (), others: int = 0) -> list[str]:
        """What was unfinished when the file was opened; there is no other server, so once is enough."""
        claimed = self._unclaimed.intersection(wanted)
        self._unclaimed -= claimed
        claimed.update(islice(self._unclaimed, others))
        self._unclaimed -= claimed
        return sorted(claimed)

    async def check_writable(self) -> None:
        await self._in_thread(self._writer, self._check)

    async def close(self) -> None:
        await self._appends.close()
        for thread, connection in ((self._writer, self._writing), (self._reader, self._reading)):
            await self._in_thread(thread, connection.close)
            thread.shutdown()

    async def _commit(self, group: list[Append]) -> set[str]:
        return await self._in_thread(self._writer, self._write, group)

    def _write(self, group: list[Append]) -> set[str]:
        """All appends in one transaction, but for stale ones."""
        self._check_file()
        execute, stored = self._writing.execute, set[str]()
        with self._writing:  # commits, or rolls back
            execute("BEGIN IMMEDIATE")
            for append in group:
                if execute(HEAD, (append.table,)).fetchone()[0] + 1 != append.first:
                    continue
                for seq, entry in enumerate(append.entries, append.first):
                    execute(INSERT, (append.table, seq, entry, 1 if seq == 1 else None))
                if append.ended:
                    execute(END, (append.table,))
                stored.add(append.table)
        return stored

    def _check(self) -> None:
        """Commit an entry that is taken back within the same transaction: its page is written all the same."""
        self._check_file()
        with self._writing:
            self._writing.execute("BEGIN IMMEDIATE")
            self._writing.execute(INSERT, ("", 0, bytes(200), None))
            self._writing.execute("DELETE FROM log WHERE table_id = ''")

    def _check_file(self) -> None:
        """What is written to a file that was removed or replaced is gone with the last connection: not durable."""
        was_there, self._is_there = self._is_there, identity(self._file) == self._opened
        if not self._is_there:
            if was_there:
                LOG.error("database-replaced")
            raise StoreFailed("the database's file was removed or replaced")

    async def _query(self, sql: str, *parameters: object) -> list[Any]:
        return await self._in_thread(self._reader, lambda: self._reading.execute(sql, parameters).fetchall())

    async def _in_thread(self, thread: ThreadPoolExecutor, work: Callable[..., Result], *arguments: object) -> Result:
        try:
            return await asyncio.get_running_loop().run_in_executor(thread, work, *arguments)
        except sqlite3.Error as error:
            raise StoreFailed(str(error)) from error


def _make(path: str) -> None:
    """Make the log in an empty file; leave any other as it is. Raises CannotOpen for one of another layout."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection, connection:
        connection.execute("BEGIN IMMEDIATE")
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        (things,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if version > VERSION:
            raise CannotOpen(f"it was made by a newer Illusion (schema {version}; this one knows {VERSION})")
        if version == VERSION:
            return
        if version or things:
            raise CannotOpen("its layout is not one that this Illusion knows")
        for statement in SCHEMA:
            connection.execute(statement)


def connect(path: str) -> sqlite3.Connection:
    """A connection whose commits are on the disk when they return."""
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA wal_autocheckpoint = 8000")  # 32 MB: what changed often is copied back once
    return connection
