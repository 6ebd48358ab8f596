"""Whole games on many tables at once, our server beside others in the same run. `--help` says what can be chosen."""

import argparse
import platform
import resource
import signal
import statistics
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import fields, replace
from pathlib import Path

from bench.load import postgres
from bench.load.evening.peers import PEERS
from bench.load.evening.report import Window, report
from bench.load.first_visit import report as first_visit
from bench.load.measure import Measured, measure, measure_in_turns
from bench.load.servers import (
    OURS,
    PYTHON_PEERS,
    Server,
    limited,
    peers,
    pictures,
    with_pages,
    with_pictures,
)

TITLES = ("moves/s", "50 % ms", "99 % ms", "server ms", "client ms", "opening ms", "KB a table")
EVENINGS = ("Illusion, SQLite", "Illusion, PostgreSQL, 2 workers", "boardgame.io", "Colyseus")
"""Those with pages unless others are asked for."""
YARDSTICK = "Colyseus"
"""What a move costs here is told as a multiple of what it costs there, because the machine's speed changes."""
LEGEND = """\
  moves/s     moves that reached all four players
  50 %, 99 %  of the moves had reached the last of four players after so many milliseconds
  server      CPU a move of all the server's processes; client: of the players' process; opening: of the server for a
              table opened, four people seated and connected, and dealt
  KB a table  by which the server grows for each further table with four players connected"""


def main(argv: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.load", description=__doc__)
    parser.add_argument("--tables", type=int, default=200, metavar="N", help="tables in the closed loop (200)")
    parser.add_argument("--seconds", type=float, default=12, metavar="S", help="a paced window (12)")
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="medians of so many closed loops (3)")
    parser.add_argument("--paced", type=int, nargs="*", default=[500, 1000, 2000], metavar="N", help="paced tables")
    parser.add_argument("--only", nargs="+", default=[], metavar="WORD", help="servers with one of these words")
    parser.add_argument("--clients", type=int, default=1, metavar="N", help="client processes (1)")
    pages = parser.add_argument_group("evenings of people, instead of programs")
    pages.add_argument("--pages", type=int, nargs="*", metavar="N", help="tables with four pages each (100 500)")
    pages.add_argument("--every", type=float, default=4, metavar="S", help="seconds between a table's moves (4)")
    pages.add_argument("--evening", type=float, default=40, metavar="S", help="how long an evening is measured (40)")
    pages.add_argument(
        "--languages", type=int, nargs="+", choices=range(1, 5), default=[1, 4], metavar="N", help="at a table (1 4)"
    )
    pages.add_argument("--first-visit", action="store_true", help="from `Play now` to the first picture")
    chosen = parser.parse_args(argv)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # with everything that it has started
    if chosen.first_visit:
        first_visit.report()
        return
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # four connections a table, for the servers too
    print(f"Python {platform.python_version()}, {Path(sys.executable).resolve()}: {platform.python_compiler()}")
    with servers(chosen.only) as found:
        if chosen.pages is not None:
            usual = [server for server in found if chosen.only or server.name in EVENINGS]
            evenings(
                usual,
                chosen.pages or [100, 500],
                Window(chosen.evening, chosen.every, chosen.languages),
                chosen.clients,
            )
            return
        aside = [each for server in found for each in pictures_aside(server)]
        closed(aside, chosen.tables, chosen.rounds, chosen.clients)
        if chosen.paced:
            paced(aside, chosen.paced, chosen.seconds, chosen.clients)
    print(LEGEND)


@contextmanager
def servers(words: Iterable[str]) -> Iterator[list[Server]]:
    """Those asked for of those that can run here."""
    with ExitStack() as open_ones:
        if not peers():
            print("boardgame.io and Colyseus are not measured: `make load` installs them where there is Node.js")
        found = [*OURS, *open_ones.enter_context(postgres.servers()), *PYTHON_PEERS, *peers()]
        yield [server for server in found if not words or any(word.lower() in server.name.lower() for word in words)]


def pictures_aside(server: Server) -> list[Server]:
    """A server as it is; each of ours once for programs and once for pages."""
    if server.contender != "illusion":
        return [server]
    return [server, replace(with_pages(server), name=f"{server.name}, pages")]


def closed(found: list[Server], tables: int, rounds: int, clients: int) -> None:
    """Every table moves on as soon as all four have the last move; the servers take turns, so that noise is shared."""
    print(f"Load: {tables} tables in a closed loop, a game each, a few moves at a time in turns; median of {rounds}")
    heading()
    measured: dict[str, list[Measured]] = {server.name: [] for server in found}
    for _ in range(rounds):
        for server, one in zip(found, measure_in_turns(found, tables, clients), strict=True):
            measured[server.name].append(one)
    for server in found:
        figures = measured[server.name]
        middle = (statistics.median(getattr(each, field.name) for each in figures) for field in fields(Measured))
        line(server, tables, Measured(*middle))
    if YARDSTICK in measured:
        print(f"  CPU a move as a multiple of {YARDSTICK}'s in the same round: median (lowest to highest)")
        beside = [each.server for each in measured.pop(YARDSTICK)]
        for name, figures in measured.items():
            times = sorted(each.server / other for each, other in zip(figures, beside, strict=True))
            print(f"  {name:38}{statistics.median(times):7.2f} ({times[0]:.2f} to {times[-1]:.2f})")


def paced(found: list[Server], sizes: list[int], seconds: float, clients: int) -> None:
    print(f"Load: one move per table per second, {seconds:g} s")
    heading()
    for tables in sizes:
        for server in found:
            line(server, tables, measure(server, tables, seconds, clients))


def evenings(found: list[Server], sizes: list[int], window: Window, clients: int) -> None:
    """Ours, and those of the others that a game on the web would be served by, with pictures."""
    with pictures() as folder:
        able = [limited(with_pages(server)) for server in found if server.contender == "illusion"]
        able += [with_pictures(server, folder) for server in found if server.contender in PEERS]
        report(able, sizes, window, clients)


def heading() -> None:
    print(f"  {'':38}{'tables':>7}" + "".join(f"{title:>11}" for title in TITLES) + "  stored")


def line(server: Server, tables: int, figures: Measured) -> None:
    rate, half, late = f"{figures.rate:,.0f}", f"{figures.half:.1f}", f"{figures.late:.1f}"
    cpu = (f"{figures.server:.3f}", f"{figures.client:.3f}", f"{figures.opening:.1f}")
    told = "".join(f"{each:>11}" for each in (rate, half, late, *cpu, f"{figures.memory:.0f}"))
    print(f"  {server.name:38}{tables:>7}{told}  {server.stores}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
