"""A server in this process with the default limits, and a guest who counts rounds: its work can be counted."""

import asyncio
import socket
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
import uvicorn

from harness.siege.guest import SERVER, Guest, Own
from illusion.tables import Pace, Table, store_at
from illusion.tables.model.entries import AnyEntry, Arranged, Terms
from illusion.tables.worker import Where
from illusion.web import AppOptions, Limits, create_app
from illusion.web.context import AppContext
from illusion.web.protocol import LimitedHttp, LimitedWebSocket
from illusion.web.serve import SEND_BUFFER_BYTES, run, server_for

STUCK_S = 60
"""Timeout, so that a hanging test says where."""


class Inside:
    """The server's open resources."""

    def __init__(self, server: uvicorn.Server, context: AppContext, port: int) -> None:
        self.server = server
        self.context = context
        self.port = port
        self.guests: list[Guest] = []

    def guest(self, rounds: int, known: Sequence[Own] = ()) -> Guest:
        self.guests.append(Guest(self.port, rounds=rounds, known=known))
        return self.guests[-1]

    @property
    def protocols(self) -> list[LimitedHttp | LimitedWebSocket]:
        """One for each open connection."""
        ours = (LimitedHttp, LimitedWebSocket)
        return [each for each in self.server.server_state.connections if isinstance(each, ours)]

    @property
    def is_calm(self) -> bool:
        """Whether nothing is open or counted as open."""
        state = self.server.server_state
        return not (state.connections or state.tasks or self.open_streams or len(self.context.hubs))

    @property
    def open_streams(self) -> int:
        (gauge,) = self.context.telemetry.streams.collect()
        return int(gauge.samples[0].value)

    @property
    def unsent_bytes(self) -> int:
        """Bytes buffered in this process for clients that do not read."""
        return sum(protocol.transport.get_write_buffer_size() for protocol in self.protocols)

    async def write(self, own: Own, entries: int) -> None:
        """Add many entries to a table's log at once, by changing its clock."""

        def command(_: Table, now: float) -> list[AnyEntry]:
            return [Arranged(now, Terms(clock=(20, 45)[number % 2])) for number in range(entries)]

        await self.context.service.execute(own.table, command)

    def entries(self, own: Own) -> int:
        """The number of the last entry in a table's log."""
        table = self.context.service.in_memory(own.table)
        return 0 if table is None else table.seq

    async def until_calm(self) -> None:
        """Wait until all connections, streams and requests have ended."""
        async with asyncio.timeout(STUCK_S):
            while not self.is_calm:
                await asyncio.sleep(0.01)


def calls_of(monkeypatch: pytest.MonkeyPatch, owner: Any, name: str) -> list[int]:
    """Grows with every call by the thread that made it; the real thing is called."""
    real: Callable[..., Any] = getattr(owner, name)
    threads: list[int] = []

    def noting(*arguments: Any, **options: Any) -> Any:
        threads.append(threading.get_ident())
        return real(*arguments, **options)

    monkeypatch.setattr(owner, name, noting)
    return threads


def open_connections() -> int:
    """TCP sockets of this process according to the system."""
    known = {f"socket:[{line.split()[9]}]" for line in Path("/proc/self/net/tcp").read_text().splitlines()[1:]}
    found = 0
    for descriptor in Path("/proc/self/fd").iterdir():
        with suppress(FileNotFoundError):  # the descriptor of this folder
            found += str(descriptor.readlink()) in known
    return found


@asynccontextmanager
async def serving(folder: Path, limits: Limits | None = None, pace: Pace | None = None) -> AsyncIterator[Inside]:
    """A server as by `illusion serve`, but bots never move unless a pace is given."""
    options = AppOptions(pace or Pace(bot_s=1e6), limits or Limits(), drawing=Where.THREAD)
    app = create_app(store_at(folder / "tables.db"), options)
    server = server_for(app)
    with socket.create_server((SERVER, 0)) as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
        ready = asyncio.Event()
        running = asyncio.create_task(run(server, app.state.context, listening, ready.set))
        await ready.wait()
        inside = Inside(server, app.state.context, listening.getsockname()[1])
        try:
            yield inside
        finally:
            for guest in inside.guests:
                await guest.leave()
            server.should_exit = True
            await running
