"""`illusion serve` and `illusion play`: tables in the browser, for guests or for those at this machine."""

import argparse
from dataclasses import replace
from typing import Final

from illusion.cli.arguments import (
    DATABASE,
    LIMITS,
    address,
    either,
    host_name,
    hours,
    limit,
    network,
    one_of,
    port,
    seconds,
    whole,
    workers,
)

LOGS: Final = ("trouble", "notable", "requests")
_LIMITS: Final = f"set a limit on guests, 0 lifts it: {', '.join(LIMITS)}"
_PROXY: Final = "trust this proxy (or network) for the client address and TLS"
_HOST_NAME: Final = "serve under this name alone; may be repeated (addresses and localhost always work)"
DRAWING: Final = ("process", "thread")
_DRAWING: Final = "what draws pictures (default: a process of its own, where there are two cores)"
_METRICS: Final = "who may read /metrics besides this machine itself"


def add_play(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--lan", action="store_true", help="let phones on the same network join")
    parser.add_argument("--database", metavar="DB", help=DATABASE)
    parser.add_argument("--no-browser", action="store_true", help="only print the address")
    parser.set_defaults(run=_play)


def add_serve(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--host", type=address, default="127.0.0.1", help="address to listen on (default: this machine alone)"
    )
    parser.add_argument("--port", type=port, default=8000, help="default: 8000; 0 takes a free one")
    parser.add_argument("--database", metavar="DB", help=DATABASE)
    parser.add_argument("--workers", type=workers, default=1, metavar="N", help="processes; several need PostgreSQL")
    parser.add_argument("--drawing", type=one_of(DRAWING), metavar="WHERE", help=f"{_DRAWING}: {either(DRAWING)}")
    parser.add_argument("--lan", action="store_true", help="let phones on the same network join")
    parser.add_argument("--bot-seconds", type=seconds, default=1.5, metavar="S", help="how long a bot thinks")
    parser.add_argument("--idle-hours", type=hours, default=6, metavar="H", help="when a forgotten table is closed")
    guests = parser.add_argument_group("guests and proxies, see docs/operating.md")
    guests.add_argument("--tables-a-minute", type=whole, metavar="N", help="new tables from one address (60)")
    guests.add_argument("--limit", type=limit, action="append", default=[], metavar="NAME=N", help=_LIMITS)
    guests.add_argument("--no-limits", action="store_true", help="lift all limits")
    guests.add_argument("--trusted-proxy", type=network, action="append", default=[], metavar="ADDRESS", help=_PROXY)
    guests.add_argument("--host-name", type=host_name, action="append", default=[], metavar="NAME", help=_HOST_NAME)
    guests.add_argument("--metrics-from", type=network, action="append", default=[], metavar="ADDRESS", help=_METRICS)
    guests.add_argument("--log", type=one_of(LOGS), default="trouble", help=f"JSON lines: {either(LOGS)}")
    parser.set_defaults(run=_serve)


def _play(chosen: argparse.Namespace) -> None:
    from illusion.web import CannotListen, serve  # noqa: PLC0415  (a server is slow to load)

    try:
        serve(port=0, database=chosen.database, lan=chosen.lan, open_browser=not chosen.no_browser)
    except CannotListen as refusal:
        raise SystemExit(f"illusion: {refusal}") from None


def _serve(chosen: argparse.Namespace) -> None:
    from illusion.tables import Pace  # noqa: PLC0415  (a server is slow to load)
    from illusion.tables.worker import Where  # noqa: PLC0415
    from illusion.web import CannotListen, Limits, serve  # noqa: PLC0415

    limits = Limits.lifted() if chosen.no_limits else Limits()
    if chosen.tables_a_minute is not None:
        limits = replace(limits, tables=chosen.tables_a_minute)
    try:
        serve(
            chosen.host,
            chosen.port,
            chosen.database,
            lan=chosen.lan,
            pace=Pace(bot_s=chosen.bot_seconds, idle_s=chosen.idle_hours * 3600),
            limits=replace(limits, **dict(chosen.limit)),
            trusted_proxies=chosen.trusted_proxy,
            log=chosen.log,
            metrics_from=chosen.metrics_from,
            host_names=chosen.host_name,
            workers=chosen.workers,
            drawing=None if chosen.drawing is None else Where(chosen.drawing),
        )
    except CannotListen as refusal:
        raise SystemExit(f"illusion: {refusal}") from None
