"""The log in a SQLite file: new entries are appended in order of arrival, and sorted by table from time to time.

If they were sorted at once, a group would touch as many pages as it has tables, and SQLite writes whole pages. In
order of arrival they fill a page or two, however many tables are in play. (The idea of a log-structured merge tree.)
"""

import os
import sqlite3
import stat
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Final

from illusion.tables.stores.base import CHECK_ENTRY, Stale, StoreFailed
from illusion.tables.stores.migrations import missing

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
    """
    CREATE TABLE fresh (
        number INTEGER PRIMARY KEY,
        table_id TEXT NOT NULL,
        seq INTEGER NOT NULL,
        entry BLOB NOT NULL
    );
    CREATE VIEW entries AS
        SELECT table_id, seq, entry FROM log UNION ALL SELECT table_id, seq, entry FROM fresh
    """,
)
ROWS_PER_INSERT: Final = (1, 2, *range(4, 65, 4), 96, 128, 192, 256)
"""Rows per INSERT statement, padded with empty rows: few statements, which SQLite keeps prepared."""
MAX_UNSORTED: Final = 8192
"""Entries that may be unsorted: scanning them takes a millisecond."""
SORTED_AT_ONCE: Final = 1024
"""Entries, with all others of the same tables. Whoever wants to write waits for them, a few milliseconds."""

SOME: Final = "FROM fresh WHERE table_id > ? AND table_id <= ?"
LAST_OF_SOME: Final = "SELECT table_id FROM fresh WHERE table_id > ? ORDER BY table_id LIMIT 1 OFFSET ?"
ALL_TABLES: Final = "\U0010ffff"
"""Greater than every table's id."""


