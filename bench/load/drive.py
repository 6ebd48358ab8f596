"""One client process: opens tables, plays them in a window of time, and says how long each move took to all four.

It speaks with `measure` by lines: it writes `ready`, and then after each `go` its figures as JSON.
"""

import asyncio
import gc
import resource
import sys
from time import perf_counter, process_time

import msgspec
import uvloop

from bench.load.contenders import CONTENDERS
from bench.load.table import Table

OPENING_AT_ONCE = 16
DRAIN = 20.0


class Task(msgspec.Struct):
    """What one client process is to do."""

    contender: str
    port: int
    tables: int
    seconds: float
    paced: bool
    seed: int = 0
    turn: int = 0
    """Moves that each table makes after a `go`, in a closed loop; 0 for as many as the window of time allows."""


class Metrics(msgspec.Struct):
    """What it found."""

    moves: int
    seconds: float
    delays: list[float]
    """In milliseconds, from sending a move (or from when it was due) to its arrival at the last player."""
    cpu: float


class Players:
    """All tables of this process."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.tables: list[Table] = []
        self.delays: list[float] = []
        self.playing = False
        self.under_way: set[Table] = set()
        self.ended = asyncio.Event()
        self.made: dict[Table, int] = {}
        """Moves of each table since the last `go`."""

    async def open(self) -> None:
        contender = CONTENDERS[self.task.contender](self.task.port)
        gate = asyncio.Semaphore(OPENING_AT_ONCE)

        async def one(number: int) -> None:
            async with gate:
                table = contender.table(self.task.seed + number, self.delivered)
                await table.open()
                self.tables.append(table)

        await asyncio.gather(*map(one, range(self.task.tables)))

    async def play(self) -> Metrics:
        """In a closed loop every table moves on at once, else once a second; the first game to end ends it all."""
        self.ended.clear()
        self.delays, self.made = [], dict.fromkeys(self.tables, 0)
        self.playing, began, cpu = True, perf_counter(), process_time()
        loop = asyncio.get_running_loop()
        for number, table in enumerate(self.tables):
            if self.task.paced:
                loop.call_later(number / len(self.tables), self.fall_due, table, began + number / len(self.tables))
            else:
                self.begin(table, perf_counter())
        timer = loop.call_later(self.task.seconds, self.ended.set)
        await self.ended.wait()
        timer.cancel()
        self.playing, took = False, perf_counter() - began
        for _ in range(int(DRAIN / 0.02)):
            if not self.under_way:
                break
            await asyncio.sleep(0.02)
        assert not self.under_way, f"{len(self.under_way)} moves never arrived"
        return Metrics(len(self.delays), took, self.delays, process_time() - cpu)

    def fall_due(self, table: Table, due: float) -> None:
        if not self.playing:
            return
        asyncio.get_running_loop().call_later(due + 1 - perf_counter(), self.fall_due, table, due + 1)
        if table in self.under_way:
            table.behind += 1
        else:
            self.begin(table, due)

    def begin(self, table: Table, due: float) -> None:
        self.under_way.add(table)
        table.play(due)

    def delivered(self, table: Table) -> None:
        """Called when everybody at a table has heard of the move."""
        if table not in self.under_way:
            return  # the deal
        now = perf_counter()
        self.delays.append((now - table.due) * 1000)
        self.under_way.discard(table)
        self.made[table] += 1
        if table.over:
            self.ended.set()
        elif self.made[table] == self.task.turn:
            if not self.under_way:
                self.ended.set()
        elif self.playing and not self.task.paced:
            self.begin(table, now)
        elif self.playing and table.behind:
            table.behind -= 1
            self.begin(table, table.due + 1)


async def main(task: Task) -> None:
    players = Players(task)
    await players.open()
    gc.disable()  # with thousands of connections it takes a fifth of a second, which would count as the server's delay
    print("ready", flush=True)
    while await asyncio.to_thread(sys.stdin.readline) == "go\n":
        print(msgspec.json.encode(await players.play()).decode(), flush=True)
    for table in players.tables:
        table.close()


if __name__ == "__main__":
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    uvloop.run(main(msgspec.json.decode(sys.argv[1], type=Task)))
