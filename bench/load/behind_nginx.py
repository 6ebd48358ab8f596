"""Servers on one PostgreSQL behind nginx, with the settings of docs/operating.md but without TLS.

`python -m bench.load.behind_nginx COUNT DATABASE FOLDER OPTION…` prints nginx's address once it answers, and ends with
SIGTERM; the options are the servers'.
"""

import re
import signal
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

from harness.proxies import NGINX, free_port, nginx_site, put, started


def main(count: int, database: str, folder: Path, options: list[str]) -> None:
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with ExitStack() as stack:
        try:
            ports = [_serve(stack, database, options) for _ in range(count)]
            port = free_port()
            command = ["nginx", "-p", str(folder), "-c", str(_settings(folder, ports, port))]
            stack.enter_context(started(command, port, folder / "nginx.log"))
            print(f"nginx is at 127.0.0.1:{port}", flush=True)
            signal.pause()
        except KeyboardInterrupt:
            return


def _serve(stack: ExitStack, database: str, options: list[str]) -> int:
    """The port of another server."""
    command = [sys.executable, "-m", "illusion", "serve", "--port", "0", "--no-limits", "--database", database]
    command += ["--trusted-proxy", "127.0.0.1", *options]
    server = stack.enter_context(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
    stack.callback(server.terminate)
    assert server.stdout is not None
    found = re.search(r"127\.0\.0\.1:(\d+)", server.stdout.readline())
    assert found
    return int(found.group(1))


def _settings(folder: Path, ports: list[int], port: int) -> Path:
    site = put(nginx_site(ports), ("listen 443 ssl http2", f"listen 127.0.0.1:{port}"))
    site = put(
        site, ("listen 80", f"listen 127.0.0.1:{free_port()}"), ("server_name illusion.example", "server_name _")
    )
    text = NGINX.format(folder=folder, site=re.sub(r"ssl_certificate.*", "", site))
    room = ("events {}", "worker_rlimit_nofile 65536;\nevents { worker_connections 32768; }")
    settings = folder / "nginx.conf"
    settings.write_text(put(text, room))
    return settings


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], Path(sys.argv[3]), sys.argv[4:])