def make_private(path: str) -> None:
    """Let only the owner read and write a file, new or not. SQLite gives its -wal and -shm files the same mode.

    Files of earlier versions could be read by every user of the machine. A path that cannot be created is reported by
    SQLite, which tries it next. Nothing but plain files of our own user is touched: somebody else may have put a link
    where SQLite would make a file.
    """
    with suppress(OSError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    for suffix in ("", "-wal", "-shm"):
        with suppress(OSError):
            found = os.lstat(path + suffix)
            is_ours = stat.S_ISREG(found.st_mode) and found.st_nlink == 1 and found.st_uid == _user()
            if is_ours and stat.S_IMODE(found.st_mode) & ~0o700:
                os.chmod(path + suffix, 0o600)


def _user() -> int:
    return os.geteuid() if hasattr(os, "geteuid") else 0  # Windows says 0 of every file


def connect(path: str) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA busy_timeout = 5000")
        connection.execute("PRAGMA wal_autocheckpoint = 8000")  # 32 MB: what changed often is copied back once
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def migrate(connection: sqlite3.Connection) -> None:
    """All missing migrations in one transaction, so that a file is never between two versions."""
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


@dataclass(slots=True)
class Append:
    """Entries to append to one table, the first one with number `first`."""

    table: str
    first: int
    entries: Sequence[bytes]
    ended: bool


class Log:
    """The writer's side of a file. It caches the last number of each table while no other connection writes."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._version: int | None = None
        """SQLite's data_version, which changes when another connection writes; None if nothing is cached."""
        self._heads: dict[str, int] = {}
        """The last number of every table with unsorted entries, and of some others."""
        self._fresh = 0
        self._sorted_to = ""
        """The table up to which entries were sorted last."""

    def commit(self, group: Sequence[Append]) -> list[Exception | None]:
        """Group commit: all appends in one transaction. A stale one fails alone.

        Several take one statement, which also looks whether somebody else has written. For one that look would cost
        more than all else, and it takes four: the event loop is idle then, and the GIL is had back after each at once.
        """
        rows: list[object] = []
        heads: dict[str, int] = {}
        plain = 1 < len(group) <= ROWS_PER_INSERT[-1] and self._version is not None
        for append in group:
            head = heads.get(append.table, self._heads.get(append.table))
            plain = plain and 0 < append.first - 1 == head and len(append.entries) == 1 and not append.ended
            rows += (append.table, append.first, append.entries[0])
            heads[append.table] = append.first
        try:
            if plain and self._insert(rows, self._version):
                self._heads |= heads
                self._fresh += len(group)
                return [None] * len(group)
            return self._transact(group)
        except Exception as error:  # whatever went wrong, nobody may wait for ever
            self._undo()
            return [StoreFailed(str(error)) for _ in group]

    def _insert(self, rows: list[object], version: int | None = None) -> bool:
        """Insert with one statement, which can be a transaction by itself: every call into SQLite releases the GIL.

        If a data_version is given: returns whether it was still the same, so that no other connection had written.
        """
        count = len(rows) // 3
        size = next(size for size in ROWS_PER_INSERT if size >= count)
        some = [*rows, *((None,) * (3 * (size - count))), *(() if version is None else (version,))]
        return self._connection.execute(_insertion(size, checked=version is not None), some).rowcount == count

    def _transact(self, group: Sequence[Append]) -> list[Exception | None]:
        execute = self._connection.execute
        execute("BEGIN IMMEDIATE")
        self._refresh_cache()
        outcomes, rows = list[Exception | None](), list[object]()
        for append in group:
            if self._head(append.table) + 1 != append.first:
                outcomes.append(Stale())
                continue
            outcomes.append(None)
            for seq, entry in enumerate(append.entries, append.first):
                rows += (append.table, seq, entry)
            self._heads[append.table] = append.first + len(append.entries) - 1
            if append.ended:
                execute("DELETE FROM unfinished WHERE table_id = ?", (append.table,))
            elif append.first == 1:
                execute("INSERT INTO unfinished VALUES (?)", (append.table,))
        for start in range(0, len(rows), 3 * ROWS_PER_INSERT[-1]):
            self._insert(rows[start : start + 3 * ROWS_PER_INSERT[-1]])
        execute("COMMIT")
        self._fresh += len(rows) // 3
        return outcomes

    def check(self) -> Exception | None:
        """Commit an entry that is taken back within the same transaction: its page is written all the same."""
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            self._insert(["", 0, CHECK_ENTRY])
            self._connection.execute("DELETE FROM fresh WHERE table_id = ''")
            self._connection.execute("COMMIT")
        except Exception as error:  # whatever went wrong, nobody may wait for ever
            self._undo()
            return StoreFailed(str(error))
        return None

    def sort(self, most: int) -> None:
        """Move unsorted entries to their tables until `most` are left; if that fails, they stay."""
        while self._fresh > most and self._sort_some():
            pass

    def sort_all(self) -> None:
        """Also those that were written before this log was opened."""
        while self._sort_some() and self._fresh:
            pass

    def _sort_some(self) -> bool:
        """Those of the next tables in order, so that each table is visited as rarely as if all were sorted at once."""
        execute = self._connection.execute
        try:
            execute("BEGIN IMMEDIATE")
            self._refresh_cache()
            last = execute(LAST_OF_SOME, (self._sorted_to, SORTED_AT_ONCE - 1)).fetchone()
            tables = (self._sorted_to, ALL_TABLES if last is None else last[0])
            execute(f"INSERT INTO log SELECT table_id, seq, entry {SOME} ORDER BY table_id, seq", tables)  # nosec B608
            moved = execute(f"DELETE {SOME}", tables).rowcount  # nosec B608
            execute("COMMIT")
        except sqlite3.Error:
            self._undo()
            return False
        self._fresh -= moved
        self._sorted_to = "" if last is None else last[0]
        if last is None:  # once round: counted anew, and tables forgotten that have no unsorted entries
            self._version = None
        return True

    def _refresh_cache(self) -> None:
        """Refresh the cache; called within a transaction, so that nobody else writes."""
        (version,) = self._connection.execute("PRAGMA data_version").fetchone()
        if version != self._version:
            heads = self._connection.execute("SELECT table_id, max(seq) FROM fresh GROUP BY table_id")
            self._heads = dict(heads.fetchall())
            (self._fresh,) = self._connection.execute("SELECT count(*) FROM fresh").fetchone()
            self._version = version

    def _head(self, table: str) -> int:
        head = self._heads.get(table)
        if head is None:
            sql = "SELECT coalesce(max(seq), 0) FROM log WHERE table_id = ?"
            (head,) = self._connection.execute(sql, (table,)).fetchone()
            self._heads[table] = head
        return head

    def _undo(self) -> None:
        self._version = None
        if self._connection.in_transaction:
            with suppress(sqlite3.Error):  # the next group tries again
                self._connection.execute("ROLLBACK")


@cache
def _insertion(rows: int, *, checked: bool) -> str:
    """An INSERT of this many rows; a checked one does nothing if the data_version has changed."""
    into, values = "INSERT INTO fresh (table_id, seq, entry)", f"VALUES {', '.join(['(?, ?, ?)'] * rows)}"
    if rows == 1 and not checked:
        return f"{into} {values}"
    source, version = (f"pragma_data_version, ({values})", " AND data_version = ?") if checked else (f"({values})", "")
    select = f"SELECT column1, column2, column3 FROM {source}"  # noqa: S608  # nosec B608
    return f"{into} {select} WHERE column1 IS NOT NULL{version}"
