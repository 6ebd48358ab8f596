"""What SQLite promises beyond the contract: every commit on the disk, schema versions, recovery from failures."""

import asyncio
import os
import sqlite3
import stat
from pathlib import Path

import pytest
from harness.tables.stores import open_store

from illusion.tables import CannotOpen, SqliteStore, Stale, StoreFailed, TableService, default_database, exclusive_use
from illusion.tables.stores.sqlite.log import MAX_UNSORTED, SORTED_AT_ONCE, Append, Log, connect, make_private, migrate


async def test_every_commit_is_flushed_to_the_disk(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "t.db")
    connection = connect(str(tmp_path / "t.db"))
    assert connection.execute("PRAGMA synchronous").fetchone() == (2,)
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()
    await store.close()


async def test_a_failing_disk_fails_the_append_and_the_next_one_can_succeed(tmp_path: Path) -> None:
    async with open_store(str(tmp_path / "t.db")) as store:
        await store.append("t", 1, [b"a"])
        connect = sqlite3.connect(tmp_path / "t.db", isolation_level=None)
        connect.execute("BEGIN IMMEDIATE")  # somebody holds the file for longer than the writer waits
        with pytest.raises(StoreFailed, match="locked"):
            await store.append("t", 2, [b"b"])
        connect.execute("ROLLBACK")
        connect.close()
        await store.append("t", 2, [b"b"])
        assert await store.read("t") == [b"a", b"b"]


