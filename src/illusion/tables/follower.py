"""Follows what other servers store: NOTIFY hints arrive at once, and polling finds what no hint told."""

import asyncio
from contextlib import suppress
from typing import Final

from illusion.tables.model.errors import Refused
from illusion.tables.service import TableService
from illusion.tables.stores.store import Hint, Store, StoreFailed

POLL_INTERVAL_S: Final = 2.0
"""How long a lost hint can delay an event."""


class Follower:
    """Keeps the tables of a service up to date with a store that other servers write to, as its observer."""

    def __init__(self, service: TableService, store: Store, poll_interval_s: float = POLL_INTERVAL_S) -> None:
        self._service = service
        self._store = store
        self._poll_interval_s = poll_interval_s
        self._polling: asyncio.Task[None] | None = None
        self._catching_up: dict[str, asyncio.Task[None]] = {}
        self._last_hint: dict[str, Hint] = {}
        """At each table that is catching up."""

    def start(self) -> None:
        if self._store.shared:
            self._polling = asyncio.create_task(self._poll())

    async def stop(self) -> None:
        tasks = [*self._catching_up.values(), *([self._polling] if self._polling else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def message(self, table: str, message: bytes) -> None:
        self._service.receive_message(table, message)

    def appended(self, hint: Hint) -> None:
        """A hint may be wrong or late; what holds is read from the store."""
        if not self._service.is_behind(hint):
            return
        table = hint.table
        self._last_hint[table] = hint
        if table not in self._catching_up:
            self._catching_up[table] = asyncio.create_task(self._catch_up(table))

    async def _catch_up(self, table: str) -> None:
        """Once more if a hint came after the store was read, as long as there is something to read."""
        try:
            while await self._service.catch_up(table) and self._service.is_behind(self._last_hint[table]):
                pass
        except (StoreFailed, Refused):
            pass  # the next poll finds it
        finally:
            del self._catching_up[table], self._last_hint[table]

    async def _poll(self) -> None:
        while True:
            await asyncio.sleep(self._poll_interval_s)
            with suppress(StoreFailed):
                for table, seq in (await self._store.heads(self._service.followed())).items():
                    self.appended(Hint(table, seq))
