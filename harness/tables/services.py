"""Stores and table services as context managers, and readers that a test can await."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from illusion.rules import Doubt, Place
from illusion.tables import (
    Automation,
    Pace,
    Phase,
    Refused,
    ServiceObserver,
    Store,
    StoreObserver,
    Table,
    TableService,
    store_at,
)
from illusion.tables.model import commands
from illusion.tables.model.entries import Terms
from illusion.tables.service import Notice
from illusion.tables.worker import Where

EVENT_TIMEOUT_S = 20
"""Timeout after which an event counts as lost."""
GAME_TIMEOUT_S = 120
"""Timeout for a whole game of bots without delays, which takes seconds on an idle machine."""


class SomePage:
    """A page of somebody who sits in the first seat."""

    def seats_at(self, _state: Table) -> list[int]:
        return [0]


@asynccontextmanager
async def open_store(database: str | Path, observer: StoreObserver | None = None) -> AsyncIterator[Store]:
    """A store, opened as by a process of its own."""
    store = store_at(str(database))
    await store.open(observer)
    try:
        yield store
    finally:
        await store.close()


@asynccontextmanager
async def service_on(
    store: Store,
    pace: Pace | None = None,
    observers: Sequence[ServiceObserver] = (),
    *,
    opened: bool = True,
    **options: Any,
) -> AsyncIterator[TableService]:
    """A service on a store; without hints if that is open already. Bots move at once unless a pace is given."""
    automation = Automation(pace or Pace(bot_s=0))
    service = TableService(store, observers=(automation, *observers), drawing=Where.THREAD, **options)
    automation.observe(service)
    if not opened:
        await store.open(service)
    await automation.start()
    service.follow()
    try:
        yield service
    finally:
        await automation.stop()
        await service.stop()


@asynccontextmanager
async def running_service(
    database: str | Path | Store, pace: Pace | None = None, **options: Any
) -> AsyncIterator[TableService]:
    """A service with a store of its own, which is not open yet, as in a process of its own."""
    store = store_at(str(database)) if isinstance(database, str | Path) else database
    try:
        async with service_on(store, pace, opened=False, **options) as service:
            yield service
    finally:
        await store.close()


async def dealt_table(service: TableService, **options: Any) -> tuple[str, str]:
    """A table whose game has begun, and the token of its first seat: Ana and two bots unless options say otherwise."""
    bots = options.pop("bots", ["keen", "casual"])
    table, token = await service.open("Ana", options.pop("seats", 3), Terms(**options), bots)
    if not bots:
        await service.sit(table, "Bob")
    await start_game(service, table)
    return table, token


async def start_game(service: TableService, table: str) -> None:
    await service.execute(table, lambda state, now: commands.start(state, now, 0))


async def leave_seat(service: TableService, table: str, seat: int = 0) -> None:
    """The player leaves; a stand-in plays on while somebody is there."""
    await service.execute(table, lambda state, now: commands.leave(state, now, seat))


async def come_back(service: TableService, table: str, seat: int = 0) -> None:
    await service.execute(table, lambda state, now: commands.come_back(state, now, seat))


async def place(service: TableService, table: str) -> Table:
    """Whoever is to play lays their card at the left."""
    state = await service.get(table)
    await service.move(table, state.running()[1], Place(0), state.seq)
    return state


async def until_over(service: TableService, table: str) -> None:
    """Play for the people who are there, and wait until the game has ended or the table was closed."""
    async with asyncio.timeout(GAME_TIMEOUT_S):
        while (state := await service.get(table)).phase not in (Phase.OVER, Phase.CLOSED):
            await _play_for_people(service, state)
            await asyncio.sleep(0.002)


async def _play_for_people(service: TableService, state: Table) -> None:
    """If it is the turn of somebody who is there: they place at the left, and doubt rows of four."""
    if state.game is None or state.game.to_play is None or state.sitter(state.game.to_play).is_absent:
        return
    with suppress(Refused):  # another move was first, or the clock ran out
        chosen = Doubt() if len(state.game.row) > 3 else Place(0)
        await service.move(state.id, state.game.to_play, chosen, state.seq)


class Listening:
    """Iterates over events: first the missed ones, then new ones."""

    def __init__(self) -> None:
        self._events: asyncio.Queue[Notice] = asyncio.Queue()

    def hear(self, notice: Notice) -> None:
        self._events.put_nowait(notice)

    async def next(self) -> Notice:
        async with asyncio.timeout(EVENT_TIMEOUT_S):
            return await self._events.get()

    async def next_seqs(self, count: int) -> list[int | None]:
        """The sequence numbers of the next events."""
        return [(await self.next()).seq for _ in range(count)]


@asynccontextmanager
async def listening(service: TableService, table: str, after: int) -> AsyncIterator[Listening]:
    """A subscription to a table's events after number `after`."""
    reader = Listening()
    hear = reader.hear
    for notice in await service.subscribe(table, after, hear):
        hear(notice)
    try:
        yield reader
    finally:
        service.unsubscribe(table, hear)
