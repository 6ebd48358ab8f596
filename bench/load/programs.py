"""Programs at our server: moves are POSTs on a keep-alive connection per table, and each player has an event stream."""

import asyncio
from functools import partial

import msgspec

from bench.load.table import PLAYERS, Table
from bench.load.wire import HOST, Answer, EventStream, program_request


class Happened(msgspec.Struct):
    """The fields of an event that a player needs."""

    event: str
    to_play: int | None = None
    first_card: str | None = None
    next_card: str | None = None


class Told(msgspec.Struct):
    """A public event."""

    happened: list[Happened]


_told = msgspec.json.Decoder(Told)


def understand(table: Table, told: Told) -> None:
    """The seat at turn, and the length of the row."""
    for each in told.happened:
        if each.event == "card-placed":
            table.row += 1
        elif each.event == "round-started":
            table.row = 1
        elif each.event == "game-ended":
            table.over = True
        if each.to_play is not None:
            table.to_play, table.deck_empty = each.to_play, each.next_card is None


class ProgramsTable(Table):
    """Four programs at one of our tables."""

    async def open(self) -> None:
        made = await self.posts.post("/api/tables", {"name": "Ana", "seats": PLAYERS})
        self.tokens = [made["token"]]
        path = f"/api/tables/{made['table']}"
        for name in ("Bob", "Cleo", "Dora"):
            self.tokens.append((await self.posts.post(f"{path}/seats", {"name": name}))["token"])
        self.path = f"{path}/moves"
        self.last = PLAYERS + 1  # opened, and four sat down; the next event is the deal
        loop = asyncio.get_running_loop()
        for seat in range(PLAYERS):
            stream = partial(EventStream, f"{path}/events?after={self.last}", partial(self.told, seat))
            _, protocol = await loop.create_connection(stream, HOST, self.task.port)
            self.connections.append(protocol)
        await self.posts.post(f"{path}/start", None, self.tokens[0])
        await self.dealt.wait()

    def send(self, gap: int | None) -> None:
        move = b'{"move":"doubt","seq":%d}' % self.last
        if gap is not None:
            move = b'{"move":"place","gap":%d,"seq":%d}' % (gap, self.last)
        self.posts.ask(program_request(self.path, move, self.tokens[self.to_play]), self.answered)

    def answered(self, answer: Answer) -> None:
        assert answer.status == 200, answer

    def told(self, seat: int, seq: int, data: bytes) -> None:
        if seat == 0:
            self.last = seq
            understand(self, _told.decode(data))
        self.hear()