async def test_a_check_is_written_to_the_disk_and_fails_where_an_append_would(tmp_path: Path) -> None:
    async with open_store(str(tmp_path / "t.db")) as store:
        await store.append("t", 1, [b"a"])
        log = tmp_path / "t.db-wal"
        before = log.stat().st_size
        await store.check_writable()
        assert log.stat().st_size > before
        other = sqlite3.connect(tmp_path / "t.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreFailed, match="locked"):
            await store.check_writable()
        other.execute("ROLLBACK")
        other.close()
        await store.check_writable()
        await store.append("t", 2, [b"b"])
    with pytest.raises(StoreFailed, match="closed"):
        await store.check_writable()


async def test_a_file_from_before_versions_were_counted_is_taken_over(tmp_path: Path) -> None:
    async with open_store(str(tmp_path / "t.db")) as store:
        await store.append("t", 1, [b"a"])
    old = sqlite3.connect(tmp_path / "t.db")
    old.executescript("INSERT INTO log SELECT table_id, seq, entry FROM fresh; DROP VIEW entries; DROP TABLE fresh")
    old.execute("PRAGMA user_version = 0")
    old.close()
    async with open_store(str(tmp_path / "t.db")) as store:
        assert await store.read("t") == [b"a"]


def test_a_file_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    newer = sqlite3.connect(tmp_path / "t.db")
    newer.execute("PRAGMA user_version = 99")
    newer.close()
    with pytest.raises(CannotOpen, match=r"made by a newer Illusion \(schema 99"):
        SqliteStore(tmp_path / "t.db")


async def test_sorting_entries_to_their_tables_changes_nothing_that_is_read(tmp_path: Path) -> None:
    rounds = MAX_UNSORTED // 3 + 1

    def rows_in(where: str) -> int:
        connection = connect(str(tmp_path / "t.db"))
        (count,) = connection.execute(f"SELECT count(*) FROM {where}").fetchone()  # noqa: S608
        connection.close()
        return int(count)

    async with open_store(str(tmp_path / "t.db")) as store:
        for seq in range(1, 4):
            await asyncio.gather(*(store.append(f"t{at}", seq, [b"%d" % seq]) for at in range(rounds)))
            assert await store.read("t7") == [b"%d" % each for each in range(1, seq + 1)]
            if seq == 1:
                assert (rows_in("log"), rows_in("fresh")) == (0, rounds)
        with pytest.raises(Stale):
            await store.append("t7", 3, [b"late"])
        await store.append("t7", 4, [b"4"])
        assert rows_in("fresh") <= MAX_UNSORTED
        assert rows_in("log") + rows_in("fresh") == rounds * 3 + 1
        assert await store.read("t7", after=2) == [b"3", b"4"]
        assert await store.heads(["t7", "t8", "none"]) == {"t7": 4, "t8": 3}
    await SqliteStore(tmp_path / "t.db").close()
    assert (rows_in("log"), rows_in("fresh")) == (rounds * 3 + 1, 0)  # opening it sorts it


def test_sorting_a_part_of_the_tables_at_a_time_loses_and_forgets_nothing(tmp_path: Path) -> None:
    """Between two parts more is written, also to tables that were just sorted; nobody waits for more than one part."""
    connection = connect(str(tmp_path / "t.db"))
    migrate(connection)
    log, tables, parts = Log(connection), [f"t{at:03}" for at in range(300)], []
    for seq in range(1, 30):
        appends = [Append(table, seq, [b"%d" % seq], ended=False) for table in tables]
        for start in range(0, len(appends), 100):
            assert log.commit(appends[start : start + 100]) == [None] * 100
            (before,) = connection.execute("SELECT count(*) FROM log").fetchone()
            log.sort(2 * SORTED_AT_ONCE)
            (after,) = connection.execute("SELECT count(*) FROM log").fetchone()
            parts.append(after - before)
            (unsorted,) = connection.execute("SELECT count(*) FROM fresh").fetchone()
            assert unsorted <= 2 * SORTED_AT_ONCE
            assert after + unsorted == (seq - 1) * 300 + start + 100
    assert 0 < max(parts) < SORTED_AT_ONCE + 30  # and what else the last table has
    assert log.commit([Append("t007", 29, [b"late"], ended=False)]) != [None]
    for table in tables:
        rows = connection.execute("SELECT entry FROM entries WHERE table_id = ? ORDER BY seq", (table,)).fetchall()
        assert rows == [(b"%d" % seq,) for seq in range(1, 30)]
    connection.close()


async def test_entries_that_cannot_be_sorted_stay_where_they_are(tmp_path: Path) -> None:
    await SqliteStore(tmp_path / "t.db").close()
    connection = connect(str(tmp_path / "t.db"))
    log = Log(connection)
    assert log.commit([Append("t", 1, [b"a", b"b"], ended=False)]) == [None]
    connection.execute("CREATE TRIGGER full BEFORE INSERT ON log BEGIN SELECT RAISE(ABORT, 'no room'); END")
    log.sort_all()
    assert connection.execute("SELECT entry FROM entries ORDER BY seq").fetchall() == [(b"a",), (b"b",)]
    assert log.commit([Append("t", 3, [b"c"], ended=False)]) == [None]
    connection.execute("DROP TRIGGER full")
    log.sort_all()
    assert connection.execute("SELECT entry FROM log").fetchall() == [(b"a",), (b"b",), (b"c",)]
    connection.close()


async def test_a_table_that_begins_after_a_stale_append_is_unfinished_too(tmp_path: Path) -> None:
    async with open_store(str(tmp_path / "t.db")) as store:
        with pytest.raises(Stale):
            await store.append("t", 7, [b"early"])
        await store.append("t", 1, [b"a"])
        assert await store.unfinished() == 1


async def test_a_file_of_the_first_version_is_brought_up_to_date(tmp_path: Path) -> None:
    old = sqlite3.connect(tmp_path / "t.db")
    old.executescript(
        "CREATE TABLE log (table_id TEXT NOT NULL, seq INTEGER NOT NULL, entry BLOB NOT NULL,"
        " PRIMARY KEY (table_id, seq)) WITHOUT ROWID;"
        " CREATE TABLE unfinished (table_id TEXT PRIMARY KEY) WITHOUT ROWID; PRAGMA user_version = 1;"
        " INSERT INTO log VALUES ('t', 1, CAST('a' AS BLOB)); INSERT INTO unfinished VALUES ('t');"
    )
    old.close()

    async with open_store(str(tmp_path / "t.db")) as store:
        await store.append("t", 2, [b"b"])
        assert await store.read("t") == [b"a", b"b"]
        assert (await store.claim(others=100)).tables == ["t"]


async def test_a_store_that_lost_what_it_had_confirmed_is_noticed(tmp_path: Path) -> None:
    async with open_store(str(tmp_path / "t.db")) as store:
        service = TableService(store)
        table, _ = await service.open("Ana", 3)
        await service.sit(table, "Bob")
        forgetful = sqlite3.connect(tmp_path / "t.db")
        with forgetful:
            forgetful.execute("DELETE FROM fresh WHERE seq = 3")
        forgetful.close()
        async with asyncio.timeout(10):
            with pytest.raises(StoreFailed, match="lost what it had confirmed"):
                await service.sit(table, "Cleo")


def test_a_connection_that_cannot_be_used_is_closed(tmp_path: Path) -> None:
    """An open connection would keep its file descriptor, which is how this test finds it."""
    (tmp_path / "t.db").write_text("not a database" * 1000)
    with pytest.raises(sqlite3.DatabaseError):
        connect(str(tmp_path / "t.db"))
    held = [path.readlink() for path in Path("/proc/self/fd").iterdir() if path.is_symlink()]
    assert tmp_path / "t.db" not in held


@pytest.mark.parametrize("umask", [0o022, 0o000])
async def test_a_new_file_can_be_read_by_its_owner_alone(tmp_path: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        store = SqliteStore(tmp_path / "t.db")
    finally:
        os.umask(before)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
    assert modes == dict.fromkeys(("t.db", "t.db-wal", "t.db-shm"), 0o600)
    await store.close()


@pytest.mark.parametrize("linked", [False, True])
async def test_a_file_that_others_could_read_becomes_its_owners_alone(tmp_path: Path, *, linked: bool) -> None:
    """As earlier versions made it, and left it if they were killed: with entries in its -wal file."""
    named = tmp_path / ("link.db" if linked else "t.db")
    if linked:
        named.symlink_to(tmp_path / "t.db")
    old = connect(str(tmp_path / "t.db"))
    migrate(old)
    for name in ("t.db", "t.db-wal", "t.db-shm"):
        (tmp_path / name).chmod(0o644)
    store = SqliteStore(named)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir() if not path.is_symlink()}
    assert modes == dict.fromkeys(("t.db", "t.db-wal", "t.db-shm"), 0o600)
    await store.close()
    old.close()


@pytest.mark.parametrize("kind", ["folder", "pipe"])
def test_what_is_no_file_is_refused_and_left_as_it_is(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "t.db"
    path.mkdir(0o755) if kind == "folder" else os.mkfifo(path, 0o644)
    before = path.stat().st_mode
    for use in (SqliteStore, lambda path: exclusive_use(path).__enter__()):
        with pytest.raises(CannotOpen, match="is not a file"):
            use(path)
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


@pytest.mark.parametrize("umask", [0o022, 0o000])
def test_the_data_folder_is_its_owners_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, umask: int) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "a" / "b"))
    before = os.umask(umask)
    try:
        assert default_database() == default_database() == tmp_path / "a" / "b" / "illusion" / "tables.db"
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "a" / "b" / "illusion").stat().st_mode) == 0o700


def test_a_data_folder_that_cannot_be_made_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file"))
    with pytest.raises(CannotOpen, match=r"the folder .*/file/illusion cannot be made: "):
        default_database()
