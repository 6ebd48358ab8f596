"""All attacks of one guest, each on a server of its own, and their effect on honest people."""

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
RETRIES = 1
"""Repetitions of a scenario that missed its aim: the machine may have been busy."""


def main(argv: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.siege", description=__doc__)
    parser.add_argument("--list", action="store_true", help="print the scenarios and what each one tries")
    parser.add_argument("--only", nargs="+", default=list(SCENARIOS), metavar="NAME", help="these scenarios")
    parser.add_argument("--seconds", type=float, default=8, metavar="N", help="how long each attack lasts (8)")
    parser.add_argument("--nginx", action="store_true", help="behind nginx with the settings of docs/operating.md")
    chosen = parser.parse_args(argv)
    unknown = [name for name in chosen.only if name not in SCENARIOS]
    if unknown:
        parser.error(f"there is no scenario {unknown[0]}; --list prints them")
    if chosen.list:
        for scenario in SCENARIOS.values():
            print(f"{scenario.name:22}{scenario.finding:4}{scenario.about}")
        return
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that what was started is ended, as with Ctrl-C
    sys.exit(bool(siege(chosen.only, chosen.seconds, is_bare=not chosen.nginx)))


def siege(names: list[str], seconds: float, *, is_bare: bool) -> int:
    """Returns the number of scenarios that missed an aim."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (DESCRIPTORS, most))
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        preparations = Preparations(Path(folder))
        print(f"\n{'Bare' if is_bare else 'Behind nginx'}\n\n{heading()}", flush=True)
        for name in names:
            measured = measure(SCENARIOS[name], seconds, preparations, is_bare=is_bare)
            for _ in range(RETRIES if missed(measured) else 0):
                measured = measure(SCENARIOS[name], seconds, preparations, is_bare=is_bare)
            failed += bool(missed(measured))
            print(row(measured), flush=True)
    print(f"\n{LEGEND}\n\n{len(names)} scenarios of {seconds:g} s; {failed} missed an aim.")
    return failed


if __name__ == "__main__":
    main(sys.argv[1:])
