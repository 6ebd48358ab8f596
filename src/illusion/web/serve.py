"""Serves the application on uvicorn with our limits, for this machine alone or for its network."""

import asyncio
import errno
import gc
import ipaddress
import logging
import signal
import socket
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, cast

import uvicorn
from starlette.applications import Starlette
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from illusion.tables import default_database, exclusive_use, is_shared, store_at
from illusion.web.app import create_app
from illusion.web.context import AppContext, AppOptions
from illusion.web.protocol import MAX_BYTES, LimitedHttp, LimitedWebSocket
from illusion.web.telemetry import log_event, set_up_log

GRACEFUL_SHUTDOWN_S: Final = 7
"""Time for requests to finish when the server stops: longer than the store's timeout."""
STOP_CHECK_S: Final = 0.1
SEND_BUFFER_BYTES: Final = 128 * 1024
"""The kernel's send buffer per connection; by default it grows to megabytes for a client that does not read."""
MAX_DESCRIPTORS: Final = 65_536
"""The limit on open files that we ask for, even if the system grants more."""
RESERVED_DESCRIPTORS: Final = 128
"""For the database, log files, and connections that are being refused."""
DEFAULT_DESCRIPTORS: Final = 1024
"""Where the system does not say how many there are."""
PREFIX_HEADER: Final = b"x-forwarded-prefix"
EVERYWHERE: Final = ("0.0.0.0", "::")  # noqa: S104  # nosec B104
NEXT_PORTS: Final = 50
"""The number of ports to try after a taken one."""
MAX_PORT: Final = 65535
TAKEN: Final = (errno.EADDRINUSE, errno.EACCES) if sys.platform == "win32" else (errno.EADDRINUSE,)
"""Windows raises EACCES for a port that it reserves; elsewhere that means that only root may use it."""


class CannotListen(Exception):
    """The address cannot be listened on; the message says why."""


class PortTaken(CannotListen):
    """Another program uses the port."""


def serve(
    database: Path | str | None = None,
    options: AppOptions | None = None,
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    or_next_port: bool = False,
    trusted_proxies: Sequence[str] = (),
    log: str = "trouble",
    ready: Callable[[str], None] = print,
) -> None:
    """Serve until SIGINT (Ctrl-C) or SIGTERM. Port 0 takes a free one; `or_next_port` the next one if it is taken.

    `ready` is called with the home page's URL for this machine's browser, once it can be opened.
    Raises CannotListen, InUse if another process serves the database, or CannotOpen for the database.
    """
    _interrupt_on_signals()
    set_up_log(log)
    database = database or default_database()
    try:
        with exclusive_use(database) as say_port, _listening_socket(host, port, or_next=or_next_port) as listening:
            if is_shared(database):
                asyncio.run(_check_database(database))
            port = listening.getsockname()[1]
            url = _own_address(host, port)

            def on_ready() -> None:
                say_port(port)
                log_event(logging.INFO, "serving", port=port)
                ready(url)

            app = create_app(store_at(database), options)
            _tune_interpreter()
            server = server_for(app, trusted_proxies)
            with asyncio.Runner(loop_factory=server.config.get_loop_factory()) as runner:
                runner.run(run(server, app.state.context, listening, on_ready))
    except KeyboardInterrupt:
        pass
    finally:
        log_event(logging.INFO, "stopped")


class ForwardedPrefix:
    """Takes from trusted proxies the path under which they serve the game, as ASGI's `root_path`.

    Outside uvicorn's own middleware for proxies, which replaces the proxy's address by the client's.
    """

    def __init__(self, app: ASGIApp, trusted: Sequence[str]) -> None:
        self._app = app
        self._trusted = [ipaddress.ip_network(each) for each in trusted]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "lifespan":
            told = [value for name, value in scope["headers"] if name == PREFIX_HEADER and value]
            if told and self._trusts(scope["client"]):
                scope["root_path"] = b", ".join(told).decode("latin-1")  # more than one is none of ours
        await self._app(scope, receive, send)

    def _trusts(self, client: tuple[str, int] | None) -> bool:
        return client is not None and any(ipaddress.ip_address(client[0]) in network for network in self._trusted)


