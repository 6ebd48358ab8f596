"""boardgame.io: its lobby over HTTP, then socket.io over a WebSocket; every move brings everybody the whole state."""

from collections.abc import Callable

import msgspec

from bench.load.contenders.contender import Contender
from bench.load.contenders.sockets import SocketTable
from bench.load.table import PLAYERS, Table
from bench.load.wire import WebSocket


class Public(msgspec.Struct, rename="camel"):
    """As much of the state as a player needs."""

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
    async def open(self) -> None:
        posts = self.contender.posts
        self.match = (await posts.post("/games/illusion/create", {"numPlayers": PLAYERS}))["matchID"]
        self.credentials = []
        for seat in range(PLAYERS):
            joined = await posts.post(
                f"/games/illusion/{self.match}/join", {"playerID": str(seat), "playerName": f"Player {seat}"}
            )
            self.credentials.append(joined["playerCredentials"])
        for seat in range(PLAYERS):
            await self.connect(seat, "/socket.io/?EIO=4&transport=websocket", lambda _: None)
        await self.greeted.wait()

    def told(self, seat: int, message: bytes) -> None:
        if message.startswith(b'42/illusion,["update"'):
            if seat == 0:
                self.understand(_update.decode(message[12:])[2])
            self.hear()
        elif message == b"2":
            self.sockets[seat].send(b"3")
        elif message.startswith(b"0"):
            self.sockets[seat].send(b"40/illusion,")
        elif message.startswith(b"40/illusion"):
            self.say(self.sockets[seat], "sync", self.match, str(seat), self.credentials[seat], PLAYERS)
        elif message.startswith(b'42/illusion,["sync"'):
            if seat == 0:
                self.understand(_state.decode(_sync.decode(message[12:])[2]["state"]))
            self.greet()
        else:
            assert message.startswith(b'42/illusion,["matchData"'), message

    def understand(self, state: State) -> None:
        self.state_id = state.state_id
        self.to_play, self.row = state.G.to_play, len(state.G.row)
        self.deck_empty, self.over = state.G.next_card is None, bool(state.G.winners)

    def send(self, gap: int | None) -> None:
        seat = str(self.to_play)
        move = {"type": "doubt", "args": []} if gap is None else {"type": "place", "args": [gap]}
        payload = {**move, "playerID": seat, "credentials": self.credentials[self.to_play]}
        action = {"type": "MAKE_MOVE", "payload": payload}
        self.say(self.sockets[self.to_play], "update", action, self.state_id, self.match, seat)

    def say(self, socket: WebSocket, *words: object) -> None:
        socket.send(b"42/illusion," + msgspec.json.encode(words))


class Boardgame(Contender):
    def table(self, seed: int, delivered: Callable[[Table], object]) -> Table:
        return BoardgameTable(self, seed, delivered)
