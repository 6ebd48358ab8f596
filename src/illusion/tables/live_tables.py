"""An LRU cache of tables, loaded from the store on demand. Tables in use are never evicted."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Final

from illusion.tables.live_table import LiveTable, replayed
from illusion.tables.model.errors import RefusalCode, Refused
from illusion.tables.model.log_check import is_table_id
from illusion.tables.observer import ServiceObserver
from illusion.tables.stores.store import Store
from illusion.tables.worker import Worker

UNUSED_TABLES: Final = 128
"""How many tables stay in memory although nobody uses them."""


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

    def known_seqs(self) -> dict[str, int]:
        """The tables in memory and the last number known of each."""
        return {id: live.table.seq for id, live in self._tables.items()}

    def followed(self) -> list[str]:
        """The tables in memory that are in use, or of which nothing newer is known to be in the store."""
        return [id for id, live in self._tables.items() if live.is_followed]

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
            evicted, _ = self._unused.popitem(last=False)
            del self._tables[evicted]
