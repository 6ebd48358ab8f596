"""What every store offers: one append-only log per table, durable before an append returns."""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from typing import Final, NamedTuple, Protocol

CHECK_ENTRY: Final = bytes(200)
"""What is stored to check whether entries can be: about as long as a move."""

MIN_COMMIT_INTERVAL_S: Final = 0.004
"""Minimum seconds between commits. A lone entry is written at once; under load many entries share a commit."""


class Stale(Exception):
    """An entry with that number exists already; nothing was stored."""


class StoreFailed(Exception):
    """The store did not confirm: the disk, the network or the database failed.

    Nothing was acknowledged. The entries may be in the log or not; reading it tells.
    """


class CannotOpen(Exception):
    """The store cannot be opened; the message says why."""


class Claims(NamedTuple):
    """A lease on tables: this process runs their bots and clocks until it expires."""

    tables: list[str]
    """The tables claimed just now."""
    until: float
    """The monotonic time at which the lease expires unless it is renewed before."""
    renewed_too_late: bool = False
    """The lease had expired: everything claimed before is lost."""


class Hint(NamedTuple):
    """That another process wrote. It may get lost."""

    table: str
    seq: int
    """The last number of its log."""
    writer: str = ""
    """The name of that process, if it is known."""
    ended: bool = False
    """Whether this was the table's end, if that is known."""


def ignore(*_arguments: object) -> None:
    """A callback that does nothing, until somebody sets another one."""


class Store(Protocol):
    """Entries of a table are numbered from 1 without gaps. A store knows bytes and numbers, nothing of the game."""

    shared: bool
    """Whether other processes may write to it too. If not, what has been read stays current."""

    on_remote_append: Callable[[Hint], object]
    """Called after another process wrote."""

    on_remote_message: Callable[[str, bytes], object]
    """Called with a table and a message that another process sent."""

    async def open(self) -> None:
        """Open it and migrate its schema. Raises CannotOpen."""
        ...

    def append(self, table: str, first: int, entries: Sequence[bytes], *, ended: bool = False) -> Awaitable[None]:
        """Store the entries as numbers `first`, `first + 1`, …, all or none; when it returns, they are durable.

        `ended` says that the table needs no automation any more. Raises Stale or StoreFailed.
        """
        ...

    async def read(self, table: str, after: int = 0) -> list[bytes]:
        """The entries after number `after`; none if there is no such table."""
        ...

    async def heads(self, tables: Sequence[str]) -> dict[str, int]:
        """The last number of each of these tables."""
        ...

    def send_message(self, table: str, message: bytes) -> None:
        """Send a message to other processes. It is not stored and may get lost."""
        ...

    async def unfinished(self) -> int:
        """How many tables have not ended."""
        ...

    async def tables(self) -> list[str]:
        """All tables, in order."""
        ...

    async def claim(self, wanted: Collection[str] = (), others: int = 0) -> Claims:
        """Renew this process's lease and claim unfinished tables that no process holds a lease on.

        Those that are wanted, those that this process has opened since the last claim, and some others. At most one
        process holds a valid lease on a table at any time.
        """
        ...

    async def hand_over(self, takers: Mapping[str, str]) -> None:
        """Give the lease on each of these tables to the process of that name, which learns of it when it claims.

        The table is free if there is no such process. A lease that this process does not hold stays where it is.
        """
        ...

    async def check_writable(self) -> None:
        """Store something the way an append does, durably, and leave nothing of it behind. Raises StoreFailed."""
        ...

    async def close(self) -> None:
        """Finish pending writes and give up the lease."""
        ...
