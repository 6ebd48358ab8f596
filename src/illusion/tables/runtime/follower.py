"""Follower what other processes write: hints tell at once, and asking slowly finds what no hint told."""

import asyncio
from contextlib import suppress
from typing import Final

from illusion.tables.model.errors import Refused
from illusion.tables.runtime.table_service import TableService
from illusion.tables.stores.base import Store, StoreFailed

ASK: Final = 2.0
"""Seconds between two questions: so long a lost hint delays an event."""


class Follower:
    """Keeps the tables of a service up to date with a store that others write to."""

    def __init__(self, service: TableService, store: Store, ask: float = ASK) -> None:
        self._service = service
        self._store = store
        self._ask = ask
        self._asking: asyncio.Task[None] | None = None
        self._behind: dict[str, asyncio.Task[None]] = {}

    def start(self) -> None:
        if self._store.shared:
            self._store.on_remote_append = self._hinted
            self._store.on_remote_message = self._service.heard
            self._asking = asyncio.create_task(self._run())

    async def stop(self) -> None:
        tasks = [*self._behind.values(), *([self._asking] if self._asking else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _hinted(self, table: str, seq: int) -> None:
        """Only a hint: what is true is read from the store."""
        if self._service.is_behind(table, seq) and table not in self._behind:
            task = self._behind[table] = asyncio.create_task(self._catch_up(table))
            task.add_done_callback(lambda _: self._behind.pop(table))

    async def _catch_up(self, table: str) -> None:
        with suppress(StoreFailed, Refused):  # the next question finds it
            await self._service.catch_up(table)

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(self._ask)
            with suppress(StoreFailed):
                for table, seq in (await self._store.heads(list(self._service.known_seqs()))).items():
                    self._hinted(table, seq)
