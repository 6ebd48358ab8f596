"""Group commit (DeWitt et al., 1984): appends that arrive during a commit share the next one, and its disk flush."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Final

from illusion.tables.stores.store import Stale, StoreFailed

MIN_COMMIT_INTERVAL_S: Final = 0.004
"""A lone entry is written at once; under load many entries share a commit."""
MAX_GROUP: Final = 512


@dataclass(frozen=True, slots=True)
class Append:
    """Entries to append to one table, the first one with number `first`."""

    table: str
    first: int
    entries: Sequence[bytes]
    ended: bool
    done: "asyncio.Future[None]"


class GroupCommit:
    """One commit is under way at a time. A group has at most one append to a table: the next one may depend on it."""

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
