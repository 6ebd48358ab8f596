"""A reader of a table's events that a test can wait on."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from illusion.tables import TableService
from illusion.tables.service import Notice

EVENT_TIMEOUT_S = 20
"""An event that has not come by then was lost."""


class Listening:
    """Events one after another: first those missed, then new ones as they come."""

    def __init__(self) -> None:
        self._events: asyncio.Queue[Notice] = asyncio.Queue()

    def hear(self, notice: Notice) -> None:
        self._events.put_nowait(notice)

    async def next(self) -> Notice:
        async with asyncio.timeout(EVENT_TIMEOUT_S):
            return await self._events.get()

    async def next_seqs(self, count: int) -> list[int | None]:
        """The sequence numbers of the next events."""
        return [(await self.next()).seq for _ in range(count)]


@asynccontextmanager
async def listening(service: TableService, table: str, after: int) -> AsyncIterator[Listening]:
    """Everything that has happened at a table since entry `after`, and whatever happens from now on."""
    reader = Listening()
    hear = reader.hear
    for notice in await service.subscribe(table, after, hear):
        hear(notice)
    try:
        yield reader
    finally:
        service.unsubscribe(table, hear)
