"""What happens at tables without a request: one task for each, clocks through restarts, idle ones closed."""

import asyncio
import time
from collections.abc import Collection
from pathlib import Path

import msgspec
import pytest
from harness.tables.services import (
    SomePage,
    come_back,
    dealt_table,
    leave_seat,
    listening,
    open_store,
    place,
    running_service,
    service_on,
)

from illusion.rules import Move
from illusion.tables import Automation, Pace, Phase, SqliteStore, TableService
from illusion.tables.model.bot_players import BotTurn
from illusion.tables.model.commands import DAY_S
from illusion.tables.model.entries import Terms, decode
from illusion.tables.pace import GRACE_S, turn_rng
from illusion.tables.stores import Hint
from illusion.tables.worker import Where


def table_tasks() -> int:
    """How many tasks automate tables."""
    names = [getattr(task.get_coro(), "__qualname__", "") for task in asyncio.all_tasks()]
    return names.count("Automation._run")


async def test_a_table_that_is_claimed_twice_has_one_task(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table that the server has stored something at may be claimed as well."""
    claim = SqliteStore.claim
    named: list[str] = []

    async def claim_again(store: SqliteStore, wanted: Collection[str], others: int) -> list[str]:
        return [*await claim(store, wanted, others), *named]

    monkeypatch.setattr(SqliteStore, "claim", claim_again)
    async with open_store(tmp_path / "t.db") as store:
        others = [(await TableService(store).open("Eve", 2))[0] for _ in range(5)]
        async with service_on(store, Pace(bot_s=1000)) as service:
            table, _ = await dealt_table(service, clock=90)
            named.append(table)
            for other in others:
                await service.get(other)  # makes the automation claim again
                await asyncio.sleep(0.05)
            assert table_tasks() == 1


async def test_a_task_that_is_woken_again_and_again_lets_the_bot_decide_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page may say every few milliseconds that it has read."""
    decided: list[int] = []
    decision = TableService.decision

    async def slowly(service: TableService, turn: BotTurn) -> Move:
        decided.append(len(turn.view.row))
        await asyncio.sleep(0.05)
        return await decision(service, turn)

    monkeypatch.setattr(TableService, "decision", slowly)
    async with running_service(tmp_path / "t.db", Pace(bot_s=0.3)) as service:
        table, _ = await dealt_table(service, seats=2, bots=["keen"])
        state = await service.get(table)
        service.open_page(table, page := SomePage(), 0)
        async with asyncio.timeout(60):
            while len(state.moves) < 4:
                if not state.sitter(state.running()[1]).is_bot:
                    await place(service, table)
                service.go_on(table, page, state.seq)
                await asyncio.sleep(0.002)
        assert len(decided) <= 3


async def test_a_restart_takes_up_tables_when_somebody_needs_them(database: str) -> None:
    """Of many tables whose bots have to move, the one that is looked at plays on; the others are not even loaded."""
    async with running_service(database, Pace(bot_s=1000)) as service:
        tables = [(await dealt_table(service, seats=3))[0] for _ in range(12)]
        for table in tables:
            if (await service.get(table)).running()[1] == 0:
                await place(service, table)
    async with running_service(database) as restarted:
        await asyncio.sleep(0.3)
        assert restarted.tables_in_memory() == []
        looked_at = tables[7]
        before = (await restarted.get(looked_at)).seq
        async with listening(restarted, looked_at, before) as events:
            await events.next_seqs(1)
        assert [table.id for table in restarted.tables_in_memory()] == [looked_at]


async def test_idle_tables_are_closed_although_nobody_has_asked_for_them(database: str) -> None:
    async with running_service(database, Pace(bot_s=1000)) as service:
        tables = [(await dealt_table(service))[0] for _ in range(10)]
    async with running_service(database, Pace(bot_s=0, idle_s=0.05)) as restarted, asyncio.timeout(30):
        while await restarted.store.unfinished():
            await asyncio.sleep(0.02)
        assert {(await restarted.catch_up(table)).phase for table in tables} == {Phase.CLOSED}


async def test_a_turn_ends_although_its_player_leaves_and_comes_back(tmp_path: Path) -> None:
    """The clock does not begin anew: it has run out by the third time."""
    ahead_s = 0.0
    async with running_service(tmp_path / "t.db", Pace(bot_s=1000), now=lambda: time.time() + ahead_s) as service:
        table, _ = await dealt_table(service, seats=2, bots=[], clock=20)
        state = await service.get(table)
        seq, (_, seat) = state.seq, state.running()
        for _ in range(3):
            ahead_s += 9
            await leave_seat(service, table, seat)
            await come_back(service, table, seat)
        async with listening(service, table, seq + 6) as events:
            moved = msgspec.json.decode((await events.next()).json)
        assert (moved["entry"], moved["by"]) == ("placed", "clock")


async def test_a_stand_in_pauses_however_long_the_turn_has_lasted(tmp_path: Path) -> None:
    """Its pause counts from when the player left for the first time in this turn."""
    ahead_s, pace = 0.0, Pace(bot_s=0.4)
    async with running_service(tmp_path / "t.db", pace, now=lambda: time.time() + ahead_s) as service:
        table, _ = await dealt_table(service, seats=2, bots=[])
        state = await service.get(table)
        _, seat = state.running()
        ahead_s = 1000.0
        async with listening(service, table, state.seq) as events:
            await leave_seat(service, table, seat)
            await come_back(service, table, seat)
            await leave_seat(service, table, seat)
            await events.next_seqs(4)
        *_, left, _, _, moved = map(decode, await service.store.read(table))
        thinking_s = pace.thinking_s(1, turn_rng(state.dealt().secret.nonce, 0))
        assert moved.at - left.at >= thinking_s - 0.01  # another clock than bots wait by


async def test_hints_that_come_while_a_server_starts_are_taken(tmp_path: Path) -> None:
    """The store is open by then, and another server writes."""
    async with open_store(tmp_path / "t.db") as store:
        automation = Automation()
        service = TableService(store, observers=(automation,), drawing=Where.THREAD)
        automation.observe(service)
        service.appended(Hint("22222222", 5))
        await automation.start()
        await automation.stop()
        await service.stop()


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
