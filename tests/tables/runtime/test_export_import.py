"""`illusion export` and `illusion import`: tables go from store to store and are the same there."""

import asyncio
import json
import stat
from pathlib import Path

import pytest

from illusion.tables import store_at
from illusion.tables.model import commands
from illusion.tables.model.entries import Doubted, encode
from illusion.tables.runtime.export_import import CannotTransfer, Moved, import_lines
from tests.tables.runtime.test_table_service import dealt, finished, services
from tests.test_cli import illusion


def played(database: str) -> dict[str, list[bytes]]:
    """A table that waits, one in mid-game and one that is over; their logs."""

    async def story() -> dict[str, list[bytes]]:
        async with services(database) as service:
            over, _ = await dealt(service)
            await service.execute(over, lambda state, now: commands.leave(state, now, 0))
            await finished(service, over)
            tables = [over, (await service.open("Zoë", 4))[0], (await dealt(service, bots=[]))[0]]
            await asyncio.sleep(0)
        return await logs_of(database, tables)

    return asyncio.run(story())


async def logs_of(database: str, tables: list[str]) -> dict[str, list[bytes]]:
    store = store_at(database)
    await store.open()
    found = {table: await store.read(table) for table in tables}
    await store.close()
    return found


async def taken(database: str, lines: list[bytes]) -> Moved:
    store = store_at(database)
    await store.open()
    try:
        return await import_lines(store, lines)
    finally:
        await store.close()


async def unfinished(database: str) -> list[str]:
    store = store_at(database)
    await store.open()
    claimed = sorted((await store.claim()).tables)
    await store.close()
    return claimed


@pytest.mark.parametrize("to_postgres", [True, False])
def test_tables_move_to_the_other_store_and_nothing_is_changed(
    tmp_path: Path, postgres: str, *, to_postgres: bool
) -> None:
    here, there = (str(tmp_path / "t.db"), postgres) if to_postgres else (postgres, str(tmp_path / "t.db"))
    logs = played(here)
    file = tmp_path / "tables.jsonl"
    assert illusion("export", "--database", here, str(file)).returncode == 0
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    for taken in ("Taken in: 3 tables; 0 were there already.\n", "Taken in: 0 tables; 3 were there already.\n"):
        assert illusion("import", "--database", there, str(file)).stdout == taken
    assert asyncio.run(logs_of(there, list(logs))) == logs
    assert asyncio.run(unfinished(there)) == sorted(list(logs)[1:])


def test_a_table_that_went_on_is_continued_and_an_older_copy_changes_nothing(tmp_path: Path) -> None:
    here, there = str(tmp_path / "here.db"), str(tmp_path / "there.db")
    logs = played(here)
    table = next(iter(logs))
    exported = illusion("export", "--database", here, "--table", table, "-").stdout
    line = json.loads(exported)
    older = {"table": table, "log": line["log"][:-3]}
    (tmp_path / "older").write_text(json.dumps(older, separators=(",", ":")) + "\n\n")
    (tmp_path / "newer").write_text(exported)
    for file, taken in (("older", 1), ("newer", 1), ("older", 0), ("newer", 0)):
        said = illusion("import", "--database", there, str(tmp_path / file)).stdout
        assert said == f"Taken in: {taken} tables; {1 - taken} were there already.\n"
    assert asyncio.run(logs_of(there, [table])) == {table: logs[table]}


def test_what_is_no_table_gets_one_sentence_with_its_line(tmp_path: Path) -> None:
    database = str(tmp_path / "t.db")
    logs = played(database)
    table, log = next(iter(logs.items()))
    good = b'{"table":"%s","log":[%s]}' % (table.encode(), b",".join(log))
    doubt = encode(Doubted(0, 0))
    for text, sentence in (
        (b"{", "line 2 is not a table: Input data was truncated"),
        (b'{"table":"x","log":[]}', "line 2 is not a table: its name is not that of a table"),
        (b'{"table":"22222222","log":[]}', "line 2 is not a table: its log is empty"),
        (
            b'{"table":"22222222","log":[%s]}' % doubt,
            "line 2 is not a table: entry 1: a table is opened once, and first",
        ),
        (
            b'{"table":"22222222","log":[%s,%s]}' % (log[0], doubt),
            "line 2 is not a table: entry 2 does not fit those before it",
        ),
        (
            b'{"table":"22222222","log":[%s,{"entry":"dance"}]}' % log[0],
            "line 2 is not a table: entry 2: Invalid value 'dance' - at `$.entry`",
        ),
        (good.replace(b'"Ana"', b'"Eve"'), f"line 2: another table {table} is there already"),
    ):
        with pytest.raises(CannotTransfer) as caught:
            asyncio.run(taken(database, [good, text]))
        assert str(caught.value) == sentence
    assert asyncio.run(logs_of(database, list(logs))) == logs


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["export", "--table", "22222222", "-"], "there is no table 22222222"),
        (["import", __file__], "line 1 is not a table: Expected `object`, got `str`"),
        (["export", "/nowhere/tables"], "/nowhere/tables cannot be written: No such file or directory"),
        (["import", "/nowhere/tables"], "/nowhere/tables cannot be read: No such file or directory"),
    ],
)
def test_what_is_not_there_gets_one_sentence(tmp_path: Path, arguments: list[str], sentence: str) -> None:
    ran = illusion(*arguments[:1], "--database", str(tmp_path / "t.db"), *arguments[1:])
    assert (ran.returncode, ran.stderr) == (1, f"illusion: {sentence}\n")
