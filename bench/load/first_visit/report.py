"""First visits, in a browser on a quiet server and by fifty people within a second."""

import sys
from collections import Counter

import uvloop

from bench.load.evening.drive import PAGES
from bench.load.evening.measure import half_and_late
from bench.load.first_visit.browser import visits
from bench.load.first_visit.crowd import crowd
from bench.load.servers import Server, running

QUIET = 10
PEOPLE = 50
SERVER = Server(
    "Illusion, SQLite",
    PAGES,
    (sys.executable, "-m", "illusion", "serve", "--port", "0", "--database", "EMPTY/tables.db"),
    "every move, flushed to disk",
)
"""With its default limits."""


def report() -> None:
    print("First visits: from `Play now` to the first picture, in milliseconds")
    with running(SERVER) as (_, port):
        first, *others = visits(f"http://127.0.0.1:{port}/", 1 + QUIET)
        half, _ = half_and_late(others)
        told = f"50 % {half:.0f}, longest {max(others):.0f}; the first one after the server's start {first:.0f}"
        print(f"  Chromium, a quiet server, {QUIET} visits: {told}", flush=True)
    with running(SERVER) as (_, port):
        uvloop.run(crowd(port, 1))  # so that the server has loaded what it needs
        took, errors = uvloop.run(crowd(port, PEOPLE))
        half, late = half_and_late(took)
        counted = ", ".join(f"{count} {what}" for what, count in Counter(errors).most_common(5)) or "none"
        print(f"  {PEOPLE} people within a second: 50 % {half:.0f}, 99 % {late:.0f}; errors: {counted}", flush=True)
