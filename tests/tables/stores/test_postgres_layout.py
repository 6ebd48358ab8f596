"""PostgreSQL: from one version's layout to the next, and back, with a made-up next version."""

import asyncio
from pathlib import Path

import asyncpg
import pytest
from harness.command_line import refusal
from harness.postgres import Cluster, connected
from harness.tables.services import open_store

from illusion.cli import main
from illusion.tables import CannotOpen, TableService, exclusive_use
from illusion.tables.stores import postgres_layout
from illusion.tables.stores.layout import Layout
from illusion.tables.stores.postgres_layout import LAYOUT

NEXT = Layout(
    LAYOUT.version + 2,
    "",
    {
        LAYOUT.version + 1: "CREATE INDEX longest ON log (length(entry)) WHERE seq = 1",
        LAYOUT.version + 2: "CREATE TABLE clubs (name TEXT); DROP INDEX longest",
    },
)
ASIDE = f"before_schema_{NEXT.version}"


async def opened(database: str) -> str:
    """A table at which Ana sits."""
    async with open_store(database) as store:
        table, _ = await TableService(store).open("Ana", 4)
        return table


@pytest.fixture
def table(postgres: str) -> str:
    return asyncio.run(opened(postgres))


async def sat(database: str, table: str, name: str) -> None:
    async with open_store(database) as store:
        await TableService(store).sit(table, name)


def sit(database: str, table: str, name: str) -> None:
    """Somebody more sits down, at a server that is started for it."""
    with exclusive_use(database):
        asyncio.run(sat(database, table, name))


async def made_of(database: str, schema: str = "public") -> tuple[int, set[str], int]:
    async with connected(database) as connection:
        await connection.execute(f"SET search_path = {schema}")
        version = await connection.fetchval("SELECT version FROM illusion_schema")
        relations = "SELECT relname FROM pg_class WHERE relnamespace = $1::TEXT::REGNAMESPACE AND relkind = 'r'"
        things = {name for (name,) in await connection.fetch(relations, schema)}
        return version, things, await connection.fetchval("SELECT count(*) FROM log")


def test_the_next_version_copies_then_changes_and_the_old_one_goes_on_from_the_copy(
    postgres: str,
    table: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    version, things, entries = asyncio.run(made_of(postgres))
    main(["check", "--database", postgres])
    assert capsys.readouterr().out.endswith("1 table, 0.1 MB.\nNothing would change.\n")
    monkeypatch.setattr(postgres_layout, "LAYOUT", NEXT)
    main(["check", "--database", postgres])
    said = f"schema {version}, 1 table, 0.1 MB.\nIt would first be copied into its schema {ASIDE}, and then changed to"
    assert said in capsys.readouterr().out
    assert "start this one" in refusal(capsys, "backup", "--database", postgres, str(tmp_path / "b.db"))
    assert "start this one" in refusal(capsys, "export", "--database", postgres, str(tmp_path / "b.jsonl"))
    assert asyncio.run(made_of(postgres)) == (version, things, entries)
    assert list(tmp_path.iterdir()) == []

    sit(postgres, table, "Bob")
    assert asyncio.run(made_of(postgres)) == (NEXT.version, things | {"clubs"}, entries + 1)
    assert asyncio.run(made_of(postgres, ASIDE)) == (version, things, entries)
    assert caplog.messages == ["database-upgraded"]
    sit(postgres, table, "Cleo")
    assert len(caplog.messages) == 1

    monkeypatch.setattr(postgres_layout, "LAYOUT", LAYOUT)  # back again, as docs/operating.md says
    with pytest.raises(CannotOpen, match=f"made by a newer Illusion .schema {NEXT.version}"):
        sit(postgres, table, "Dora")
    backup = str(tmp_path / "old.db")
    main(["backup", "--database", f"{postgres}?search_path={ASIDE}", backup])
    main(["restore", "--database", postgres, backup])
    kept = capsys.readouterr().out.split()[-1]
    assert asyncio.run(made_of(postgres, kept)) == (NEXT.version, things | {"clubs"}, entries + 2)
    assert asyncio.run(made_of(postgres)) == (version, things, entries)
    sit(postgres, table, "Dora")


def test_a_change_that_fails_half_way_leaves_all_as_it_was(
    postgres: str, table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = asyncio.run(made_of(postgres))
    wrong = {**NEXT.upgrades, NEXT.version: "CREATE TABLE clubs (name TEXT); CREATE TABLE log (x INTEGER)"}
    monkeypatch.setattr(postgres_layout, "LAYOUT", NEXT._replace(upgrades=wrong))
    with pytest.raises(CannotOpen, match=r"could not be brought to schema .* as it was: .*log.* already exists"):
        sit(postgres, table, "Bob")
    assert asyncio.run(made_of(postgres)) == before
    with pytest.raises(asyncpg.UndefinedTableError):
        asyncio.run(made_of(postgres, ASIDE))
    monkeypatch.setattr(postgres_layout, "LAYOUT", NEXT._replace(upgrades={NEXT.version: ""}))
    with pytest.raises(CannotOpen, match="not one that this Illusion knows"):
        sit(postgres, table, "Bob")


async def test_servers_of_the_old_version_must_end_first(
    cluster: Cluster, postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that lost its connections meanwhile writes nothing more either."""
    async with open_store(postgres) as old:
        before = await made_of(postgres)
        with monkeypatch.context() as new:
            new.setattr(postgres_layout, "LAYOUT", NEXT)
            with pytest.raises(CannotOpen, match="another Illusion is using it"):
                await asyncio.to_thread(postgres_layout.upgrade, postgres)
            assert await made_of(postgres) == before
            await asyncio.to_thread(cluster.cut, postgres)
            await asyncio.to_thread(postgres_layout.upgrade, postgres)
        with pytest.raises(Exception, match="made by a newer Illusion"):
            await old.append("t", 1, [b"a"])
    assert (await made_of(postgres))[0] == NEXT.version


async def test_of_many_new_servers_that_start_at_once_one_upgrades(
    postgres: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    table = await opened(postgres)
    monkeypatch.setattr(postgres_layout, "LAYOUT", NEXT)

    async def start(name: str) -> None:
        await asyncio.to_thread(postgres_layout.upgrade, postgres)
        await sat(postgres, table, name)

    await asyncio.gather(*map(start, ("Bob", "Cleo", "Dora")))
    assert caplog.messages == ["database-upgraded"]
