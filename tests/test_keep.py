"""`illusion backup`, `restore` and `check`: while people play, onto what is there, from what is none of ours."""

import re
import sqlite3
import stat
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from harness.command_line import refusal
from harness.servers import OPEN, Seat, Server, opened, play_on

from illusion.cli import main
from illusion.tables.stores import layout
from illusion.tables.stores.layout import LAYOUT, Layout


@pytest.fixture(autouse=True)
def _clients_are_closed() -> Iterator[None]:
    yield
    while OPEN:
        OPEN.pop().close()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    running = Server(tmp_path)
    yield running
    if running.process.poll() is None:
        running.stop()


def kept(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if not path.name.endswith("-lock"))


def test_a_game_goes_on_from_a_backup_that_was_made_while_it_was_played(
    server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    database, backup = str(server.database), Path("backup.db")
    seats = opened(server, 3)
    seats[0].post("start")
    saved = play_on(seats, 3)
    main(["backup", "--database", database, str(backup)])
    assert re.fullmatch(r"Saved: 1 table, 0.0 MB, in .*backup.db\n", capsys.readouterr().out)
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    before = backup.read_bytes()
    later = play_on(seats, 4)
    assert later["seq"] > saved["seq"]
    opened(server, 2)
    assert refusal(capsys, "restore", "--database", database, str(backup)).endswith("end that one first")
    assert seats[0].view()["seq"] == later["seq"]
    server.kill()  # the newest moves are in the -wal file
    main(["restore", "--database", database, str(backup)])
    said = capsys.readouterr().out
    assert re.search(r"Restored: 1 table, .*\nWhat was there before is (.*)\n", said)
    assert backup.read_bytes() == before
    aside = Path(said.splitlines()[-1].removeprefix("What was there before is "))
    server.start()
    again = [Seat(server, seat.table, seat.token) for seat in seats]
    seen = again[0].view()
    assert seen == saved | {"turn_began": seen["turn_began"]}  # everybody gets their full time again
    assert play_on(again)["over"]
    server.stop()
    main(["restore", "--database", database, str(aside)])
    server.start()
    assert Seat(server, seats[0].table, seats[0].token).view()["seq"] == later["seq"]
    assert not list(tmp_path.glob(".illusion-*"))


def test_a_backup_is_written_over_nothing(server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    letter, link = tmp_path / "letter", tmp_path / "link"
    letter.write_text("Dear editor")
    link.symlink_to(tmp_path / "elsewhere")
    database = str(server.database)
    for target in (letter, link, tmp_path, Path(database), Path(f"{database}-wal")):
        assert "is there already" in refusal(capsys, "backup", "--database", database, str(target))
    assert letter.read_text() == "Dear editor"
    assert "does not exist" in refusal(capsys, "backup", "--database", database, str(tmp_path / "no" / "b.db"))
    assert "there is none at" in refusal(capsys, "backup", "--database", str(tmp_path / "no.db"), str(tmp_path / "b"))
    assert sorted(kept(tmp_path)) == ["letter", "link", "tables.db", "tables.db-shm", "tables.db-wal"]


def made(path: Path, script: str) -> None:
    with closing(sqlite3.connect(path)) as other:
        other.executescript(script)


FILLED = """
    INSERT INTO log WITH RECURSIVE n (seq) AS (SELECT 1 UNION ALL SELECT seq + 1 FROM n WHERE seq < 99)
    SELECT 't', seq, zeroblob(1000), NULL FROM n
"""


def damaged(path: Path) -> None:
    """A page of the log is overwritten."""
    made(path, LAYOUT.schema + FILLED)
    with path.open("r+b") as file:
        file.seek(6 * 4096)
        file.write(b"\xff" * 4096)


FOREIGN: dict[str, tuple[Callable[[Path], object], str]] = {
    "text": (lambda path: path.write_text("A letter to the editor. " * 1000), "is not a database that can be read"),
    "letters": (lambda path: made(path, "CREATE TABLE letters (text)"), "is a database of another program"),
    "empty": (Path.touch, "holds no tables of Illusion"),
    "newer": (lambda path: made(path, f"{LAYOUT.schema} PRAGMA user_version = 99"), "made by a newer Illusion"),
    "damaged": (damaged, "is damaged|malformed"),
    "folder": (Path.mkdir, "is not a file"),
}


def test_what_is_no_backup_of_ours_is_neither_restored_nor_restored_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], server: Server
) -> None:
    opened(server, 2)
    server.stop()
    text, database = tmp_path / "text", Path(server.database)
    before = database.read_bytes()
    for name, (make, sentence) in FOREIGN.items():
        make(tmp_path / name)
        said = refusal(capsys, "restore", "--database", str(database), str(tmp_path / name))
        assert re.search(sentence, said), said
    letter = text.read_bytes()
    assert "is not a database" in refusal(capsys, "restore", "--database", str(text), str(database))
    assert "is the database itself" in refusal(capsys, "restore", "--database", str(database), str(database))
    nothing = str(tmp_path / "no")
    assert "there is no file" in refusal(capsys, "restore", "--database", str(tmp_path / "x.db"), nothing)
    assert (database.read_bytes(), text.read_bytes()) == (before, letter)
    assert kept(tmp_path) == sorted([*FOREIGN, "tables.db"])


