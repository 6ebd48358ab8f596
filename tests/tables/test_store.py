"""The contract of a store: numbers without gaps, all or none, one writer wins, nothing lost."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from illusion.tables import SqliteStore, Stale, StoreFailed


@asynccontextmanager
async def opened(path: Path) -> AsyncIterator[SqliteStore]:
    store = SqliteStore(path)
    try:
        yield store
    finally:
        await store.close()


def test_what_is_appended_is_read_again_by_another_process_too(tmp_path: Path) -> None:
    async def story() -> None:
        async with opened(tmp_path / "t.db") as store:
            await store.append("one", 1, [b"a", b"b"])
            await store.append("two", 1, [b"x"])
            await store.append("one", 3, [b"c"])
            assert await store.read("one") == [b"a", b"b", b"c"]
            assert await store.read("one", after=2) == [b"c"]
            assert await store.read("none") == []
        async with opened(tmp_path / "t.db") as again:
            assert await again.read("one") == [b"a", b"b", b"c"]

    asyncio.run(story())


@pytest.mark.parametrize("first", [1, 2, 4, 0])
def test_a_number_that_is_taken_or_leaves_a_gap_is_stale(tmp_path: Path, first: int) -> None:
    async def story() -> None:
        async with opened(tmp_path / "t.db") as store:
            await store.append("one", 1, [b"a", b"b"])
            with pytest.raises(Stale):
                await store.append("one", first, [b"late", b"later"])
            assert await store.read("one") == [b"a", b"b"]

    asyncio.run(story())


def test_of_many_writers_of_one_number_one_wins(tmp_path: Path) -> None:
    """Two stores on one file, as two processes would have, and twenty appends at once."""

    async def story() -> None:
        async with opened(tmp_path / "t.db") as one, opened(tmp_path / "t.db") as other:
            await one.append("t", 1, [b"begin"])
            tries = [(one, other)[n % 2].append("t", 2, [b"%d" % n]) for n in range(20)]
            results = await asyncio.gather(*tries, return_exceptions=True)
            winners = [n for n, result in enumerate(results) if result is None]
            assert len(winners) == 1
            assert sum(isinstance(result, Stale) for result in results) == 19
            assert await one.read("t") == [b"begin", b"%d" % winners[0]]

    asyncio.run(story())


def test_many_tables_at_once_are_committed_in_groups(tmp_path: Path) -> None:
    async def story() -> None:
        async with opened(tmp_path / "t.db") as store:
            await asyncio.gather(*(store.append(f"t{n}", 1, [b"a"]) for n in range(300)))
            await asyncio.gather(*(store.append(f"t{n}", 2, [b"b"]) for n in range(300)))
            for n in (0, 150, 299):
                assert await store.read(f"t{n}") == [b"a", b"b"]

    asyncio.run(story())


def test_unfinished_tables_are_known(tmp_path: Path) -> None:
    async def story() -> None:
        async with opened(tmp_path / "t.db") as store:
            await store.append("one", 1, [b"a"])
            await store.append("two", 1, [b"a"])
            await store.append("one", 2, [b"end"], ended=True)
            assert await store.unfinished() == ["two"]

    asyncio.run(story())


def test_every_commit_is_flushed_to_the_disk(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "t.db")
    connection = store._connect()
    assert connection.execute("PRAGMA synchronous").fetchone() == (2,)
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()
    asyncio.run(store.close())


def test_a_failing_disk_fails_the_append_and_the_next_one_can_succeed(tmp_path: Path) -> None:
    async def story() -> None:
        async with opened(tmp_path / "t.db") as store:
            await store.append("t", 1, [b"a"])
            connect = sqlite3.connect(tmp_path / "t.db", isolation_level=None)
            connect.execute("BEGIN IMMEDIATE")  # somebody holds the file for longer than the writer waits
            with pytest.raises(StoreFailed, match="locked"):
                await store.append("t", 2, [b"b"])
            connect.execute("ROLLBACK")
            connect.close()
            await store.append("t", 2, [b"b"])
            assert await store.read("t") == [b"a", b"b"]

    asyncio.run(story())
