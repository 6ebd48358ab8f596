"""Running the server: on this machine alone, or for the network it is on."""

import asyncio
import gc
import logging
import socket
import sys
import webbrowser
from collections.abc import Sequence
from pathlib import Path

import platformdirs
import uvicorn

from illusion.tables import Pace, SqliteStore
from illusion.web import logs
from illusion.web.app import create_app
from illusion.web.limits import Limits
from illusion.web.lines import Line


def default_database() -> Path:
    """A file in the user's data folder."""
    folder = Path(platformdirs.user_data_dir("illusion", appauthor=False))
    folder.mkdir(parents=True, exist_ok=True)
    return folder / "tables.db"


def lan_address() -> str | None:
    """This machine's address on its network: asked of the routing table, with nothing sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        address: str = probe.getsockname()[0]
        return address


def serve(
    host: str = "127.0.0.1",
    port: int = 0,
    database: Path | None = None,
    *,
    lan: bool = False,
    open_browser: bool = False,
    pace: Pace | None = None,
    limits: Limits | None = None,
    trusted_proxies: Sequence[str] = (),
    metrics_from: Sequence[str] = (),
    log: str = "trouble",
) -> None:
    """Serve until Ctrl-C; port 0 takes a free one. Prints the address once it can be opened."""
    logs.set_up(log)
    if lan:
        host = "0.0.0.0"  # noqa: S104  # nosec B104
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Named as TCP outright: only then does asyncio send small messages at once instead of 40 ms later.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # a phone that left without a word is noticed by the next heartbeats
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 40_000)
    listening.bind((host, port))
    address = lan_address() if lan else None
    shown = address or ("127.0.0.1" if host == "0.0.0.0" else host)  # noqa: S104  # nosec B104
    url = f"http://{shown}:{listening.getsockname()[1]}/"
    store = SqliteStore(database or default_database())
    app = create_app(store, pace, address, limits, metrics_from)
    config = uvicorn.Config(
        app,
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        http=Line,
        ws="none",
        proxy_headers=bool(trusted_proxies),
        forwarded_allow_ips=list(trusted_proxies),
        timeout_graceful_shutdown=1,
    )
    server = uvicorn.Server(config)

    _collect_seldom()
    _share_often()

    async def run() -> None:
        serving = asyncio.create_task(server.serve(sockets=[listening]))
        while not server.started and not serving.done():
            await asyncio.sleep(0.02)
        if server.started:
            print(f"Illusion is at {url}  (Ctrl-C ends it; nothing is lost)", flush=True)
            logs.say(logging.INFO, "serving", port=listening.getsockname()[1])
            if open_browser:
                webbrowser.open(url)
        await serving

    try:
        with asyncio.Runner(loop_factory=config.get_loop_factory()) as runner:
            runner.run(run())
    except KeyboardInterrupt:
        return
    finally:
        logs.say(logging.INFO, "stopped")


def _collect_seldom() -> None:
    """A move makes no garbage that needs a collector, and thousands of tables are much for one to walk through."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def _share_often() -> None:
    """The store's writer waits for its turn at the interpreter a few times for each commit: not for 5 ms each."""
    sys.setswitchinterval(0.0005)
