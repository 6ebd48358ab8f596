"""The servers that are measured, each started in a process of its own with an empty store.

`python -m bench.load.servers serve ...` is the command `illusion` without prefetching, for players who look at no
cards; `python -m bench.load.servers nginx COUNT DATABASE FOLDER` runs several of these on one PostgreSQL behind nginx,
with the settings of docs/operating.md but without TLS. It prints nginx's address once it answers; SIGTERM ends it.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from harness import servers
from harness.postgres import Cluster
from harness.proxies import running_nginx

from illusion.cli import main
from illusion.tables.pictures import Pictures

FOLDER = Path(__file__).parents[1] / "peers"
Part = str | Callable[[], str]
"""A word of a command, or a function that makes it for each start, such as the URL of an empty database."""
DURABLE = "every move, flushed to disk"


@dataclass(frozen=True)
class Server:
    """A kind of server: its command, its players' protocol, and what it stores."""

    name: str
    kind: str
    command: Sequence[Part]
    """`EMPTY` stands for an empty folder; the first line that names a port says that it is ready."""
    stores: str
    beside: int | None = None
    """The process of its database, whose CPU counts, too."""


SERVE = ("serve", "--port", "0", "--database", "EMPTY/tables.db")
PEOPLE = Server("Illusion", "pages", (sys.executable, "-m", "illusion", *SERVE), DURABLE)
"""Our server for pages: with pictures, and with default limits."""
BLIND = (sys.executable, "-m", "bench.load.servers", *SERVE, "--no-limits")
OURS = [Server("Illusion, programs", "programs", BLIND, DURABLE), Server("Illusion, pages", "pages", BLIND, DURABLE)]
"""Our server without pictures."""
PEERS = [
    Server("boardgame.io", "boardgame.io", ("node", f"{FOLDER}/boardgame.js"), "nothing"),
    Server("Colyseus", "colyseus", ("node", f"{FOLDER}/colyseus.js"), "nothing"),
]


def peers() -> list[Server]:
    """Those on Node.js, if they have been installed."""
    if shutil.which("node") and (FOLDER / "node_modules" / "ready").exists():
        return PEERS
    print("boardgame.io and Colyseus are not measured: `make load` installs them where there is Node.js")
    return []


@contextmanager
def proxied() -> Iterator[list[Server]]:
    """One server of ours and two behind nginx, on PostgreSQL; each with an empty database of its own."""
    cluster = Cluster()
    try:
        yield [
            Server(
                f"{count} behind nginx, {kind}",
                kind,
                (sys.executable, "-m", "bench.load.servers", "nginx", str(count), cluster.database, "EMPTY"),
                DURABLE,
                cluster.process.pid,
            )
            for kind in ("programs", "pages")
            for count in (1, 2)
        ]
    finally:
        cluster.remove()


@contextmanager
def with_pictures(found: Sequence[Server]) -> Iterator[list[Server]]:
    """Peers that hand out the 98 fronts of one of our decks, which are the cards of their games."""
    with tempfile.TemporaryDirectory() as folder:
        command = (sys.executable, "-m", "illusion", "deck", "--seed", "2018", "--out", f"{folder}/cards")
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        yield [replace(server, command=(*server.command, "--pictures", folder)) for server in found]


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


def several(count: int, database: str, folder: Path) -> None:
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    servers.Server.launch = staticmethod(_one)
    with ExitStack() as stack, suppress(KeyboardInterrupt):
        started = [servers.Server(database, "--trusted-proxy", "127.0.0.1") for _ in range(count)]
        for server in started:
            stack.callback(server.stop)
        port = stack.enter_context(running_nginx(folder, [server.port for server in started]))
        print(f"nginx is at 127.0.0.1:{port}", flush=True)
        signal.pause()


def _one(arguments: list[str]) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "bench.load.servers", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["nginx", count, database, folder]:
            several(int(count), database, Path(folder))
        case _:
            setattr(Pictures, "prefetch", lambda *_: None)  # noqa: B010  (a type checker would mind)
            main()
