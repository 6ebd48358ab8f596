"""One client process of an evening: people at tables who move at a steady pace, and what they felt.

It speaks with its parent by lines: it writes `ready` and waits for `go`, then writes its figures as JSON.
"""

import asyncio
import resource
import sys
from time import perf_counter, process_time, time
from typing import Any

import msgspec
import uvloop

from bench.load.evening.pages_table import Move, PagesTable
from bench.load.evening.peers import LookingTable, peer_table
from bench.load.page import Events, Page
from bench.load.table import PLAYERS, Table
from bench.load.wire import loopback_address

OPENING_AT_ONCE = 8
OPENING_S = 600.0
DRAIN_S = 20.0
MOST_TROUBLE = 10_000
"""Of which the moment is kept."""
LANGUAGES = ("en", "de", "es", "fr", "pl")
PAGES = "pages"


class Task(msgspec.Struct):
    """What one client process is to do."""

    kind: str
    port: int
    tables: int
    seconds: float
    every: float
    """Seconds between two moves at a table."""
    languages: int = 1
    """How many different ones there are at a table."""
    seed: int = 0
    first: int = 0
    """The number of the first person."""


class Kept(msgspec.Struct):
    """What the people at one table sent, by the number it was made on, and were told."""

    table: str
    sent: dict[int, list[Move]]
    acknowledged: dict[int, Move]


class Felt(msgspec.Struct):
    """What they found. Delays are in milliseconds, from when a move was due until the last of four has it."""

    moves: list[float] = []
    pictures: list[float] = []
    trouble: list[tuple[float, str]] = []
    """When, in seconds since 1970, and what."""
    cpu: float = 0.0
    games: int = 0
    kept: list[Kept] = []


AnyTable = PagesTable | LookingTable


class Evening:
    """All tables of this process. When a game ends, its people open the next table."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.tables: list[AnyTable] = []
        self.opening: dict[int, asyncio.Future[None]] = {}
        """Places whose people are just going to the next table."""
        self.under_way: dict[Table, float] = {}
        """When the moves were due that somebody has not heard of."""
        self.playing = False
        self.felt = Felt()

    async def open(self) -> None:
        gate = asyncio.Semaphore(OPENING_AT_ONCE)

        async def one(place: int) -> None:
            async with gate:
                await self._open(place)

        self.tables = [self._new(place) for place in range(self.task.tables)]
        async with asyncio.timeout(OPENING_S):
            await asyncio.gather(*map(one, range(self.task.tables)))

    async def _open(self, place: int) -> None:
        await self.tables[place].open()
        self.felt.games += 1

    def _new(self, place: int) -> AnyTable:
        seed = self.task.seed + place + 1000 * self.felt.games
        if self.task.kind == PAGES:
            return PagesTable(lambda table: [self._page(place, seat, table) for seat in range(PLAYERS)], seed, self)
        return peer_table(self.task.kind, self.task.port, seed, self)

    def _page(self, place: int, seat: int, table: Events) -> Page:
        """The same person at each table they come to."""
        language = LANGUAGES[(place + seat % self.task.languages) % len(LANGUAGES)]
        address = loopback_address(self.task.first + place * PLAYERS + seat)
        return Page(self.task.port, language, table, address=address)

    async def play(self) -> Felt:
        self.playing, began, cpu = True, perf_counter(), process_time()
        for place in range(len(self.tables)):
            self._call_at(began + self.task.every * place / len(self.tables), place)
        await asyncio.sleep(self.task.seconds)
        self.playing, self.felt.cpu = False, process_time() - cpu
        for _ in range(int(DRAIN_S / 0.05)):
            if not self.under_way and not self._awaited():
                break
            await asyncio.sleep(0.05)
        for delays, what, dues in (
            (self.felt.moves, "a move", [*self.under_way.values()]),
            (self.felt.pictures, "a picture", self._awaited()),
        ):
            for due in dues:
                self.trouble(f"{what} never arrived")
                delays.append((perf_counter() - due) * 1000)
        for opening in self.opening.values():
            opening.cancel()
        for table in self.tables:
            self._leave(table)
        return self.felt

    def _awaited(self) -> list[float]:
        return [due for table in self.tables for due in table.album.waiting() if due]

    def _call_at(self, due: float, place: int) -> None:
        asyncio.get_running_loop().call_later(due - perf_counter(), self._fall_due, place, due)

    def _fall_due(self, place: int, due: float) -> None:
        if not self.playing:
            return
        self._call_at(due + self.task.every, place)
        table = self.tables[place]
        if place in self.opening:
            return
        if table.over:
            self.opening[place] = asyncio.ensure_future(self._next_table(place))
            self.opening[place].add_done_callback(self._opened)
        elif table in self.under_way:
            table.behind += 1
        else:
            self._begin(table, due)

    def _begin(self, table: Table, due: float) -> None:
        self.under_way[table] = due
        table.play(due)

    async def _next_table(self, place: int) -> None:
        self._leave(self.tables[place])
        self.tables[place] = self._new(place)
        await self._open(place)
        del self.opening[place]

    def _opened(self, opening: "asyncio.Future[None]") -> None:
        if not opening.cancelled() and (error := opening.exception()) is not None:
            self.trouble(f"no next table: {error!r}"[:200])

    def _leave(self, table: AnyTable) -> None:
        table.close()
        if isinstance(table, PagesTable):
            self.felt.kept.append(Kept(table.id, table.sent, table.acknowledged))

    def delivered(self, table: Table) -> None:
        if table not in self.under_way:
            return  # the deal
        due = self.under_way.pop(table)
        self.felt.moves.append((perf_counter() - due) * 1000)
        if self.playing and table.behind and not table.over:
            table.behind -= 1
            self._begin(table, due + self.task.every)

    def complete(self, due: float) -> None:
        if due:  # not the pictures that were there before the first move
            self.felt.pictures.append((perf_counter() - due) * 1000)

    def trouble(self, what: str) -> None:
        if len(self.felt.trouble) < MOST_TROUBLE:
            self.felt.trouble.append((time(), what))

    def broken(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """An error of ours, which must show among the figures."""
        self.trouble(f"exception: {context.get('exception') or context['message']!r}"[:200])


async def main(task: Task) -> None:
    evening = Evening(task)
    asyncio.get_running_loop().set_exception_handler(evening.broken)
    await evening.open()
    print("ready", flush=True)
    assert await asyncio.to_thread(sys.stdin.readline) == "go\n"
    print(msgspec.json.encode(await evening.play()).decode(), flush=True)


if __name__ == "__main__":
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    uvloop.run(main(msgspec.json.decode(sys.argv[1], type=Task)))
