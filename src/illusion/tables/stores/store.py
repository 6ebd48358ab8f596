"""What every store offers: one append-only log per table, durable before an append returns."""

from collections.abc import Awaitable, Collection, Sequence
from typing import NamedTuple, Protocol


class Stale(Exception):
    """An entry with that number exists already, or the one before it is missing; nothing was stored."""


class StoreFailed(Exception):
    """The store did not confirm: the disk, the network or the database failed.

    Nothing was acknowledged. The entries may be in the log or not; reading it tells.
    """


class CannotOpen(Exception):
    """The store cannot be opened; the message says why."""


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


def ignore(*_arguments: object) -> None:
    """A callback that does nothing, until somebody sets another one."""
