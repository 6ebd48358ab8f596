"""Two servers on one SQLite file: the second one says so in one sentence and ends, and nothing happens to the first."""

import stat
from concurrent.futures import ThreadPoolExecutor
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
        commands = (
            ["serve", "--database", str(server.database), "--port", "0"],
            ["serve", "--database", str(folder / "link.db"), "--port", "0"],
            ["import", "--database", f"{folder}/./tables.db", str(folder / "none.jsonl")],
            ["export", "--database", str(server.database), "-"],
        )
        with ThreadPoolExecutor() as at_once:
            *refused, exported = at_once.map(lambda command: run_illusion(*command), commands)
        for command, ran in zip(commands, refused, strict=False):
            said = f"another Illusion (process {server.process.pid}) is using {command[2]}; end that one first"
            assert (ran.returncode, ran.stdout) == (1, "")
            assert ran.stderr == f"illusion: the database cannot be used: {said}\n"
        assert (exported.returncode, exported.stderr) == (0, "")  # reading is fine
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
