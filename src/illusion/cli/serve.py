"""`illusion serve` and `illusion play`: tables in the browser, and the same application on any server."""

import argparse
import webbrowser
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

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
    root_path,
    seconds,
    whole,
)
from illusion.cli.lan import Network, advice, answers, networks
from illusion.extras import how_to_install

if TYPE_CHECKING:
    from starlette.applications import Starlette

    from illusion.web import AppOptions

PORT: Final = 8000
"""A fixed default: bookmarks, QR codes and what browsers store belong to an address."""
THIS_MACHINE: Final = "127.0.0.1"
EVERYWHERE: Final = "0.0.0.0"  # noqa: S104  # nosec B104
LOGS: Final = ("trouble", "notable", "requests")
_LIMITS: Final = f"set a limit per client; 0 lifts it; may be repeated: {', '.join(LIMITS)}"
_PROXY: Final = "trust this proxy (or network) for the client address, TLS, and X-Forwarded-Prefix"
_NOTIFY: Final = "let people be told of their turns by apprise, at addresses that they give (see docs/operating.md)"
_PRIVATE: Final = "such addresses may be in this server's own networks, too"
_ROOT: Final = "the path under which a proxy serves it, such as /illusion"
_HOST_NAME: Final = "serve under this name alone; may be repeated (addresses and localhost always work)"
DRAWING: Final = ("process", "thread")
_DRAWING: Final = "where pictures are drawn (default: in a process, if there are two cores)"
_METRICS: Final = "address or network that may read /metrics, besides this machine; may be repeated"


APPLICATION: Final[dict[str, dict[str, Any]]] = {
    "--database": {"metavar": "DB", "help": DATABASE},
    "--bot-seconds": {"type": seconds, "default": 1.5, "metavar": "S", "help": "about how long a bot takes (1.5)"},
    "--idle-hours": {"type": hours, "default": 6, "metavar": "H", "help": "close a table idle for so long (6)"},
    "--drawing": {"type": one_of(DRAWING), "metavar": "WHERE", "help": f"{_DRAWING}: {either(DRAWING)}"},
    "--tables-a-minute": {"type": whole, "metavar": "N", "help": "limit on new tables per minute and address (60)"},
    "--limit": {"type": limit, "action": "append", "default": [], "metavar": "NAME=N", "help": _LIMITS},
    "--no-limits": {"action": "store_true", "help": "lift all limits"},
    "--host-name": {"type": host_name, "action": "append", "default": [], "metavar": "NAME", "help": _HOST_NAME},
    "--notify": {"action": "store_true", "help": _NOTIFY},
    "--notify-private": {"action": "store_true", "help": _PRIVATE},
    "--root-path": {"type": root_path, "default": "", "metavar": "PATH", "help": _ROOT},
    "--metrics-from": {"type": network, "action": "append", "default": [], "metavar": "ADDRESS", "help": _METRICS},
    "--log": {"type": one_of(LOGS), "default": "trouble", "help": f"what to log, as JSON lines: {either(LOGS)}"},
}
"""Options of the application on any server; `illusion.asgi` takes them from the environment."""


