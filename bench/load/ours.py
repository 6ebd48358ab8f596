"""Our server for players who look at no cards: the command `illusion` without prefetching.

`python -m bench.load.ours nginx COUNT DATABASE FOLDER` runs several on one PostgreSQL behind nginx, with settings of
docs/operating.md but without TLS. It prints nginx's address once it answers, and ends with SIGTERM.
"""

import signal
import subprocess
import sys
from contextlib import ExitStack, suppress
from pathlib import Path

from harness.proxies import running_nginx
from harness.servers import Server

from illusion.cli import main
from illusion.tables.pictures import Pictures


def several(count: int, database: str, folder: Path) -> None:
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    Server.launch = staticmethod(_one)
    with ExitStack() as running, suppress(KeyboardInterrupt):
        servers = [Server(database, "--trusted-proxy", "127.0.0.1") for _ in range(count)]
        for server in servers:
            running.callback(server.stop)
        port = running.enter_context(running_nginx(folder, [server.port for server in servers]))
        print(f"nginx is at 127.0.0.1:{port}", flush=True)
        signal.pause()


def _one(arguments: list[str]) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "bench.load.ours", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["nginx", count, database, folder]:
            several(int(count), database, Path(folder))
        case _:
            setattr(Pictures, "prefetch", lambda *_: None)  # noqa: B010  (a type checker would mind)
            main()
