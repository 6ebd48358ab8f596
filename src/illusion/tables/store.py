"""Where logs are kept: an append-only list of entries for each table, durable before anybody is told."""

from collections.abc import Sequence
from typing import Protocol


class Stale(Exception):
    """Somebody else has written an entry of that number first; nothing was stored."""


class StoreFailed(Exception):
    """The entries could not be stored, for a reason of the disk or the database; nothing was."""


class Store(Protocol):
    """Every entry has a number within its table, counted from 1 without gaps."""

    async def append(self, table: str, first: int, entries: Sequence[bytes], *, ended: bool = False) -> None:
        """Store the entries as numbers `first`, `first + 1`, …, all or none; they are durable when this returns.

        `ended` says that nothing is left to be done at this table by itself. Raises Stale or StoreFailed.
        """
        ...

    async def read(self, table: str, after: int = 0) -> list[bytes]:
        """The entries from number `after + 1` on; none if there is no such table."""
        ...

    async def unfinished(self) -> list[str]:
        """The tables that have not ended."""
        ...

    async def close(self) -> None: ...
