"""Servers on one PostgreSQL behind nginx, with the settings of docs/operating.md but without TLS.

`python -m bench.load.behind_nginx COUNT DATABASE FOLDER` prints nginx's address once it answers, and ends with SIGTERM.
"""

import signal
import subprocess
import sys
from contextlib import ExitStack, suppress
from pathlib import Path

from harness.proxies import running_nginx
from harness.servers import Server


def main(count: int, database: str, folder: Path) -> None:
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    Server.launch = staticmethod(_blind)
    with ExitStack() as running, suppress(KeyboardInterrupt):
        servers = [Server(database, "--trusted-proxy", "127.0.0.1") for _ in range(count)]
        for server in servers:
            running.callback(server.stop)
        port = running.enter_context(running_nginx(folder, [server.port for server in servers]))
        print(f"nginx is at 127.0.0.1:{port}", flush=True)
        signal.pause()


def _blind(arguments: list[str]) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "bench.load.blind", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], Path(sys.argv[3]))
