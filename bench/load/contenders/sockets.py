"""What tables with four WebSockets have in common: connect all, and hang up."""

import asyncio
from collections.abc import Callable
from functools import partial

from bench.load.contenders.contender import Contender
from bench.load.table import PLAYERS, Table
from bench.load.wire import HOST, WebSocket


class SocketTable(Table):
    """Four players, each at a WebSocket; the first one also understands what it hears."""

    def __init__(self, contender: Contender, seed: int, delivered: Callable[[Table], object]) -> None:
        super().__init__(seed, delivered)
        self.contender = contender
        self.sockets: list[WebSocket] = []
        self.greeted = asyncio.Event()
        self.greetings = 0

    async def connect(self, seat: int, path: str, opened: Callable[[WebSocket], object]) -> None:
        """`opened` says hello on a new connection; whoever has been greeted calls `greet`."""
        loop = asyncio.get_running_loop()
        socket = WebSocket(path, lambda: opened(socket), partial(self.told, seat), lost=lambda: self.lost(socket))
        self.sockets.append(socket)
        await loop.create_connection(lambda: socket, HOST, self.contender.port)

    def greet(self) -> None:
        self.greetings += 1
        if self.greetings == PLAYERS:
            self.greeted.set()

    def lost(self, socket: WebSocket) -> None:
        assert not socket.refusal, socket.refusal

    def told(self, seat: int, message: bytes) -> None:
        raise NotImplementedError

    def close(self) -> None:
        for socket in self.sockets:
            socket.transport.close()
