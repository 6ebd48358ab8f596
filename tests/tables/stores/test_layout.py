"""From one version's layout to the next, and back: with a made-up next version."""

import asyncio
import shutil
import sqlite3
import stat
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest
from harness.tables.services import open_store

from illusion.tables import CannotOpen, SqliteStore, TableService, exclusive_use
from illusion.tables.stores import layout
from illusion.tables.stores.layout import LAYOUT, Layout, outlook

INDEX = "CREATE INDEX longest ON log (length(entry)) WHERE seq = 1"
NEXT = Layout(
    LAYOUT.version + 2,
    "",
    {LAYOUT.version + 1: INDEX, LAYOUT.version + 2: "CREATE TABLE clubs (name); DROP INDEX longest"},
)


@pytest.fixture
def table(tmp_path: Path) -> str:
    """A database of today with one table, at which Ana sits."""

    async def opened() -> str:
        async with open_store(str(tmp_path / "t.db")) as store:
            table, _ = await TableService(store).open("Ana", 3)
            return table

    return asyncio.run(opened())


def sit(path: Path, table: str, name: str) -> None:
    """Somebody more sits down, at a server that has the database to itself."""

    async def sat() -> None:
        async with open_store(str(path)) as store:
            await TableService(store).sit(table, name)

    with exclusive_use(path):
        asyncio.run(sat())


def made_of(path: Path) -> tuple[int, set[str], int]:
    with closing(sqlite3.connect(path)) as connection:
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        things = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
        (entries,) = connection.execute("SELECT count(*) FROM log").fetchone()
    return version, things, entries


LIKE_OURS = (
    "DROP TABLE log; CREATE VIEW log AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x FROM n) "
    "SELECT 'a' AS table_id, 1 AS seq, x AS entry, 1 AS unfinished FROM n",
    "CREATE TRIGGER away AFTER INSERT ON log BEGIN DELETE FROM log; END",
    "DROP TABLE log; CREATE TABLE log (table_id, seq, line)",
)


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize("sql", LIKE_OURS)
def test_a_database_that_only_looks_like_ours_is_refused(tmp_path: Path, sql: str) -> None:
    """Asking an endless view for its number of tables took for ever."""
    with closing(sqlite3.connect(tmp_path / "t.db")) as connection:
        connection.executescript(sql)
    with pytest.raises(CannotOpen, match="not one that this Illusion knows"):
        outlook(str(tmp_path / "t.db"))


def test_the_next_version_copies_aside_then_changes_and_the_old_one_goes_on_with_the_copy(
    tmp_path: Path, table: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    path, aside = tmp_path / "t.db", tmp_path / f"t.db-before-schema-{NEXT.version}"
    version, things, entries = made_of(path)
    monkeypatch.setattr(layout, "LAYOUT", NEXT)
    found = outlook(str(path))
    assert (list(found.steps), found.tables) == ([version + 1, version + 2], 1)
    assert 0 < found.size <= found.needed < found.free
    sit(path, table, "Bob")
    assert made_of(path) == (NEXT.version, things | {"clubs"}, entries + 1)
    assert made_of(aside) == (version, things, entries)
    assert stat.S_IMODE(aside.stat().st_mode) == 0o600
    assert caplog.messages == ["database-upgraded"]
    sit(path, table, "Cleo")
    assert len(list(tmp_path.glob("*before*"))) == 1
    monkeypatch.setattr(layout, "LAYOUT", LAYOUT)  # back again
    with pytest.raises(CannotOpen, match=f"made by a newer Illusion .schema {NEXT.version}"):
        sit(path, table, "Dora")
    shutil.copy(aside, path)
    sit(path, table, "Dora")
    assert made_of(path) == (version, things, entries + 1)


def test_without_the_database_to_itself_or_room_for_a_copy_it_changes_no_layout(
    tmp_path: Path, table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such as `illusion export` of a new version, while a server of the old one runs."""
    path, before = tmp_path / "t.db", made_of(tmp_path / "t.db")
    monkeypatch.setattr(layout, "LAYOUT", NEXT)
    with pytest.raises(CannotOpen, match="of an older Illusion: start this one"):
        asyncio.run(SqliteStore(path).open())
    with exclusive_use(path, upgrades=False):
        pass
    size = outlook(str(path)).size
    monkeypatch.setattr(shutil, "disk_usage", lambda _folder: SimpleNamespace(free=2 * size - 1))
    with pytest.raises(CannotOpen, match=r"no room for a copy: .* are needed, .* free. Nothing was changed"):
        sit(path, table, "Bob")
    assert made_of(path) == before
    assert not list(tmp_path.glob("*before*"))


def test_a_change_that_fails_half_way_leaves_all_as_it_was(
    tmp_path: Path, table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = made_of(tmp_path / "t.db")
    wrong = NEXT._replace(upgrades={**NEXT.upgrades, NEXT.version: "CREATE TABLE clubs (name); CREATE TABLE log (x)"})
    monkeypatch.setattr(layout, "LAYOUT", wrong)
    with pytest.raises(CannotOpen, match=r"could not be brought to schema .* as it was: table log already exists"):
        sit(tmp_path / "t.db", table, "Bob")
    assert made_of(tmp_path / "t.db") == before
    monkeypatch.setattr(layout, "LAYOUT", NEXT)  # repaired; the first copy stays
    sit(tmp_path / "t.db", table, "Bob")
    assert len(list(tmp_path.glob("*before*"))) == 2
    monkeypatch.setattr(layout, "LAYOUT", LAYOUT._replace(version=NEXT.version + 2, upgrades={NEXT.version + 2: INDEX}))
    with pytest.raises(CannotOpen, match="not one that this Illusion knows"):  # the step before it is missing
        sit(tmp_path / "t.db", table, "Cleo")


def test_what_a_killed_server_left_in_the_wal_is_in_the_copy(
    tmp_path: Path, table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The files are copied while a server has them open, as a kill leaves them."""
    path, killed = tmp_path / "t.db", tmp_path / "killed"
    killed.mkdir()

    async def play() -> None:
        async with open_store(str(path)) as store:
            await TableService(store).sit(table, "Bob")
            for each in ("t.db", "t.db-wal"):
                shutil.copy(tmp_path / each, killed / each)

    asyncio.run(play())
    assert (killed / "t.db-wal").stat().st_size
    monkeypatch.setattr(layout, "LAYOUT", NEXT)
    with exclusive_use(killed / "t.db"):
        pass
    assert made_of(killed / f"t.db-before-schema-{NEXT.version}")[2] == made_of(path)[2]
