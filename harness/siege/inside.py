"""A server in this process with the default limits, and a guest who counts rounds: its work can be counted."""

import asyncio
import os
import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from starlette.applications import Starlette

from harness.siege.guest import SERVER, Guest, Own
from illusion.rules import Variant
from illusion.tables import Pace, Table
from illusion.tables.model.entries import AnyEntry, Arranged
from illusion.web import Limits
from illusion.web.context import AppContext
from illusion.web.server.connections import ConnectionLimiter
from illusion.web.server.followers.open_connection import OpenConnection
from illusion.web.server.followers.websocket_handshake import WebSocketHandshake
from illusion.web.server.http_protocol import LimitedHttpProtocol
from illusion.web.server.run import SEND_BUFFER_BYTES
from illusion.web.server.worker import Server, ServerOptions

STUCK_S = 60
"""Only so that a test that hangs says where."""


class Inside:
    """What the server has open."""

    def __init__(self, server: Server, context: AppContext, port: int) -> None:
        self.server = server
        self.context = context
        self.port = port
        self.guests: list[Guest] = []

    def guest(self, rounds: int, known: Sequence[Own] = ()) -> Guest:
        self.guests.append(Guest(self.port, rounds=rounds, known=known))
        return self.guests[-1]

    @property
    def protocols(self) -> list[LimitedHttpProtocol | WebSocketHandshake | OpenConnection[Any]]:
        """One for each open connection."""
        ours = (LimitedHttpProtocol, WebSocketHandshake, OpenConnection)
        return [each for each in self.server.server_state.connections if isinstance(each, ours)]

    @property
    def limiter(self) -> ConnectionLimiter:
        """What counts the open connections."""
        made: Any = self.server.config.http
        limiter: ConnectionLimiter = made.keywords["connections"]
        return limiter

    @property
    def is_calm(self) -> bool:
        """Nothing is open, and nothing counts as open."""
        tasks = self.server.server_state.tasks
        return not (self.protocols or self.limiter.total or self.open_streams or tasks or len(self.context.broadcasts))

    @property
    def open_streams(self) -> int:
        (gauge,) = self.context.metrics.streams.collect()
        return int(gauge.samples[0].value)

    @property
    def unsent_bytes(self) -> int:
        """What waits in this process for clients that do not read."""
        return sum(protocol.transport.get_write_buffer_size() for protocol in self.protocols)

    async def write(self, own: Own, entries: int) -> None:
        """Much that happened at a table, at once: its clock was set again and again."""

        def command(_: Table, now: float) -> list[AnyEntry]:
            return [Arranged(now, Variant.TWELVE_ROUNDS, (20, 45)[number % 2]) for number in range(entries)]

        await self.context.service.execute(own.table, command)

    def entries(self, own: Own) -> int:
        """The number of the last entry in a table's log."""
        return self.context.service.known_seqs()[own.table]

    async def until_calm(self) -> None:
        """When all have hung up, every connection, stream and request ends."""
        async with asyncio.timeout(STUCK_S):
            while not self.is_calm:
                await asyncio.sleep(0.01)


def open_files() -> int:
    return len(os.listdir("/proc/self/fd"))


@asynccontextmanager
async def serving(folder: Path, limits: Limits | None = None, pace: Pace | None = None) -> AsyncIterator[Inside]:
    """As `illusion serve` serves it; but bots think for ever unless a pace is given."""
    server = ServerOptions(folder / "tables.db", pace or Pace(bot_s=1e6), None, limits, (), (), "trouble").server()
    with socket.create_server((SERVER, 0)) as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
        running = asyncio.create_task(server.serve(sockets=[listening]))
        while not server.started:
            await asyncio.sleep(0.01)
        app = server.config.app
        assert isinstance(app, Starlette)
        inside = Inside(server, app.state.context, listening.getsockname()[1])
        try:
            yield inside
        finally:
            for guest in inside.guests:
                await guest.leave()
            server.should_exit = True
            await running
