"""Pages at many tables on PostgreSQL for half an hour; what draws, a worker and PostgreSQL are each killed once."""

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
from functools import partial
from pathlib import Path
from time import perf_counter, sleep, time

from harness.postgres import Cluster
from harness.processes import worker_pids
from harness.servers import Server

from bench.load.evening.drive import PAGES, Felt, Task
from bench.load.evening.measure import Clients, half_and_late
from bench.load.process import drawing
from bench.soak.growth import Life, Memory
from bench.soak.judge import faults

LANGUAGES = 4
KILLS = ((0.35, "a process that draws"), (0.5, "a worker"), (0.65, "PostgreSQL"))
"""After which share of the time what is killed."""
GRACE_S = 20.0
"""After a kill, in which pages reconnect and moves are sent again; what goes wrong later is an error."""
DATABASE_AWAY_S = 1.0
MOST_SAMPLES = 60
EXPECTED = {"store-failed", "worker-lost", "worker-died"}
"""What the server may complain of when these are killed."""


def main(argv: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=30, metavar="N", help="how long (30)")
    parser.add_argument("--tables", type=int, default=200, metavar="N", help="tables with four pages each (200)")
    parser.add_argument("--every", type=float, default=4, metavar="S", help="seconds between two moves at a table (4)")
    parser.add_argument("--workers", type=int, default=2, metavar="N", help="processes that serve (2)")
    parser.add_argument("--clients", type=int, default=1, metavar="N", help="client processes (1)")
    chosen = parser.parse_args(argv)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # with everything that it has started
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with ExitStack() as running:
        cluster = Cluster()
        running.callback(cluster.remove)
        database = cluster.database()
        options = ("--workers", str(chosen.workers), "--drawing", "process")
        server = Server(database, *options, limited=True)
        running.callback(lambda: server.process.poll() is None and server.stop())
        share = -(-chosen.tables // chosen.clients)
        task = Task(PAGES, server.port, share, chosen.minutes * 60, chosen.every, LANGUAGES)
        print(f"Soak: {share * chosen.clients} tables, {chosen.minutes:g} minutes, {' '.join(options)}", flush=True)
        people = running.enter_context(Clients(task, chosen.clients))
        memory = Memory(server.process.pid)
        people.begin()
        killed = _watch(chosen.minutes, memory, server, cluster)
        felt = people.felt()
        status = server.stop()
        wrong = _judge(felt, database)
        _report(felt, memory.all(), killed)
        unexpected = Counter(event for line in server.said if (event := _event(line)) not in EXPECTED)
        wrong += [f"the server said {event}, {count} times" for event, count in unexpected.items()]
        wrong += [f"the server ended with {status}"] * (status != 0)
        print("  " + ("\n  ".join(wrong[:20]) or "nothing lost: every acknowledged move is in the log"))
    sys.exit(bool(wrong))


def _watch(minutes: float, memory: Memory, server: Server, cluster: Cluster) -> list[float]:
    """Look at the memory again and again, and kill; returns when something was killed."""
    began, killed, to_kill = perf_counter(), [], list(KILLS)
    every = max(60.0, minutes * 60 / MOST_SAMPLES) if minutes >= MOST_SAMPLES / 4 else 10.0
    rng = random.Random(1)
    kill: dict[str, Callable[[], object]] = {
        "a process that draws": lambda: os.kill(rng.choice(drawing(server.process.pid)), signal.SIGKILL),
        "a worker": lambda: os.kill(rng.choice(worker_pids(server.process.pid)), signal.SIGKILL),
        "PostgreSQL": partial(_restart, cluster),
    }
    for number in range(1, int(minutes * 60 / every) + 1):
        while to_kill and began + to_kill[0][0] * minutes * 60 <= began + number * every:
            at, what = to_kill.pop(0)
            sleep(max(began + at * minutes * 60 - perf_counter(), 0))
            killed.append(time())
            kill[what]()
            print(f"  {at * minutes:6.1f} min  {what} killed", flush=True)
        sleep(max(began + number * every - perf_counter(), 0))
        now = memory.sample(number * every / 60, cluster.process.pid)
        print(
            f"  {number * every / 60:6.1f} min  " + ", ".join(f"{role} {mb:.0f} MB" for role, mb in now.items()),
            flush=True,
        )
    return killed


def _restart(cluster: Cluster) -> None:
    cluster.kill()
    sleep(DATABASE_AWAY_S)
    cluster.start()


def _judge(felt: Sequence[Felt], database: str) -> list[str]:
    """The log as `illusion export` writes it, when the server has ended."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "tables.jsonl")
        command = (sys.executable, "-m", "illusion", "export", "--database", database, str(file))
        subprocess.run(command, check=True)
        with file.open() as lines:
            logs = {line["table"]: line["log"] for line in map(json.loads, lines)}
    kept = [each for one in felt for each in one.kept]
    print(f"  {len(logs)} tables in the log, {sum(len(each.acknowledged) for each in kept)} acknowledged moves")
    return [fault for each in kept for fault in faults(each, logs.get(each.table, []))]


def _report(felt: Sequence[Felt], lives: Sequence[Life], killed: Sequence[float]) -> None:
    moves = half_and_late([delay for each in felt for delay in each.moves])
    pictures = half_and_late([delay for each in felt for delay in each.pictures])
    print(f"  page 50 %, 99 %: {moves[0]:.0f}, {moves[1]:.0f} ms; picture: {pictures[0]:.0f}, {pictures[1]:.0f} ms")
    troubles = [each for one in felt for each in one.trouble]
    expected = Counter(what for at, what in troubles if any(since <= at <= since + GRACE_S for since in killed))
    errors = Counter(what for _, what in troubles) - expected
    print(f"  within {GRACE_S:g} s of a kill: {_counted(expected)}; errors else: {_counted(errors)}")
    for life in lives:
        first, last = life.samples[0], life.samples[-1]
        grows = "" if life.slope is None else f", {life.slope:+.1f} MB an hour after its first third"
        lived = f"minute {first.minute:.1f} to {last.minute:.1f}"
        print(f"  {life.role:12} {lived}: {first.mb:.0f} to {last.mb:.0f} MB{grows}")


def _counted(what: Counter[str]) -> str:
    return ", ".join(f"{count} {name}" for name, count in what.most_common(8)) or "none"


def _event(line: str) -> str:
    try:
        return str(json.loads(line)["event"])
    except (ValueError, KeyError, TypeError):
        return line.strip()[:100]


if __name__ == "__main__":
    main(sys.argv[1:])
