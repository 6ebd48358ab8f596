"""The protocols of other servers' clients. Pictures are files of the same server."""

import asyncio
from functools import partial

import msgspec

from bench.load.programs import Told, understand
from bench.load.table import PLAYERS, Audience, Table, Task, Viewer
from bench.load.wire import HOST, NO_HEADERS, WebSocket

JOIN_ROOM, ROOM_DATA = b"\x0a", b"\x0d"
"""Colyseus' message types."""
BINARY = 2


class SocketTable(Table):
    """Four players, each with a WebSocket; only the first one parses messages."""

    def __init__(self, task: Task, place: int, seed: int, audience: Audience) -> None:
        super().__init__(task, place, seed, audience)
        self.sockets: list[WebSocket] = []
        self.viewers = [Viewer(self, NO_HEADERS) for _ in range(PLAYERS)]

    async def connect(self, seat: int, path: str) -> None:
        loop = asyncio.get_running_loop()
        socket = WebSocket(path, NO_HEADERS, partial(self.told, seat), lambda: self.lost(socket))
        self.sockets.append(socket)
        self.connections.append(socket)
        await loop.create_connection(lambda: socket, HOST, self.task.port)

    def lost(self, socket: WebSocket) -> None:
        assert socket.is_open, "refused"

    def told(self, seat: int, message: bytes) -> None:
        raise NotImplementedError

    def close(self) -> None:
        super().close()
        for viewer in self.viewers:
            viewer.close()


class Public(msgspec.Struct, rename="camel"):
    """The fields of boardgame.io's state that a player needs."""

    to_play: int
    row: list[str]
    next_card: str | None
    winners: list[int]


class State(msgspec.Struct):
    """boardgame.io's envelope."""

    G: Public
    state_id: int = msgspec.field(name="_stateID")


_update = msgspec.json.Decoder(tuple[str, str, State, msgspec.Raw])
_sync = msgspec.json.Decoder(tuple[str, str, dict[str, msgspec.Raw]])
_state = msgspec.json.Decoder(State)


class BoardgameTable(SocketTable):
    """Its lobby over HTTP, then socket.io over a WebSocket; every move brings everybody the whole state."""

    async def open(self) -> None:
        created = await self.posts.post("/games/illusion/create", {"numPlayers": PLAYERS})
        self.match = created["matchID"]
        self.credentials = []
        for seat in range(PLAYERS):
            joining = {"playerID": str(seat), "playerName": f"Player {seat}"}
            joined = await self.posts.post(f"/games/illusion/{self.match}/join", joining)
            self.credentials.append(joined["playerCredentials"])
        for seat in range(PLAYERS):
            await self.connect(seat, "/socket.io/?EIO=4&transport=websocket")
        await self.dealt.wait()

    def told(self, seat: int, message: bytes) -> None:
        if message.startswith(b'42/illusion,["update"'):
            self.understand(seat, _update.decode(message[12:])[2] if seat == 0 or self.task.looks else None)
        elif message == b"2":
            self.sockets[seat].send(b"3")
        elif message.startswith(b"0"):
            self.sockets[seat].send(b"40/illusion,")
        elif message.startswith(b"40/illusion"):
            self.say(self.sockets[seat], "sync", self.match, str(seat), self.credentials[seat], PLAYERS)
        elif message.startswith(b'42/illusion,["sync"'):
            self.understand(seat, _state.decode(_sync.decode(message[12:])[2]["state"]))
        else:
            assert message.startswith(b'42/illusion,["matchData"'), message

    def understand(self, seat: int, state: State | None) -> None:
        if state is not None:
            self.look(self.viewers[seat], [*state.G.row, state.G.next_card])
            if seat == 0:
                self.state_id = state.state_id
                self.to_play, self.row = state.G.to_play, len(state.G.row)
                self.deck_empty, self.over = state.G.next_card is None, bool(state.G.winners)
        self.hear()

    def send(self, gap: int | None) -> None:
        seat = str(self.to_play)
        move = {"type": "doubt", "args": []} if gap is None else {"type": "place", "args": [gap]}
        payload = {**move, "playerID": seat, "credentials": self.credentials[self.to_play]}
        action = {"type": "MAKE_MOVE", "payload": payload}
        self.say(self.sockets[self.to_play], "update", action, self.state_id, self.match, seat)

    def say(self, socket: WebSocket, *words: object) -> None:
        socket.send(b"42/illusion," + msgspec.json.encode(words))


_told = msgspec.msgpack.Decoder(Told)


class ColyseusTable(SocketTable):
    """Its match-making over HTTP, then messages in MessagePack over a WebSocket."""

    async def open(self) -> None:
        self.last = self.joined = 0
        path = "/matchmake/create/illusion"
        for seat in range(PLAYERS):
            reserved = await self.posts.post(path, {})
            room, process = reserved["roomId"], reserved["processId"]
            await self.connect(seat, f"/{process}/{room}?sessionId={reserved['sessionId']}")
            path = f"/matchmake/joinById/{room}"
        await self.dealt.wait()

    def told(self, seat: int, message: bytes) -> None:
        if message.startswith(ROOM_DATA):
            if seat == 0 or self.task.looks:
                told = _told.decode(message[2 + (message[1] & 31) :])
                for each in told.happened:
                    self.look(self.viewers[seat], [each.first_card, each.next_card])
                if seat == 0:
                    self.last += 1
                    understand(self, told)
            self.hear()
        elif message.startswith(JOIN_ROOM):
            self.sockets[seat].send(JOIN_ROOM, BINARY)
            self.joined += 1
            if self.joined == PLAYERS:
                self.sockets[0].send(ROOM_DATA + msgspec.msgpack.encode("deal"), BINARY)

    def send(self, gap: int | None) -> None:
        move = msgspec.msgpack.encode("move") + msgspec.msgpack.encode({"gap": gap, "seq": self.last})
        self.sockets[self.to_play].send(ROOM_DATA + move, BINARY)
