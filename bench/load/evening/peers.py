"""The same evening at other people's servers: four clients a table, and 98 pictures as files of the server."""

from collections.abc import Iterable
from functools import partial

import msgspec

from bench.load.contenders.boardgame import Boardgame, BoardgameTable, State
from bench.load.contenders.colyseus import ROOM_DATA, Colyseus, ColyseusTable
from bench.load.contenders.contender import Contender
from bench.load.contenders.illusion import Told
from bench.load.contenders.sockets import SocketTable
from bench.load.evening.album import Album
from bench.load.evening.pages_table import Guests
from bench.load.lines import Answer, Lines, request
from bench.load.page import CONNECTIONS
from bench.load.table import PLAYERS

_state = msgspec.json.Decoder(tuple[str, str, State, msgspec.Raw])
_sync = msgspec.json.Decoder(tuple[str, str, dict[str, msgspec.Raw]])
_synced = msgspec.json.Decoder(State)
_told = msgspec.msgpack.Decoder(Told)


class LookingTable(SocketTable):
    """Each of the four fetches the picture of every card that is new to them."""

    def __init__(self, contender: Contender, seed: int, guests: Guests) -> None:
        super().__init__(contender, seed, guests.delivered)
        self.guests = guests
        self.album = Album(guests.complete)
        self.lines = [Lines(contender.port, most=CONNECTIONS) for _ in range(PLAYERS)]
        self.looked_at: list[set[str]] = [set() for _ in range(PLAYERS)]

    def look(self, seat: int, cards: Iterable[str | None]) -> None:
        for card in cards:
            if card is not None and card not in self.looked_at[seat]:
                self.looked_at[seat].add(card)
                self.album.expect(card, self.due)
                asked = request("GET", f"/cards/{card}.svg", {"accept-encoding": "gzip"})
                self.lines[seat].ask(asked, partial(self._looked, card))

    def _looked(self, card: str, answer: Answer) -> None:
        if answer.status == 200:
            self.album.add(card, self.due)
        else:
            self.guests.trouble(f"picture {answer.status}")

    def close(self) -> None:
        super().close()
        for lines in self.lines:
            lines.close()


class BoardgamePictures(LookingTable, BoardgameTable):
    def told(self, seat: int, message: bytes) -> None:
        if message.startswith(b'42/illusion,["update"'):
            state = _state.decode(message[12:])[2]
            self.look(seat, [*state.G.row, state.G.next_card])
        elif message.startswith(b'42/illusion,["sync"'):
            state = _synced.decode(_sync.decode(message[12:])[2]["state"])
            self.look(seat, [*state.G.row, state.G.next_card])
        super().told(seat, message)


class ColyseusPictures(LookingTable, ColyseusTable):
    def told(self, seat: int, message: bytes) -> None:
        if message.startswith(ROOM_DATA):
            for each in _told.decode(message[2 + (message[1] & 31) :]).happened:
                self.look(seat, [each.first_card, each.next_card])
        super().told(seat, message)


PEERS: dict[str, tuple[type[Contender], type[LookingTable]]] = {
    "boardgame.io": (Boardgame, BoardgamePictures),
    "colyseus": (Colyseus, ColyseusPictures),
}


def peer_table(name: str, port: int, seed: int, guests: Guests) -> LookingTable:
    contender, table = PEERS[name]
    return table(contender(port), seed, guests)
