"""How much one client may ask for. Counted in memory, by each server for itself.

Nothing that a guest sent is kept: addresses are checked, and tables are those that exist.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from typing import Final

from prometheus_client import Gauge

from illusion.tables import ServiceObserver, TableService
from illusion.web.http.gcra import Gcra, too_many
from illusion.web.http.problems import Problem
from illusion.web.http.request_info import RequestInfo

BURST_S: Final = 10
"""Seconds' worth of requests that may come at once: people arrive together, and a page asks for a dozen things."""
MAX_REACTIONS: Final = 5
REACTIONS_S: Final = 10
"""Five reactions of one seat within ten seconds are fun; more would be noise."""
STREAM_RETRY_S: Final = 5
REMEMBERED_S: Final = 6 * 3600
"""A table that ended on another server may not be heard of; by then it has been closed."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one client may ask for; a club of forty behind one address fits into the defaults.

    Each figure can be set; 0 lifts it. Ten seconds' worth of requests or changes may come at once.
    """

    requests: int = 100
    """Requests per second and address. Forty people playing bots fetch about forty pictures a second."""
    changes: int = 20
    """Moves, sitting down and the like, per second and address."""
    tables: int = 60
    """Tables opened per minute and address."""
    unfinished: int = 200
    """Tables opened by an address that have not ended yet."""
    misses: int = 120
    """Requests for things that do not exist, per minute and address, against guessing at tables."""
    streams: int = 400
    """Open streams per address."""

    @classmethod
    def lifted(cls) -> "Limits":
        return cls(**dict.fromkeys(cls.names(), 0))

    @classmethod
    def names(cls) -> tuple[str, ...]:
        return tuple(field.name for field in fields(cls))


class RateLimiter:
    """Decides who has to wait."""

    def __init__(
        self, service: TableService, limits: Limits, unfinished_tables: "UnfinishedTables", open_streams: Gauge
    ) -> None:
        self._service = service
        self._limits = limits
        self._requests = Gcra(limits.requests, 1, limits.requests * BURST_S)
        self._changes = Gcra(limits.changes, 1, limits.changes * BURST_S)
        self._misses = Gcra(limits.misses, 60)
        self._new_tables = Gcra(limits.tables, 60)
        self.unfinished_tables = unfinished_tables
        self.reactions = Gcra(MAX_REACTIONS, REACTIONS_S)
        self._streams = Counter[str]()
        self._open_streams = open_streams

    def refusal(self, info: RequestInfo) -> Problem | None:
        """Why this request has to wait; if it need not, it is charged."""
        address = info.address
        wait = self._requests.wait(address) or (self._changes.wait(address) if info.changes else 0)
        if wait:
            return too_many(wait)
        self._requests.charge(address)
        if info.changes:
            self._changes.charge(address)
        if info.target.names_table and not self._holds_seat(info):
            wait = self._misses.wait(address)
        if wait:
            return too_many(wait)
        if info.is_stream and 0 < self._limits.streams <= self._streams[address]:
            return Problem(429, "too-many-streams", wait=STREAM_RETRY_S)
        return None

    def enforce_change(self, address: str) -> None:
        """A change that comes over an open connection."""
        self._requests.enforce(address)
        self._changes.enforce(address)

    def enforce_new_table(self, address: str) -> None:
        """Refuse another table of this address, or count it."""
        self.unfinished_tables.enforce(address)
        self._new_tables.enforce(address)

    def enforce_guesses(self, address: str, count: int) -> None:
        """For tables that the path does not name: charged before they are looked up; then what exists is returned."""
        wait = self._misses.wait(address)
        if wait:
            raise too_many(wait)
        self._misses.charge(address, count)

    def return_guesses(self, address: str, count: int) -> None:
        """So many of the tables exist."""
        self._misses.charge(address, -count)

    def answered(self, info: RequestInfo) -> None:
        if info.status == 404:
            self._misses.charge(info.address)

    @contextmanager
    def stream(self, info: RequestInfo) -> Iterator[None]:
        """Count a stream as long as it is open."""
        self._streams[info.address] += 1
        with self._open_streams.track_inprogress():
            try:
                yield
            finally:
                self._streams[info.address] -= 1
                if not self._streams[info.address]:
                    del self._streams[info.address]

    def _holds_seat(self, info: RequestInfo) -> bool:
        """Players need not guess where their table is, whatever others at their address do. Looks only into memory."""
        table = self._service.in_memory(info.table) if info.table and info.seat_keys else None
        return table is not None and any(table.seat_of(key) is not None for key in info.seat_keys)


class UnfinishedTables(ServiceObserver):
    """Tables opened here that are still waiting or being played, by address. A limit of 0 is none."""

    def __init__(self, most_per_address: int, now: Callable[[], float] = time.monotonic) -> None:
        self._most = most_per_address
        self._now = now
        self._opened: dict[str, dict[str, float]] = {}
        """By address: its tables, oldest first, with the time at which each was opened."""
        self._address_of: dict[str, str] = {}

    def __len__(self) -> int:
        return len(self._address_of)

    def enforce(self, address: str) -> None:
        """Refuse another table if there are too many."""
        opened = self._opened.get(address, {})
        while opened and next(iter(opened.values())) < self._now() - REMEMBERED_S:
            self.ended(next(iter(opened)))
        if self._most and len(opened) >= self._most:
            raise Problem(429, "too-many-tables")

    def open(self, address: str, table: str) -> None:
        """The first address counts, if several open a rematch at once."""
        if table in self._address_of:
            return
        self._opened.setdefault(address, {})[table] = self._now()
        self._address_of[table] = address

    def ended(self, table: str) -> None:
        """Its game is over, or it was closed; perhaps it was opened elsewhere."""
        address = self._address_of.pop(table, None)
        if address is None:
            return
        del self._opened[address][table]
        if not self._opened[address]:
            del self._opened[address]
