"""Tables with days a turn: clocks that count through restarts, and nothing closed while somebody has time to think."""

import asyncio
import time
from pathlib import Path

import msgspec
import pytest
from harness.tables.services import dealt_table, leave_seat, listening, open_store, running_service

from illusion.tables import Pace, Phase, TableService
from illusion.tables.model.commands import DAY_S
from illusion.tables.model.entries import Terms
from illusion.tables.pace import GRACE_S

THINKS = Pace(bot_s=1000)


@pytest.mark.parametrize(("away_s", "left_s"), [(7200, DAY_S - 7200), (DAY_S - 60, GRACE_S), (9 * DAY_S, GRACE_S)])
async def test_a_turn_counts_on_while_the_server_does_not_run(tmp_path: Path, away_s: float, left_s: float) -> None:
    async with running_service(tmp_path / "t.db", THINKS) as service:
        table, _ = await dealt_table(service, seats=2, bots=[], clock=DAY_S)
    began = time.time() + away_s
    async with running_service(tmp_path / "t.db", THINKS, now=lambda: time.time() + away_s) as restarted:
        state = await restarted.get(table)
        assert state.turn_began + DAY_S - began == pytest.approx(left_s, abs=5)


async def test_a_slow_table_that_is_loaded_again_gets_no_more_time(tmp_path: Path) -> None:
    """However often somebody opens its page after it was evicted."""
    ahead_s = 0.0
    async with open_store(tmp_path / "t.db") as store:
        service = TableService(store, now=lambda: time.time() + ahead_s, cached_tables=1)
        table, _ = await dealt_table(service, seats=2, bots=[], clock=DAY_S)
        began = (await service.get(table)).turn_began
        for _ in range(3):
            ahead_s += 5 * 3600
            await service.open("Eve", 2)
            await service.open("Eve", 2)
            assert service.in_memory(table) is None
            assert (await service.get(table)).turn_began == began
        await service.stop()


async def test_when_the_day_is_over_the_clock_moves(tmp_path: Path) -> None:
    ahead_s = 0.0
    async with running_service(tmp_path / "t.db", THINKS, now=lambda: time.time() + ahead_s) as service:
        table, _ = await dealt_table(service, seats=2, bots=[], clock=DAY_S)
        state = await service.get(table)
        _, seat = state.running()
        ahead_s += DAY_S
        await leave_seat(service, table, 1 - seat)  # which makes the table's task look
        async with listening(service, table, state.seq + 1) as events:
            moved = msgspec.json.decode((await events.next()).json)
        assert (moved["entry"], moved["seat"], moved["by"]) == ("placed", seat, "clock")


async def test_a_slow_table_that_waits_is_not_closed_as_idle_and_others_are(tmp_path: Path) -> None:
    async with running_service(tmp_path / "t.db", Pace(bot_s=1000, idle_s=0.05)) as service:
        slow = [(await service.open("Ana", 2, Terms(clock=DAY_S)))[0] for _ in range(6)]
        fast = [(await service.open("Bob", 2, Terms(clock=clock)))[0] for clock in (None, 20)]
        async with asyncio.timeout(30):
            while await service.store.unfinished() > len(slow) + 1:  # the one with twenty seconds is kept for those
                await asyncio.sleep(0.02)
        await asyncio.sleep(0.5)
        assert {(await service.get(table)).phase for table in slow} == {Phase.WAITING}
        assert (await service.get(fast[0])).phase is Phase.CLOSED
