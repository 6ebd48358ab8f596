"""Several processes around one store: each test has two services that know of each other only through PostgreSQL."""

import asyncio

import pytest

from illusion.rules import Doubt, Place
from illusion.tables import Automation, Follower, Pace, Phase, Reaction, Refused, TableService
from illusion.tables.model import commands
from illusion.tables.stores.postgres.store import PostgresStore
from tests.tables.runtime.test_table_service import dealt, finished, services


async def agreed(one: TableService, other: TableService, table: str) -> None:
    """Wait until both know the same, by hints or by asking."""
    async with asyncio.timeout(20):
        while (await one.get(table)).seq != (await other.get(table)).seq:
            await asyncio.sleep(0.01)


def test_a_command_that_loses_the_race_is_tried_again_on_the_new_state(postgres: str) -> None:
    async def story() -> None:
        async with services(postgres) as one, services(postgres) as other:
            table, _ = await one.open("Ana", 5)
            await other.get(table)
            names = ("Bob", "Cleo", "Dora", "Eva")
            sat = await asyncio.gather(*((one, other)[n % 2].sit(table, name) for n, name in enumerate(names)))
            assert sorted(seat for seat, _ in sat) == [1, 2, 3, 4]
            with pytest.raises(Refused, match="table-full"):
                await other.sit(table, "Fritz")

    asyncio.run(story())


def test_a_token_holds_its_seat_in_every_process_at_once(postgres: str) -> None:
    async def story() -> None:
        async with services(postgres) as one, services(postgres) as other:
            table, token = await one.open("Ana", 3)
            assert await other.seat(table, token) == 0
            for name in ("Bob", "Cleo"):
                seat, token = await one.sit(table, name)
                assert await other.seat(table, token) == seat
            with pytest.raises(Refused, match="not-seated"):
                await other.seat(table, "nobody's")

    asyncio.run(story())


def test_players_on_two_processes_play_a_game_and_hear_every_move_once(postgres: str) -> None:
    async def story() -> None:
        async with services(postgres) as one, services(postgres) as other:
            table, _ = await one.open("Ana", 2)
            await other.sit(table, "Bob")
            await one.execute(table, lambda state, now: commands.start(state, now, 0))
            async with one.listen(table, 0) as here, other.listen(table, 0) as there:
                while (state := await one.get_current(table)).phase is Phase.PLAYING:
                    assert state.game is not None
                    seat, move = state.game.to_play or 0, Doubt() if len(state.game.row) > 3 else Place(0)
                    await (one, other)[seat].move(table, seat, move, state.seq)  # straight after what one has seen
                last = (await other.get_current(table)).seq
                for events in (here, there):
                    assert [(await anext(events))[0] for _ in range(last)] == list(range(1, last + 1))
            assert await one.record(table) == await other.record(table)
            assert len({*await asyncio.gather(one.rematch(table), other.rematch(table))}) == 1

    asyncio.run(story())


def test_of_two_moves_with_one_number_on_two_processes_one_wins(postgres: str) -> None:
    async def story() -> None:
        async with services(postgres) as one, services(postgres) as other:
            table, _ = await dealt(one, seats=2, bots=[])
            for _ in range(10):
                state = await one.get_current(table)
                await other.get_current(table)
                assert state.game is not None
                seat, seq = state.game.to_play or 0, state.seq
                tries = [service.move(table, seat, Place(0), seq) for service in (one, other)]
                outcomes = await asyncio.gather(*tries, return_exceptions=True)
                (lost,) = [outcome for outcome in outcomes if isinstance(outcome, Refused)]
                assert (lost.code, lost.parameters) == ("stale", {"seq": seq + 1})
                assert seq + 1 in outcomes

    asyncio.run(story())


