"""One process that serves: the application, the web server around it, and how both use the interpreter."""

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
from illusion.web.http.limits import Limits
from illusion.web.ops import logs
from illusion.web.server.express import Express
from illusion.web.server.http_protocol import Line

FINISH: Final = 7
"""Seconds that requests may take to finish at the end: longer than a store is waited for."""


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """All that a process must know to serve; it can be handed to another one."""

    database: Path | str
    pace: Pace | None
    lan: str | None
    limits: Limits | None
    trusted_proxies: Sequence[str]
    metrics_from: Sequence[str]
    log: str

    def config(self) -> uvicorn.Config:
        """With the application, which is made in the process that serves it."""
        app = create_app(store_at(self.database), self.pace, self.lan, self.limits, self.metrics_from)
        return uvicorn.Config(
            app,
            log_config=None,
            log_level="warning",
            access_log=False,
            server_header=False,
            http=partial(Line, Express(app, self.trusted_proxies)),  # type: ignore[arg-type]
            ws="none",
            proxy_headers=bool(self.trusted_proxies),
            forwarded_allow_ips=list(self.trusted_proxies),
            timeout_graceful_shutdown=FINISH,
        )


class _Server(uvicorn.Server):
    """Event streams never end by themselves: at the end they are hung up, and only other requests are waited for."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for connection in list(self.server_state.connections):
            cycle = getattr(connection, "cycle", None)
            if cycle is not None and cycle.response_started and not cycle.response_complete:
                connection.transport.close()
        await super().shutdown(sockets)


def work(house: ServerOptions, listening: socket.socket, ready: Callable[[], None]) -> None:
    """One process that serves."""
    logs.set_up(house.log)
    config = house.config()
    server = _Server(config)
    _collect_seldom()
    _share_often()

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


def _collect_seldom() -> None:
    """A move makes no garbage that needs a collector, and thousands of tables are much for one to walk through."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def _share_often() -> None:
    """While a bot thinks or cards are dealt beside the event loop, a move waits half a millisecond, not five."""
    sys.setswitchinterval(0.0005)
