"""`illusion export` and `illusion import`: tables go from store to store and are the same there."""

import json
import stat
from pathlib import Path

import pytest
from harness.command_line import run_illusion
from harness.tables.services import dealt_table, running_service, until_over
from harness.tables.stores import open_store

from illusion.tables.model.entries import Doubted, encode
from illusion.tables.transfer import CannotTransfer, import_lines


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
    tmp_path: Path, postgres: str, *, to_postgres: bool
) -> None:
    here, there = (str(tmp_path / "t.db"), postgres) if to_postgres else (postgres, str(tmp_path / "t.db"))
    logs = await three_tables(here)
    file = tmp_path / "tables.jsonl"
    file.touch(0o644)  # one that everybody may read is replaced
    assert run_illusion("export", "--database", here, str(file)).returncode == 0
    assert not list(tmp_path.glob("tables.jsonl?*"))
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    for said in ("Taken in: 3 tables; 0 were there already.\n", "Taken in: 0 tables; 3 were there already.\n"):
        assert run_illusion("import", "--database", there, str(file)).stdout == said
    assert await logs_of(there, list(logs)) == logs
    async with open_store(there) as store:
        assert await store.claim(others=100) == sorted(list(logs)[1:])


async def test_a_table_that_went_on_is_continued_and_an_older_copy_changes_nothing(tmp_path: Path) -> None:
    here, there = str(tmp_path / "here.db"), str(tmp_path / "there.db")
    logs = await three_tables(here)
    table = next(iter(logs))
    exported = run_illusion("export", "--database", here, "--table", table, "-").stdout
    line = json.loads(exported)
    older = {"table": table, "log": line["log"][:-3]}
    (tmp_path / "older").write_text(json.dumps(older, separators=(",", ":")) + "\n\n")
    (tmp_path / "newer").write_text(exported)
    for file, taken in (("older", 1), ("newer", 1), ("older", 0), ("newer", 0)):
        said = run_illusion("import", "--database", there, str(tmp_path / file)).stdout
        assert said == f"Taken in: {taken} tables; {1 - taken} were there already.\n"
    assert await logs_of(there, [table]) == {table: logs[table]}


async def test_what_is_no_table_gets_one_sentence_with_its_line(tmp_path: Path) -> None:
    database = str(tmp_path / "t.db")
    logs = await three_tables(database)
    table, log = next(iter(logs.items()))
    good = b'{"table":"%s","log":[%s]}' % (table.encode(), b",".join(log))
    doubt = encode(Doubted(0, 0))
    for text, sentence in (
        (b"{", "line 2 is not a table: Input data was truncated"),
        (b'{"table":"x","log":[{}]}', "line 2 is not a table: its name is not that of a table"),
        (b'{"table":"22222222","log":[]}', "line 2 is not a table: Expected `array` of length >= 1 - at `$.log`"),
        (
            b'{"table":"22222222","log":[%s]}' % doubt,
            "line 2 is not a table: entry 1 does not fit: a table is opened by its first entry and by no other",
        ),
        (
            b'{"table":"22222222","log":[%s,%s]}' % (log[0], doubt),
            "line 2 is not a table: entry 2 does not fit: the table is waiting, not playing",
        ),
        (
            b'{"table":"22222222","log":[%s,{"entry":"dance"}]}' % log[0],
            "line 2 is not a table: entry 2: Invalid value 'dance' - at `$.entry`",
        ),
        (good.replace(b'"Ana"', b'"Eve"'), f"line 2: another table {table} is there already"),
    ):
        async with open_store(database) as store:
            with pytest.raises(CannotTransfer) as caught:
                await import_lines(store, [good, text])
        assert str(caught.value) == sentence
    assert await logs_of(database, list(logs)) == logs


async def test_an_export_that_fails_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    await three_tables(str(tmp_path / "t.db"))
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "file").write_text("before")
    ran = run_illusion(
        "export", "--database", str(tmp_path / "t.db"), "--table", "22222222", str(tmp_path / "out" / "file")
    )
    assert (ran.returncode, ran.stderr) == (1, "illusion: there is no table 22222222\n")
    assert [(path.name, path.read_text()) for path in (tmp_path / "out").iterdir()] == [("file", "before")]


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
    ran = run_illusion(*arguments[:1], "--database", str(tmp_path / "t.db"), *arguments[1:])
    assert (ran.returncode, ran.stderr) == (1, f"illusion: {sentence}\n")
