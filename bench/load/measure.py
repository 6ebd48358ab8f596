"""Measurements: a server, a client process with its tables, a warm-up and a window of time; or several servers in
turns, so that a slow second of the machine affects all of them."""

import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from time import sleep
from typing import NamedTuple, Self, TypeVar

import msgspec
from harness.processes import cpu, memory, own_cpu, wait_for_rest

from bench.load.players import Felt
from bench.load.servers import Server, running
from bench.load.table import Task

WARM_TABLES, WARM_MOVES = 40, 60
"""Tables that play nearly a whole game in a closed loop first, so that code is loaded, compiled and cached."""
MOVES_A_TURN, TURNS = 6, 11
"""Nearly a whole game, which is over after 72 moves at least."""
EVERY_S = 4.0
"""Between two moves of a table, in an evening."""
Told = TypeVar("Told")


class Beside:
    """A child process that prints `ready`, and then gets commands as lines."""

    def __init__(self, module: str, task: msgspec.Struct) -> None:
        command = (sys.executable, "-m", module, msgspec.json.encode(task))
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __enter__(self) -> Self:
        try:
            assert self._line() == "ready\n", "it could not prepare"
        except BaseException:
            self.__exit__()
            raise
        return self

    def say(self, word: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{word}\n")
        self._process.stdin.flush()

    def hear(self, word: str, kind: type[Told]) -> Told:
        """Send a command and return the answer."""
        self.say(word)
        return msgspec.json.decode(self._line(), type=kind)

    def _line(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline()

    def __exit__(self, *_: object) -> None:
        with self._process:
            self._process.kill()


def people(task: Task) -> Beside:
    """A client process whose people have sat down and wait for the start."""
    return Beside("bench.load.players", task)


def half_and_late(delays: Sequence[float]) -> tuple[float, float]:
    """The quantiles at 50 and 99 %."""
    ordered = sorted(delays) or [float("nan")]
    return ordered[len(ordered) // 2], ordered[len(ordered) * 99 // 100]


class Closed(NamedTuple):
    """The figures of a closed loop."""

    rate: float
    """Moves per second that reached all four."""
    half: float
    late: float
    server: float
    client: float
    """Milliseconds of CPU per move."""


@contextmanager
def opened(server: Server, tables: int) -> Iterator[tuple[list[int], Beside]]:
    """Start and warm up a server, and open its tables: its processes, and its clients. Nobody looks at cards."""
    with running(server) as (pid, port):
        task = Task(server.kind, port, WARM_TABLES, looks=False)
        with people(task) as warm:
            warm.hear(f"turn {WARM_MOVES}", Felt)
        sleep(0.5)
        with people(msgspec.structs.replace(task, tables=tables, seed=1000)) as clients:
            yield [pid] if server.beside is None else [pid, server.beside], clients


def closed_loops(servers: Sequence[Server], tables: int) -> list[Closed]:
    """Play a game on each server, some moves at a time; the others are idle meanwhile."""
    with ExitStack() as open_ones:
        plays = [open_ones.enter_context(opened(server, tables)) for server in servers]
        felt: list[list[Felt]] = [[] for _ in plays]
        used = [0.0 for _ in plays]
        for _ in range(TURNS):
            for at, (pids, clients) in enumerate(plays):
                before = cpu(*pids)
                felt[at].append(clients.hear(f"turn {MOVES_A_TURN}", Felt))
                used[at] += cpu(*pids) - before
    return [_closed(*each) for each in zip(felt, used, strict=True)]


def _closed(turns: Sequence[Felt], used: float) -> Closed:
    delays = [delay for felt in turns for delay in felt.moves]
    client, seconds = sum(felt.cpu for felt in turns), sum(felt.seconds for felt in turns)
    costs = (each * 1000 / len(delays) for each in (used, client))
    return Closed(len(delays) / seconds, *half_and_late(delays), *costs)


@dataclass(frozen=True)
class Evening:
    """The figures of one evening; CPU in milliseconds a move."""

    moves: int
    all: float
    serving: float
    """That of the server's process alone, without drawing."""
    client: float
    page: tuple[float, float]
    """Milliseconds until a move has reached the last of four, at 50 and 99 %."""
    picture: tuple[float, float]
    """The same for the picture of the card that the move brought."""
    memory: float
    """Megabytes of the server at the end."""
    table: float
    """Kilobytes for each table."""
    trouble: Counter[str]


def evening(server: Server, tables: int, seconds: float) -> Evening:
    """Measure pages with all pictures, at the pace of people."""
    with running(server) as (pid, port):
        task = Task(server.kind, port, tables, EVERY_S, seed=1000)
        with people(msgspec.structs.replace(task, tables=5, every=0.25, seed=0)) as warm:
            warm.say("go")
            sleep(10)
        wait_for_rest(pid)
        held = memory(pid)
        with people(task) as sitting:
            wait_for_rest(pid)
            used, served = cpu(pid), own_cpu(pid)
            sitting.say("go")
            sleep(seconds)
            felt = sitting.hear("felt", Felt)
            used, served = cpu(pid) - used, own_cpu(pid) - served
            grown = memory(pid)
    moves = max(len(felt.moves), 1)
    return Evening(
        moves=moves,
        all=used * 1000 / moves,
        serving=served * 1000 / moves,
        client=felt.cpu * 1000 / moves,
        page=half_and_late(felt.moves),
        picture=half_and_late(felt.pictures),
        memory=grown / 1024,
        table=(grown - held) / tables,
        trouble=Counter(what for _, what in felt.trouble),
    )
