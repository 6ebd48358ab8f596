"""The log in a SQLite file: new entries behind one another as they come, and now and then sorted to their tables.

Sorted at once, the entries of a group would lie on as many pages as it has tables, and every page that changes is
written whole. Behind one another they fill a page or two, however many tables play.
"""

import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Final

from illusion.tables.stores.base import Stale, StoreFailed
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
ROWS: Final = (1, 2, 4, 8, 16, 32, 64, 128, 256)
"""Rows that go into one statement, some of them perhaps empty: few different ones stay prepared."""
FRESH: Final = 8192
"""Entries that may lie unsorted: looking through them takes a millisecond, sorting them some hundredths of a second."""


def connect(path: str) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA busy_timeout = 5000")
    connection.execute("PRAGMA wal_autocheckpoint = 8000")  # 32 MB: what changed often is copied back once
    return connection


def migrate(connection: sqlite3.Connection) -> None:
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


@dataclass(slots=True)
class Append:
    """Entries for one table, from a number on."""

    table: str
    first: int
    entries: Sequence[bytes]
    ended: bool


class Log:
    """The writer's side of a file. It remembers the last numbers for as long as nobody else has written."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._version: int | None = None
        """Changes when somebody else has written; None if nothing is remembered."""
        self._heads: dict[str, int] = {}
        """Of every table with fresh entries, and of some others."""
        self._fresh = 0

    def commit(self, group: Sequence[Append]) -> list[Exception | None]:
        """All appends of a group in one transaction; one that comes too late fails alone."""
        rows: list[object] = []
        heads: dict[str, int] = {}
        plain = len(group) <= ROWS[-1] and self._version is not None
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
        except Exception as error:  # whatever went wrong, the askers must not wait for ever
            self._undo()
            return [StoreFailed(str(error)) for _ in group]

    def _insert(self, rows: list[object], version: int | None = None) -> bool:
        """With one statement, which is a transaction by itself: every step into SQLite gives other threads a turn.

        Whether the version still held; then nobody else had written.
        """
        count = len(rows) // 3
        size = next(size for size in ROWS if size >= count)
        some = [*rows, *((None,) * (3 * (size - count))), version]
        return self._connection.execute(_insertion(size), some).rowcount == count

    def _transact(self, group: Sequence[Append]) -> list[Exception | None]:
        execute = self._connection.execute
        execute("BEGIN IMMEDIATE")
        self._remember()
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
        for start in range(0, len(rows), 3 * ROWS[-1]):
            self._insert(rows[start : start + 3 * ROWS[-1]])
        execute("COMMIT")
        self._fresh += len(rows) // 3
        return outcomes

    def sort(self, most: int = -1) -> None:
        """Put fresh entries to the others of their tables if there are more than so many; if that fails, they stay."""
        if self._fresh <= most:
            return
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.execute("INSERT INTO log SELECT table_id, seq, entry FROM fresh ORDER BY table_id, seq")
            self._connection.execute("DELETE FROM fresh")
            self._connection.execute("COMMIT")
        except sqlite3.Error:
            self._undo()
        else:
            self._fresh, self._heads = 0, {}

    def _remember(self) -> None:
        """Within a transaction, in which nobody else writes."""
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
            with suppress(sqlite3.Error):  # then the next group tries it again
                self._connection.execute("ROLLBACK")


@cache
def _insertion(rows: int) -> str:
    """A statement for so many rows, if the version is still the same (or none is given)."""
    values = ", ".join(["(?, ?, ?)"] * rows)
    select = f"SELECT column1, column2, column3 FROM pragma_data_version, (VALUES {values})"  # noqa: S608  # nosec B608
    where = "WHERE column1 IS NOT NULL AND coalesce(?, data_version) = data_version"
    return f"INSERT INTO fresh (table_id, seq, entry) {select} {where}"  # nosec B608
