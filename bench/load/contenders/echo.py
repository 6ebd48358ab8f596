"""The bare echo: a move of the usual size, handed to all four; nobody knows any rules."""

import secrets
from collections.abc import Callable

from bench.load.contenders.contender import Contender
from bench.load.contenders.sockets import SocketTable
from bench.load.table import PLAYERS, Table

MOVES = 72
"""As many as a game has."""


class EchoTable(SocketTable):
    async def open(self) -> None:
        self.made = 0
        self.event = b'{"seq":%d,"entry":"placed","happened":[{"event":"card-placed"' + b" " * 230 + b"}]}"
        path = f"/{secrets.token_hex(8)}"
        for seat in range(PLAYERS):
            await self.connect(seat, path, lambda _: self.greet())
        await self.greeted.wait()

    def told(self, seat: int, message: bytes) -> None:  # noqa: ARG002
        self.hear()

    def send(self, gap: int | None) -> None:  # noqa: ARG002
        self.made += 1
        self.over = self.made == MOVES
        self.sockets[self.made % PLAYERS].send(self.event % self.made)


class Echo(Contender):
    def table(self, seed: int, delivered: Callable[[Table], object]) -> Table:
        return EchoTable(self, seed, delivered)
