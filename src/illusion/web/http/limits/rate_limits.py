"""Rate limits per address and seat, and limits on open streams. Counted in memory, by each process for itself."""

from collections import Counter
from collections.abc import Callable, Hashable
from dataclasses import dataclass, fields
from functools import partial
from typing import Final

from prometheus_client import Gauge

from illusion.tables import Refused, StoreFailed, TableService
from illusion.tables.model.commands import hashed
from illusion.web.http.limits.gcra import Gcra, too_many
from illusion.web.http.limits.unfinished_tables import UnfinishedTables
from illusion.web.http.problems import Problem
from illusion.web.http.request_info import RequestInfo

BURST_S: Final = 10
"""Seconds' worth of requests that may come at once: people arrive together, and a page asks for a dozen things."""
MAX_REACTIONS: Final = 5
REACTIONS_S: Final = 10
"""Five reactions of one seat within ten seconds are fun; more would be noise."""
STREAM_RETRY_S: Final = 5


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one client may ask for; a club of forty behind one address fits into the defaults.

    Each figure can be set; 0 lifts it. Ten seconds' worth of requests or changes may come at once.
    """

    requests: int = 100
    """Requests per second and address. Forty people playing bots fetch about forty pictures a second."""
    changes: int = 20
    """Moves, sitting down and the like, per second and address."""
    seat: int = 5
    """Changes per second and seat."""
    tables: int = 60
    """Tables opened per minute and address."""
    unfinished: int = 200
    """Tables opened by an address that have not ended yet."""
    misses: int = 120
    """Requests for things that do not exist, per minute and address, against guessing at tables."""
    connections: int = 600
    """Open connections per address, unless it is a trusted proxy's."""
    streams: int = 400
    """Open streams per address."""
    table_streams: int = 60
    """Open streams per address and table."""
    seat_streams: int = 12
    """Open streams per seat."""

    @classmethod
    def lifted(cls) -> "Limits":
        return cls(**dict.fromkeys(cls.names(), 0))

    @classmethod
    def names(cls) -> tuple[str, ...]:
        return tuple(field.name for field in fields(cls))


class RateLimiter:
    """Decides who has to wait. Nothing that a guest sent is kept: addresses are checked, tokens and tables hashed."""

    def __init__(
        self, service: TableService, limits: Limits, unfinished_tables: UnfinishedTables, open_streams: Gauge
    ) -> None:
        self._service = service
        self._limits = limits
        self._requests = Gcra(limits.requests, 1, limits.requests * BURST_S)
        self._changes = Gcra(limits.changes, 1, limits.changes * BURST_S)
        self._seat = Gcra(limits.seat, 1, limits.seat * BURST_S)
        self._misses = Gcra(limits.misses, 60)
        self._new_tables = Gcra(limits.tables, 60)
        self.unfinished_tables = unfinished_tables
        self.reactions = Gcra(MAX_REACTIONS, REACTIONS_S)
        self._streams: Counter[Hashable] = Counter()
        self._open_streams = open_streams

    async def refusal(self, info: RequestInfo) -> Problem | None:
        """Why this request has to wait; if it need not, it is charged."""
        wait = self._wait(info)
        if not wait:
            self._charge(info)
            if info.target.names_table:
                wait = self._misses.wait(info.address)
                if wait and await self._holds_seat(info):
                    wait = 0
        if wait:
            return too_many(wait)
        return self._too_many_streams(info) if info.is_stream else None

    def enforce_new_table(self, address: str) -> None:
        """Refuse another table of this address, or count it."""
        self.unfinished_tables.enforce(address)
        self._new_tables.enforce(address)

    def enforce_looking_up(self, address: str) -> None:
        """Refuse an address that has asked for too many tables that do not exist: for requests that name tables in
        their body."""
        wait = self._misses.wait(address)
        if wait:
            raise too_many(wait)

    def charge_guesses(self, address: str, count: int) -> None:
        """For tables that do not exist and were not named by the request's path."""
        if count:
            self._misses.charge(address, count)

    def answered(self, info: RequestInfo) -> None:
        if info.status == 404:
            self._misses.charge(info.address)

    def stream_began(self, info: RequestInfo) -> Callable[[], None]:
        """Returns what is to be called once, when it has ended."""
        keys = (info.address, _stream_table(info), *info.seat_keys)
        self._streams.update(keys)
        self._open_streams.inc()
        return partial(self._stream_ended, keys)

    def _stream_ended(self, keys: tuple[Hashable, ...]) -> None:
        self._open_streams.dec()
        for key in keys:
            self._streams[key] -= 1
            if not self._streams[key]:
                del self._streams[key]

    def _wait(self, info: RequestInfo) -> float:
        """Seconds, by the rates of the address and the seat."""
        wait = self._requests.wait(info.address)
        if not wait and info.changes:
            wait = self._changes.wait(info.address) or (max(map(self._seat.wait, info.seat_keys), default=0))
        return wait

    def _charge(self, info: RequestInfo) -> None:
        self._requests.charge(info.address)
        if info.changes:
            self._changes.charge(info.address)
            for key in info.seat_keys:
                self._seat.charge(key)

    def _too_many_streams(self, info: RequestInfo) -> Problem | None:
        full = (
            _is_full(self._streams[info.address], self._limits.streams)
            or _is_full(self._streams[_stream_table(info)], self._limits.table_streams)
            or any(_is_full(self._streams[key], self._limits.seat_streams) for key in info.seat_keys)
        )
        return Problem(429, "too-many-streams", wait=STREAM_RETRY_S) if full else None

    async def _holds_seat(self, info: RequestInfo) -> bool:
        """A player need not guess where their table is, whatever others at their address do."""
        for token in info.tokens:
            try:
                await self._service.seat(info.table or "", token)
            except (Refused, StoreFailed):
                continue
            return True
        return False


def _is_full(count: int, limit: int) -> bool:
    return bool(limit) and count >= limit


def _stream_table(info: RequestInfo) -> Hashable:
    return info.address, hashed(info.table or "")