def add_play(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--lan", action="store_true", help="let phones on the same network join")
    parser.add_argument("--port", type=port, default=PORT, help=f"default: {PORT}; the next free one if it is taken")
    parser.add_argument("--database", metavar="DB", help=DATABASE)
    parser.add_argument("--no-browser", action="store_true", help="only print the address")
    parser.set_defaults(run=_play)


def add_serve(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--host", type=address, default=THIS_MACHINE, help="address to listen on (default: this machine alone)"
    )
    parser.add_argument("--port", type=port, default=PORT, help=f"default: {PORT}; 0 takes a free one")
    parser.add_argument("--lan", action="store_true", help="let phones on the same network join")
    parser.add_argument("--trusted-proxy", type=network, action="append", default=[], metavar="ADDRESS", help=_PROXY)
    add_application(parser)
    parser.set_defaults(run=_serve)


def add_application(parser: argparse.ArgumentParser) -> None:
    """Add the options of the application."""
    for name, how in APPLICATION.items():
        parser.add_argument(name, **how)


def _play(chosen: argparse.Namespace) -> None:
    """Serve, or open the page of a server that uses the database already; with --lan, only if it serves phones, too."""
    from illusion.tables import InUse  # noqa: PLC0415  (a server is slow to load)
    from illusion.web import AppOptions, serve  # noqa: PLC0415

    lan = networks() if chosen.lan else []
    ready = partial(announce, lan=lan if chosen.lan else None, open_browser=not chosen.no_browser)
    host, options = EVERYWHERE if chosen.lan else THIS_MACHINE, AppOptions(lan=lan[0].address if lan else None)
    try:
        serve(chosen.database, options, host=host, port=chosen.port, or_next_port=True, ready=ready)
    except InUse as running:
        if not all(answers(address, running.port) for address in (THIS_MACHINE, *(each.address for each in lan[:1]))):
            raise
        ready(f"http://{THIS_MACHINE}:{running.port}/", already=True)


def _serve(chosen: argparse.Namespace) -> None:
    from illusion.web import serve  # noqa: PLC0415  (a server is slow to load)

    lan = networks() if chosen.lan else []
    serve(
        chosen.database,
        replace(app_options(chosen), lan=lan[0].address if lan else None),
        host=EVERYWHERE if chosen.lan else chosen.host,
        port=chosen.port,
        trusted_proxies=chosen.trusted_proxy,
        log=chosen.log,
        ready=partial(announce, lan=lan if chosen.lan else None),
    )


def announce(
    url: str,
    *,
    page: str = "",
    lan: Sequence[Network] | None = None,
    open_browser: bool = False,
    already: bool = False,
) -> None:
    """Print the game's addresses, with those for phones if it is served to them."""
    if already:
        print(f"Illusion is running already, at {url}{page}", flush=True)
    else:
        print(f"Illusion is at {url}{page}  (Ctrl-C ends it; nothing is lost)", flush=True)
    if lan is not None:
        print(*advice(lan, urlsplit(url).port or PORT), sep="\n", flush=True)
    if open_browser:
        webbrowser.open(url + page)


def app_options(chosen: argparse.Namespace) -> "AppOptions":
    """The chosen options of the application."""
    from illusion.tables import Pace  # noqa: PLC0415  (a server is slow to load)
    from illusion.tables.worker import Where  # noqa: PLC0415
    from illusion.web import AppOptions, Limits  # noqa: PLC0415

    if chosen.notify and find_spec("apprise") is None:
        raise SystemExit(f"illusion: notices need the extra 'notify': run {how_to_install('notify')}")
    limits = Limits.lifted() if chosen.no_limits else Limits()
    if chosen.tables_a_minute is not None:
        limits = replace(limits, tables=chosen.tables_a_minute)
    return AppOptions(
        Pace(bot_s=chosen.bot_seconds, idle_s=chosen.idle_hours * 3600),
        replace(limits, **dict(chosen.limit)),
        host_names=chosen.host_name,
        root_path=chosen.root_path,
        notify=chosen.notify,
        notify_private=chosen.notify_private,
        metrics_from=chosen.metrics_from,
        drawing=None if chosen.drawing is None else Where(chosen.drawing),
    )


def app_from(environment: Mapping[str, str]) -> "Starlette":
    """The application with options from environment variables, or an error in one sentence. Raises CannotOpen."""
    from illusion.tables import default_database, exclusive_use, store_at  # noqa: PLC0415  (slow to load)
    from illusion.web import create_app  # noqa: PLC0415
    from illusion.web.telemetry import set_up_log  # noqa: PLC0415

    parser = argparse.ArgumentParser(
        "illusion.asgi", usage="ILLUSION_DATABASE=… uvicorn illusion.asgi:app", add_help=False
    )
    add_application(parser)
    chosen = parser.parse_args(_arguments(environment))
    set_up_log(chosen.log)
    database = chosen.database or default_database()
    return create_app(store_at(database), app_options(chosen), exclusive_use(database))


def _arguments(environment: Mapping[str, str]) -> list[str]:
    arguments = list[str]()
    for option, how in APPLICATION.items():
        value = environment.get("ILLUSION_" + option.removeprefix("--").replace("-", "_").upper(), "")
        match how.get("action"):
            case "store_true":
                arguments += [option] if value not in ("", "0") else []
            case "append":
                arguments += [f"{option}={each}" for each in value.split()]
            case _:
                arguments += [f"{option}={value}"] if value else []
    return arguments
