"""The hall: stored before told, one line at each table, readers who fall behind, bots and clocks."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import msgspec
import pytest

from illusion.rules import Doubt, Place
from illusion.tables import Driver, Following, Hall, Pace, Phase, Refused, public_view, store_at
from illusion.tables.model import commands
from illusion.tables.public.record import Record, doubts_about
from illusion.tables.runtime.live_table import QUEUE
from tests.tables.stores.test_contract import opened as opened_store

Story = Callable[[Hall], Coroutine[Any, Any, None]]


@asynccontextmanager
async def halls(database: str, pace: Pace | None = None, **options: Any) -> AsyncIterator[Hall]:
    """A hall with everything around it, as in a process that serves."""
    store = store_at(database)
    await store.open()
    hall = Hall(store, **options)
    driver, following = Driver(hall, pace or Pace(bot=0)), Following(hall, store)
    await driver.start()
    following.start()
    try:
        yield hall
    finally:
        await driver.stop()
        await following.stop()
        await store.close()


async def finished(hall: Hall, table: str) -> None:
    for _ in range(2000):
        if (await hall.look(table)).phase in (Phase.OVER, Phase.CLOSED):
            return
        await asyncio.sleep(0.01)
    raise AssertionError("the game does not end")


async def dealt(hall: Hall, **options: Any) -> tuple[str, str]:
    table, token = await hall.open("Ana", **{"seats": 3, "bots": ["keen", "casual"], **options})
    if not options.get("bots", True):
        await hall.sit(table, "Bob")
    await hall.do(table, lambda state, now: commands.start(state, now, 0))
    return table, token


def test_bots_play_a_whole_game_when_the_player_leaves_and_its_record_is_fair(database: str) -> None:
    async def story() -> None:
        async with halls(database) as hall:
            table, token = await dealt(hall)
            seat = await hall.seat(table, token)
            await hall.do(table, lambda state, now: commands.leave(state, now, seat))
            await finished(hall, table)
            record = await hall.record(table)
            assert doubts_about(record) is None

    asyncio.run(story())


def test_a_tampered_record_is_noticed(database: str) -> None:
    async def story() -> Record:
        async with halls(database) as hall:
            table, _ = await dealt(hall)
            with pytest.raises(Refused):
                await hall.record(table)
            await hall.do(table, lambda state, now: commands.leave(state, now, 0))
            await finished(hall, table)
            return await hall.record(table)

    honest = asyncio.run(story())

    def changed(**fields: object) -> str | None:
        return doubts_about(msgspec.structs.replace(honest, **fields))

    assert doubts_about(honest) is None
    assert changed(commitment="0" * 64) is not None
    assert changed(secret={**honest.secret, "seed": "0" * 64}) is not None
    assert changed(secret={}) == "the secret is incomplete"
    assert changed(moves=honest.moves[:-1]) == "the moves do not reach the game's end"
    swapped = json.loads(json.dumps(honest.moves).replace(honest.opening[0]["next_card"], "x" * 40))
    assert changed(moves=swapped) == "move 1 shows cards that were not the promised ones"
    assert changed(opening=[{**honest.opening[0], "arrow": "pink"}]) == "the first round was dealt from other piles"


def test_a_restart_gives_the_same_table_and_the_bots_play_on(database: str) -> None:
    async def before() -> tuple[str, str, int]:
        async with halls(database, Pace(bot=1000)) as hall:
            table, token = await dealt(hall)
            return table, token, (await hall.look(table)).seq

    async def after(table: str, token: str, seq: int) -> None:
        async with halls(database) as hall:
            assert await hall.seat(table, token) == 0
            assert (await hall.look(table)).seq >= seq
            await hall.do(table, lambda state, now: commands.leave(state, now, 0))
            await finished(hall, table)

    asyncio.run(after(*asyncio.run(before())))


def test_of_two_moves_with_one_number_one_wins_and_the_other_is_stale(database: str) -> None:
    async def story() -> None:
        async with halls(database) as hall:
            table, _ = await hall.open("Ana", 2)
            await hall.sit(table, "Bob")
            await hall.do(table, lambda state, now: commands.start(state, now, 0))
            state = await hall.look(table)
            assert state.game is not None
            seat, seq = state.game.to_play, state.seq
            assert seat is not None
            tries = [hall.move(table, seat, Place(gap), seq) for gap in (0, 1)]
            won, lost = await asyncio.gather(*tries, return_exceptions=True)
            assert won == seq + 1
            assert isinstance(lost, Refused)
            assert lost.code == "stale"
            assert len((await hall.look(table)).game.row) == 2  # type: ignore[union-attr]

    asyncio.run(story())


def test_a_listener_hears_everything_once_from_where_they_left(database: str) -> None:
    async def story() -> None:
        async with halls(database) as hall:
            table, _ = await dealt(hall)
            await hall.do(table, lambda state, now: commands.leave(state, now, 0))
            await finished(hall, table)
            last = (await hall.look(table)).seq
            for after in (0, 3, last - 1):
                async with hall.listen(table, after) as events:
                    heard = [(await anext(events))[0] for _ in range(last - after)]
                assert heard == list(range(after + 1, last + 1))

    asyncio.run(story())


def test_a_listener_who_does_not_listen_is_sent_away_and_nobody_waits(database: str) -> None:
    async def story() -> None:
        async with halls(database) as hall:
            table, _ = await hall.open("Ana", 3)
            async with hall.listen(table, 2) as events:
                for _ in range(QUEUE):
                    await hall.do(table, lambda state, now: commands.add_bot(state, now, 0, "keen"))
                    await hall.do(table, lambda state, now: commands.remove_bot(state, now, 0, 1))
                assert [event async for event in events] == []  # its stream has ended; it comes back by its last number

    asyncio.run(story())


def test_the_clock_runs_out_and_a_stand_in_moves(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "CLOCKS", (None, 0.05))

    async def story() -> None:
        async with halls(database) as hall:
            table, _ = await dealt(hall, clock=0.05)
            await finished(hall, table)
            assert (await hall.look(table)).chairs[0].away  # type: ignore[union-attr]

    asyncio.run(story())


def test_a_forgotten_table_is_closed_and_stays_readable(database: str) -> None:
    async def story() -> None:
        async with halls(database, Pace(bot=0, idle=0.05)) as hall:
            table, _ = await hall.open("Ana", 3)
            await finished(hall, table)
            assert (await hall.look(table)).phase is Phase.CLOSED

    asyncio.run(story())


def test_a_rematch_is_opened_once_for_all(database: str) -> None:
    async def story() -> None:
        async with halls(database) as hall:
            table, token = await dealt(hall)
            await hall.do(table, lambda state, now: commands.leave(state, now, 0))
            await finished(hall, table)
            again = await hall.rematch(table)
            assert await hall.rematch(table) == again
            assert await hall.seat(again, token) == 0

    asyncio.run(story())


def test_the_clock_counts_from_the_beginning_of_the_turn(database: str) -> None:
    """Others who leave and come back do not wind it up; whoever comes back in their own turn has it whole."""
    clock = iter(range(100, 1000))

    async def story() -> None:
        store = store_at(database)
        await store.open()
        hall = Hall(store, lambda: float(next(clock)))
        table, _ = await hall.open("Ana", 2, clock=45)
        await hall.sit(table, "Bob")
        await hall.do(table, lambda state, now: commands.start(state, now, 0))
        state = await hall.look(table)
        assert state.game is not None
        mover = state.game.to_play
        assert mover is not None
        began = public_view(state).turn_began
        await hall.do(table, lambda state, now: commands.leave(state, now, 1 - mover))
        await hall.do(table, lambda state, now: commands.come_back(state, now, 1 - mover))
        assert public_view(state).turn_began == began
        await hall.do(table, lambda state, now: commands.leave(state, now, mover))
        await hall.do(table, lambda state, now: commands.come_back(state, now, mover))
        back = public_view(state).turn_began
        assert back is not None
        assert began is not None
        assert back > began
        await hall.move(table, mover, Place(0), state.seq)
        moved = public_view(state).turn_began
        assert moved is not None
        assert moved > back
        reopened = await Hall(store, lambda: moved - 0.5).look(table)  # it left the memory and came back
        assert public_view(reopened).turn_began == moved
        later = await Hall(store, lambda: 5000.0).look(table)  # taken up by a new server: no clock ran meanwhile
        assert public_view(later).turn_began == 5000.0
        await store.close()

    asyncio.run(story())


def test_what_is_told_was_stored_first(database: str) -> None:
    async def story() -> None:
        async with halls(database, Pace(bot=1000)) as hall:
            table, _ = await hall.open("Ana", 2)
            await hall.sit(table, "Bob")
            await hall.do(table, lambda state, now: commands.start(state, now, 0))
            async with hall.listen(table, 0) as events:
                for _ in range(4):
                    seq, _ = await anext(events)
                    assert seq is not None
                    store = store_at(database)
                    await store.open()
                    assert len(await store.read(table)) >= seq
                    await store.close()
            state = await hall.look(table)
            assert state.game is not None
            with pytest.raises(ValueError, match="nothing-to-doubt"):
                await hall.move(table, state.game.to_play or 0, Doubt(), state.seq)

    asyncio.run(story())


def test_a_table_that_nobody_uses_leaves_memory_and_comes_back(database: str) -> None:
    async def story() -> None:
        async with opened_store(database) as store:
            hall = Hall(store, room=3)  # without a driver, who would look at tables too
            opened = [await hall.open(f"Ana {n}", 2) for n in range(10)]
            assert set(hall.known()) == {table for table, _ in opened[-3:]}
            first, token = opened[0]
            async with hall.listen(first, 0) as events:
                for table, _ in opened[1:]:
                    await hall.look(table)
                assert first in hall.known()  # somebody listens there
                assert len(hall.known()) == 4
                assert await hall.seat(first, token) == 0
                await hall.sit(first, "Bob")
                assert [(await anext(events))[0] for _ in range(3)] == [1, 2, 3]
            for table, _ in opened[1:]:
                await hall.look(table)
            assert first not in hall.known()
            assert (await hall.look(first)).chairs[1].name == "Bob"  # type: ignore[union-attr]

    asyncio.run(story())


def test_many_who_ask_for_one_table_at_once_get_the_same_one(database: str) -> None:
    async def story() -> None:
        async with halls(database) as hall:
            table, _ = await hall.open("Ana", 2)
        async with halls(database) as hall:
            found = await asyncio.gather(*(hall.look(table) for _ in range(20)))
            assert len({id(state) for state in found}) == 1
            strangers = await asyncio.gather(*(hall.look("nowhere") for _ in range(5)), return_exceptions=True)
            assert [str(stranger) for stranger in strangers] == ["no-such-table"] * 5

    asyncio.run(story())


def test_the_wall_clock_may_jump_and_no_turn_ends_early_or_never(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Entries are stamped by the wall clock; waiting goes by one that never jumps."""
    monkeypatch.setattr(commands, "CLOCKS", (None, 0.5, 1000))
    times = iter([1e9, 1e9 + 86400, 5.0, 2e9, 0.0, 1e9, *[7e8] * 10_000])

    async def story() -> None:
        async with halls(database, now=lambda: next(times)) as hall:
            slow, _ = await dealt(hall, clock=1000, bots=[])
            await asyncio.sleep(0.2)
            seq = (await hall.look(slow)).seq
            quick, _ = await dealt(hall, clock=0.5)
            await finished(hall, quick)
            assert (await hall.look(quick)).chairs[0].away  # type: ignore[union-attr]
            assert (await hall.look(slow)).seq == seq

    asyncio.run(story())