def test_check_says_what_would_be_done_and_does_nothing(
    server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    opened(server, 2)
    database, version = str(server.database), LAYOUT.version
    main(["check", "--database", database])
    assert f"schema {version}, 1 table, 0.0 MB.\nNothing would change.\n" in capsys.readouterr().out
    main(["check", "--database", str(tmp_path / "new.db")])
    assert "nothing there yet. It would be made." in capsys.readouterr().out
    server.stop()
    before = kept(tmp_path), Path(database).read_bytes()
    monkeypatch.setattr(layout, "LAYOUT", Layout(version + 1, "", {version + 1: "CREATE TABLE clubs (name)"}))
    main(["check", "--database", database])
    assert f"copied beside itself, and then changed to schema {version + 1}" in capsys.readouterr().out
    monkeypatch.setattr(layout, "LAYOUT", Layout(version - 1, "", {}))
    assert f"newer Illusion (schema {version}; this one knows {version - 1})" in refusal(
        capsys, "check", "--database", database
    )
    assert (kept(tmp_path), Path(database).read_bytes()) == before


def test_postgresql_is_saved_while_people_play_and_put_back_and_moved_to_a_file(
    postgres: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    backup = tmp_path / "backup.db"
    assert "holds no tables" in refusal(capsys, "backup", "--database", postgres, str(backup))
    main(["check", "--database", postgres])
    assert "nothing there yet. It would be made." in capsys.readouterr().out
    server = Server(postgres)
    seats = opened(server, 3)
    ended = opened(server, 2)
    for host in (seats[0], ended[0]):
        host.post("start")
    assert play_on(ended)["over"]
    saved = play_on(seats, 3)
    main(["backup", "--database", postgres, str(backup)])
    assert re.fullmatch(r"Saved: 2 tables, 0.0 MB, in .*backup.db\n", capsys.readouterr().out)
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    later = play_on(seats, 4)
    assert "another Illusion is using it" in refusal(capsys, "restore", "--database", postgres, str(backup))
    assert seats[0].view()["seq"] == later["seq"]
    server.stop()
    main(["restore", "--database", postgres, str(backup)])
    said = capsys.readouterr().out
    found = re.search(
        r"Restored: 2 tables, .*, in PostgreSQL\nWhat was there before is in its schema (before_.*)\n", said
    )
    assert found, said
    server.start()
    again = [Seat(server, seat.table, seat.token) for seat in seats]
    assert again[0].view() == saved | {"turn_began": again[0].view()["turn_began"]}
    assert play_on(again)["over"]
    assert Seat(server, ended[0].table, ended[0].token).view()["over"]
    server.stop()

    aside, in_a_file = tmp_path / "aside.db", tmp_path / "tables.db"
    main(["backup", "--database", f"{postgres}?search_path={found[1]}", str(aside)])
    main(["restore", "--database", str(in_a_file), str(aside)])
    alone = Server(tmp_path)
    assert Seat(alone, seats[0].table, seats[0].token).view()["seq"] == later["seq"]
    alone.stop()


def test_what_is_no_backup_of_ours_is_not_restored_to_postgresql(
    postgres: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, (make, sentence) in FOREIGN.items():
        make(tmp_path / name)
        assert re.search(sentence, refusal(capsys, "restore", "--database", postgres, str(tmp_path / name)))
    layout.make_new(str(tmp_path / "old.db"))
    monkeypatch.setattr(layout, "LAYOUT", Layout(LAYOUT.version + 1, "", {LAYOUT.version + 1: "SELECT 1"}))
    assert "by an older Illusion" in refusal(capsys, "restore", "--database", postgres, str(tmp_path / "old.db"))
    main(["check", "--database", postgres])
    assert "nothing there yet" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["backup", "restore", "check"])
def test_a_postgresql_that_is_not_there_is_said(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    layout.make_new(str(tmp_path / "given.db"))
    file = {"backup": ["new.db"], "restore": ["given.db"], "check": []}[command]
    nowhere = "postgresql://illusion@127.0.0.1:9/illusion"
    said = refusal(capsys, command, "--database", nowhere, *(str(tmp_path / each) for each in file))
    assert said.startswith("illusion: the database cannot be used: ")
    wrong = refusal(capsys, command, "--database", "postgresql://[", *(str(tmp_path / each) for each in file))
    assert "its address is not valid" in wrong
    assert [path.name for path in tmp_path.iterdir()] == ["given.db"]
