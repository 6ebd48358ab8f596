"""The service: stored before told, one line at each table, readers who fall behind, bots and clocks."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import msgspec
import pytest

from illusion.rules import Doubt, Place
from illusion.tables import Automation, Follower, Pace, Phase, Refused, TableService, public_view, store_at
from illusion.tables.model import commands
from illusion.tables.public.record import Record, find_mismatch
from illusion.tables.runtime.live_table import QUEUE
from tests.tables.stores.test_contract import opened as opened_store

Story = Callable[[TableService], Coroutine[Any, Any, None]]


@asynccontextmanager
async def services(database: str, pace: Pace | None = None, **options: Any) -> AsyncIterator[TableService]:
    """A service with everything around it, as in a process that serves."""
    store = store_at(database)
    await store.open()
    service = TableService(store, **options)
    driver, following = Automation(service, pace or Pace(bot=0)), Follower(service, store)
    await driver.start()
    following.start()
    try:
        yield service
    finally:
        await driver.stop()
        await following.stop()
        await store.close()


async def finished(service: TableService, table: str) -> None:
    for _ in range(2000):
        if (await service.get(table)).phase in (Phase.OVER, Phase.CLOSED):
            return
        await asyncio.sleep(0.01)
    raise AssertionError("the game does not end")


async def dealt(service: TableService, **options: Any) -> tuple[str, str]:
    table, token = await service.open("Ana", **{"seats": 3, "bots": ["keen", "casual"], **options})
    if not options.get("bots", True):
        await service.sit(table, "Bob")
    await service.execute(table, lambda state, now: commands.start(state, now, 0))
    return table, token


def test_bots_play_a_whole_game_when_the_player_leaves_and_its_record_is_fair(database: str) -> None:
    async def story() -> None:
        async with services(database) as service:
            table, token = await dealt(service)
            seat = await service.seat(table, token)
            await service.execute(table, lambda state, now: commands.leave(state, now, seat))
            await finished(service, table)
            record = await service.record(table)
            assert find_mismatch(record) is None

    asyncio.run(story())


def test_a_tampered_record_is_noticed(database: str) -> None:
    async def story() -> Record:
        async with services(database) as service:
            table, _ = await dealt(service)
            with pytest.raises(Refused):
                await service.record(table)
            await service.execute(table, lambda state, now: commands.leave(state, now, 0))
            await finished(service, table)
            return await service.record(table)

    honest = asyncio.run(story())

    def changed(**fields: object) -> str | None:
        return find_mismatch(msgspec.structs.replace(honest, **fields))

    assert find_mismatch(honest) is None
    assert changed(commitment="0" * 64) is not None
    assert changed(secret={**honest.secret, "seed": "0" * 64}) is not None
    assert changed(secret={}) == "the secret is incomplete"
    assert changed(moves=honest.moves[:-1]) == "the moves do not reach the game's end"
    swapped = json.loads(json.dumps(honest.moves).replace(honest.opening[0]["next_card"], "x" * 40))
    assert changed(moves=swapped) == "move 1 shows cards that were not the promised ones"
    assert changed(opening=[{**honest.opening[0], "arrow": "pink"}]) == "the first round was dealt from other piles"


def test_a_restart_gives_the_same_table_and_the_bots_play_on(database: str) -> None:
    async def before() -> tuple[str, str, int]:
        async with services(database, Pace(bot=1000)) as service:
            table, token = await dealt(service)
            return table, token, (await service.get(table)).seq

    async def after(table: str, token: str, seq: int) -> None:
        async with services(database) as service:
            assert await service.seat(table, token) == 0
            assert (await service.get(table)).seq >= seq
            await service.execute(table, lambda state, now: commands.leave(state, now, 0))
            await finished(service, table)

    asyncio.run(after(*asyncio.run(before())))


def test_of_two_moves_with_one_number_one_wins_and_the_other_is_stale(database: str) -> None:
    async def story() -> None:
        async with services(database) as service:
            table, _ = await service.open("Ana", 2)
            await service.sit(table, "Bob")
            await service.execute(table, lambda state, now: commands.start(state, now, 0))
            state = await service.get(table)
            assert state.game is not None
            seat, seq = state.game.to_play, state.seq
            assert seat is not None
            tries = [service.move(table, seat, Place(gap), seq) for gap in (0, 1)]
            won, lost = await asyncio.gather(*tries, return_exceptions=True)
            assert won == seq + 1
            assert isinstance(lost, Refused)
            assert lost.code == "stale"
            assert len((await service.get(table)).game.row) == 2  # type: ignore[union-attr]

    asyncio.run(story())


def test_a_listener_hears_everything_once_from_where_they_left(database: str) -> None:
    async def story() -> None:
        async with services(database) as service:
            table, _ = await dealt(service)
            await service.execute(table, lambda state, now: commands.leave(state, now, 0))
            await finished(service, table)
            last = (await service.get(table)).seq
            for after in (0, 3, last - 1):
                async with service.listen(table, after) as events:
                    heard = [(await anext(events))[0] for _ in range(last - after)]
                assert heard == list(range(after + 1, last + 1))

    asyncio.run(story())


def test_a_listener_who_does_not_listen_is_sent_away_and_nobody_waits(database: str) -> None:
    async def story() -> None:
        async with services(database) as service:
            table, _ = await service.open("Ana", 3)
            async with service.listen(table, 2) as events:
                for _ in range(QUEUE):
                    await service.execute(table, lambda state, now: commands.add_bot(state, now, 0, "keen"))
                    await service.execute(table, lambda state, now: commands.remove_bot(state, now, 0, 1))
                assert [event async for event in events] == []  # its stream has ended; it comes back by its last number

    asyncio.run(story())


def test_the_clock_runs_out_and_a_stand_in_moves(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "CLOCKS", (None, 0.05))

    async def story() -> None:
        async with services(database) as service:
            table, _ = await dealt(service, clock=0.05)
            await finished(service, table)
            assert (await service.get(table)).chairs[0].away  # type: ignore[union-attr]

    asyncio.run(story())


def test_a_forgotten_table_is_closed_and_stays_readable(database: str) -> None:
    async def story() -> None:
        async with services(database, Pace(bot=0, idle=0.05)) as service:
            table, _ = await service.open("Ana", 3)
            await finished(service, table)
            assert (await service.get(table)).phase is Phase.CLOSED

    asyncio.run(story())


def test_a_rematch_is_opened_once_for_all(database: str) -> None:
    async def story() -> None:
        async with services(database) as service:
            table, token = await dealt(service)
            await service.execute(table, lambda state, now: commands.leave(state, now, 0))
            await finished(service, table)
            again = await service.rematch(table)
            assert await service.rematch(table) == again
            assert await service.seat(again, token) == 0

    asyncio.run(story())


def test_the_clock_counts_from_the_beginning_of_the_turn(database: str) -> None:
    """Others who leave and come back do not wind it up; whoever comes back in their own turn has it whole."""
    clock = iter(range(100, 1000))

    async def story() -> None:
        store = store_at(database)
        await store.open()
        service = TableService(store, lambda: float(next(clock)))
        table, _ = await service.open("Ana", 2, clock=45)
        await service.sit(table, "Bob")
        await service.execute(table, lambda state, now: commands.start(state, now, 0))
        state = await service.get(table)
        assert state.game is not None
        mover = state.game.to_play
        assert mover is not None
        began = public_view(state).turn_began
        await service.execute(table, lambda state, now: commands.leave(state, now, 1 - mover))
        await service.execute(table, lambda state, now: commands.come_back(state, now, 1 - mover))
        assert public_view(state).turn_began == began
        await service.execute(table, lambda state, now: commands.leave(state, now, mover))
        await service.execute(table, lambda state, now: commands.come_back(state, now, mover))
        back = public_view(state).turn_began
        assert back is not None
        assert began is not None
        assert back > began
        await service.move(table, mover, Place(0), state.seq)
        moved = public_view(state).turn_began
        assert moved is not None
        assert moved > back
        reopened = await TableService(store, lambda: moved - 0.5).get(table)  # it left the memory and came back
        assert public_view(reopened).turn_began == moved
        later = await TableService(store, lambda: 5000.0).get(table)  # taken up by a new server: no clock ran meanwhile
        assert public_view(later).turn_began == 5000.0
        await store.close()

    asyncio.run(story())


def test_what_is_told_was_stored_first(database: str) -> None:
    async def story() -> None:
        async with services(database, Pace(bot=1000)) as service:
            table, _ = await service.open("Ana", 2)
            await service.sit(table, "Bob")
            await service.execute(table, lambda state, now: commands.start(state, now, 0))
            async with service.listen(table, 0) as events:
                for _ in range(4):
                    seq, _ = await anext(events)
                    assert seq is not None
                    store = store_at(database)
                    await store.open()
                    assert len(await store.read(table)) >= seq
                    await store.close()
            state = await service.get(table)
            assert state.game is not None
            with pytest.raises(ValueError, match="nothing-to-doubt"):
                await service.move(table, state.game.to_play or 0, Doubt(), state.seq)

    asyncio.run(story())


def test_a_table_that_nobody_uses_leaves_memory_and_comes_back(database: str) -> None:
    async def story() -> None:
        async with opened_store(database) as store:
            service = TableService(store, room=3)  # without a driver, who would look at tables too
            opened = [await service.open(f"Ana {n}", 2) for n in range(10)]
            assert set(service.known_seqs()) == {table for table, _ in opened[-3:]}
            first, token = opened[0]
            async with service.listen(first, 0) as events:
                for table, _ in opened[1:]:
                    await service.get(table)
                assert first in service.known_seqs()  # somebody listens there
                assert len(service.known_seqs()) == 4
                assert await service.seat(first, token) == 0
                await service.sit(first, "Bob")
                assert [(await anext(events))[0] for _ in range(3)] == [1, 2, 3]
            for table, _ in opened[1:]:
                await service.get(table)
            assert first not in service.known_seqs()
            assert (await service.get(first)).chairs[1].name == "Bob"  # type: ignore[union-attr]

    asyncio.run(story())


def test_many_who_ask_for_one_table_at_once_get_the_same_one(database: str) -> None:
    async def story() -> None:
        async with services(database) as service:
            table, _ = await service.open("Ana", 2)
        async with services(database) as service:
            found = await asyncio.gather(*(service.get(table) for _ in range(20)))
            assert len({id(state) for state in found}) == 1
            strangers = await asyncio.gather(*(service.get("nowhere") for _ in range(5)), return_exceptions=True)
            assert [str(stranger) for stranger in strangers] == ["no-such-table"] * 5

    asyncio.run(story())


def test_the_wall_clock_may_jump_and_no_turn_ends_early_or_never(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Entries are stamped by the wall clock; waiting goes by one that never jumps."""
    monkeypatch.setattr(commands, "CLOCKS", (None, 0.5, 1000))
    times = iter([1e9, 1e9 + 86400, 5.0, 2e9, 0.0, 1e9, *[7e8] * 10_000])

    async def story() -> None:
        async with services(database, now=lambda: next(times)) as service:
            slow, _ = await dealt(service, clock=1000, bots=[])
            await asyncio.sleep(0.2)
            seq = (await service.get(slow)).seq
            quick, _ = await dealt(service, clock=0.5)
            await finished(service, quick)
            assert (await service.get(quick)).chairs[0].away  # type: ignore[union-attr]
            assert (await service.get(slow)).seq == seq

    asyncio.run(story())
