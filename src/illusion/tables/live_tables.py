"""Tables in memory: their state, their lock, their readers; an LRU cache that loads them from the store."""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, NamedTuple

import msgspec

from illusion.tables.model.commands import is_table_id
from illusion.tables.model.entries import AnyEntry, Doubted, decode
from illusion.tables.model.errors import RefusalCode, Refused
from illusion.tables.model.fair_deal import Dealing
from illusion.tables.model.table import Phase, Table
from illusion.tables.public.events import public_event
from illusion.tables.stores.store import Store
from illusion.tables.worker import Worker

UNUSED_TABLES: Final = 128
"""How many tables stay in memory although nobody uses them."""
LOG: Final = logging.getLogger("illusion")

_encoder = msgspec.json.Encoder()


class Reaction(StrEnum):
    """What a player can show to the table."""

    CLAP = "clap"
    LAUGH = "laugh"
    WOW = "wow"
    THINK = "think"
    OOPS = "oops"
    HEART = "heart"


class ServiceObserver:
    """Given to a `TableService` when it is made; overrides what it wants to know. It must not block."""

    def loaded(self, table: str) -> None:
        """A table was loaded."""

    def changed(self, table: str) -> None:
        """This server has stored something there, and readers have been told."""

    def changed_elsewhere(self, table: str) -> None:
        """Another server has."""

    def row_read(self, table: str) -> None:
        """All pages have been through with a row that was turned over, or are gone."""

    def ended(self, table: str) -> None:
        """Its game is over, or it was closed."""

    def stored(self, entries: Sequence[AnyEntry], seconds: float | None) -> None:
        """Entries became durable within so many seconds; None if the store failed."""


class Notice(NamedTuple):
    """What readers get: a public event of the log, or a reaction, which is not in the log and has no number."""

    seq: int | None
    json: bytes


EventReader = Callable[[Notice], object]
"""Called on the event loop with every notice; it must not block. One that raises is dropped."""


@dataclass(eq=False, slots=True)
class RevealReaders:
    """Who still looks at the row that was last turned over: pages of people at the table that have not gone on."""

    _read: dict[object, int] = field(default_factory=dict)
    """Every page with the number of the last doubt that it has been through with."""
    _doubt: int = 0
    _turned_at: float = 0.0
    done_at: float = 0.0
    """When the last of them went on."""

    def open(self, page: object, seq: int) -> None:
        """A page that shows the table as it is at `seq`."""
        self._read[page] = seq

    def close(self, page: object, now: float) -> bool:
        """Returns whether it was the last page that was waited for."""
        return self._note_end(self._read.pop(page, self._doubt), now)

    def turn_over(self, seq: int, now: float) -> None:
        self._doubt, self._turned_at, self.done_at = seq, now, now

    def go_on(self, page: object, seq: int, now: float) -> bool:
        """The page has been through with everything up to `seq`. Returns whether it was the last one waited for."""
        if page not in self._read:
            return False
        read = self._read[page]
        self._read[page] = max(read, seq)
        return self._note_end(read, now)

    def _note_end(self, read: int, now: float) -> bool:
        """A page that had read so far is through, or gone."""
        if read >= self._doubt or self.are_reading:
            return False
        self.done_at = now
        return True

    @property
    def have_pages(self) -> bool:
        return bool(self._read)

    @property
    def are_reading(self) -> bool:
        return any(read < self._doubt for read in self._read.values())

    def left_s(self, now: float, most_s: float) -> float:
        """Seconds that they may still look, at most so many after the doubt; 0 when all have gone on."""
        return min(max(self._turned_at + most_s - now, 0.0), most_s) if self.are_reading else 0.0

    def ended_at(self, most_s: float) -> float:
        """When everybody had gone on, or their time was up."""
        latest = self._turned_at + most_s
        return latest if self.are_reading else min(self.done_at, latest)


