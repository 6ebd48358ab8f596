"""A table in memory: its line of people, its events, and who listens."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final

import msgspec

from illusion.tables.model.entries import AnyEntry, decode
from illusion.tables.model.table import Table
from illusion.tables.public.view import public_event
from illusion.tables.runtime.table_lock import Line

Event = tuple[int | None, bytes]
"""A number and the JSON that everybody gets, encoded once; a reaction has no number, as it is not in the log."""
Reader = Callable[[Event], object]
"""Called with every event as it happens; it must not wait."""

QUEUE: Final = 256
"""Events that may wait for a slow reader; then its stream ends, and it comes back by the last number it saw."""

_encoder = msgspec.json.Encoder()


@dataclass(eq=False, slots=True)
class LiveTable:
    """State and events of a table, as far as they have been read from the store or written to it."""

    table: Table
    line: Line = field(default_factory=Line)
    events: list[bytes] = field(default_factory=list)
    """The public event of each entry; entry number n is at n - 1."""
    readers: "set[Reader]" = field(default_factory=set)
    users: int = 0
    """How many do something here or listen; a table in use stays in memory."""
    unsure: bool = False
    """The store did not confirm an append: it may be in the log or not."""

    def take(self, entry: AnyEntry) -> Event:
        """Apply an entry that is stored; its public event."""
        happened = self.table.apply(entry)
        self.events.append(_encoder.encode(public_event(self.table, entry, happened)))
        return self.table.seq, self.events[-1]

    def tell(self, event: Event) -> None:
        """Hand an event to everybody who listens."""
        for reader in tuple(self.readers):
            reader(event)


def replayed(table: str, stored: Iterable[bytes], began: float) -> LiveTable:
    """The table that this log tells of. No clock ran before this process `began`: perhaps nobody served the table."""
    live = LiveTable(Table(table))
    for entry in map(decode, stored):
        live.take(entry)
    live.table.turn_began = max(live.table.turn_began, began)
    return live


class Listener:
    """Events one after another: those missed, then those that come; it ends when its reader falls too far behind."""

    def __init__(self) -> None:
        self._missed: deque[Event] = deque()
        self._coming: asyncio.Queue[Event | None] = asyncio.Queue(QUEUE)
        self._lost = False

    def tell(self, event: Event) -> None:
        """Take one more; who has fallen too far behind is sent away to come back."""
        if self._coming.full():
            self._lost = True
            while not self._coming.empty():
                self._coming.get_nowait()
            self._coming.put_nowait(None)
        elif not self._lost:
            self._coming.put_nowait(event)

    def miss(self, events: list[Event]) -> None:
        """What happened before it came."""
        self._missed.extend(events)

    def __aiter__(self) -> "Listener":
        return self

    async def __anext__(self) -> Event:
        event = self._missed.popleft() if self._missed else await self._coming.get()
        if event is None:
            raise StopAsyncIteration
        return event
