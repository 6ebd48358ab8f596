"""Measurements: a server, some client processes with their tables, a warm-up and a window of time; or several servers
that take turns, so that whatever slows this machine down for a second slows down all of them."""

import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from time import sleep
from typing import IO

import msgspec

from bench.load.drive import Metrics, Task
from bench.load.process import memory, serving_cpu
from bench.load.servers import Server, running

WARM_TABLES = 40
"""They play a whole game in a closed loop first, so that code is loaded, compiled and cached."""
MOVES_A_TURN = 6
TURNS = 11
"""Nearly a whole game, which is over after 72 moves at least."""
LONGEST_TURN_S = 60.0


@dataclass(frozen=True)
class Measured:
    """The figures of one window."""

    rate: float
    half: float
    late: float
    """Milliseconds within which half and 99 of 100 moves have reached the last of four players."""
    server: float
    client: float
    """Milliseconds of CPU a move."""
    opening: float
    """Milliseconds of the server's CPU for a table opened, four people seated and connected, and dealt."""
    memory: float
    """Kilobytes for each further table with four players connected, after the window."""


def measure(server: Server, tables: int, seconds: float, clients: int = 1) -> Measured:
    """Paced: one move per table per second."""
    with opened(server, Task(server.contender, 0, tables, seconds, paced=True), clients) as play:
        play.turn()
        return play.measured()


def measure_in_turns(servers: Sequence[Server], tables: int, clients: int = 1) -> list[Measured]:
    """A game of each server in a closed loop, some moves at a time; meanwhile the others have nothing to do."""
    with ExitStack() as open_ones:
        plays = []
        for server in servers:
            task = Task(server.contender, 0, tables, LONGEST_TURN_S, paced=False, turn=MOVES_A_TURN)
            plays.append(open_ones.enter_context(opened(server, task, clients)))
        for _ in range(TURNS):
            for play in plays:
                play.turn()
        return [play.measured() for play in plays]


@contextmanager
def opened(server: Server, task: Task, clients: int) -> Iterator["_Play"]:
    """A server that has been warmed up, and whose tables have been opened."""
    with running(server) as (pid, port):
        with _Clients(
            msgspec.structs.replace(task, port=port, tables=WARM_TABLES, seconds=60, paced=False, turn=0), 1
        ) as warm:
            warm.play()
        sleep(0.5)
        pids = [pid] if server.beside is None else [pid, server.beside]
        held, used = memory(pid), serving_cpu(*pids)
        share = -(-task.tables // clients)
        with _Clients(msgspec.structs.replace(task, port=port, tables=share, seed=1000), clients) as players:
            yield _Play(pids, players, share * clients, held, used)


class _Play:
    """What the turns of one server's tables come to."""

    def __init__(self, pids: list[int], players: "_Clients", tables: int, held: float, used: float) -> None:
        self.pids, self.players, self.tables, self.held = pids, players, tables, held
        self.opening = serving_cpu(*pids) - used
        self.figures: list[list[Metrics]] = []
        self.cpu = 0.0

    def turn(self) -> None:
        before = serving_cpu(*self.pids)
        self.figures.append(self.players.play())
        self.cpu += serving_cpu(*self.pids) - before

    def measured(self) -> Measured:
        every = [each for figures in self.figures for each in figures]
        moves = sum(each.moves for each in every)
        delays = sorted(delay for each in every for delay in each.delays)
        took = sum(max(each.seconds for each in figures) for figures in self.figures)
        return Measured(
            rate=moves / took,
            half=delays[len(delays) // 2],
            late=delays[len(delays) * 99 // 100],
            server=self.cpu * 1000 / moves,
            client=sum(each.cpu for each in every) * 1000 / moves,
            opening=self.opening * 1000 / self.tables,
            memory=(memory(self.pids[0]) - self.held) / self.tables,
        )


class _Clients:
    """Client processes that have opened their tables and wait for the word."""

    def __init__(self, task: Task, count: int) -> None:
        tasks = [msgspec.structs.replace(task, seed=task.seed + number * 100_000) for number in range(count)]
        self.processes = [
            subprocess.Popen(
                [sys.executable, "-m", "bench.load.drive", msgspec.json.encode(each)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            for each in tasks
        ]

    def __enter__(self) -> "_Clients":
        for process in self.processes:
            assert _out(process).readline() == "ready\n"
        return self

    def play(self) -> list[Metrics]:
        self._say("go\n")
        return [msgspec.json.decode(_out(process).readline(), type=Metrics) for process in self.processes]

    def __exit__(self, *_: object) -> None:
        self._say("end\n")
        for process in self.processes:
            process.communicate()

    def _say(self, word: str) -> None:
        for process in self.processes:
            assert process.stdin is not None
            if process.poll() is None:
                process.stdin.write(word)
                process.stdin.flush()


def _out(process: subprocess.Popen[str]) -> IO[str]:
    assert process.stdout is not None
    return process.stdout
