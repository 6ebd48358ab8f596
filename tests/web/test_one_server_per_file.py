"""Two servers on one SQLite file: the second one says so in one sentence and ends, and nothing happens to the first."""

import stat
from pathlib import Path

import pytest
from harness.command_line import refusal
from harness.servers import Server, opened, play_on

from illusion.cli import main


def test_the_second_one_says_so_and_ends_until_the_first_is_killed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server, none = Server(tmp_path), tmp_path / "none.jsonl"
    none.touch()
    seats = opened(server)
    seats[0].post("start")
    (tmp_path / "link.db").symlink_to("tables.db")
    for path, command in (
        (server.database, ["serve", "--port", "0"]),
        (tmp_path / "link.db", ["serve", "--port", "0"]),
        (f"{tmp_path}/./tables.db", ["import", str(none)]),
    ):
        used = f"another Illusion (process {server.process.pid}) is using {path}; end that one first"
        sentence = refusal(capsys, *command, "--database", str(path))
        assert sentence == f"illusion: the database cannot be used: {used}"
    main(["export", "--database", str(server.database), "-"])  # reading is fine
    assert seats[0].table in capsys.readouterr().out
    assert play_on(seats, 5)["seq"] == 9
    server.kill()
    assert server.said == []
    assert stat.S_IMODE((tmp_path / "tables.db-lock").stat().st_mode) == 0o600
    main(["import", "--database", str(server.database), str(none)])  # nothing is held any more
    server.start()
    assert seats[0].view()["seq"] == 9
    assert server.stop() == 0
