"""The contract of a store, held by both: numbers without gaps, all or none, one writer wins, nothing lost."""

import asyncio
import math
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest

from illusion.tables import Stale, Store, store_at


@asynccontextmanager
async def opened(database: str) -> AsyncIterator[Store]:
    store = store_at(database)
    await store.open()
    try:
        yield store
    finally:
        await store.close()


def told(database: str, story: Callable[[Store], Awaitable[None]]) -> None:
    """Run a story on a store that is opened for it."""

    async def run() -> None:
        async with opened(database) as store:
            await story(store)

    asyncio.run(run())


def test_what_is_appended_is_read_again_by_another_process_too(database: str) -> None:
    async def story(store: Store) -> None:
        await store.append("one", 1, [b"a", b"b"])
        await store.append("two", 1, [b"x"])
        await store.append("one", 3, [b"c"])
        assert await store.read("one") == [b"a", b"b", b"c"]
        assert await store.read("one", after=2) == [b"c"]
        assert await store.read("one", after=3) == []
        assert await store.read("none") == []

    async def later(store: Store) -> None:
        assert await store.read("one") == [b"a", b"b", b"c"]
        assert await store.tables() == ["one", "two"]
        assert await store.heads(["one", "none"]) == {"one": 3}

    told(database, story)
    told(database, later)


@pytest.mark.parametrize("first", [1, 2, 4, 0, -1])
def test_a_number_that_is_taken_or_leaves_a_gap_is_stale(database: str, first: int) -> None:
    async def story(store: Store) -> None:
        await store.append("one", 1, [b"a", b"b"])
        with pytest.raises(Stale):
            await store.append("one", first, [b"late", b"later"])
        assert await store.read("one") == [b"a", b"b"]
        assert await store.heads(["one"]) == {"one": 2}

    told(database, story)


def test_a_table_begins_with_number_one(database: str) -> None:
    async def story(store: Store) -> None:
        with pytest.raises(Stale):
            await store.append("one", 2, [b"b"])
        assert await store.tables() == []

    told(database, story)


@pytest.mark.parametrize("first", [1, 2])
def test_of_many_writers_of_one_number_one_wins(database: str, first: int) -> None:
    """Two stores on one database, as two processes would have, and twenty appends of several entries at once."""

    async def story(one: Store) -> None:
        async with opened(database) as other:
            if first == 2:
                await one.append("t", 1, [b"begin"])
            tries = [(one, other)[n % 2].append("t", first, [b"%d" % n] * (n % 3 + 1)) for n in range(20)]
            results = await asyncio.gather(*tries, return_exceptions=True)
            (winner,) = [n for n, result in enumerate(results) if result is None]
            assert sum(isinstance(result, Stale) for result in results) == 19
            assert await one.read("t", first - 1) == [b"%d" % winner] * (winner % 3 + 1)
            assert await other.heads(["t"]) == {"t": first + winner % 3}

    told(database, story)


def test_a_stale_append_in_a_group_fails_alone(database: str) -> None:
    async def story(store: Store) -> None:
        await asyncio.gather(*(store.append(f"t{n}", 1, [b"a"]) for n in range(300)))
        tries = [store.append(f"t{n}", 2 if n % 3 else 1, [b"b"]) for n in range(300)]
        results = await asyncio.gather(*tries, return_exceptions=True)
        assert [n for n, result in enumerate(results) if isinstance(result, Stale)] == list(range(0, 300, 3))
        for n in (0, 1, 150, 299):
            assert await store.read(f"t{n}") == ([b"a", b"b"] if n % 3 else [b"a"])

    told(database, story)


def test_two_processes_that_write_to_the_same_tables_in_groups_never_wait_in_a_circle(database: str) -> None:
    async def story(one: Store) -> None:
        names = [f"t{n}" for n in range(40)]
        async with opened(database) as other:
            for seq in range(1, 16):
                forth = [one.append(name, seq, [b"one"]) for name in names]
                back = [other.append(name, seq, [b"other"]) for name in reversed(names)]
                results = await asyncio.gather(*forth, *back, return_exceptions=True)
                assert [type(result) for result in results].count(type(None)) == len(names)
                assert {type(result) for result in results} == {type(None), Stale}
            assert [len(await one.read(name)) for name in names] == [15] * len(names)

    told(database, story)


def test_whoever_goes_away_while_waiting_harms_nobody(database: str) -> None:
    async def story(store: Store) -> None:
        gone = [asyncio.ensure_future(store.append(f"t{n}", 1, [b"a"])) for n in range(50)]
        await asyncio.sleep(0)
        for task in gone[::2]:
            task.cancel()
        await asyncio.gather(*gone, return_exceptions=True)
        await store.append("next", 1, [b"a"])
        assert {f"t{n}" for n in range(1, 50, 2)} <= set(await store.tables())

    told(database, story)


def test_unfinished_tables_are_claimed_once_and_again_after_a_restart(database: str) -> None:
    async def story(store: Store) -> None:
        await store.append("one", 1, [b"a"])
        await store.append("two", 1, [b"a"])
        await store.append("one", 2, [b"end"], ended=True)
        await store.append("one", 3, [b"played again"])
        await store.append("three", 1, [b"a", b"end"], ended=True)
        assert (await store.claim()).tables == ["two"]
        assert (await store.claim()).tables == []
        await store.append("four", 1, [b"a"])
        again = await store.claim()
        assert (again.tables, again.anew) == (["four"], False)
        assert await store.unfinished() == 2
        assert again.until > 0

    async def later(store: Store) -> None:
        assert sorted((await store.claim()).tables) == ["four", "two"]

    told(database, story)
    told(database, later)


def test_everything_under_way_is_stored_before_the_store_closes(database: str) -> None:
    async def story() -> None:
        async with opened(database) as store:
            tasks = [asyncio.ensure_future(store.append(f"t{n}", 1, [b"a"])) for n in range(100)]
            await asyncio.sleep(0)
        await asyncio.gather(*tasks)

    async def later(store: Store) -> None:
        assert len(await store.tables()) == 100

    asyncio.run(story())
    told(database, later)


def test_many_processes_may_start_at_once(database: str) -> None:
    async def story() -> None:
        stores = [store_at(database) for _ in range(6)]
        await asyncio.gather(*(store.open() for store in stores))
        await stores[0].append("t", 1, [b"a"])
        assert [await store.read("t") for store in stores] == [[b"a"]] * 6
        for store in stores:
            await store.close()

    asyncio.run(story())


def test_a_file_is_claimed_for_ever(tmp_path: object) -> None:
    async def story(store: Store) -> None:
        assert (await store.claim()).until == math.inf

    told(f"{tmp_path}/t.db", story)
