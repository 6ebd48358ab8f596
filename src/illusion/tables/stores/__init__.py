"""What every store offers: one append-only log per table, durable before an append returns.

A path is a store on SQLite, an address `postgresql://…` one on PostgreSQL.
"""

from collections.abc import Awaitable, Callable, Collection, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import NamedTuple, Protocol

import platformdirs

from illusion.extras import how_to_install


class Stale(Exception):
    """An entry with that number exists already, or the one before it is missing; nothing was stored."""


class StoreFailed(Exception):
    """The store did not confirm: the disk, the network or the database failed.

    Nothing was acknowledged. The entries may be in the log or not; reading it tells.
    """


class CannotOpen(Exception):
    """The store cannot be opened; the message says why."""


class InUse(CannotOpen):
    """Another process serves from this database: at that port of this machine, or 0 if it does not listen."""

    def __init__(self, message: str, port: int) -> None:
        super().__init__(message)
        self.port = port


class Hint(NamedTuple):
    """That another server wrote. It may get lost."""

    table: str
    seq: int
    """The last number of its log."""
    ended: bool = False
    """Whether this was the table's end, if that is known."""


class StoreObserver(Protocol):
    """Told what other servers on the same database do."""

    def appended(self, hint: Hint) -> None:
        """Another server wrote."""

    def message(self, table: str, message: bytes) -> None:
        """Another server sent a message to those at this table."""


class Store(Protocol):
    """Entries of a table are numbered from 1 without gaps. A store knows bytes and numbers, nothing of the game."""

    shared: bool
    """Whether other servers may write to it, too. If not, what has been read stays current."""

    async def open(self, observer: StoreObserver | None = None, /) -> None:
        """Open it, and make it if it is new. Raises CannotOpen."""

    def append(self, table: str, first: int, entries: Sequence[bytes], *, ended: bool = False) -> Awaitable[None]:
        """Store the entries as numbers `first`, `first + 1`, …, all or none; when it returns, they are durable.

        The table is this server's from then on. `ended` says that it needs no automation any more. Raises Stale or
        StoreFailed.
        """

    async def read(self, table: str, after: int = 0) -> list[bytes]:
        """The entries after number `after`; none if there is no such table."""

    async def heads(self, tables: Sequence[str]) -> dict[str, int]:
        """The last number of each of these tables."""

    def send_message(self, table: str, message: bytes) -> None:
        """Send a message to other servers. It is not stored and may get lost."""

    async def unfinished(self) -> int:
        """How many tables have not ended."""

    async def tables(self) -> list[str]:
        """All tables, in order."""

    async def claim(self, wanted: Collection[str] = (), others: int = 0) -> list[str]:
        """Renew this server's lease; returns unfinished tables that no living server has, and that are ours now.

        Those that are wanted, and some others. Only the log decides who writes: the lease saves double work.
        """

    async def check_writable(self) -> None:
        """Store something the way an append does, durably, and leave nothing of it behind. Raises StoreFailed."""

    async def close(self) -> None:
        """Finish pending writes and give up the lease."""


def default_database() -> Path:
    """A file in the user's data folder, which is for that user alone where we make it. Raises CannotOpen."""
    folder = Path(platformdirs.user_data_dir("illusion", appauthor=False))
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        said = f"the folder {folder} cannot be made: {error.strerror}; --database names another place"
        raise CannotOpen(said) from None
    return folder / "tables.db"


def is_shared(database: Path | str) -> bool:
    """Whether several processes may use it at once."""
    return str(database).startswith(("postgresql://", "postgres://"))


def exclusive_use(database: Path | str) -> AbstractContextManager[Callable[[int], None]]:
    """Keeps other processes out of a database that only one may write to, and gives a function that tells them at which
    port this one serves. Raises InUse, with that port, while another one has it.
    """
    from illusion.tables.stores import sqlite  # noqa: PLC0415  (it needs what is above)

    return nullcontext(lambda _port: None) if is_shared(database) else sqlite.exclusive_use(database)


def store_at(database: Path | str) -> Store:
    """The store, still to be opened. Raises CannotOpen."""
    if not is_shared(database):
        from illusion.tables.stores.sqlite import SqliteStore  # noqa: PLC0415  (it needs what is above)

        return SqliteStore(database)
    try:
        from illusion.tables.stores.postgres import PostgresStore  # noqa: PLC0415  (an extra)
    except ModuleNotFoundError:
        raise CannotOpen(f"PostgreSQL needs the extra 'postgres': run {how_to_install('postgres')}") from None
    return PostgresStore(str(database))
