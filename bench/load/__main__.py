"""Many tables at once, our server beside others in the same run: evenings of people, and closed loops.

`closed`: what a move costs, pictures aside, when every table moves on at once. `proxied`: the same on two servers
behind nginx against one there. `evenings`: four pages a table with all pictures, a move every few seconds.
`first-visit`: from `Play now` to the first picture.
"""

import argparse
import platform
import resource
import signal
import statistics
import sys
from collections.abc import Sequence
from pathlib import Path

from bench.load import first_visit
from bench.load.measure import EVERY_S, Closed, Evening, closed_loops, evening
from bench.load.servers import OURS, PEOPLE, Server, peers, proxied, with_pictures

WHAT = ("closed", "proxied", "evenings", "first-visit")
YARDSTICK = "Colyseus"
"""The server to compare with: costs are ratios, because the machine's speed varies."""
CLOSED_TITLES = ("moves/s", "50 % ms", "99 % ms", "server ms", "client ms")
CLOSED_FORMATS = ("{:,.0f}", "{:.1f}", "{:.1f}", "{:.3f}", "{:.3f}")
EVENING_TITLES = ("moves", "all ms", "serving", "client", "page 50 %", "99 %", "picture", "99 %", "MB", "KB a table")
LEGEND = """\
  server, all  CPU a move of all the server's processes, its database included; serving: without those it has started,
               which draw; client: of the players' process
  50 %, 99 %   milliseconds until the last of four has the move, and the picture of the card that it brought
  MB           of the server at the end; KB a table: by how much it grew for each table with four pages"""


def main(argv: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m bench.load", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", nargs="*", metavar="WHAT", help=f"{', '.join(WHAT)} (all)")
    parser.add_argument("--only", nargs="+", default=[], metavar="WORD", help="servers with one of these words")
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="medians of so many closed loops (5)")
    parser.add_argument("--looping", type=int, default=200, metavar="N", help="tables in a closed loop (200)")
    parser.add_argument("--tables", type=int, nargs="+", default=[100, 300, 500], metavar="N", help="of an evening")
    parser.add_argument("--seconds", type=float, default=60, metavar="S", help="how long an evening is measured (60)")
    chosen = parser.parse_args(argv)
    wanted = chosen.what or WHAT
    if unknown := set(wanted) - set(WHAT):
        parser.error(f"there is no {unknown.pop()}, but {', '.join(WHAT)}")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # with everything that it has started
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # four connections a table, for the servers too
    print(f"Python {platform.python_version()}, {Path(sys.executable).resolve()}: {platform.python_compiler()}")

    words = [word.lower() for word in chosen.only]

    def asked_for(found: Sequence[Server]) -> list[Server]:
        return [each for each in found if not words or any(word in each.name.lower() for word in words)]

    others = peers() if {"closed", "evenings"} & set(wanted) else []
    if "closed" in wanted:
        figures = closed(asked_for([*OURS, *others]), chosen.looping, chosen.rounds)
        for yardstick in (YARDSTICK, "boardgame.io"):
            ratios(figures, yardstick)
    if "proxied" in wanted:
        with proxied() as found:
            figures = closed(asked_for(found), chosen.looping, chosen.rounds)
        for kind in ("programs", "pages"):
            one, two = (f"{count} behind nginx, {kind}" for count in (1, 2))
            ratios({name: figures[name] for name in (one, two) if name in figures}, one)
    if "evenings" in wanted:
        with with_pictures(others) as able:
            evenings(asked_for([PEOPLE, *able]), chosen.tables, chosen.seconds)
    if "first-visit" in wanted:
        first_visit.report()
    print(LEGEND)


def closed(found: Sequence[Server], tables: int, rounds: int) -> dict[str, list[Closed]]:
    """Every table moves on as soon as all four have the last move; the servers take turns, so that noise is shared."""
    print(f"Closed loop: {tables} tables, a game each, a few moves at a time in turns; median of {rounds} rounds")
    print(f"  {'':30}" + "".join(f"{title:>11}" for title in CLOSED_TITLES) + "  stored")
    measured: dict[str, list[Closed]] = {server.name: [] for server in found}
    for _ in range(rounds):
        for server, one in zip(found, closed_loops(found, tables), strict=True):
            measured[server.name].append(one)
    for server in found:
        middle = map(statistics.median, zip(*measured[server.name], strict=True))
        told = "".join(f"{each:>11}" for each in map(str.format, CLOSED_FORMATS, middle))
        print(f"  {server.name:30}{told}  {server.stores}", flush=True)
    return measured


def ratios(measured: dict[str, list[Closed]], yardstick: str) -> None:
    """CPU per move relative to another server in the same round."""
    if yardstick not in measured:
        return
    print(f"  CPU a move as a multiple of that of {yardstick} in the same round: median (lowest to highest)")
    for name, figures in measured.items():
        if name != yardstick:
            times = sorted(each.server / other.server for each, other in zip(figures, measured[yardstick], strict=True))
            print(f"    {name:28}{statistics.median(times):7.2f} ({times[0]:.2f} to {times[-1]:.2f})", flush=True)


def evenings(found: Sequence[Server], sizes: Sequence[int], seconds: float) -> None:
    print(f"Evenings: four pages a table with all pictures, a move every {EVERY_S:g} s, {seconds:g} s")
    print(f"  {'':20}{'tables':>7}" + "".join(f"{title:>11}" for title in EVENING_TITLES) + "  errors")
    for tables in sizes:
        measured = dict[str, Evening]()
        for server in found:
            one = measured[server.name] = evening(server, tables, seconds)
            cpu = (f"{one.moves:,}", f"{one.all:.2f}", f"{one.serving:.2f}", f"{one.client:.2f}")
            delays = (f"{delay:,.0f}" for delay in (*one.page, *one.picture))
            told = "".join(f"{each:>11}" for each in (*cpu, *delays, f"{one.memory:.0f}", f"{one.table:,.0f}"))
            trouble = ", ".join(f"{count} {what}" for what, count in one.trouble.most_common(5))
            print(f"  {server.name:20}{tables:>7}{told}  {trouble or 'none'}", flush=True)
        if {PEOPLE.name, YARDSTICK} <= measured.keys():
            ours, other = measured[PEOPLE.name], measured[YARDSTICK]
            times = f"{ours.all / other.all:.2f} in all, {ours.serving / other.serving:.2f} in serving"
            print(f"    CPU a move as a multiple of that of {YARDSTICK}: {times}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
