"""Who is asked to wait at the door: rates of an address and of a seat, guessing at tables, and open streams."""

from collections import Counter
from collections.abc import Hashable
from typing import Final

from prometheus_client import Gauge

from illusion.tables import Refused, StoreFailed, TableService
from illusion.web.http.limits import Limits, Rate, too_many
from illusion.web.http.problems import Problem
from illusion.web.http.request_info import RequestInfo

AT_ONCE: Final = 10
"""So many seconds' worth may come at once: people arrive together, and a page asks for a dozen things."""


class RateLimiter:
    """Knows this process's guests; nothing it knows is stored."""

    def __init__(self, service: TableService, limits: Limits, streams_open: Gauge) -> None:
        self._service = service
        self._limits = limits
        self._requests = Rate(limits.requests, 1, limits.requests * AT_ONCE)
        self._changes = Rate(limits.changes, 1, limits.changes * AT_ONCE)
        self._seat = Rate(limits.seat, 1, limits.seat * AT_ONCE)
        self._misses = Rate(limits.misses, 60)
        self._streams: Counter[Hashable] = Counter()
        self._streams_open = streams_open

    async def refusal(self, visit: RequestInfo) -> Problem | None:
        """Why this visit has to wait, if it has to; else it is charged for."""
        wait = self.must_wait(visit)
        if not wait:
            self.charge(visit)
            if visit.names_a_table:
                wait = self._misses.wait(visit.address)
                if wait and await self._holds(visit):
                    wait = 0
        if wait:
            return too_many(wait)
        return self._crowded(visit) if visit.stream else None

    def must_wait(self, visit: RequestInfo) -> float:
        """For how many seconds, by the rates of its address and its seat; 0 if it need not."""
        wait = self._requests.wait(visit.address)
        if not wait and visit.changes:
            wait = self._changes.wait(visit.address) or (self._seat.wait(visit.tokens) if visit.tokens else 0)
        return wait

    def charge(self, visit: RequestInfo) -> None:
        self._requests.charge(visit.address)
        if visit.changes:
            self._changes.charge(visit.address)
            if visit.tokens:
                self._seat.charge(visit.tokens)

    def answered(self, visit: RequestInfo) -> None:
        if visit.status == 404:
            self._misses.charge(visit.address)

    def begins(self, visit: RequestInfo) -> None:
        """Count a stream, until it ends."""
        self._streams.update(_counted(visit))
        self._streams_open.inc()

    def ends(self, visit: RequestInfo) -> None:
        self._streams_open.dec()
        for key in _counted(visit):
            self._streams[key] -= 1
            if not self._streams[key]:
                del self._streams[key]

    def _crowded(self, visit: RequestInfo) -> Problem | None:
        full = _full(self._streams[visit.address], self._limits.streams) or any(
            _full(self._streams[visit.table, token], self._limits.seat_streams) for token in visit.tokens
        )
        return Problem(429, "too-many-streams", wait=5) if full else None

    async def _holds(self, visit: RequestInfo) -> bool:
        """Whoever sits at a table does not have to guess where it is, whatever others at their address do."""
        for token in visit.tokens:
            try:
                await self._service.seat(visit.table or "", token)
            except (Refused, StoreFailed):
                continue
            return True
        return False


def _full(count: int, most: int) -> bool:
    return bool(most) and count >= most


def _counted(visit: RequestInfo) -> list[Hashable]:
    """What a stream is counted for."""
    return [visit.address, *((visit.table, token) for token in visit.tokens)]
