"""Several processes around one store: each test has two services that know of each other only through PostgreSQL."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Sequence

import pytest
from harness.tables.services import (
    dealt_table,
    listening,
    open_store,
    place,
    running_service,
    service_on,
    start_game,
    until_over,
)

from illusion.rules import Doubt, Place
from illusion.tables import Pace, Phase, Reaction, ServiceObserver, StoreFailed, Table, TableService
from illusion.tables import service as service_module
from illusion.tables.model.commands import hashed
from illusion.tables.service import Notice
from illusion.tables.stores.postgres import PostgresStore


@pytest.fixture
async def one(postgres: str) -> AsyncIterator[TableService]:
    async with running_service(postgres) as service:
        yield service


@pytest.fixture
async def other(postgres: str) -> AsyncIterator[TableService]:
    async with running_service(postgres) as service:
        yield service


async def until_agreed(one: TableService, other: TableService, table: str) -> None:
    """Wait until both know the same entries, by hints or by asking the store."""
    async with asyncio.timeout(20):
        while (await one.get(table)).seq != (await other.get(table)).seq:
            await asyncio.sleep(0.01)


async def test_players_on_two_processes_play_a_game_and_hear_every_move_once(
    one: TableService, other: TableService
) -> None:
    table, ana = await one.open("Ana", 2)
    _, bob = await other.sit(table, "Bob")
    await start_game(one, table)
    async with listening(one, table, 0) as here, listening(other, table, 0) as there:
        while (state := await one.get_current(table)).phase is Phase.PLAYING:
            assert state.game is not None
            seat, move = state.game.to_play or 0, Doubt() if len(state.game.row) > 3 else Place(0)
            await (one, other)[seat].move(table, seat, move, state.seq)  # straight after what one has seen
        last = (await other.get_current(table)).seq
        for events in (here, there):
            assert await events.next_seqs(last) == list(range(1, last + 1))
    assert await one.record(table) == await other.record(table)
    both = (hashed(token) for token in (ana, bob))
    again = await asyncio.gather(*(each.rematch(table, [own]) for each, own in zip((one, other), both, strict=True)))
    assert len({*again}) == 1
    assert {sitter.name for sitter in (await one.get_current(again[0])).sitters} == {"Ana", "Bob"}


async def test_a_lost_hint_only_delays(one: TableService, postgres: str) -> None:
    async with open_store(postgres) as store, service_on(store) as other:
        table, _ = await one.open("Ana", 3)
        await other.get(table)
        await one.sit(table, "Bob")
        assert (await other.get(table)).seq == 2
        await until_agreed(one, other, table)
        assert (await other.get(table)).seq == 3


class CountingStore(PostgresStore):
    """Counts how often it is read and written."""

    reads = appends = 0

    def append(self, table: str, first: int, entries: Sequence[bytes], *, ended: bool = False) -> Awaitable[None]:
        self.appends += 1
        return super().append(table, first, entries, ended=ended)

    async def read(self, table: str, after: int = 0) -> list[bytes]:
        self.reads += 1
        return await super().read(table, after)


async def test_a_process_at_which_nobody_sits_reads_nothing_until_somebody_comes(
    one: TableService, postgres: str
) -> None:
    store = CountingStore(postgres)
    async with running_service(store) as other:
        table, _ = await dealt_table(one, bots=[])
        await other.get(table)
        reads = store.reads
        for _ in range(4):
            await place(one, table)
        async with asyncio.timeout(20):
            while other.in_memory(table) is not None:  # by a hint, or by the next poll
                await asyncio.sleep(0.01)
        assert store.reads == reads
        assert (await other.get(table)).seq == (await one.get(table)).seq
        assert store.reads == reads + 1
        async with listening(other, table, 0) as events:
            last = (await one.get(table)).seq
            await events.next_seqs(last)
            await place(one, table)
            assert await events.next_seqs(1) == [last + 1]


class Ended(ServiceObserver):
    """Tables that have ended."""

    def __init__(self) -> None:
        self.tables: list[str] = []

    def ended(self, table: str) -> None:
        self.tables.append(table)


async def test_the_end_of_a_table_is_heard_of_where_nobody_uses_it_without_reading_it(
    other: TableService, postgres: str
) -> None:
    """Whoever opened it here has one table less that is unfinished."""
    store = CountingStore(postgres)
    heard = Ended()
    async with running_service(store, observers=(heard,)) as opener:
        table, reads = "", 0
        async with asyncio.timeout(60):
            while not heard.tables:  # a hint may get lost while a process starts
                table, _ = await opener.open("Ana", 2)
                await other.sit(table, "Bob")
                await start_game(other, table)
                reads = store.reads
                await until_over(other, table)
                await asyncio.sleep(0.05)
        assert (heard.tables, store.reads) == ([table], reads)


async def test_bots_are_moved_once_by_the_server_where_people_play(other: TableService, postgres: str) -> None:
    """The one that opened the table, where somebody looks on, stores nothing more there."""
    store = CountingStore(postgres)
    async with running_service(store) as opener:
        table, _ = await opener.open("Ana", 3, bots=["keen", "casual"])
        async with listening(opener, table, 0) as events:
            await start_game(other, table)
            await until_over(other, table)
            last = (await opener.get_current(table)).seq
            assert await events.next_seqs(last) == list(range(1, last + 1))
        assert (await opener.get(table)).phase is Phase.OVER
        assert store.appends == 1


async def test_a_table_is_taken_over_when_its_server_falls_silent(postgres: str) -> None:
    """Its lease runs out; the other one, where somebody only looks on, moves the bots from then on."""
    silent = PostgresStore(postgres, lease_s=0.5)
    await silent.open()
    async with running_service(postgres) as other:
        service = TableService(silent)  # one that moves no bots, as if the process hung
        table, _ = await service.open("Ana", 3, bots=["keen", "casual"])
        await silent.claim()
        await start_game(service, table)
        seq = (await until_bots_turn(service, table)).seq
        async with listening(other, table, seq) as events:
            await events.next_seqs(1)
        await until_over(other, table)
        assert (await other.get(table)).phase is Phase.OVER
    await silent.close()


async def until_bots_turn(service: TableService, table: str) -> Table:
    """The person plays, if it is their turn."""
    state = await service.get(table)
    return await place(service, table) if state.running()[1] == 0 else state


class UnsureStore(PostgresStore):
    """Once `unsure` is set, it stores and does not know it."""

    unsure = False

    async def append(self, table: str, first: int, entries: Sequence[bytes], *, ended: bool = False) -> None:
        await super().append(table, first, entries, ended=ended)
        if self.unsure:
            raise StoreFailed


async def test_bots_play_on_after_their_server_was_unsure_what_it_had_stored(postgres: str) -> None:
    """It reads its own entry as if another one had written it, and claims its own table."""
    store = UnsureStore(postgres)
    async with running_service(store, Pace(bot_s=0.05)) as service:
        table, _ = await dealt_table(service)
        async with asyncio.timeout(20):
            while (await service.get(table)).running()[1] != 0:
                await asyncio.sleep(0.01)
        store.unsure = True
        with pytest.raises(StoreFailed):
            await until_bots_turn(service, table)
        store.unsure = False
        await until_over(service, table)


async def test_a_service_that_was_stopped_leaves_no_task_behind(postgres: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service_module, "POLL_INTERVAL_S", 0.01)
    before = asyncio.all_tasks()
    async with running_service(postgres) as running:
        await running.open("Ana", 3)
        await asyncio.sleep(0.1)
    assert asyncio.all_tasks() == before


async def test_a_reaction_is_heard_once_on_every_process_and_is_in_no_log(
    one: TableService, other: TableService, postgres: str
) -> None:
    table, _ = await one.open("Ana", 3)
    await until_agreed(one, other, table)
    async with listening(one, table, 2) as here, listening(other, table, 2) as there:
        await one.sit(table, "Bob")
        await until_agreed(one, other, table)
        assert await one.react(table, 0, Reaction.WOW) == 3
        wow = Notice(None, b'{"seat":0,"reaction":"wow"}')
        assert [(await there.next())[0], await there.next()] == [3, wow]
        await other.react(table, 1, Reaction.CLAP)
        clap = Notice(None, b'{"seat":1,"reaction":"clap"}')
        assert [(await here.next())[0], await here.next(), await here.next()] == [3, wow, clap]
        assert await there.next() == clap
    async with open_store(postgres) as store:
        assert await store.heads([table]) == {table: 3}
