"""Our own server: moves are POSTs on a connection that the table keeps, and every player has an event stream."""

import asyncio
from collections.abc import Callable
from functools import partial

import msgspec

from bench.load.contenders.contender import Contender
from bench.load.lines import Answer, Lines, move_request
from bench.load.table import PLAYERS, Table
from bench.load.wire import HOST, EventStream


class Happened(msgspec.Struct):
    """As much of an event as a player needs to go on."""

    event: str
    to_play: int | None = None
    first_card: str | None = None
    next_card: str | None = None


class Told(msgspec.Struct):
    """A public event."""

    happened: list[Happened]


_told = msgspec.json.Decoder(Told)


def understand(table: Table, told: Told) -> None:
    """Whose turn it is now, and how long the row is."""
    for each in told.happened:
        if each.event == "card-placed":
            table.row += 1
        elif each.event == "round-started":
            table.row = 1
        elif each.event == "game-ended":
            table.over = True
        if each.to_play is not None:
            table.to_play, table.deck_empty = each.to_play, each.next_card is None


class IllusionTable(Table):
    """Four people at one of our tables."""

    def __init__(self, contender: Contender, seed: int, delivered: Callable[[Table], object]) -> None:
        super().__init__(seed, delivered)
        self.contender = contender
        self.posts = Lines(contender.port)
        self.streams: list[EventStream] = []
        self.last = 0

    async def open(self) -> None:
        posts = self.posts
        made = await posts.post("/api/tables", {"name": "Ana", "seats": PLAYERS})
        self.tokens = [made["token"]]
        path = f"/api/tables/{made['table']}"
        for name in ("Bob", "Cleo", "Dora"):
            self.tokens.append((await posts.post(f"{path}/seats", {"name": name}))["token"])
        self.path = f"{path}/moves"
        self.last = PLAYERS + 1  # opened, and four sat down; the next event is the deal
        loop = asyncio.get_running_loop()
        for seat in range(PLAYERS):
            told = partial(self.told, seat)
            stream = f"{path}/events?after={self.last}"
            _, protocol = await loop.create_connection(partial(EventStream, stream, told), HOST, self.contender.port)
            self.streams.append(protocol)
        dealt = asyncio.Event()
        delivered, self.delivered = self.delivered, lambda _: dealt.set()
        await posts.post(f"{path}/start", None, self.tokens[0])
        await dealt.wait()
        self.delivered = delivered

    def send(self, gap: int | None) -> None:
        move = b'{"move":"doubt","seq":%d}' % self.last
        if gap is not None:
            move = b'{"move":"place","gap":%d,"seq":%d}' % (gap, self.last)
        self.posts.ask(move_request(self.path, move, self.tokens[self.to_play]), self.answered)

    def answered(self, answer: Answer) -> None:
        assert answer.status == 200, answer

    def told(self, seat: int, seq: int, data: bytes) -> None:
        if seat == 0:
            self.last = seq
            understand(self, _told.decode(data))
        self.hear()

    def close(self) -> None:
        self.posts.close()
        for stream in self.streams:
            stream.transport.close()


class IllusionPrograms(Contender):
    """Our server, over the public API."""

    def table(self, seed: int, delivered: Callable[[Table], object]) -> Table:
        return IllusionTable(self, seed, delivered)
