"""A table in memory: its state, its lock, who reads it, and who still looks at a row that was turned over."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from illusion.tables.model.table import Table


class Reaction(StrEnum):
    """What a player can show to the table."""

    CLAP = "clap"
    LAUGH = "laugh"
    WOW = "wow"
    THINK = "think"
    OOPS = "oops"
    HEART = "heart"


class Notice(NamedTuple):
    """What readers get: a public event of the log, or a reaction, which is not in the log and has no number."""

    seq: int | None
    json: bytes


EventReader = Callable[[Notice], object]
"""Called on the event loop with every notice; it must not block. One that raises is dropped."""


@dataclass(eq=False, slots=True)
class RevealReaders:
    """Who still looks at the row that was last turned over: pages of people at the table that have not gone on."""

    pages: dict[object, int] = field(default_factory=dict)
    """Each with the number of the last doubt that it has been through with."""
    _doubt: int = 0
    _turned_at: float = 0.0
    done_at: float = 0.0
    """When the last of them went on."""

    def open(self, page: object, seq: int) -> None:
        """A page that shows the table as it is at `seq`."""
        self.pages[page] = seq

    def close(self, page: object, now: float) -> bool:
        """Returns whether it was the last page that was waited for."""
        return self._note_end(self.pages.pop(page, self._doubt), now)

    def turn_over(self, seq: int, now: float) -> None:
        self._doubt, self._turned_at, self.done_at = seq, now, now

    def go_on(self, page: object, seq: int, now: float) -> bool:
        """The page has been through with everything up to `seq`. Returns whether it was the last one waited for."""
        if page not in self.pages:
            return False
        read = self.pages[page]
        self.pages[page] = max(read, seq)
        return self._note_end(read, now)

    def _note_end(self, read: int, now: float) -> bool:
        """A page that had read so far is through, or gone."""
        if read >= self._doubt or self.are_reading:
            return False
        self.done_at = now
        return True

    @property
    def are_reading(self) -> bool:
        return any(read < self._doubt for read in self.pages.values())

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
    readers: dict[EventReader, int] = field(default_factory=dict)
    """Each with the number of the last event it has been given."""
