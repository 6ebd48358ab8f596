"""Starts the server: one process or several, for this machine alone or for its network."""

import asyncio
import logging
import os
import socket
import webbrowser
from collections.abc import Callable, Sequence
from functools import partial
from math import ceil
from pathlib import Path
from typing import Final

from prometheus_client.multiprocess import mark_process_dead

from illusion.deck import check_pictures
from illusion.tables import CannotOpen, Pace, default_database, exclusive_use, is_shared, store_at
from illusion.web.http.limits.rate_limits import Limits
from illusion.web.ops import logs
from illusion.web.ops.metrics import SHARED
from illusion.web.server.supervisor import interrupt_on_signals, supervise
from illusion.web.server.worker import ServerOptions, work, work_at_home

BACKLOG: Final = 2048

SEND_BUFFER_BYTES: Final = 128 * 1024
"""The system's send buffer per connection. By default it would keep megabytes for a client that does not read."""


def lan_address() -> str | None:
    """This machine's address on its network, from the routing table; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        address: str = probe.getsockname()[0]
        return address


class CannotListen(Exception):
    """Nobody can be served at the address asked for; the message says why."""


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
    host_names: Sequence[str] = (),
    workers: int = 1,
    painters: int | None = None,
    page: str = "",
) -> None:
    """Serve until SIGINT (Ctrl-C) or SIGTERM; port 0 takes a free one. Prints a page's address once it can be opened.

    `painters` are shared out to the workers, each of which has one at least; None is one less than the cores.

    Raises CannotListen, or CannotOpen for the database.
    """
    interrupt_on_signals()
    check_pictures()
    logs.set_up(log)
    database = database or default_database()
    if workers > 1 and not is_shared(database):
        raise CannotOpen("several workers need PostgreSQL: --database postgresql://…")
    if lan:
        host = "0.0.0.0"  # noqa: S104  # nosec B104
    listening = _listening_socket(host, port)
    address = lan_address() if lan else None
    shown = address or ("127.0.0.1" if host == "0.0.0.0" else host)  # noqa: S104  # nosec B104
    url = f"http://{shown}:{listening.getsockname()[1]}/{page}"
    if painters is None:
        painters = max((os.cpu_count() or 1) - 1, 1)
    options = ServerOptions(
        database,
        pace,
        address,
        limits,
        trusted_proxies,
        metrics_from,
        log,
        host_names,
        ceil(painters / workers),
    )

    def ready() -> None:
        print(f"Illusion is at {url}  (Ctrl-C ends it; nothing is lost)", flush=True)
        logs.say(logging.INFO, "serving", port=listening.getsockname()[1])
        if open_browser:
            webbrowser.open(url)

    try:
        with listening, exclusive_use(database):
            if is_shared(database):
                asyncio.run(_check_database(database))
            if workers > 1:
                listening.listen(BACKLOG)
                _supervised(options, listening, workers, ready)
            else:
                work(options, listening, ready)
    except KeyboardInterrupt:
        pass
    finally:
        logs.say(logging.INFO, "stopped")


def _listening_socket(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # IPPROTO_TCP must be explicit: only then does asyncio set TCP_NODELAY, without which small messages wait 40 ms.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # notices a phone that left without closing, by unacknowledged heartbeats
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 40_000)
    try:
        listening.bind((host, port))
    except (OSError, OverflowError, TypeError, UnicodeError) as error:  # the last two for a name that is none
        listening.close()
        why = error.strerror if isinstance(error, OSError) and error.strerror else "that is no address"
        raise CannotListen(f"cannot listen on {host}:{port}: {why}") from None
    return listening


async def _check_database(database: Path | str) -> None:
    """Check the database before listening, so that a failure is one sentence."""
    store = store_at(database)
    await store.open()
    await store.close()


def _supervised(options: ServerOptions, listening: socket.socket, workers: int, ready: Callable[[], None]) -> None:
    """Several processes. They share a folder for their sockets and metrics; for these, the environment may name one."""
    from illusion.web.server.metrics_folder import shared_folder  # noqa: PLC0415  (needs file locks; one process does not)

    with shared_folder() as folder:
        shared = os.environ.setdefault(SHARED, folder)
        what = partial(work_at_home, options, listening, folder, workers)
        supervise(what, workers, ready, ended=lambda process: mark_process_dead(process, shared))  # type: ignore[no-untyped-call]
