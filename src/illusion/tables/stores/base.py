"""Where logs are kept: an append-only list of entries for each table, durable before anybody is told."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Final, NamedTuple, Protocol

MIN_COMMIT_INTERVAL_S: Final = 0.004
"""Seconds from one commit to the next at least: an entry that comes alone is written at once, many in few commits."""


class Stale(Exception):
    """Somebody else has written an entry of that number first; nothing was stored."""


class StoreFailed(Exception):
    """The store did not confirm, for a reason of the disk, the network or the database.

    Nothing was acknowledged. What was to be appended may yet turn up in the log; reading tells.
    """


class CannotOpen(Exception):
    """There is no store at that address that this program can use; the message says why."""


class Claims(NamedTuple):
    """The tables whose bots and clocks this process drives."""

    tables: list[str]
    """Those taken up just now."""
    until: float
    """A monotonic time: unless claims are renewed before, somebody else may take all of them up then."""
    anew: bool = False
    """Renewed too late: whatever was claimed before is lost."""


def ignore(*_said: object) -> None:
    """What becomes of a hint, a mention or a figure that nobody listens for."""


class Store(Protocol):
    """Every entry has a number within its table, counted from 1 without gaps."""

    shared: bool
    """Whether other processes may write to it too; if not, what one has read is the newest."""

    on_remote_append: Callable[[str, int], object]
    """Called with a table and a number that its log has reached, often but not always when another process wrote."""

    on_remote_message: Callable[[str, bytes], object]
    """Called with a table and what another process mentioned there."""

    async def open(self) -> None:
        """Make it ready, first bringing its schema up to date. Raises CannotOpen."""
        ...

    def append(self, table: str, first: int, entries: Sequence[bytes], *, ended: bool = False) -> Awaitable[None]:
        """Store the entries as numbers `first`, `first + 1`, …, all or none; they are durable once it has been awaited.

        `ended` says that nothing is left to be done at this table by itself. Raises Stale or StoreFailed.
        """
        ...

    async def read(self, table: str, after: int = 0) -> list[bytes]:
        """The entries from number `after + 1` on; none if there is no such table."""
        ...

    async def heads(self, tables: Sequence[str]) -> dict[str, int]:
        """The last number of each of these tables."""
        ...

    def send_message(self, table: str, said: bytes) -> None:
        """Let other processes hear something that is not kept; it may get lost."""
        ...

    async def unfinished(self) -> int:
        """How many tables have not ended."""
        ...

    async def tables(self) -> list[str]:
        """All tables, in order."""
        ...

    async def claim(self) -> Claims:
        """Keep the claims of this process and take up unfinished tables that no living process has claimed.

        At any time at most one process holds a claim that has not run out.
        """
        ...

    async def close(self) -> None:
        """Finish what has been begun; claims go to others at once."""
        ...
