"""One client process: people at tables who move, and what they felt.

It opens its tables and writes `ready`; then it is told by lines. `turn N`: every table makes N moves, each as soon as
everybody has the last one. `go`: from now on every table moves at its pace, whether or not the last move has arrived;
when a game ends, its people open the next table. `felt`: say as JSON what was felt since the last time.
"""

import asyncio
import gc
import resource
import sys
from contextlib import suppress
from time import perf_counter, process_time, time
from typing import Any

import msgspec
import uvloop
from harness.faults import Move

from bench.load.pages import PagesTable
from bench.load.peers import BoardgameTable, ColyseusTable
from bench.load.programs import ProgramsTable
from bench.load.table import Table, Task

TABLES: dict[str, type[Table]] = {
    "pages": PagesTable,
    "programs": ProgramsTable,
    "boardgame.io": BoardgameTable,
    "colyseus": ColyseusTable,
}
OPENING_AT_ONCE = 8
OPENING_S = 600.0
TURN_S = 60.0
MOST_TROUBLE = 10_000
"""Errors whose time is kept."""
MISSED_S = 1.0
"""Delays are counted after this long even if they have not ended."""


class Kept(msgspec.Struct):
    """What the people at one table sent, by the number it was made on, and were told."""

    table: str
    sent: dict[int, list[Move]]
    acknowledged: dict[int, Move]


class Felt(msgspec.Struct):
    """The results. Delays are in milliseconds, from when a move was due until the last of four has it."""

    moves: list[float] = []
    pictures: list[float] = []
    trouble: list[tuple[float, str]] = []
    """Time, in seconds since 1970, and kind of error."""
    cpu: float = 0.0
    seconds: float = 0.0
    kept: list[Kept] = []


class Players:
    """All tables of this process."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.tables: list[Table] = []
        self.games = 0
        self.opening: dict[int, asyncio.Future[None]] = {}
        """Places whose people are moving to the next table."""
        self.under_way: dict[Table, float] = {}
        """Due times of moves that have not reached everybody."""
        self.left: dict[Table, int] = {}
        """Moves left for tables in this turn."""
        self.ended = asyncio.Event()
        self.has_stopped = False
        self.felt = Felt()
        self.began = perf_counter(), process_time()

    async def open(self) -> None:
        gate = asyncio.Semaphore(OPENING_AT_ONCE)

        async def one(table: Table) -> None:
            async with gate:
                await table.open()

        self.tables = [self._new(place) for place in range(self.task.tables)]
        async with asyncio.timeout(OPENING_S):
            await asyncio.gather(*map(one, self.tables))

    def _new(self, place: int) -> Table:
        self.games += 1
        return TABLES[self.task.kind](self.task, place, self.task.seed + self.games, self)

    async def turn(self, moves: int) -> None:
        self.ended.clear()
        self.left = {table: moves for table in self.tables if not table.over}
        for table in self.left:
            self._begin(table, perf_counter())
        if self.left:
            async with asyncio.timeout(TURN_S):
                await self.ended.wait()

    def go(self) -> None:
        began = perf_counter()
        for place in range(len(self.tables)):
            self._call_at(began + self.task.every * place / len(self.tables), place)

    def _call_at(self, due: float, place: int) -> None:
        asyncio.get_running_loop().call_later(due - perf_counter(), self._fall_due, place, due)

    def _fall_due(self, place: int, due: float) -> None:
        table = self.tables[place]
        if self.has_stopped:
            return
        self._call_at(due + self.task.every, place)
        if place in self.opening:
            return
        if table.over:
            self.opening[place] = asyncio.ensure_future(self._next_table(place))
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
        await self.tables[place].open()
        del self.opening[place]

    def _leave(self, table: Table) -> None:
        table.close()
        if isinstance(table, PagesTable):
            self.felt.kept.append(Kept(table.id, table.sent, table.acknowledged))

    def delivered(self, table: Table) -> None:
        due = self.under_way.pop(table)
        now = perf_counter()
        self.felt.moves.append((now - due) * 1000)
        if self.task.every:
            if table.behind and not table.over and not self.has_stopped:
                table.behind -= 1
                self._begin(table, due + self.task.every)
            return
        self.left[table] -= 1
        if self.left[table] and not table.over:
            self._begin(table, now)
        elif not self.under_way:
            self.ended.set()

    def complete(self, due: float) -> None:
        if due:  # not the pictures that were there before the first move
            self.felt.pictures.append((perf_counter() - due) * 1000)

    def trouble(self, what: str) -> None:
        if len(self.felt.trouble) < MOST_TROUBLE:
            self.felt.trouble.append((time(), what))

    def broken(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """An error of ours, which must show among the figures."""
        self.trouble(f"exception: {context.get('exception') or context['message']!r}"[:200])

    def tell(self, *, at_the_end: bool) -> Felt:
        """The results since the last call; at the end also all moves sent."""
        now, used = perf_counter(), process_time()
        felt, self.felt = self.felt, Felt()
        felt.seconds, felt.cpu = now - self.began[0], used - self.began[1]
        self.began = now, used
        awaited = [due for table in self.tables for due in table.awaited() if due]
        for delays, dues in ((felt.moves, self.under_way.values()), (felt.pictures, awaited)):
            delays += [(now - due) * 1000 for due in dues if now - due > MISSED_S]
        if at_the_end:
            self.has_stopped = True
            tables = [table for table in self.tables if isinstance(table, PagesTable)]
            felt.kept += [Kept(table.id, table.sent, table.acknowledged) for table in tables]
        return felt


async def main(task: Task) -> None:
    players = Players(task)
    asyncio.get_running_loop().set_exception_handler(players.broken)
    await players.open()
    gc.disable()  # with thousands of connections it takes a fifth of a second, which would count as the server's delay
    print("ready", flush=True)
    while line := (await asyncio.to_thread(sys.stdin.readline)).split():
        match line:
            case ["turn", moves]:
                players.tell(at_the_end=False)
                await players.turn(int(moves))
            case ["go"]:
                players.tell(at_the_end=False)
                players.go()
                continue
        print(msgspec.json.encode(players.tell(at_the_end=line == ["end"])).decode(), flush=True)


if __name__ == "__main__":
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with suppress(KeyboardInterrupt):
        uvloop.run(main(msgspec.json.decode(sys.argv[1], type=Task)))