def server_for(app: Starlette, trusted_proxies: Sequence[str] = ()) -> uvicorn.Server:
    """uvicorn with our limits."""
    proxied = ProxyHeadersMiddleware(cast("Any", app), list(trusted_proxies))
    config = uvicorn.Config(
        ForwardedPrefix(cast("Any", proxied), trusted_proxies) if trusted_proxies else app,
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        http=LimitedHttp,
        ws=LimitedWebSocket,
        ws_max_size=MAX_BYTES,
        ws_ping_interval=None,
        ws_per_message_deflate=False,
        proxy_headers=False,
        limit_concurrency=_raise_descriptor_limit() - RESERVED_DESCRIPTORS,
        timeout_graceful_shutdown=GRACEFUL_SHUTDOWN_S,
    )
    return uvicorn.Server(config)


async def run(server: uvicorn.Server, context: AppContext, listening: socket.socket, ready: Callable[[], None]) -> None:
    """Serve until the server is told to stop; then end all streams, which would not end by themselves."""
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    while not server.started and not serving.done():
        await asyncio.sleep(0.02)
    if server.started:
        ready()
    while not server.should_exit and not serving.done():
        await asyncio.sleep(STOP_CHECK_S)
    context.hubs.close()
    await serving


def _tune_interpreter() -> None:
    """Keep pauses short: with 2,000 tables a young garbage collection takes 4 ms, and a rare full one 250 ms. A busy
    thread holds the GIL for half a millisecond.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(5_000, 5, 100)
    sys.setswitchinterval(0.0005)


def _interrupt_on_signals() -> None:
    """Let SIGINT, SIGTERM and Windows' SIGBREAK raise KeyboardInterrupt in this process.

    Set explicitly, because a process can inherit SIGINT as ignored: a shell script starts `command &` that way.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for name in {"SIGTERM", "SIGBREAK"} & set(dir(signal)):
        signal.signal(getattr(signal, name), lambda *_: signal.raise_signal(signal.SIGINT))


def _own_address(host: str, port: int) -> str:
    """The host for this machine's browser; always the same, since browsers keep cookies by host."""
    if host in EVERYWHERE:
        host = "127.0.0.1"
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def _listening_socket(host: str, port: int, *, or_next: bool) -> socket.socket:
    """A socket that listens at this port, or with `or_next` at the next free one."""
    last = min(port + NEXT_PORTS, MAX_PORT) if or_next and port else port
    for tried in range(port, last):
        with suppress(PortTaken):
            listening = _bound_socket(host, tried)
            if tried != port:
                print(f"Port {port} is taken by another program; this time it is port {tried}.", flush=True)
            return listening
    return _bound_socket(host, last)


def _bound_socket(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # IPPROTO_TCP must be explicit: only then does asyncio set TCP_NODELAY, without which small messages wait 40 ms.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    if sys.platform == "win32":  # there SO_REUSEADDR would let another program take the port
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
    else:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # detects vanished phones, by unacknowledged heartbeats
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 40_000)
    try:
        listening.bind((host, port))
    except (OSError, OverflowError, TypeError, UnicodeError) as error:  # the last two for an invalid name
        listening.close()
        why = error.strerror if isinstance(error, OSError) and error.strerror else "that is no address"
        refusal = PortTaken if isinstance(error, OSError) and error.errno in TAKEN else CannotListen
        raise refusal(f"cannot listen on {host}:{port}: {why}") from None
    return listening


async def _check_database(database: Path | str) -> None:
    """Check the database before listening, so that a failure is one sentence."""
    store = store_at(database)
    await store.open()
    await store.close()


def _raise_descriptor_limit() -> int:
    """Set the soft limit on file descriptors as high as the system allows; returns it."""
    if sys.platform == "win32":
        return DEFAULT_DESCRIPTORS
    import resource  # noqa: PLC0415  (not on Windows)

    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    limit = MAX_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, MAX_DESCRIPTORS)
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))
    return limit
