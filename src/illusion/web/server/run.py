"""Running the server: on this machine alone, or for the network it is on."""

import asyncio
import logging
import os
import socket
import webbrowser
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from prometheus_client.multiprocess import mark_process_dead

from illusion.tables import CannotOpen, Pace, default_database, is_shared, store_at
from illusion.web.http.limits import Limits
from illusion.web.ops import logs
from illusion.web.ops.metrics import SHARED
from illusion.web.server.supervisor import Work, supervise
from illusion.web.server.worker import ServerOptions, work

BACKLOG: Final = 2048

SEND_BUFFER_BYTES: Final = 128 * 1024
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
    limits: Limits | None = None,
    trusted_proxies: Sequence[str] = (),
    metrics_from: Sequence[str] = (),
    log: str = "trouble",
    workers: int = 1,
) -> None:
    """Serve until Ctrl-C; port 0 takes a free one. Prints the address once it can be opened."""
    logs.set_up(log)
    if lan:
        host = "0.0.0.0"  # noqa: S104  # nosec B104
    listening = _listening(host, port)
    address = lan_address() if lan else None
    shown = address or ("127.0.0.1" if host == "0.0.0.0" else host)  # noqa: S104  # nosec B104
    url = f"http://{shown}:{listening.getsockname()[1]}/"
    house = ServerOptions(database or default_database(), pace, address, limits, trusted_proxies, metrics_from, log)
    if is_shared(house.database):
        asyncio.run(_opened_once(house.database))
    elif workers > 1:
        raise CannotOpen("several workers need PostgreSQL: --database postgresql://…")

    def ready() -> None:
        print(f"Illusion is at {url}  (Ctrl-C ends it; nothing is lost)", flush=True)
        logs.say(logging.INFO, "serving", port=listening.getsockname()[1])
        if open_browser:
            webbrowser.open(url)

    try:
        if workers > 1:
            listening.listen(BACKLOG)
            _supervised(partial(work, house, listening), workers, ready)
        else:
            work(house, listening, ready)
    finally:
        logs.say(logging.INFO, "stopped")


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Named as TCP outright: only then does asyncio send small messages at once instead of 40 ms later.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # a phone that left without a word is noticed by the next heartbeats
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 40_000)
    listening.bind((host, port))
    return listening


async def _opened_once(database: Path | str) -> None:
    """Before anybody is let in: a database that cannot be used gets one sentence."""
    store = store_at(database)
    try:
        await store.open()
    finally:
        await store.close()


def _supervised(what: Work, workers: int, ready: Callable[[], None]) -> None:
    """Several processes, which add up their figures in a folder unless they have been given one."""
    from illusion.web.server.metrics_folder import shared_folder  # noqa: PLC0415  (needs file locks; one process does not)

    with shared_folder() as folder:
        figures = os.environ.setdefault(SHARED, folder)
        supervise(what, workers, ready, ended=lambda process: mark_process_dead(process, figures))  # type: ignore[no-untyped-call]
