"""What every store offers: one append-only log per table, durable before an append returns. And how both commit."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol

MIN_COMMIT_INTERVAL_S: Final = 0.004
"""A lone entry is written at once; under load many entries share a commit."""
MAX_GROUP: Final = 512


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


@dataclass(frozen=True, slots=True)
class Append:
    """Entries to append to one table, the first one with number `first`."""

    table: str
    first: int
    entries: Sequence[bytes]
    ended: bool
    done: "asyncio.Future[None]"


class GroupCommit:
    """Group commit (DeWitt et al., 1984): appends that arrive during a commit share the next one, and its disk flush.

    One commit is under way at a time. A group has at most one append to a table: the next one may depend on it.
    """

    def __init__(self, commit: Callable[[list[Append]], Awaitable[Collection[str]]]) -> None:
        """`commit` stores a group durably and returns the tables whose append was not stale."""
        self._commit = commit
        self._waiting: list[Append] = []
        self._committing: asyncio.Task[None] | None = None
        self._closed = False

    def append(self, table: str, first: int, entries: Sequence[bytes], *, ended: bool) -> "asyncio.Future[None]":
        if self._closed:
            raise StoreFailed("the store is closed")
        done = asyncio.get_running_loop().create_future()
        self._waiting.append(Append(table, first, entries, ended, done))
        if self._committing is None:
            self._committing = asyncio.create_task(self._commit_all())
        return done

    async def close(self) -> None:
        """Finish what was asked for; accept nothing more."""
        self._closed = True
        if self._committing is not None:
            await self._committing

    async def _commit_all(self) -> None:
        loop = asyncio.get_running_loop()
        while self._waiting:
            began = loop.time()
            if group := self._next_group():
                await self._settle(group)
                await asyncio.sleep(began + MIN_COMMIT_INTERVAL_S - loop.time())
        self._committing = None

    def _next_group(self) -> list[Append]:
        """Appends cancelled before now are left out; of one cancelled later nobody knows whether it was stored."""
        group: dict[str, Append] = {}
        later = []
        for append in self._waiting:
            if append.table in group or len(group) == MAX_GROUP:
                later.append(append)
            elif not append.done.cancelled():
                group[append.table] = append
        self._waiting = later
        return list(group.values())

    async def _settle(self, group: list[Append]) -> None:
        stored: Collection[str] = ()
        failure: StoreFailed | None = None
        try:
            stored = await self._commit(group)
        except Exception as error:  # whatever went wrong, nobody may wait for ever
            failure = error if isinstance(error, StoreFailed) else StoreFailed(repr(error))
        for append in group:
            if append.done.done():  # nobody waits any more
                continue
            if append.table in stored:
                append.done.set_result(None)
            else:
                append.done.set_exception(failure or Stale())
