"""The interface of stores: one append-only log per table, durable before an append returns.

A path means SQLite, a URL `postgresql://…` PostgreSQL.
"""

from collections.abc import Awaitable, Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from types import ModuleType
from typing import NamedTuple, Protocol

import platformdirs

from illusion.extras import how_to_install


class Stale(Exception):
    """An entry with that number exists already, or the one before it is missing; nothing was stored."""


class StoreFailed(Exception):
    """The disk, the network or the database failed before it confirmed an append.

    The entries may be in the log or not; reading it tells.
    """


class CannotOpen(Exception):
    """The store cannot be opened; the message says why."""


class InUse(CannotOpen):
    """Another process of this machine uses the database; `port` is where it serves, or 0 if it does not."""

    def __init__(self, message: str, port: int) -> None:
        super().__init__(message)
        self.port = port


class Hint(NamedTuple):
    """Another server wrote to a table's log. Hints may get lost."""

    table: str
    seq: int
    """The last number of the log."""
    ended: bool = False
    """Whether the table has ended, if known."""


class StoreObserver(Protocol):
    """Called with what other servers on the same database do."""

    def appended(self, hint: Hint) -> None:
        """Another server wrote to a log."""

    def message(self, table: str, message: bytes) -> None:
        """Another server sent a message to this table's readers."""


class Store(Protocol):
    """Logs by table: entries are bytes, numbered from 1 without gaps."""

    shared: bool
    """Whether other servers may write to it, too."""

    async def open(self, observer: StoreObserver | None = None, /) -> None:
        """Open the store, and create it if it is new. Raises CannotOpen."""

    def append(self, table: str, first: int, entries: Sequence[bytes], *, ended: bool = False) -> Awaitable[None]:
        """Store the entries as numbers `first`, `first + 1`, …, all or none; they are durable when this returns.

        The table is leased to this server from then on, until `ended` says that it needs no automation any more. Raises
        Stale or StoreFailed.
        """

    async def read(self, table: str, after: int = 0) -> list[bytes]:
        """The entries after number `after`; none if there is no such table."""

    async def heads(self, tables: Sequence[str]) -> dict[str, int]:
        """The last number of each of these tables."""

    def send_message(self, table: str, message: bytes) -> None:
        """Send a message to other servers. It is not stored and may get lost."""

    async def unfinished(self) -> int:
        """The number of tables that have not ended."""

    async def tables(self) -> list[str]:
        """All tables, in order."""

    async def claim(self, wanted: Collection[str] = (), others: int = 0) -> list[str]:
        """Renew this server's lease and take over unfinished tables that no living server has; returns them.

        These are the wanted ones and at most `others` more. The lease only saves double work: the log decides races.
        """

    async def check_writable(self) -> None:
        """Check that an append would succeed, by writing as it does and leaving nothing behind. Raises StoreFailed."""

    async def close(self) -> None:
        """Finish pending writes and give up the lease."""


def default_database() -> Path:
    """A file in the user's data folder, which is created private to the user. Raises CannotOpen."""
    folder = Path(platformdirs.user_data_dir("illusion", appauthor=False))
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        said = f"the folder {folder} cannot be made: {error.strerror}; --database names another place"
        raise CannotOpen(said) from None
    return folder / "tables.db"


def is_shared(database: Path | str) -> bool:
    """Whether several processes may use the database at once."""
    return str(database).startswith(("postgresql://", "postgres://"))


def exclusive_use(database: Path | str, *, upgrades: bool = True) -> AbstractContextManager[Callable[[int], None]]:
    """Locks a database that only one process may use. The context's value is a function that publishes the port where
    this process serves. Raises InUse, with the other process's port, if it is locked.

    A database with an older schema is copied aside and upgraded, if `upgrades` says so.
    """
    from illusion.tables.stores import sqlite  # noqa: PLC0415  (it needs what is above)

    return _shared_use(database, upgrades) if is_shared(database) else sqlite.exclusive_use(database, upgrades=upgrades)


@contextmanager
def _shared_use(database: Path | str, upgrades: bool) -> Iterator[Callable[[int], None]]:  # noqa: FBT001
    if upgrades:
        for_postgres().upgrade(str(database))
    yield lambda _port: None


def store_at(database: Path | str) -> Store:
    """The store, still to be opened. Raises CannotOpen."""
    if not is_shared(database):
        from illusion.tables.stores.sqlite import SqliteStore  # noqa: PLC0415  (it needs what is above)

        return SqliteStore(database)
    for_postgres()
    from illusion.tables.stores.postgres import PostgresStore  # noqa: PLC0415  (an extra)

    return PostgresStore(str(database))


def for_postgres() -> ModuleType:
    """The module `postgres_layout`. Raises CannotOpen without the extra."""
    try:
        from illusion.tables.stores import postgres_layout  # noqa: PLC0415  (an extra)
    except ModuleNotFoundError:
        raise CannotOpen(f"PostgreSQL needs the extra 'postgres': run {how_to_install('postgres')}") from None
    return postgres_layout
