"""What every store promises: numbers without gaps, all entries or none, one writer wins, nothing is lost."""

import asyncio

import pytest
from harness.tables.services import open_store

from illusion.tables import Stale, Store, store_at


async def test_what_is_appended_is_read_again_by_another_process_too(database: str) -> None:
    async with open_store(database) as store:
        await store.append("one", 1, [b"a", b"b"])
        await store.append("two", 1, [b"x"])
        await store.append("one", 3, [b"c"])
        assert await store.read("one") == [b"a", b"b", b"c"]
        assert await store.read("one", after=2) == [b"c"]
        assert await store.read("one", after=3) == []
        assert await store.read("none") == []
    async with open_store(database) as later:
        assert await later.read("one") == [b"a", b"b", b"c"]
        assert await later.tables() == ["one", "two"]
        assert await later.heads(["one", "none"]) == {"one": 3}


async def test_a_number_that_is_taken_or_leaves_a_gap_is_stale_and_leaves_nothing_behind(store: Store) -> None:
    for first in (2, 7):
        with pytest.raises(Stale):
            await store.append("one", first, [b"early"])
    assert await store.tables() == []
    await store.append("one", 1, [b"a", b"b"])
    assert await store.unfinished() == 1
    for first in (1, 2, 4, 0, -1):
        with pytest.raises(Stale):
            await store.append("one", first, [b"late", b"later"])
    assert await store.read("one") == [b"a", b"b"]
    assert await store.heads(["one"]) == {"one": 2}


@pytest.mark.parametrize("first", [1, 2])
async def test_of_many_writers_of_one_number_one_wins(database: str, first: int) -> None:
    """Two stores on one database, as two processes would have, and twenty appends of several entries at once."""
    async with open_store(database) as one, open_store(database) as other:
        if first == 2:
            await one.append("t", 1, [b"begin"])
        tries = [(one, other)[n % 2].append("t", first, [b"%d" % n] * (n % 3 + 1)) for n in range(20)]
        results = await asyncio.gather(*tries, return_exceptions=True)
        (winner,) = [n for n, result in enumerate(results) if result is None]
        assert sum(isinstance(result, Stale) for result in results) == 19
        assert await one.read("t", first - 1) == [b"%d" % winner] * (winner % 3 + 1)
        assert await other.heads(["t"]) == {"t": first + winner % 3}


async def test_a_stale_append_in_a_batch_fails_alone(store: Store) -> None:
    await asyncio.gather(*(store.append(f"t{n}", 1, [b"a"]) for n in range(300)))
    tries = [store.append(f"t{n}", 2 if n % 3 else 1, [b"b"]) for n in range(300)]
    results = await asyncio.gather(*tries, return_exceptions=True)
    assert [n for n, result in enumerate(results) if isinstance(result, Stale)] == list(range(0, 300, 3))
    for n in (0, 1, 150, 299):
        assert await store.read(f"t{n}") == ([b"a", b"b"] if n % 3 else [b"a"])


async def test_two_processes_that_write_batches_to_the_same_tables_never_deadlock(database: str) -> None:
    names = [f"t{n}" for n in range(40)]
    async with open_store(database) as one, open_store(database) as other:
        for seq in range(1, 16):
            forth = [one.append(name, seq, [b"one"]) for name in names]
            back = [other.append(name, seq, [b"other"]) for name in reversed(names)]
            results = await asyncio.gather(*forth, *back, return_exceptions=True)
            assert [type(result) for result in results].count(type(None)) == len(names)
            assert {type(result) for result in results} == {type(None), Stale}
        assert [len(await one.read(name)) for name in names] == [15] * len(names)


async def test_everything_under_way_is_stored_before_the_store_closes_though_some_hung_up(database: str) -> None:
    async with open_store(database) as store:
        appends = [asyncio.ensure_future(store.append(f"t{n}", 1, [b"a"])) for n in range(100)]
        await asyncio.sleep(0)
        for append in appends[::2]:
            append.cancel()
        await store.append("next", 1, [b"a"])
        last = [asyncio.ensure_future(store.append(f"last{n}", 1, [b"a"])) for n in range(100)]
        await asyncio.sleep(0)
    await asyncio.gather(*appends[1::2], *last)
    async with open_store(database) as later:
        assert {f"t{n}" for n in range(1, 100, 2)} | {f"last{n}" for n in range(100)} <= set(await later.tables())


async def test_unfinished_tables_are_claimed_once_and_again_after_a_restart(database: str) -> None:
    async with open_store(database) as store:
        await store.append("one", 1, [b"a"])
        await store.append("two", 1, [b"a"])
        await store.append("one", 2, [b"end"], ended=True)
        await store.append("one", 3, [b"played again"])
        await store.append("three", 1, [b"a", b"end"], ended=True)
        await store.append("four", 1, [b"a"])
        assert await store.claim(others=100) == []  # it is ours already
        assert await store.unfinished() == 2
    async with open_store(database) as restarted:
        assert await restarted.claim(["four", "one", "none"]) == ["four"]
        assert await restarted.claim(others=100) == ["two"]
        assert await restarted.claim(others=100) == []
        assert await restarted.unfinished() == 2


async def test_many_processes_may_start_at_once(database: str) -> None:
    stores = [store_at(database) for _ in range(6)]
    await asyncio.gather(*(store.open() for store in stores))
    await stores[0].append("t", 1, [b"a"])
    assert [await store.read("t") for store in stores] == [[b"a"]] * 6
    for store in stores:
        await store.close()


async def test_a_check_stores_something_and_leaves_nothing_behind(store: Store) -> None:
    await store.append("t", 1, [b"a"])
    await asyncio.gather(*(store.check_writable() for _ in range(5)), store.append("t", 2, [b"b"]))
    assert await store.tables() == ["t"]
    assert await store.read("t") == [b"a", b"b"]
    assert await store.unfinished() == 1
    await store.append("t", 3, [b"c"])
