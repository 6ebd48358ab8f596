"""The service: stored before told, one command at a time at each table, readers, bots and clocks."""

import asyncio
from pathlib import Path

import pytest
from harness.tables.services import (
    come_back,
    dealt_table,
    leave_seat,
    listening,
    open_store,
    place,
    running_service,
    start_game,
    until_over,
)

from illusion.rules import Place
from illusion.tables import TableService, public_view
from illusion.tables.model import commands


async def test_a_table_that_all_people_have_left_waits_until_somebody_comes_back(service: TableService) -> None:
    """Bots and stand-ins do not play on among themselves."""
    table, token = await dealt_table(service, seats=4, bots=["keen", "casual"])
    await leave_seat(service, table)
    left = (await service.get(table)).seq
    await asyncio.sleep(0.3)
    assert (await service.get(table)).seq == left
    await come_back(service, table)
    await until_over(service, table)
    assert await service.seat(table, token) == 0


async def test_who_moves_in_time_again_is_not_late_any_more(service: TableService) -> None:
    table, _ = await dealt_table(service, seats=2, bots=[])
    for by_clock in (True, False):
        for _ in range(2):
            state = await service.get(table)
            _, seat = state.running()
            if by_clock:
                await service.execute(table, lambda state, now: commands.stand_in(state, now, Place(0)))
            else:
                await place(service, table)
            assert state.sitter(seat).late is by_clock


async def test_the_clock_counts_from_the_beginning_of_the_turn(tmp_path: Path) -> None:
    """Nobody resets it by leaving and coming back: neither others nor whoever's turn it is."""
    clock = iter(range(100, 1000))
    async with open_store(tmp_path / "t.db") as store:
        service = TableService(store, lambda: float(next(clock)))
        table, _ = await dealt_table(service, seats=2, bots=[], clock=45)
        state = await service.get(table)
        _, mover = state.running()
        began = state.turn_began
        for seat in (1 - mover, mover):
            await leave_seat(service, table, seat)
            await come_back(service, table, seat)
            assert public_view(state).turn_began == state.turn_began == began
        await place(service, table)
        moved = state.turn_began
        assert moved > began
        reopened = await TableService(store, lambda: moved - 0.5).get(table)  # it left the memory and came back
        assert reopened.turn_began == moved
        later = await TableService(store, lambda: 5000.0).get(table)  # taken up by a new server: no clock ran meanwhile
        assert later.turn_began == 5000.0


async def test_what_is_told_was_stored_first(database: str) -> None:
    """Another process finds every event in the store as soon as a reader here has heard it."""
    async with open_store(database) as elsewhere, running_service(database) as service:
        table, _ = await service.open("Ana", 2)

        async def sit_and_start() -> None:
            await service.sit(table, "Bob")
            await start_game(service, table)

        async with listening(service, table, 0) as events:
            acting = asyncio.create_task(sit_and_start())
            for seq in (1, 2, 3, 4):
                assert (await events.next())[0] == seq
                assert len(await elsewhere.read(table)) >= seq
            await acting


async def test_a_table_that_nobody_uses_leaves_memory_and_comes_back(tmp_path: Path) -> None:
    async with open_store(tmp_path / "t.db") as store:
        service = TableService(store, cached_tables=3)  # without automation, which would load tables too
        opened = [await service.open(f"Ana {n}", 2) for n in range(10)]
        assert {table.id for table in service.tables_in_memory()} == {table for table, _ in opened[-3:]}
        first, token = opened[0]
        async with listening(service, first, 0) as events:
            for table, _ in opened[1:]:
                await service.get(table)
            assert service.in_memory(first) is not None  # it has a reader
            assert len(service.tables_in_memory()) == 4
            assert await service.seat(first, token) == 0
            await service.sit(first, "Bob")
            assert await events.next_seqs(3) == [1, 2, 3]
        for table, _ in opened[1:]:
            await service.get(table)
        assert service.in_memory(first) is None
        assert (await service.get(first)).chairs[1].name == "Bob"  # type: ignore[union-attr]


async def test_many_who_load_one_table_at_once_get_the_same_object(tmp_path: Path) -> None:
    async with running_service(tmp_path / "t.db") as service:
        table, _ = await service.open("Ana", 2)
    async with running_service(tmp_path / "t.db") as service:
        found = await asyncio.gather(*(service.get(table) for _ in range(20)))
        assert len({id(state) for state in found}) == 1
        strangers = await asyncio.gather(*(service.get("nowhere") for _ in range(5)), return_exceptions=True)
        assert [str(stranger) for stranger in strangers] == ["no-such-table"] * 5


async def test_the_wall_clock_may_jump_and_no_turn_ends_early_or_never(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Entries are stamped by the wall clock; waiting goes by the monotonic clock."""
    monkeypatch.setattr(commands, "CLOCKS_S", (None, 0.5, 1000))
    times = iter([1e9, 1e9 + 86400, 5.0, 2e9, 0.0, 1e9, *[7e8] * 10_000])
    async with running_service(tmp_path / "t.db", now=lambda: next(times)) as service:
        slow, _ = await dealt_table(service, clock=1000, bots=[])
        await asyncio.sleep(0.2)
        seq = (await service.get(slow)).seq
        quick, _ = await dealt_table(service, clock=0.5)
        async with asyncio.timeout(20):
            while not (await service.get(quick)).sitter(0).away:
                await asyncio.sleep(0.01)
        assert (await service.get(slow)).seq == seq
