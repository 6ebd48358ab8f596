"""The servers that are measured, each started in a process of its own with an empty store."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "peers"
Part = str | Callable[[], str]
"""A word of a command; one that is made anew for each start, such as the address of an empty database, is called."""


@dataclass(frozen=True)
class Server:
    """A kind of server: how it is started, how its players speak, and what it keeps of a game."""

    name: str
    contender: str
    command: Sequence[Part]
    """`EMPTY` stands for an empty folder; the first line that names a port says that it is ready."""
    stores: str
    beside: int | None = None
    """The process of a database that works for it, whose CPU counts too."""


def ours(name: str, stores: str, *options: Part, beside: int | None = None) -> Server:
    command = (sys.executable, "-m", "illusion", "serve", "--port", "0", "--no-limits")
    return Server(name, "illusion", (*command, *options), stores, beside)


OURS = [ours("Illusion, SQLite", "every move, flushed to disk", "--database", "EMPTY/tables.db")]
PYTHON_PEERS = [Server("bare echo on uvicorn", "echo", (sys.executable, f"{FOLDER}/echo.py"), "nothing, no rules")]
PEERS = [
    Server("boardgame.io", "boardgame.io", ("node", f"{FOLDER}/boardgame.js"), "nothing"),
    Server(
        "boardgame.io, file store", "boardgame.io", ("node", f"{FOLDER}/boardgame.js", "--files", "EMPTY"), "unflushed"
    ),
    Server("Colyseus", "colyseus", ("node", f"{FOLDER}/colyseus.js"), "nothing"),
    Server("Colyseus, pings off", "colyseus", ("node", f"{FOLDER}/colyseus.js", "--no-pings"), "nothing"),
]


def peers() -> list[Server]:
    """Those on Node.js, if they have been installed."""
    return PEERS if shutil.which("node") and (FOLDER / "node_modules" / "ready").exists() else []


def with_pages(server: Server) -> Server:
    """One of ours, at which people sit instead of programs."""
    return replace(server, contender="pages")


def limited(server: Server) -> Server:
    """One of ours with its default limits on guests."""
    return replace(server, command=[part for part in server.command if part != "--no-limits"])


@contextmanager
def pictures() -> Iterator[Path]:
    """A folder in whose folder `cards` one of our decks lies, its 98 fronts among the files."""
    with tempfile.TemporaryDirectory() as folder:
        command = (sys.executable, "-m", "illusion", "deck", "--seed", "2018", "--out", f"{folder}/cards")
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        yield Path(folder)


def with_pictures(server: Server, folder: Path) -> Server:
    """One of the others that hands out these pictures, which are the cards of its games."""
    return replace(server, command=(*server.command, "--pictures", str(folder)))


@contextmanager
def running(server: Server) -> Iterator[tuple[int, int]]:
    """The server's process and port."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        command = [part.replace("EMPTY", folder) if isinstance(part, str) else part() for part in server.command]
        environment = os.environ | {"NODE_ENV": "production"}
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
            assert process.stdout is not None
            try:
                for line in process.stdout:
                    found = re.search(r"127\.0\.0\.1:(\d+)", line)
                    if found:
                        yield process.pid, int(found.group(1))
                        break
                else:
                    raise RuntimeError(f"{server.name} did not start")
            finally:
                process.terminate()