def test_a_lost_hint_only_delays(postgres: str) -> None:
    async def story() -> None:
        async with services(postgres) as one, services(postgres) as other:
            one._store._hints.give = lambda *_: None  # type: ignore[attr-defined]
            table, _ = await one.open("Ana", 3)
            await other.get(table)
            await one.sit(table, "Bob")
            assert (await other.get(table)).seq == 2
            await agreed(one, other, table)

    asyncio.run(story())


def test_a_process_that_missed_who_sat_down_and_that_cards_were_dealt_catches_up(postgres: str) -> None:
    async def story() -> None:
        async with services(postgres) as one, services(postgres) as other:
            one._store._hints.give = lambda *_: None  # type: ignore[attr-defined]
            table, _ = await one.open("Ana", 3)
            assert len((await other.get(table)).sitters) == 1
            await one.sit(table, "Bob")
            await one.execute(table, lambda state, now: commands.start(state, now, 0))
            state = await one.get(table)
            assert state.game is not None
            seat = state.game.to_play or 0
            assert await other.move(table, seat, Place(0), state.seq) == state.seq + 1

    asyncio.run(story())


def test_bots_play_once_although_two_processes_know_the_table(postgres: str) -> None:
    async def story() -> None:
        async with services(postgres) as one, services(postgres) as other:
            table, _ = await dealt(one)
            await other.execute(table, lambda state, now: commands.leave(state, now, 0))
            async with other.listen(table, 0):
                await finished(one, table)
            await agreed(one, other, table)

    asyncio.run(story())


def test_a_table_is_taken_over_when_its_process_falls_silent(postgres: str) -> None:
    """The first process keeps its claim from being renewed; the other one plays on, and the first does not."""

    async def story() -> None:
        store = PostgresStore(postgres, lease=0.5)
        await store.open()
        silent = TableService(store)
        driver = Automation(silent, Pace(bot=0.05))
        await driver.start()
        table, _ = await silent.open("Ana", 3, bots=["keen", "casual"])
        while table not in driver._since:
            await asyncio.sleep(0.01)
        assert driver._claiming is not None
        driver._claiming.cancel()  # as a process that hangs; its tables run on until their time is over
        while asyncio.get_running_loop().time() < driver._until:
            await asyncio.sleep(0.05)
        await silent.execute(table, lambda state, now: commands.start(state, now, 0))
        await silent.execute(table, lambda state, now: commands.leave(state, now, 0))
        seq = (await silent.get(table)).seq
        await asyncio.sleep(0.3)
        assert (await silent.get(table)).seq == seq
        async with services(postgres) as other:
            await finished(other, table)
        await driver.stop()
        await store.close()

    asyncio.run(story())


def test_following_ends_with_its_process(postgres: str) -> None:
    async def story() -> None:
        store = PostgresStore(postgres)
        await store.open()
        following = Follower(TableService(store), store, ask=0.01)
        following.start()
        await asyncio.sleep(0.1)
        await following.stop()
        await store.close()
        assert len(asyncio.all_tasks()) == 1

    asyncio.run(story())


def test_a_reaction_is_heard_once_on_every_process_and_is_in_no_log(postgres: str) -> None:
    async def story() -> None:
        async with services(postgres) as one, services(postgres) as other:
            table, _ = await one.open("Ana", 3)
            await agreed(one, other, table)
            async with one.listen(table, 2) as here, other.listen(table, 2) as there:
                await one.sit(table, "Bob")
                await agreed(one, other, table)
                assert await one.react(table, 0, Reaction.WOW) == 3
                said = (None, b'{"seat":0,"reaction":"wow"}')
                async with asyncio.timeout(20):
                    assert [(await anext(there))[0], await anext(there)] == [3, said]
                await other.react(table, 1, Reaction.CLAP)
                answer = (None, b'{"seat":1,"reaction":"clap"}')
                async with asyncio.timeout(20):
                    assert [(await anext(here))[0], await anext(here), await anext(here)] == [3, said, answer]
                    assert await anext(there) == answer
            assert await one._store.heads([table]) == {table: 3}

    asyncio.run(story())
