"""The embedded store: one SQLite file in WAL mode, one thread that writes (group commit), and one that reads.

A commit costs one disk flush (`synchronous=FULL`), however many entries it holds. Reads never wait for the writer. A
file is checked before anything is written, so that a mistyped path harms nothing.
"""

import asyncio
import json
import logging
import os
import sqlite3
import stat
from collections.abc import Awaitable, Callable, Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

from illusion.tables.stores import CannotOpen, InUse, Stale, StoreFailed, StoreObserver
from illusion.tables.stores.layout import INSERT, connected, make, upgrade

MIN_COMMIT_INTERVAL_S: Final = 0.004
"""A lone entry is written at once; under load many entries share a commit."""
LOCK_WAIT_S: Final = 0.1
IS_OURS: Final = "SELECT count(*) = 0 OR max(name = 'log' AND sql LIKE '%table_id%seq%entry%') FROM sqlite_master"
"""Whether a database is still empty, or has our log."""
HEADS: Final = """
    SELECT table_id, max(seq) FROM log WHERE table_id IN (SELECT value FROM json_each(?)) GROUP BY table_id
"""
HEAD: Final = "SELECT coalesce(max(seq), 0) FROM log WHERE table_id = ?"

LOG: Final = logging.getLogger("illusion")
Result = TypeVar("Result")


class Append(NamedTuple):
    """Entries to append to one table, the first one with number `first`."""

    table: str
    first: int
    entries: Sequence[bytes]
    ended: bool
    done: "asyncio.Future[None]"


class GroupCommit:
    """Group commit (DeWitt et al., 1984): appends that arrive during a commit share the next one, and its disk flush.

    There is one commit at a time. A group has at most one append per table: the next one may depend on it.
    """

    def __init__(self, commit: Callable[[list[Append]], Awaitable[Collection[str]]]) -> None:
        """`commit` stores a group durably and returns the tables whose append was not stale."""
        self._commit = commit
        self._waiting: list[Append] = []
        self._committing: asyncio.Task[None] | None = None
        self._closed = False

    def append(
        self, table: str, first: int, entries: Sequence[bytes], *, ended: bool = False
    ) -> "asyncio.Future[None]":
        if self._closed:
            raise StoreFailed("the store is closed")
        done = asyncio.get_running_loop().create_future()
        self._waiting.append(Append(table, first, entries, ended, done))
        if self._committing is None:
            self._committing = asyncio.create_task(self._commit_all())
        return done

    async def close(self) -> None:
        """Finish pending appends; refuse new ones."""
        self._closed = True
        if self._committing is not None:
            await self._committing

    async def _commit_all(self) -> None:
        loop = asyncio.get_running_loop()
        while self._waiting:
            began, group = loop.time(), dict[str, Append]()
            # one cancelled after this may be stored or not
            waiting = [append for append in self._waiting if not append.done.cancelled()]
            self._waiting = [append for append in waiting if group.setdefault(append.table, append) is not append]
            if group:
                await self._settle(list(group.values()))
                await asyncio.sleep(began + MIN_COMMIT_INTERVAL_S - loop.time())
        self._committing = None

    async def _settle(self, group: list[Append]) -> None:
        stored: Collection[str] = ()
        failure: StoreFailed | None = None
        try:
            stored = await self._commit(group)
        except Exception as error:  # whatever it is, callers must not wait for ever
            failure = error if isinstance(error, StoreFailed) else StoreFailed(repr(error))
        for append in group:
            if append.done.done():  # cancelled
                continue
            if append.table in stored:
                append.done.set_result(None)
            else:
                append.done.set_exception(failure or Stale())


class SqliteStore:
    """A Store in one file, for one process."""

    shared = False

    def __init__(self, path: Path | str) -> None:
        self._path = path
        self._writer, self._reader = ThreadPoolExecutor(1, "sqlite-writer"), ThreadPoolExecutor(1, "sqlite-reader")
        self._appends = GroupCommit(self._commit)

    async def open(self, _observer: StoreObserver | None = None, /) -> None:
        """There is nothing to observe: only this process writes."""
        self._file = file_at(self._path)
        try:
            make_private(self._file)
            make(self._file)
            self._writing, self._reading = connect(self._file), connect(self._file)
            self._opened, self._is_there = _identity(self._file), True
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
        return dict(await self._query(HEADS, json.dumps(tables)))

    def send_message(self, table: str, message: bytes) -> None:
        """There are no other servers."""

    async def unfinished(self) -> int:
        ((count,),) = await self._query("SELECT count(*) FROM log WHERE unfinished")
        return int(count)

    async def tables(self) -> list[str]:
        return [table for (table,) in await self._query("SELECT table_id FROM log WHERE seq = 1 ORDER BY table_id")]

    async def claim(self, wanted: Collection[str] = (), others: int = 0) -> list[str]:
        """All tables that were unfinished at opening, once: there is no other server."""
        claimed = self._unclaimed.intersection(wanted)
        claimed.update(islice(self._unclaimed - claimed, others))
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
        """Write all appends but stale ones in one transaction."""
        self._check_file()
        execute, stored = self._writing.execute, set[str]()
        with self._writing:  # commits, or rolls back
            execute("BEGIN IMMEDIATE")
            for table, first, entries, ended, _ in group:
                if execute(HEAD, (table,)).fetchone() != (first - 1,):
                    continue
                for seq, entry in enumerate(entries, first):
                    execute(INSERT, (table, seq, entry, 1 if seq == 1 else None))
                if ended:
                    execute("UPDATE log SET unfinished = NULL WHERE table_id = ? AND seq = 1", (table,))
                stored.add(table)
        return stored

    def _check(self) -> None:
        """Insert and delete an entry in one transaction: its page is written all the same."""
        self._check_file()
        with self._writing:
            self._writing.execute("BEGIN IMMEDIATE")
            self._writing.execute(INSERT, ("", 0, bytes(200), None))
            self._writing.execute("DELETE FROM log WHERE table_id = ''")

    def _check_file(self) -> None:
        """Raises StoreFailed if the file was removed or replaced, since all further writes would be lost."""
        was_there, self._is_there = self._is_there, _identity(self._file) == self._opened
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


