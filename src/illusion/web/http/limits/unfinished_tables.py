"""How many tables of one address have not ended. Counted in memory, by each process for itself."""

import time
from collections.abc import Callable
from typing import Final

from illusion.tables import ServiceObserver
from illusion.web.http.problems import Problem

REMEMBERED_S: Final = 6 * 3600
"""A table that ended in another process may not be heard of; by then it has been closed."""


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
