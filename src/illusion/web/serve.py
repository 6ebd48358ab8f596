"""Running the server: on this machine alone, or for the network it is on."""

import asyncio
import socket
import webbrowser
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

import uvicorn
from starlette.applications import Starlette

from illusion.tables import CannotOpen, Pace, default_database, is_shared, store_at
from illusion.web.app import create_app
from illusion.web.workers import supervise

BACKLOG: Final = 2048

FINISH: Final = 7
"""Seconds that requests may take to finish at the end: longer than a store is waited for."""

UNREAD: Final = 128 * 1024
"""Bytes that the system keeps for a client who does not read; left alone it would keep some megabytes for each."""


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
    database: Path | str | None = None,
    *,
    lan: bool = False,
    open_browser: bool = False,
    pace: Pace | None = None,
    tables_a_minute: int = 60,
    workers: int = 1,
) -> None:
    """Serve until Ctrl-C; port 0 takes a free one. Prints the address once it can be opened."""
    if lan:
        host = "0.0.0.0"  # noqa: S104  (asked for)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Named as TCP outright: only then does asyncio send small messages at once instead of 40 ms later.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, UNREAD)
    listening.bind((host, port))
    address = lan_address() if lan else None
    shown = address or ("127.0.0.1" if host == "0.0.0.0" else host)  # noqa: S104
    url = f"http://{shown}:{listening.getsockname()[1]}/"
    database = database or default_database()
    if is_shared(database):
        asyncio.run(_opened_once(database))
    elif workers > 1:
        raise CannotOpen("several workers need PostgreSQL: --database postgresql://…")
    app = partial(_app, database, pace, address, tables_a_minute)

    def ready() -> None:
        print(f"Illusion is at {url}  (Ctrl-C ends it; nothing is lost)", flush=True)
        if open_browser:
            webbrowser.open(url)

    if workers > 1:
        listening.listen(BACKLOG)
        supervise(partial(_work, app, listening), workers, ready)
    else:
        _work(app, listening, ready)


def _app(database: Path | str, pace: Pace | None, lan: str | None, tables_a_minute: int) -> Starlette:
    return create_app(store_at(database), pace, lan, tables_a_minute)


async def _opened_once(database: Path | str) -> None:
    """Before anybody is let in: a database that cannot be used gets one sentence."""
    store = store_at(database)
    try:
        await store.open()
    finally:
        await store.close()


class _Server(uvicorn.Server):
    """Event streams never end by themselves: at the end they are hung up, and only other requests are waited for."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for connection in list(self.server_state.connections):
            cycle = getattr(connection, "cycle", None)
            if cycle is not None and cycle.response_started and not cycle.response_complete:
                connection.transport.close()
        await super().shutdown(sockets)


def _work(app: Callable[[], Starlette], listening: socket.socket, ready: Callable[[], None]) -> None:
    """One process that serves; its application is made inside it."""
    config = uvicorn.Config(app(), log_level="warning", timeout_graceful_shutdown=FINISH)
    server = _Server(config)

    async def run() -> None:
        serving = asyncio.create_task(server.serve(sockets=[listening]))
        while not server.started and not serving.done():
            await asyncio.sleep(0.02)
        if server.started:
            ready()
        await serving

    try:
        with asyncio.Runner(loop_factory=config.get_loop_factory()) as runner:
            runner.run(run())
    except KeyboardInterrupt:
        return
