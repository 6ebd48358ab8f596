"""The servers that are measured, each started in a process of its own with an empty store."""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Server:
    """A kind of server: how it is started, and how its players speak."""

    name: str
    house: str
    command: Sequence[str]
    """`FOLDER` stands for an empty folder; the first line that names a port says that it is ready."""
    stores: str


def ours(name: str, stores: str, *options: str) -> Server:
    limits = ("--tables-a-minute", "1000000")
    return Server(
        name, "illusion", (sys.executable, "-m", "illusion", "serve", "--port", "0", *limits, *options), stores
    )


SQLITE = ours("Illusion, SQLite", "every move, flushed to disk", "--database", "FOLDER/tables.db")


PEERS = Path(__file__).parents[1] / "peers"
BOARDGAME = Server("boardgame.io, memory", "boardgame.io", ("node", f"{PEERS}/boardgame.js"), "nothing")
BOARDGAME_FILES = Server(
    "boardgame.io, files", "boardgame.io", ("node", f"{PEERS}/boardgame.js", "--files", "FOLDER"), "after it was told"
)
COLYSEUS = Server("Colyseus", "colyseus", ("node", f"{PEERS}/colyseus.js"), "nothing")
COLYSEUS_QUIET = Server("Colyseus, no pings", "colyseus", ("node", f"{PEERS}/colyseus.js", "--no-pings"), "nothing")
ECHO = Server("bare echo, uvicorn", "echo", (sys.executable, f"{PEERS}/echo.py"), "nothing, no rules")


@contextmanager
def running(server: Server) -> Iterator[tuple[int, int]]:
    """The server's process and port."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        command = [part.replace("FOLDER", folder) for part in server.command]
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
