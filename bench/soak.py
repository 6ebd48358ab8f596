"""A long evening of pages on two servers behind nginx, in which a drawing process, a server and PostgreSQL are killed.

What grew, what went wrong, and was any acknowledged move lost?
"""

import argparse
import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from statistics import linear_regression
from time import perf_counter, sleep, time
from typing import NamedTuple

from harness.faults import faults
from harness.postgres import Cluster
from harness.processes import drawing, memory
from harness.proxies import running_nginx
from harness.servers import Server

from bench.load.measure import EVERY_S, half_and_late, people
from bench.load.players import Felt
from bench.load.table import Task

KILLS = ((0.35, "who draws"), (0.5, "a server"), (0.65, "PostgreSQL"))
"""What is killed after which fraction of the time."""
GRACE_S = 20.0
"""Seconds after a kill in which retries are expected; later they are errors."""
AWAY_S = 1.0
OPTIONS = ("--trusted-proxy", "127.0.0.1", "--drawing", "process")
SAMPLES = 60
WARM_SHARE = 1 / 3
"""The fraction of a process's life in which caches fill, without which its slope is computed."""
FEWEST = 4
"""Samples needed for a slope."""
EXPECTED = {"store-failed", "worker-lost"}
"""Expected log events after kills."""


class Sample(NamedTuple):
    """After so many minutes, so many megabytes."""

    minute: float
    mb: float


class Memory:
    """Samples of the memory of each server and of PostgreSQL, with their child processes."""

    def __init__(self) -> None:
        self._lives: dict[tuple[str, int], list[Sample]] = {}

    def sample(self, minute: float, name: str, pid: int) -> None:
        self._lives.setdefault((name, pid), []).append(Sample(minute, memory(pid) / 1024))

    def report(self) -> None:
        for (name, _), samples in self._lives.items():
            first, last, grows = samples[0], samples[-1], slope(samples)
            told = "" if grows is None else f", {grows * 60:+.1f} MB an hour after its first third"
            lived = f"minute {first.minute:.1f} to {last.minute:.1f}"
            print(f"  {name:12} {lived}: {first.mb:.0f} to {last.mb:.0f} MB{told}")


def slope(samples: Sequence[Sample]) -> float | None:
    """Megabytes a minute, by least squares, once caches have filled."""
    settled = samples[round(len(samples) * WARM_SHARE) :]
    if len(settled) < FEWEST:
        return None
    return linear_regression(*zip(*settled, strict=True)).slope


def main(argv: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=30, metavar="N", help="how long (30)")
    parser.add_argument("--tables", type=int, default=200, metavar="N", help="tables with four pages each (200)")
    chosen = parser.parse_args(argv)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # with everything that it has started
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    print(f"Soak: {chosen.tables} tables, {chosen.minutes:g} minutes", flush=True)
    with ExitStack() as running:
        cluster = Cluster()
        running.callback(cluster.remove)
        database = cluster.database()
        servers = [Server(database, *OPTIONS, limited=True) for _ in range(2)]
        for server in servers:
            running.callback(_end, server)
        folder = Path(running.enter_context(tempfile.TemporaryDirectory()))
        port = running.enter_context(running_nginx(folder, [server.port for server in servers]))
        sitting = running.enter_context(people(Task("pages", port, chosen.tables, EVERY_S)))
        memory, said = Memory(), list[str]()
        sitting.say("go")
        killed = _watch(chosen.minutes * 60, memory, servers, cluster, said)
        felt = sitting.hear("end", Felt)
        statuses = [server.stop() for server in servers]
        wrong = _lost(felt, database)
        _report(felt, killed)
        memory.report()
        events = Counter(_event(line) for line in (*said, *(line for server in servers for line in server.said)))
        wrong += [f"a server said {what}, {count} times" for what, count in events.items() if what not in EXPECTED]
        wrong += [f"a server ended with {status}" for status in statuses if status]
        print("  " + ("\n  ".join(wrong[:20]) or "nothing lost: every acknowledged move is in the log"))
    sys.exit(bool(wrong))


def _end(server: Server) -> None:
    if server.process.poll() is None:
        server.stop()


def _watch(seconds: float, memory: Memory, servers: Sequence[Server], cluster: Cluster, said: list[str]) -> list[float]:
    """Sample the memory, and kill; returns the times of kills."""
    rng = random.Random(1)
    kill: dict[str, Callable[[], None]] = {
        "who draws": lambda: _kill_who_draws(rng.choice(servers)),
        "a server": lambda: _restart(rng.choice(servers), said),
        "PostgreSQL": lambda: _restart_database(cluster),
    }
    began, killed, to_kill = perf_counter(), list[float](), list(KILLS)
    for number in range(1, SAMPLES + 1):
        sleep(max(began + number * seconds / SAMPLES - perf_counter(), 0))
        for at, server in enumerate(servers, 1):
            memory.sample(number * seconds / SAMPLES / 60, f"server {at}", server.process.pid)
        memory.sample(number * seconds / SAMPLES / 60, "PostgreSQL", cluster.process.pid)
        if to_kill and number / SAMPLES >= to_kill[0][0]:
            _, what = to_kill.pop(0)
            killed.append(time())
            kill[what]()
            print(f"  {number * seconds / SAMPLES / 60:6.1f} min  {what} killed", flush=True)
    return killed


def _kill_who_draws(server: Server) -> None:
    for pid in drawing(server.process.pid):
        os.kill(pid, signal.SIGKILL)


def _restart(server: Server, said: list[str]) -> None:
    server.kill()
    said += [line for line in server.said if line.startswith("{")]  # not what Python says of a process that was killed
    sleep(AWAY_S)
    server.start()


def _restart_database(cluster: Cluster) -> None:
    cluster.kill()
    sleep(AWAY_S)
    cluster.start()


def _lost(felt: Felt, database: str) -> list[str]:
    """What people were told against the log as `illusion export` writes it, when the servers have ended."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "tables.jsonl")
        command = (sys.executable, "-m", "illusion", "export", "--database", database, str(file))
        subprocess.run(command, check=True)
        with file.open() as lines:
            logs = {line["table"]: line["log"] for line in map(json.loads, lines)}
    print(f"  {len(logs)} tables in the log, {sum(len(each.acknowledged) for each in felt.kept)} acknowledged moves")
    kept = ((each.table, each.sent, each.acknowledged, logs.get(each.table, [])) for each in felt.kept)
    return [fault for each in kept for fault in faults(*each)]


def _report(felt: Felt, killed: Sequence[float]) -> None:
    moves, pictures = half_and_late(felt.moves), half_and_late(felt.pictures)
    print(f"  page 50 %, 99 %: {moves[0]:.0f}, {moves[1]:.0f} ms; picture: {pictures[0]:.0f}, {pictures[1]:.0f} ms")
    expected = Counter(what for at, what in felt.trouble if any(since <= at <= since + GRACE_S for since in killed))
    errors = Counter(what for _, what in felt.trouble) - expected
    print(f"  within {GRACE_S:g} s of a kill: {_counted(expected)}; errors else: {_counted(errors)}")


def _counted(what: Counter[str]) -> str:
    return ", ".join(f"{count} {name}" for name, count in what.most_common(8)) or "none"


def _event(line: str) -> str:
    try:
        return str(json.loads(line)["event"])
    except (ValueError, KeyError, TypeError):
        return line.strip()[:100]


if __name__ == "__main__":
    main(sys.argv[1:])
