"""What would only show on another system: Windows has no fork and no Unix sockets, and its own encodings and signals.

The workflow plays from the wheel there (`.github/workflows/ci.yml`); here the sources are
read, and what can be tried is.
"""

import ast
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from illusion.cli import COMMANDS, main

ROOT = Path(__file__).parent.parent
RUNS_ANYWHERE = [
    *sorted((ROOT / "src").rglob("*.py")),
    *sorted((ROOT / "examples").glob("*.py")),
    *(ROOT / "tools" / "setup" / name for name in ("check_installation.py", "play_game.py")),
]
NOT_ON_WINDOWS = {"fcntl", "grp", "pty", "pwd", "readline", "resource", "syslog", "termios", "tty"}
NOT_THERE = re.compile(
    r"(?<!['\"])\b(?:os\.(?:fork|getuid|kill|killpg|mkfifo|setsid)|signal\.(?:SIGKILL|SIGHUP|SIGUSR\d)|AF_UNIX)\b"
)
OPENING = ("connect", "open", "read_text", "write_text")
OTHERS = ("installed.read_text", "store.open")
"""Calls by those names which open no file."""


def calls(source: str) -> Iterator[tuple[str, ast.Call]]:
    """What a module calls that may open a file, and the whole call."""
    if not re.search(rf"\b(?:{'|'.join(OPENING)})\(", source):
        return
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in OPENING:
                yield name, node


def test_nothing_is_asked_of_the_system_that_windows_lacks() -> None:
    """At the top of a module; within a function, behind a look at which system it is."""
    for path in RUNS_ANYWHERE:
        source = path.read_text("utf-8")
        imported = re.findall(r"^(?:from|import) (\w+)", source, re.MULTILINE)
        assert not NOT_ON_WINDOWS & set(imported), path
        assert NOT_THERE.findall(source) == [], path


def test_files_are_opened_alike_on_every_system_and_as_python_3_15_wants_it() -> None:
    """A text file has an encoding, and none is written with this system's line ends; bytes have neither.
    Of `sqlite3.connect` all is named that follows the file's name.
    """
    checked = 0
    for path in RUNS_ANYWHERE:
        for name, call in calls(path.read_text("utf-8")):
            called, said = ast.unparse(call.func), ast.unparse(call)
            if called == "sqlite3.connect":
                assert len(call.args) == 1, said
                checked += 1
            if name == "connect" or called.endswith(OTHERS):
                continue
            assert name != "write_text" or "src" not in path.parts, f"{path}: {said}: write bytes, the same everywhere"
            is_file = name != "open" or called == "open" or "path" in called
            if is_file and not re.search(r"""['"][rwax]b""", said):
                assert "utf-8" in said, f"{path}: {said}"
                checked += 1
    assert checked > 8


@pytest.mark.parametrize("command", COMMANDS)
def test_help_can_be_written_in_any_code_page(command: str) -> None:
    """All of them have ASCII."""
    said = TextIOWrapper(BytesIO(), "ascii")
    with redirect_stdout(said), pytest.raises(SystemExit, match=r"^0$"):
        main([command, "--help"])
    said.seek(0)
    assert said.read().startswith(f"usage: illusion {command} ")


def test_the_break_key_and_a_console_that_is_closed_end_a_server_as_ctrl_c_does(tmp_path: Path) -> None:
    """SIGBREAK is Windows' alone: here another signal goes by that name, which would end any other process at once."""
    code = "import signal; signal.SIGBREAK = signal.SIGUSR1\nfrom illusion.cli import main; main()"
    command = [sys.executable, "-c", code, "serve", "--port", "0", "--database", str(tmp_path / "t.db")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        assert "Illusion is at " in server.stdout.readline()
        server.send_signal(signal.SIGUSR1)
        assert server.communicate(timeout=60) == ("", "")
    assert server.returncode == 0
