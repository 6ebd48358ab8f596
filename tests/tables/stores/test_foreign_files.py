"""A file that is no database of ours is left exactly as it was, whichever command is told to use it."""

import asyncio
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import pytest

from illusion.cli import main
from illusion.tables import SqliteStore, exclusive_use

COMMANDS = (
    ["serve", "--port", "0", "--database", "given"],
    ["play", "--no-browser", "--database", "given"],
    ["export", "--database", "given", "-"],
    ["import", "--database", "given", "lines"],
    ["backup", "--database", "given", "copy"],
    ["restore", "--database", "given", "lines"],
    ["restore", "--database", "new", "given"],
    ["check", "--database", "given"],
)


def a_text(path: Path) -> None:
    path.write_text("A letter to the editor, longer than a page of a database. " * 100)


def a_short_text(path: Path) -> None:
    path.write_text("Hi")


def another_programs(path: Path) -> None:
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE letters (text)")
        other.execute("CREATE TABLE log (at, line)")
    other.close()


def another_programs_with_wal(path: Path) -> None:
    """As a program leaves it that is killed: all that it wrote is in the -wal file."""
    code = (
        "import os, sqlite3, sys; other = sqlite3.connect(sys.argv[1]);"
        "other.execute('PRAGMA journal_mode = WAL'); other.execute('CREATE TABLE letters (text)'); other.commit();"
        "os._exit(0)"
    )
    subprocess.run([sys.executable, "-c", code, path], check=True)
    assert path.with_name(f"{path.name}-wal").stat().st_size


def with_a_second_name(path: Path) -> None:
    asyncio.run(_made(path))
    path.with_name("second").hardlink_to(path)


async def _made(path: Path) -> None:
    store = SqliteStore(path)
    await store.open()
    await store.close()


REFUSED: Final[Mapping[Callable[[Path], None], str]] = {
    a_text: "is not a database",
    a_short_text: "is not a database",
    another_programs: "is a database of another program",
    another_programs_with_wal: "is a database of another program",
    with_a_second_name: "has a second name",
}


def what_is_in(folder: Path) -> tuple[dict[str, int], dict[str, tuple[int, bytes]]]:
    """Modes; times and contents, but for -shm files, in which SQLite notes who reads."""
    modes = {path.name: path.stat().st_mode for path in folder.iterdir()}
    lasting = (folder / name for name in modes if not name.endswith("-shm"))
    return modes, {path.name: (path.stat().st_mtime_ns, path.read_bytes()) for path in lasting}


@pytest.mark.parametrize("make", REFUSED, ids=lambda make: make.__name__)
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_it_is_refused_and_left_as_it_was(
    make: Callable[[Path], None],
    command: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lines").touch()
    make(tmp_path / "given")
    (tmp_path / "given").chmod(0o644)
    os.utime(tmp_path / "given", (1_000_000_000, 1_000_000_000))
    before = what_is_in(tmp_path)
    with pytest.raises(SystemExit) as refused:
        main(command)
    assert REFUSED[make] in str(refused.value)
    assert capsys.readouterr().out == ""
    assert what_is_in(tmp_path) == before


async def test_an_empty_file_and_what_a_server_left_that_was_killed_at_its_very_start_are_ours(tmp_path: Path) -> None:
    """Nothing but a header is there, or everything is in the -wal file."""
    code = (
        "import os, sys; from illusion.tables.stores.layout import make;"
        "from illusion.tables.stores.sqlite import connect;"
        "reading = [connect(each).execute('SELECT count(*) FROM sqlite_master') for each in sys.argv[1:]];"
        "make(sys.argv[2]); os._exit(0)"
    )
    empty, header, wal = (tmp_path / name for name in ("empty", "header", "wal"))
    empty.touch()
    subprocess.run([sys.executable, "-c", code, header, wal], check=True)
    assert header.stat().st_size
    assert wal.with_name("wal-wal").stat().st_size
    for path in (empty, header, wal):
        with exclusive_use(path):
            await _made(path)
