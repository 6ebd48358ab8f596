"""What SQLite promises beyond the contract: every commit on the disk, schema versions, recovery from failures."""

import asyncio
import os
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest
from harness.tables.services import open_store

from illusion.tables import CannotOpen, SqliteStore, StoreFailed, TableService, default_database, exclusive_use
from illusion.tables.stores.sqlite import connect, make_private


def test_every_commit_is_flushed_to_the_disk(tmp_path: Path) -> None:
    connection = connect(str(tmp_path / "t.db"))
    assert connection.execute("PRAGMA synchronous").fetchone() == (2,)
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()


async def test_appends_fail_while_somebody_holds_the_file_and_succeed_afterwards(tmp_path: Path) -> None:
    async with open_store(str(tmp_path / "t.db")) as store:
        await store.append("t", 1, [b"a"])
        with closing(sqlite3.connect(tmp_path / "t.db", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")  # for longer than the writer waits
            with pytest.raises(StoreFailed, match="locked"):
                await store.append("t", 2, [b"b"])
        before = (tmp_path / "t.db-wal").stat().st_size
        await store.check_writable()
        assert (tmp_path / "t.db-wal").stat().st_size > before
        await store.append("t", 2, [b"b"])
    with pytest.raises(StoreFailed, match="closed"):
        await store.append("t", 3, [b"c"])


@pytest.mark.parametrize(
    ("layout", "sentence"),
    [
        ("PRAGMA user_version = 99", r"made by a newer Illusion \(schema 99"),
        ("PRAGMA user_version = 1", "its layout is not one that this Illusion knows"),
        ("CREATE TABLE log (table_id, seq, entry)", "its layout is not one that this Illusion knows"),
    ],
)
async def test_a_file_of_another_layout_is_left_alone(tmp_path: Path, layout: str, sentence: str) -> None:
    other = sqlite3.connect(tmp_path / "t.db")
    other.execute(layout)
    other.close()
    before = (tmp_path / "t.db").read_bytes()
    with pytest.raises(CannotOpen, match=sentence):
        await SqliteStore(tmp_path / "t.db").open()
    assert (tmp_path / "t.db").read_bytes() == before
    assert list(tmp_path.iterdir()) == [tmp_path / "t.db"]


@pytest.mark.parametrize("put", [None, "an empty file", "a copy"])
async def test_nothing_is_acknowledged_once_the_file_was_removed_or_replaced(
    tmp_path: Path, put: str | None, caplog: pytest.LogCaptureFixture
) -> None:
    """L4: it would be gone with the last connection. After the file was put back play goes on."""
    file, away = tmp_path / "t.db", tmp_path / "away.db"
    async with open_store(str(file)) as store:
        await store.append("t", 1, [b"a"])
        file.rename(away)
        if put is not None:
            file.write_bytes(away.read_bytes() if put == "a copy" else b"")
        for store_something in (store.append("t", 2, [b"b"]), store.check_writable()):
            with pytest.raises(StoreFailed, match="removed or replaced"):
                await store_something
        assert caplog.messages == ["database-replaced"]
        away.rename(file)
        await store.append("t", 2, [b"b"])
        assert await store.read("t") == [b"a", b"b"]


async def test_a_store_that_lost_what_it_had_confirmed_is_noticed(tmp_path: Path) -> None:
    async with open_store(str(tmp_path / "t.db")) as store:
        service = TableService(store)
        table, _ = await service.open("Ana", 3)
        await service.sit(table, "Bob")
        forgetful = sqlite3.connect(tmp_path / "t.db")
        with forgetful:
            forgetful.execute("DELETE FROM log WHERE seq = 3")
        forgetful.close()
        async with asyncio.timeout(10):
            with pytest.raises(StoreFailed, match="lost what it had confirmed"):
                await service.sit(table, "Cleo")


def modes(folder: Path) -> dict[str, int]:
    return {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir() if not path.is_symlink()}


@pytest.mark.parametrize("linked", [False, True])
async def test_its_files_can_be_read_by_their_owner_alone(tmp_path: Path, *, linked: bool) -> None:
    """New ones, and such as a careless copy makes, with entries in its -wal file."""
    path, named = tmp_path / "t.db", tmp_path / ("link.db" if linked else "t.db")
    if linked:
        named.symlink_to(path)
    before = os.umask(0)
    try:
        async with open_store(str(named)) as made:
            await made.append("t", 1, [b"a"])
            assert modes(tmp_path) == dict.fromkeys(("t.db", "t.db-wal", "t.db-shm"), 0o600)
    finally:
        os.umask(before)
    with closing(sqlite3.connect(path)) as old:
        old.execute("INSERT INTO log VALUES ('t', 2, 'b', NULL)")
        old.commit()
        for name in ("t.db", "t.db-wal", "t.db-shm"):
            (tmp_path / name).chmod(0o644)
        async with open_store(str(named)):
            assert modes(tmp_path) == dict.fromkeys(("t.db", "t.db-wal", "t.db-shm"), 0o600)


@pytest.mark.parametrize("kind", ["folder", "pipe"])
async def test_what_is_no_file_is_refused_and_left_as_it_is(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "t.db"
    path.mkdir(0o755) if kind == "folder" else os.mkfifo(path, 0o644)
    before = path.stat().st_mode
    with pytest.raises(CannotOpen, match="is not a file"):
        await SqliteStore(path).open()
    with pytest.raises(CannotOpen, match="is not a file"), exclusive_use(path):
        pass
    assert path.stat().st_mode == before
    assert list(tmp_path.iterdir()) == [path]


async def test_nobody_elses_file_gets_another_mode(tmp_path: Path) -> None:
    """A link or a second name beside the database may lead to anything."""
    other = tmp_path / "other"
    other.touch(0o644)
    (tmp_path / "t.db-shm").symlink_to(other)
    make_private(str(tmp_path / "t.db"))
    (tmp_path / "t.db-wal").hardlink_to(other)
    make_private(str(tmp_path / "t.db"))
    assert stat.S_IMODE(other.stat().st_mode) == 0o644
    assert stat.S_IMODE((tmp_path / "t.db").stat().st_mode) == 0o600


async def test_a_file_with_an_odd_name_is_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite itself would keep :memory: in memory, once for each connection."""
    monkeypatch.chdir(tmp_path)
    for name in (":memory:", "file:x?mode=memory", "a b?c#d"):
        async with open_store(name) as store:
            await store.append("t", 1, [b"a"])
            assert await store.read("t") == [b"a"]
        assert (tmp_path / name).stat().st_size


def test_the_data_folder_is_its_owners_alone_or_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "a" / "b"))
    before = os.umask(0)
    try:
        assert default_database() == default_database() == tmp_path / "a" / "b" / "illusion" / "tables.db"
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "a" / "b" / "illusion").stat().st_mode) == 0o700
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file"))
    with pytest.raises(CannotOpen, match=r"the folder .*/file/illusion cannot be made: "):
        default_database()
