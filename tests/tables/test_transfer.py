"""`illusion export` and `illusion import`: tables go from store to store and are the same there."""

import asyncio
import json
import stat
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from harness.command_line import refusal
from harness.tables.services import dealt_table, open_store, running_service, until_over

from illusion.cli import main
from illusion.tables.transfer import CannotTransfer, import_lines

Said = Callable[..., Awaitable[str]]


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]) -> Said:
    """Runs the command, and gives what it prints."""

    async def run(*arguments: str) -> str:
        await asyncio.to_thread(main, arguments)
        return capsys.readouterr().out

    return run


async def three_tables(database: str) -> dict[str, list[bytes]]:
    """Make a table that is over, one that waits and one in mid-game; their logs in this order."""
    async with running_service(database) as service:
        over, _ = await dealt_table(service, bots=[])
        await until_over(service, over)
        waiting, _ = await service.open("Zoë", 4)
        playing, _ = await dealt_table(service, bots=[])
    return await logs_of(database, [over, waiting, playing])


async def logs_of(database: str, tables: list[str]) -> dict[str, list[bytes]]:
    async with open_store(database) as store:
        return {table: await store.read(table) for table in tables}


@pytest.mark.parametrize("to_postgres", [True, False])
async def test_tables_move_to_the_other_store_and_nothing_is_changed(
    tmp_path: Path, postgres: str, said: Said, *, to_postgres: bool
) -> None:
    here, there = (str(tmp_path / "t.db"), postgres) if to_postgres else (postgres, str(tmp_path / "t.db"))
    logs = await three_tables(here)
    file = tmp_path / "tables.jsonl"
    file.touch(0o644)  # one that everybody may read is replaced
    await said("export", "--database", here, str(file))
    assert not list(tmp_path.glob("tables.jsonl?*"))
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    for taken in (3, 0):
        told = f"Taken in: {taken} tables; {3 - taken} were there already.\n"
        assert await said("import", "--database", there, str(file)) == told
    assert await logs_of(there, list(logs)) == logs
    async with open_store(there) as store:
        assert await store.claim(others=100) == sorted(list(logs)[1:])


async def test_a_table_that_went_on_is_continued_and_an_older_copy_changes_nothing(tmp_path: Path, said: Said) -> None:
    here, there = str(tmp_path / "here.db"), str(tmp_path / "there.db")
    logs = await three_tables(here)
    table = next(iter(logs))
    exported = await said("export", "--database", here, "--table", table, "-")
    line = json.loads(exported)
    older = {"table": table, "log": line["log"][:-3]}
    (tmp_path / "older").write_text(json.dumps(older, separators=(",", ":")) + "\n\n")
    (tmp_path / "newer").write_text(exported)
    for file, taken in (("older", 1), ("newer", 1), ("older", 0), ("newer", 0)):
        told = f"Taken in: {taken} tables; {1 - taken} were there already.\n"
        assert await said("import", "--database", there, str(tmp_path / file)) == told
    assert await logs_of(there, [table]) == {table: logs[table]}


async def test_another_table_of_the_same_name_is_not_replaced(tmp_path: Path) -> None:
    database = str(tmp_path / "t.db")
    logs = await three_tables(database)
    table, log = next(iter(logs.items()))
    good = b'{"table":"%s","log":[%s]}' % (table.encode(), b",".join(log))
    async with open_store(database) as store:
        with pytest.raises(CannotTransfer, match=f"line 2: another table {table} is there already"):
            await import_lines(store, [good, good.replace(b'"Ana"', b'"Eve"')])
    assert await logs_of(database, list(logs)) == logs


async def test_an_export_that_fails_leaves_the_old_file_and_nothing_else(tmp_path: Path, said: Said) -> None:
    await three_tables(str(tmp_path / "t.db"))
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "file").write_text("before")
    with pytest.raises(SystemExit, match="illusion: there is no table 22222222"):
        await said(
            "export", "--database", str(tmp_path / "t.db"), "--table", "22222222", str(tmp_path / "out" / "file")
        )
    assert [(path.name, path.read_text()) for path in (tmp_path / "out").iterdir()] == [("file", "before")]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["import", __file__], "line 1 is not a table: Expected `object`, got `str`"),
        (["export", "/nowhere/tables"], "the folder /nowhere does not exist"),
        (["import", "/nowhere/tables"], "/nowhere/tables cannot be read: No such file or directory"),
    ],
)
def test_what_is_not_there_gets_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], sentence: str
) -> None:
    told = refusal(capsys, *arguments[:1], "--database", str(tmp_path / "t.db"), *arguments[1:])
    assert told == f"illusion: {sentence}"
