"""A table in memory: its state, its lock, its public events and its readers."""

import asyncio
import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import msgspec

from illusion.tables.model.entries import AnyEntry, Doubted, decode
from illusion.tables.model.fair_deal import Dealing
from illusion.tables.model.table import Phase, Table
from illusion.tables.public.events import public_event

LOG: Final = logging.getLogger("illusion")

_encoder = msgspec.json.Encoder()


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
    """There may be more in the store, which is read before the table is used: it did not confirm an append, or another
    process wrote while nobody used the table here."""
    stored_here: bool = False
    """Whether its last entry was stored by this server, which then moves its bots."""
    reveal: RevealReaders = field(default_factory=RevealReaders)
    _readers: dict[EventReader, int] = field(default_factory=dict)
    """Every reader with the number of the last event it has been given."""

    @property
    def is_followed(self) -> bool:
        """Whether it is in use, or nothing newer is known to be in the store."""
        return self.users > 0 or not self.uncertain

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
