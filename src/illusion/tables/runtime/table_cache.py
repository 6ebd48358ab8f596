"""The room in memory: tables come in from the store when they are needed, and leave when nobody uses them."""

import asyncio
from collections import OrderedDict
from typing import Final

from illusion.tables.model.errors import RefusalCode, Refused
from illusion.tables.runtime.live_table import LiveTable, replayed
from illusion.tables.stores.base import Store

ROOM: Final = 512
"""Tables that stay although nobody uses them."""


class TableCache:
    """Every table is here once at most; one that is used stays."""

    def __init__(self, store: Store, began: float, size: int = ROOM) -> None:
        self._store = store
        self._began = began
        self._size = size
        self._live: dict[str, LiveTable] = {}
        self._resting: OrderedDict[str, None] = OrderedDict()
        """Those that nobody uses, the longest unused first."""
        self._loading: dict[str, asyncio.Task[None]] = {}

    def __contains__(self, table: str) -> bool:
        return table in self._live

    def known(self) -> dict[str, int]:
        """The tables here and the last number known of each."""
        return {id: live.table.seq for id, live in self._live.items()}

    def here(self, table: str) -> LiveTable | None:
        return self._live.get(table)

    async def find(self, table: str) -> LiveTable:
        """The table, which stays until the caller next waits for anything; or a refusal if there is none."""
        while (live := self._live.get(table)) is None:
            loading = self._loading.get(table)
            if loading is None:
                loading = self._loading[table] = asyncio.create_task(self._load(table))
            await asyncio.shield(loading)
        if table in self._resting:
            self._resting.move_to_end(table)
        return live

    async def use(self, table: str) -> LiveTable:
        """The table, which stays until `leave`."""
        live = await self.find(table)
        self.enter(live)
        return live

    def enter(self, live: LiveTable) -> None:
        live.users += 1
        self._resting.pop(live.table.id, None)

    def leave(self, live: LiveTable) -> None:
        live.users -= 1
        if live.users == 0:
            self._rest(live)

    def add(self, live: LiveTable) -> None:
        """A table that is in the store already."""
        self._live[live.table.id] = live
        self._rest(live)

    async def _load(self, table: str) -> None:
        """Replayed beside the event loop, so that no other table waits for it."""
        try:
            stored = await self._store.read(table)
            if not stored:
                raise Refused(RefusalCode.NO_SUCH_TABLE)
            self.add(await asyncio.to_thread(replayed, table, stored, self._began))
        finally:
            del self._loading[table]

    def _rest(self, live: LiveTable) -> None:
        self._resting[live.table.id] = None
        if len(self._resting) > self._size:
            forgotten, _ = self._resting.popitem(last=False)
            del self._live[forgotten]
