"""Every attack of one rude guest, each on a server of its own, and what an honest pair beside it felt."""

import argparse
import resource
import signal
import sys
import tempfile
from pathlib import Path

from harness.siege import SCENARIOS

from bench.siege.measure import Preparations, measure
from bench.siege.report import LEGEND, heading, missed, row

DESCRIPTORS = 1024
"""The usual limit on open files, which the server inherits."""
BUSY = 0.3
RETRIES = 2
"""A scenario that missed its aim while others took this share of a core is measured again, so many times at most."""


def main(argv: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.siege", description=__doc__)
    parser.add_argument("--list", action="store_true", help="print the scenarios and what each one tries")
    parser.add_argument("--only", nargs="+", default=list(SCENARIOS), metavar="NAME", help="these scenarios")
    parser.add_argument("--seconds", type=float, default=8, metavar="N", help="how long each attack lasts (8)")
    chosen = parser.parse_args(argv)
    unknown = [name for name in chosen.only if name not in SCENARIOS]
    if unknown:
        parser.error(f"there is no scenario {unknown[0]}; --list prints them")
    if chosen.list:
        for scenario in SCENARIOS.values():
            print(f"{scenario.name:26}{scenario.finding:5}{scenario.about}")
        return
    siege(chosen.only, chosen.seconds)


def siege(names: list[str], seconds: float) -> None:
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that what was started is ended, as with Ctrl-C
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (DESCRIPTORS, most))
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        preparations = Preparations(Path(folder))
        print(heading(), flush=True)
        for name in names:
            measured = measure(SCENARIOS[name], seconds, preparations)
            for _ in range(RETRIES):
                if not missed(measured) or measured.others < BUSY:
                    break
                measured = measure(SCENARIOS[name], seconds, preparations)
            failed += bool(missed(measured))
            print(row(measured), flush=True)
    print(f"\n{LEGEND}\n\n{len(names)} scenarios of {seconds:g} s; {failed} missed an aim.")


if __name__ == "__main__":
    main(sys.argv[1:])