@dataclass(eq=False, slots=True)
class LiveTable:
    """A table as far as this process has read its log or written to it."""

    table: Table
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Commands at one table are executed one after another."""
    events: list[bytes] = field(default_factory=list)
    """The public event of each entry, as JSON."""
    users: int = 0
    """Commands and readers that keep the table in memory."""
    uncertain: bool = False
    """The store did not confirm an append: before the table is used again, its log is read."""
    reveal: RevealReaders = field(default_factory=RevealReaders)
    _readers: dict[EventReader, int] = field(default_factory=dict)
    """Every reader with the number of the last event it has been given."""

    def take(self, entry: AnyEntry, dealt: Dealing | None = None) -> Notice:
        """Apply a stored entry and return its public event."""
        happened = self.table.apply(entry, dealt)
        if isinstance(entry, Doubted):
            self.reveal.turn_over(self.table.seq, entry.at)
        event = _encoder.encode(public_event(self.table, entry, happened))
        self.events.append(event)
        return Notice(self.table.seq, event)

    def add_reader(self, reader: EventReader, after: int) -> tuple[list[Notice], bool]:
        """The events after number `after`, and whether this reader is new here. It is called with all later ones."""
        is_new = reader not in self._readers
        self._readers.setdefault(reader, self.table.seq)
        return [Notice(seq, event) for seq, event in enumerate(self.events[after:], after + 1)], is_new

    def remove_reader(self, reader: EventReader) -> bool:
        """Whether it was one."""
        return self._readers.pop(reader, None) is not None

    def publish(self, notice: Notice) -> list[EventReader]:
        """Give a notice to every reader that has not had it. Returns those that failed and were dropped.

        Each reader stands alone: one that raises is logged and dropped, and all others are called.
        """
        failed = []
        for reader, last in tuple(self._readers.items()):
            if notice.seq is not None:
                if notice.seq <= last:
                    continue  # it subscribed after the entry was applied and has it already
                self._readers[reader] = notice.seq
            try:
                reader(notice)
            except Exception:
                LOG.exception("reader-failed")
                self.remove_reader(reader)
                failed.append(reader)
        return failed


def replayed(table: str, stored: Iterable[bytes], served_since: float) -> LiveTable:
    """The table of this log. Its clock starts no earlier than this moment: before that nobody may have served it."""
    live = LiveTable(Table(table))
    for entry in map(decode, stored):
        live.take(entry)
    if live.table.phase is Phase.PLAYING:
        live.table.turn_began = max(live.table.turn_began, served_since)
    return live


class LiveTables:
    """Holds every table at most once."""

    def __init__(
        self,
        store: Store,
        worker: Worker,
        now: Callable[[], float],
        observers: Sequence[ServiceObserver] = (),
        size: int = UNUSED_TABLES,
    ) -> None:
        self._store = store
        self._worker = worker
        self._observers = observers
        self._now = now
        self._process_start = now()
        self._size = size
        self._tables: dict[str, LiveTable] = {}
        self._unused: OrderedDict[str, None] = OrderedDict()
        """Tables that may be evicted, least recently used first."""
        self._loading: dict[str, asyncio.Task[None]] = {}

    def __iter__(self) -> Iterator[LiveTable]:
        return iter(self._tables.values())

    def in_memory(self, table: str) -> LiveTable | None:
        return self._tables.get(table)

    async def find(self, table: str) -> LiveTable:
        """The table, loaded if need be; it stays in memory at least until the caller awaits. Refuses an unknown one.

        What can be no table's id never reaches the store, whose database may refuse it together with others' reads.
        """
        if not is_table_id(table):
            raise Refused(RefusalCode.NO_SUCH_TABLE)
        while (live := self._tables.get(table)) is None:
            loading = self._loading.get(table)
            if loading is None:
                loading = self._loading[table] = asyncio.create_task(self._load(table))
            await asyncio.shield(loading)
        if table in self._unused:
            self._unused.move_to_end(table)
        return live

    @asynccontextmanager
    async def locked(self, table: str) -> AsyncIterator[LiveTable]:
        """The table, for one after another."""
        live = await self.acquire(table)
        try:
            async with live.lock:
                yield live
        finally:
            self.release(live)

    async def acquire(self, table: str) -> LiveTable:
        """The table, kept in memory until `release`."""
        live = self._tables.get(table) or await self.find(table)
        live.users += 1
        self._unused.pop(table, None)
        return live

    def release(self, live: LiveTable) -> None:
        live.users -= 1
        if live.users == 0:
            self._may_be_evicted(live)

    def forget(self, table: str) -> None:
        """A table that nobody uses. It is read again when somebody does."""
        del self._tables[table], self._unused[table]

    def add(self, live: LiveTable) -> None:
        """A table whose log is in the store."""
        self._tables[live.table.id] = live
        self._may_be_evicted(live)

    async def _load(self, table: str) -> None:
        """Replayed in the worker's thread, so that no other table waits for it.

        Where no other process may have served the table, its clock starts now: nobody was there before.
        """
        try:
            stored = await self._store.read(table)
            if not stored:
                raise Refused(RefusalCode.NO_SUCH_TABLE)
            began = self._process_start if self._store.shared else self._now()
            self.add(await self._worker.run(replayed, table, stored, began))
            for observer in self._observers:
                observer.loaded(table)
        finally:
            del self._loading[table]

    def _may_be_evicted(self, live: LiveTable) -> None:
        self._unused[live.table.id] = None
        if len(self._unused) > self._size:
            self.forget(next(iter(self._unused)))
