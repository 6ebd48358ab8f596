"""One evening: a server, client processes with their tables, a warm-up and a window of time."""

import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from time import sleep
from typing import IO

import msgspec

from bench.load.evening.drive import Felt, Task
from bench.load.process import asleep, cpu, drawing, memory
from bench.load.servers import Server, running
from bench.load.table import PLAYERS

WARM_UP = {"tables": 5, "seconds": 10.0, "every": 0.25, "languages": 4}
"""Some moves first, so that code is loaded, compiled and cached, in every language."""
DRAWING_S = 60.0
"""For drawing what comes first at each table; in the window a card is drawn a move."""
REST_S, LOOK_S = 1.5, 0.05
"""That is done when who draws sleeps for so long. Who only waits for a core on a busy machine does not sleep."""


@dataclass(frozen=True)
class Measured:
    """The figures of one window; CPU in milliseconds a move."""

    moves: int
    serving: float
    drawing: float | None
    """None for a server without a process that draws."""
    database: float | None
    client: float
    page: tuple[float, float]
    """Milliseconds within which half and 99 of 100 moves have reached the last of four."""
    picture: tuple[float, float]
    """The same for the picture of the card that the move brought."""
    memory: float
    """Kilobytes for each table."""
    trouble: Counter[str]


def measure(server: Server, task: Task, clients: int) -> Measured:
    with running(server) as (pid, port):
        task = msgspec.structs.replace(task, port=port, tables=-(-task.tables // clients))
        with Clients(msgspec.structs.replace(task, **WARM_UP, seed=1), 1) as warm:
            warm.play()
        held = memory(pid)
        with Clients(msgspec.structs.replace(task, seed=1000), clients) as people:
            _wait_for_drawing(pid)
            before = _used(pid, server.beside)
            felt = people.play()
            after = _used(pid, server.beside)
            grown = memory(pid) - held
    moves = sum(len(each.moves) for each in felt)
    serving, drawn, database = ((after[part] - before[part]) * 1000 / moves for part in range(3))
    return Measured(
        moves=moves,
        serving=serving,
        drawing=drawn if after[1] else None,
        database=None if server.beside is None else database,
        client=sum(each.cpu for each in felt) * 1000 / moves,
        page=half_and_late([delay for each in felt for delay in each.moves]),
        picture=half_and_late([delay for each in felt for delay in each.pictures]),
        memory=grown / (task.tables * clients),
        trouble=Counter(what for each in felt for _, what in each.trouble),
    )


def half_and_late(delays: Sequence[float]) -> tuple[float, float]:
    """Within which half of them lie, and 99 of 100."""
    ordered = sorted(delays)
    return ordered[len(ordered) // 2], ordered[len(ordered) * 99 // 100]


def _used(pid: int, beside: int | None) -> tuple[float, float, float]:
    """Seconds of CPU: by the processes that serve, by those that draw, and by the database."""
    drawn = cpu(*drawing(pid))
    return cpu(pid) - drawn, drawn, cpu(beside) if beside is not None else 0.0


def _wait_for_drawing(pid: int) -> None:
    resting = 0.0
    for _ in range(int(DRAWING_S / LOOK_S)):
        used = cpu(*drawing(pid))
        sleep(LOOK_S)
        at_rest = all(map(asleep, drawing(pid))) and cpu(*drawing(pid)) == used
        resting = resting + LOOK_S if at_rest else 0.0
        if resting >= REST_S:
            return


class Clients:
    """Client processes whose people have sat down and wait for the word."""

    def __init__(self, task: Task, count: int) -> None:
        tasks = [
            msgspec.structs.replace(task, seed=task.seed + number * 1_000_000, first=number * task.tables * PLAYERS)
            for number in range(count)
        ]
        self.processes = [
            subprocess.Popen(
                [sys.executable, "-m", "bench.load.evening.drive", msgspec.json.encode(each)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            for each in tasks
        ]

    def __enter__(self) -> "Clients":
        try:
            for process in self.processes:
                assert _out(process).readline() == "ready\n", "the people could not sit down"
        except BaseException:
            self.__exit__()
            raise
        return self

    def begin(self) -> None:
        for process in self.processes:
            assert process.stdin is not None
            process.stdin.write("go\n")
            process.stdin.flush()

    def felt(self) -> list[Felt]:
        """When their window has ended."""
        return [msgspec.json.decode(_out(process).readline(), type=Felt) for process in self.processes]

    def play(self) -> list[Felt]:
        self.begin()
        return self.felt()

    def __exit__(self, *_: object) -> None:
        for process in self.processes:
            with process:
                process.kill()


def _out(process: subprocess.Popen[str]) -> IO[str]:
    assert process.stdout is not None
    return process.stdout
