"""Types of arguments: each returns the value, or says in one sentence what it should have been."""

import argparse
import ipaddress
import math
import os
import re
from collections.abc import Callable, Collection, Iterable
from functools import partial
from typing import Final

LIMITS: Final = ("requests", "changes", "tables", "unfinished", "misses", "streams")
MAX_NUMBER: Final = 10**9
MAX_SEED_DIGITS: Final = 1000
MAX_ADDRESS: Final = 253
HOST_NAME: Final = re.compile(r"[\w.-]+", re.ASCII)
SCHEDULER: Final = re.compile(r"tcp://(?:[\w.-]+|\[[\da-f:]+\]):(\d{1,5})", re.ASCII)
MAX_SHOWN: Final = 60
"""Characters of a wrong argument that are quoted."""
DATABASE: Final = "a file, or postgresql://… (default: a file in your data folder)"


def either(names: Iterable[str]) -> str:
    *others, last = names
    return f"{', '.join(others)} or {last}" if others else last


def one_of(names: Collection[str]) -> Callable[[str], str]:
    def check(text: str) -> str:
        if text not in names:
            raise wrong(f"choose {either(names)}", text)
        return text

    return check


def wrong(wanted: str, text: str) -> argparse.ArgumentTypeError:
    return argparse.ArgumentTypeError(f"{wanted}, not {shown(text)}")


def shown(text: str) -> str:
    return f"{text[:MAX_SHOWN]!r}{'…' if len(text) > MAX_SHOWN else ''}"


def _whole_number(wanted: str, text: str, least: int = 0, most: int = MAX_NUMBER) -> int:
    """Checks the length first: `int` raises for thousands of digits."""
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(most)) and least <= int(text) <= most):
        raise wrong(wanted, text)
    return int(text)


def _number(wanted: str, text: str, least: float, most: float) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not least <= number <= most:  # false for NaN, too
        raise wrong(wanted, text)
    return number


whole = partial(_whole_number, "a whole number from 0 up")
count = partial(_whole_number, "a whole number from 1 up", least=1)
jobs = partial(_whole_number, "from 1 to 256 processes", least=1, most=256)
port = partial(_whole_number, "a port from 0 to 65535", most=65535)
seconds = partial(_number, "from 0 to 600 seconds", least=0, most=600)
hours = partial(_number, "from 0 to 10000 hours", least=0, most=10_000)


def limit(text: str) -> tuple[str, int]:
    wanted = f"a limit is NAME=N with {either(LIMITS)}"
    name, _, number = text.partition("=")
    if name not in LIMITS:
        raise wrong(wanted, text)
    return name, _whole_number(wanted, number)


def address(text: str) -> str:
    """Not empty, which would mean all networks."""
    if not text.strip() or len(text) > MAX_ADDRESS:
        raise wrong("an address to listen on", text)
    return text


def host_name(text: str) -> str:
    if len(text) > MAX_ADDRESS or not HOST_NAME.fullmatch(text):
        raise wrong("a name such as illusion.example, without a port", text)
    return text


def root_path(text: str) -> str:
    from illusion.web import urls  # noqa: PLC0415  (a server is slow to load)

    root = text.rstrip("/")
    if not urls.is_root(root):
        raise wrong("a path such as /illusion, of plain letters and digits", text)
    return root


def network(text: str) -> str:
    try:
        return str(ipaddress.ip_network(text))
    except ValueError:
        raise wrong("an address or a network such as 10.0.0.0/8", text) from None


def scheduler(text: str) -> str:
    found = SCHEDULER.fullmatch(text)
    if found is None or len(text) > MAX_ADDRESS or not 0 < int(found[1]) < 2**16:
        raise wrong("the address of a Dask scheduler, tcp://HOST:PORT", text)
    return text


def add_executor(parser: argparse.ArgumentParser) -> None:
    """The options of `lab/executors.py`, for the arena and for tools."""
    parser.add_argument("--jobs", type=jobs, default=os.cpu_count() or 1, metavar="N", help="default: one per core")
    parser.add_argument("--on", type=scheduler, metavar="tcp://HOST:PORT", help="instead, on a Dask cluster")


def seed(text: str) -> int:
    most = f" of at most {MAX_SEED_DIGITS} digits" if len(text) > MAX_SEED_DIGITS else ""
    return _whole_number(f"a seed is a whole number from 0 up{most}", text, 0, 10**MAX_SEED_DIGITS - 1)
