"""One measurement: a server, some client processes with their tables, a warm-up and a window of time."""

import subprocess
import sys
from dataclasses import dataclass
from time import sleep
from typing import IO

import msgspec

from bench.load.drive import Metrics, Task
from bench.load.process import cpu, memory
from bench.load.servers import Server, running

WARM_TABLES = 40
"""They play a whole game in a closed loop first, so that code is loaded, compiled and cached."""


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


def measure(server: Server, tables: int, seconds: float, *, paced: bool, clients: int = 1) -> Measured:
    with running(server) as (pid, port):
        with _Clients(Task(server.contender, port, WARM_TABLES, 60, paced=False), 1) as warm:
            warm.play()
        sleep(0.5)
        pids = [pid] if server.beside is None else [pid, server.beside]
        held, used = memory(pid), cpu(*pids)
        share = -(-tables // clients)
        with _Clients(Task(server.contender, port, share, seconds, paced, seed=1000), clients) as players:
            opened = cpu(*pids)
            figures = players.play()
            played, grown = cpu(*pids), memory(pid) - held
        moves = sum(each.moves for each in figures)
        delays = sorted(delay for each in figures for delay in each.delays)
        return Measured(
            rate=sum(each.moves / each.seconds for each in figures),
            half=delays[len(delays) // 2],
            late=delays[len(delays) * 99 // 100],
            server=(played - opened) * 1000 / moves,
            client=sum(each.cpu for each in figures) * 1000 / moves,
            opening=(opened - used) * 1000 / (share * clients),
            memory=grown / (share * clients),
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
