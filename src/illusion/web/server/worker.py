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
from illusion.web.app import create_app
from illusion.web.context import AppContext
from illusion.web.http.limits.rate_limits import Limits
from illusion.web.ops import logs
from illusion.web.server.connections import RESERVED_DESCRIPTORS, ConnectionLimiter, raise_descriptor_limit
from illusion.web.server.http_protocol import LimitedHttpProtocol
from illusion.web.server.websocket_protocol import MAX_FRAME_BYTES, LimitedWebSocketProtocol

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
    painters: int = 0

    def server(self) -> "Server":
        """With the application, which is made in the process that serves it."""
        limits = self.limits or Limits()
        app = create_app(
            store_at(self.database),
            self.pace,
            self.lan,
            limits,
            self.metrics_from,
            host_names=self.host_names,
            painters=self.painters,
        )
        most = raise_descriptor_limit() - RESERVED_DESCRIPTORS
        connections = ConnectionLimiter(most, limits.connections, self.trusted_proxies)
        config = uvicorn.Config(
            app,
            log_config=None,
            log_level="warning",
            access_log=False,
            server_header=False,
            http=partial(LimitedHttpProtocol, connections=connections),  # type: ignore[arg-type]
            ws=partial(LimitedWebSocketProtocol, connections=connections),  # type: ignore[arg-type]
            ws_max_size=MAX_FRAME_BYTES,
            ws_per_message_deflate=False,  # pictures are compressed already, and one message is sent to many
            ws_ping_interval=None,  # messages go often enough, see HEARTBEAT_S; the system notices who is gone
            proxy_headers=bool(self.trusted_proxies),
            forwarded_allow_ips=list(self.trusted_proxies),
            timeout_graceful_shutdown=GRACEFUL_SHUTDOWN_S,
        )
        return Server(config, app.state.context)


class Server(uvicorn.Server):
    """Ends event streams and sockets when it stops; they would not end by themselves. Other requests are waited for."""

    def __init__(self, config: uvicorn.Config, context: AppContext) -> None:
        super().__init__(config)
        self._context = context

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._context.broadcasts.close()
        asyncio.get_running_loop().call_later(UNREAD_S, self._leave_sleeping_pages)
        await super().shutdown(sockets)

    def _leave_sleeping_pages(self) -> None:
        """Those that do not read would never take the end of what was sent to them."""
        for connection in tuple(self.server_state.connections):
            if isinstance(connection, LimitedWebSocketProtocol):
                connection.transport.abort()


def work(options: ServerOptions, listening: socket.socket, ready: Callable[[], None]) -> None:
    """Serve in this process until SIGINT or SIGTERM."""
    logs.set_up(options.log)
    server = options.server()
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
    """A full collection is slow with thousands of live tables, and moves make no reference cycles."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def _tune_thread_switching() -> None:
    """While a bot thinks or cards are dealt in a thread, a request waits half a millisecond, not five."""
    sys.setswitchinterval(0.0005)
