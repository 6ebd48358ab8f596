"""Two servers on one SQLite file: the second one says so in one sentence and ends, and nothing happens to the first."""

import re
import stat
from pathlib import Path

import pytest
from harness.command_line import run_illusion
from harness.servers import Server, opened, play_on


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "none.jsonl").touch()
    return tmp_path


def test_the_second_one_says_so_and_ends(folder: Path) -> None:
    server = Server(folder)
    try:
        seats = opened(server)
        seats[0].post("start")
        (folder / "link.db").symlink_to("tables.db")
        for database, command in (
            (str(server.database), ["serve", "--port", "0"]),
            (str(folder / "link.db"), ["serve", "--port", "0"]),
            (f"{folder}/./tables.db", ["import", str(folder / "none.jsonl")]),
        ):
            ran = run_illusion(*command[:1], "--database", database, *command[1:])
            said = f"another Illusion (process {server.process.pid}) is using {database}; end that one first"
            assert (ran.returncode, ran.stdout) == (1, "")
            assert ran.stderr == f"illusion: the database cannot be used: {said}\n"
        exported = run_illusion("export", "--database", str(server.database), "-")  # reading is fine
        assert (exported.returncode, exported.stderr) == (0, "")
        assert seats[0].table in exported.stdout
        assert play_on(seats, 5)["seq"] == 9
    finally:
        assert server.stop() == 0
    assert server.said == []


def test_a_server_that_was_killed_holds_nothing(folder: Path) -> None:
    server = Server(folder)
    table = opened(server)[0]
    server.kill()
    lock = folder / "tables.db-lock"
    assert stat.S_IMODE(lock.stat().st_mode) == 0o600
    ran = run_illusion("import", "--database", str(server.database), str(folder / "none.jsonl"))
    assert (ran.returncode, ran.stderr) == (0, "")
    server.start()
    assert table.view()["seq"] == 3
    assert server.stop() == 0


def test_a_file_whose_folder_is_not_there_gets_one_sentence(tmp_path: Path) -> None:
    ran = run_illusion("serve", "--port", "0", "--database", str(tmp_path / "nowhere" / "t.db"))
    assert ran.returncode == 1
    assert re.fullmatch(
        r"illusion: the database cannot be used: \S+ cannot be written: No such file or directory\n", ran.stderr
    )
