"""One serving process: the application, the HTTP server around it, and how both use the interpreter."""

import asyncio
import gc
import socket
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

import uvicorn

from illusion.tables import Pace, store_at
from illusion.tables.model import commands
from illusion.tables.worker import Where
from illusion.web.app import create_app
from illusion.web.context import AppContext
from illusion.web.http.limits.rate_limits import Limits
from illusion.web.ops import logs
from illusion.web.server.connections import RESERVED_DESCRIPTORS, ConnectionLimiter, raise_descriptor_limit
from illusion.web.server.followers.open_connection import OpenConnection
from illusion.web.server.followers.websocket_handshake import WebSocketHandshake
from illusion.web.server.homes import Homes
from illusion.web.server.http_protocol import LimitedHttpProtocol
from illusion.web.server.passing import ConnectionPassing

GRACEFUL_SHUTDOWN_S: Final = 7
"""For requests to finish when the server stops: longer than the store's own timeout."""
UNREAD_S: Final = 1.0
"""For pages to read that the server stops."""


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """Everything a process needs in order to serve. It can be pickled."""

    database: Path | str
    pace: Pace | None
    lan: str | None
    limits: Limits | None
    trusted_proxies: Sequence[str]
    metrics_from: Sequence[str]
    log: str
    host_names: Sequence[str] = ()
    drawing: Where | None = None

    def server(self, homes: Homes | None = None) -> "Server":
        """With the application, which is made in the process that serves it."""
        limits = self.limits or Limits()
        app = create_app(
            store_at(self.database),
            self.pace,
            self.lan,
            limits,
            self.metrics_from,
            host_names=self.host_names,
            drawing=self.drawing,
            new_id=commands.new_id if homes is None else homes.new_id,
        )
        passing = None if homes is None else ConnectionPassing(homes)
        most = raise_descriptor_limit() - RESERVED_DESCRIPTORS
        connections = ConnectionLimiter(most, limits.connections, self.trusted_proxies)
        config = uvicorn.Config(
            app,
            log_config=None,
            log_level="warning",
            access_log=False,
            server_header=False,
            http=partial(LimitedHttpProtocol, connections=connections, passing=passing),  # type: ignore[arg-type]
            ws=partial(WebSocketHandshake, connections=connections),  # type: ignore[arg-type]
            proxy_headers=bool(self.trusted_proxies),
            forwarded_allow_ips=list(self.trusted_proxies),
            timeout_graceful_shutdown=GRACEFUL_SHUTDOWN_S,
        )
        return Server(config, app.state.context, passing)


class Server(uvicorn.Server):
    """Serves connections that other workers pass to it as well as those that it accepts.

    Ends event streams and sockets when it stops; they would not end by themselves. Other requests are waited for.
    """

    def __init__(self, config: uvicorn.Config, context: AppContext, passing: ConnectionPassing | None) -> None:
        super().__init__(config)
        self._context = context
        self._passing = passing

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self._passing is not None:
            self._passing.start(self._new_protocol)

    def _new_protocol(self, received: bytes) -> asyncio.Protocol:
        return self.config.http_protocol_class(  # type: ignore[call-arg]
            config=self.config, server_state=self.server_state, app_state=self.lifespan.state, received=received
        )

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        if self._passing is not None:
            self._passing.stop()
        self._context.broadcasts.close()
        asyncio.get_running_loop().call_later(UNREAD_S, self._leave_sleeping_pages)
        await super().shutdown(sockets)

    def _leave_sleeping_pages(self) -> None:
        """Those that do not read would never take the end of what was sent to them."""
        for connection in tuple(self.server_state.connections):
            if isinstance(connection, OpenConnection):
                connection.transport.abort()


def work_at_home(
    options: ServerOptions,
    listening: socket.socket,
    folder: str,
    count: int,
    place: int,
    ready: Callable[[], None],
) -> None:
    """Serve as one of several processes, each of which is the home of some tables."""
    work(options, listening, ready, Homes(folder, count, place))


def work(
    options: ServerOptions, listening: socket.socket, ready: Callable[[], None], homes: Homes | None = None
) -> None:
    """Serve in this process until SIGINT or SIGTERM."""
    logs.set_up(options.log)
    server = options.server(homes)
    _tune_garbage_collector()
    _tune_thread_switching()

    async def run() -> None:
        serving = asyncio.create_task(server.serve(sockets=[listening]))
        while not server.started and not serving.done():
            await asyncio.sleep(0.02)
        if server.started:
            ready()
        await serving

    try:
        with asyncio.Runner(loop_factory=server.config.get_loop_factory()) as runner:
            runner.run(run())
    except KeyboardInterrupt:
        return


def _tune_garbage_collector() -> None:
    """Everybody waits for it, so it looks at little at a time: with 2,000 tables for 4 ms at what is new, for 20 ms at
    what is a little older, and seldom, for a quarter of a second, at everything."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(5_000, 5, 100)


def _tune_thread_switching() -> None:
    """While a bot thinks or cards are dealt in a thread, a request waits half a millisecond, not five."""
    sys.setswitchinterval(0.0005)
