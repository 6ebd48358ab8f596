"""What the embedded store promises beside the contract: a flushed disk, versions, and an end to failures."""

import asyncio
import sqlite3
from pathlib import Path

import pytest

from illusion.tables import CannotOpen, SqliteStore, StoreFailed
from tests.tables.test_store import opened


def test_every_commit_is_flushed_to_the_disk(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "t.db")
    connection = store._connect()
    assert connection.execute("PRAGMA synchronous").fetchone() == (2,)
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()
    asyncio.run(store.close())


def test_a_failing_disk_fails_the_append_and_the_next_one_can_succeed(tmp_path: Path) -> None:
    async def story() -> None:
        async with opened(str(tmp_path / "t.db")) as store:
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


def test_a_file_from_before_versions_were_counted_is_taken_over(tmp_path: Path) -> None:
    async def story() -> None:
        async with opened(str(tmp_path / "t.db")) as store:
            await store.append("t", 1, [b"a"])
        old = sqlite3.connect(tmp_path / "t.db")
        old.execute("PRAGMA user_version = 0")
        old.close()
        async with opened(str(tmp_path / "t.db")) as store:
            assert await store.read("t") == [b"a"]

    asyncio.run(story())


def test_a_file_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    newer = sqlite3.connect(tmp_path / "t.db")
    newer.execute("PRAGMA user_version = 99")
    newer.close()
    with pytest.raises(CannotOpen, match=r"made by a newer Illusion \(schema 99"):
        SqliteStore(tmp_path / "t.db")


def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    (tmp_path / "t.db").write_text("a letter to the editor, much longer than a page of a database" * 100)
    with pytest.raises(CannotOpen, match="not a database that can be written"):
        SqliteStore(tmp_path / "t.db")
