"""Colyseus: its match-making over HTTP, then messages in MessagePack over a WebSocket."""

import asyncio
from collections.abc import Callable

import msgspec

from bench.load.contenders.contender import Contender
from bench.load.contenders.illusion import Told, understand
from bench.load.contenders.sockets import SocketTable
from bench.load.table import PLAYERS, Table

JOIN_ROOM = b"\x0a"
ROOM_DATA = b"\x0d"
BINARY = 2
_told = msgspec.msgpack.Decoder(Told)


class ColyseusTable(SocketTable):
    async def open(self) -> None:
        room, path = "", "/matchmake/create/illusion"
        for seat in range(PLAYERS):
            reserved = await self.contender.posts.post(path, {})
            room, process = reserved["roomId"], reserved["processId"]
            await self.connect(seat, f"/{process}/{room}?sessionId={reserved['sessionId']}", lambda _: None)
            path = f"/matchmake/joinById/{room}"
        await self.greeted.wait()
        dealt = asyncio.Event()
        delivered, self.delivered = self.delivered, lambda _: dealt.set()
        self.last = 0
        self.sockets[0].send(ROOM_DATA + msgspec.msgpack.encode("deal"), BINARY)
        await dealt.wait()
        self.delivered = delivered

    def told(self, seat: int, message: bytes) -> None:
        if message.startswith(ROOM_DATA):
            if seat == 0:
                self.last += 1
                understand(self, _told.decode(message[2 + (message[1] & 31) :]))
            self.hear()
        elif message.startswith(JOIN_ROOM):
            self.sockets[seat].send(JOIN_ROOM, BINARY)
            self.greet()

    def send(self, gap: int | None) -> None:
        move = msgspec.msgpack.encode("move") + msgspec.msgpack.encode({"gap": gap, "seq": self.last})
        self.sockets[self.to_play].send(ROOM_DATA + move, BINARY)


class Colyseus(Contender):
    def table(self, seed: int, delivered: Callable[[Table], object]) -> Table:
        return ColyseusTable(self, seed, delivered)