def connect(path: str) -> sqlite3.Connection:
    """A connection whose commits are durable when they return."""
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA wal_autocheckpoint = 8000")  # 32 MB: pages that change often are copied back once
    return connection


def file_at(database: Path | str) -> str:
    """The real path of one of our databases, or of a new one. Raises CannotOpen, having changed nothing.

    A hard link is refused: locks and -wal files go by name, so a second server could get in under the other one.
    """
    path = os.path.realpath(database)  # an absolute path, so that ":memory:" is a file
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return path
    except OSError as error:
        raise CannotOpen(f"{database} cannot be read: {error.strerror}") from None
    if not stat.S_ISREG(found.st_mode):
        raise CannotOpen(f"{database} is not a file")
    if found.st_nlink > 1:
        raise CannotOpen(f"{database} has a second name (a hard link), under which another Illusion could use it")
    try:  # by SQLite: closing a file that it has open in this process would drop its locks
        is_ours = not found.st_size or _look(path, IS_OURS, immutable=not os.path.exists(f"{path}-wal"))
    except sqlite3.Error as error:
        raise CannotOpen(f"{database} is not a database that can be read: {error}") from None
    if not is_ours:
        raise CannotOpen(f"{database} is a database of another program")
    return path


def make_private(path: str) -> None:
    """Let only the owner read and write a file, which is created if need be. SQLite gives -wal and -shm the same mode.

    Errors are left to SQLite, which opens the file next. Only regular files of our own user are touched: somebody
    else may have put a link there.
    """
    with suppress(OSError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    user = os.geteuid() if hasattr(os, "geteuid") else 0  # on Windows every file has 0
    for each in (path, f"{path}-wal", f"{path}-shm"):
        with suppress(OSError):
            found = os.lstat(each)
            is_ours = stat.S_ISREG(found.st_mode) and found.st_nlink == 1 and found.st_uid == user
            if is_ours and stat.S_IMODE(found.st_mode) & ~0o700:
                os.chmod(each, 0o600)


@contextmanager
def exclusive_use(database: Path | str, *, upgrades: bool = True) -> Iterator[Callable[[int], None]]:
    """The lock of a file: see `stores.exclusive_use`.

    It is an empty database beside the file, locked by SQLite: its `user_version` is the process's id, and its
    `application_id` the port. The system releases it when the process ends. The lock file is never removed: otherwise
    two processes could lock two different files.
    """
    lock = f"{file_at(database)}-lock"
    try:
        os.close(os.open(lock, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600))
    except OSError as error:
        raise CannotOpen(f"{database} cannot be written: {error.strerror}") from None
    with closing(sqlite3.connect(lock, timeout=LOCK_WAIT_S, isolation_level=None)) as connection:
        try:
            connection.execute("PRAGMA journal_mode = OFF")
            connection.execute("BEGIN EXCLUSIVE")
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")  # kept after the transaction
            connection.execute(f"PRAGMA user_version = {os.getpid()}")
            connection.execute("PRAGMA application_id = 0")
            connection.execute("COMMIT")
        except sqlite3.OperationalError:
            process, port = (
                _look(lock, f"PRAGMA {what}", immutable=True) for what in ("user_version", "application_id")
            )
            said = f"another Illusion (process {process}) is using {database}; end that one first"
            raise InUse(said, port) from None
        except sqlite3.Error as error:
            raise CannotOpen(f"{lock} cannot be used: {error}") from None
        if upgrades:
            upgrade(file_at(database))
        yield lambda port: connection.execute(f"PRAGMA application_id = {port}").close()


def _look(path: str, query: str, *, immutable: bool) -> Any:
    """Read one value of a database. `immutable` reads a locked one, too, and creates no file beside it."""
    with closing(connected(path, "mode=ro&immutable=1" if immutable else "mode=ro")) as connection:
        return connection.execute(query).fetchone()[0]


def _identity(path: str) -> tuple[int, int] | None:
    """Device and inode of a file; None if there is none."""
    with suppress(OSError):
        found = os.stat(path)
        return found.st_dev, found.st_ino
    return None
