"""CPU and memory of a server and its child processes, read from /proc."""

import os
from contextlib import suppress
from pathlib import Path
from time import sleep

GONE = (FileNotFoundError, ProcessLookupError)
"""Errors of reading about a process or thread that has just ended."""
TICKS = os.sysconf("SC_CLK_TCK")
REST_S, LOOKS, AT_REST = 1.5, 40, 0.2
"""A server is idle after using so little CPU for so long; and the interval of checks."""


def family(pid: int) -> list[int]:
    """A process and its descendants."""
    found = [pid]
    for each in found:
        with suppress(*GONE):
            for children in Path(f"/proc/{each}/task").glob("*/children"):
                found += map(int, children.read_text().split())
    return found


def drawing(pid: int) -> list[int]:
    """A server's processes for drawing and reviews, recognized by their niceness."""
    own = os.getpriority(os.PRIO_PROCESS, pid)
    return [each for each in family(pid) if os.getpriority(os.PRIO_PROCESS, each) > own]


def cpu(*pids: int) -> float:
    """Seconds of CPU, user and system, of these processes and their descendants, including ended ones."""
    return sum(_ticks(each, 4) for pid in pids for each in family(pid)) / TICKS


def own_cpu(pid: int) -> float:
    """Seconds of CPU of this process alone: for our server, without drawing and reviews."""
    return _ticks(pid, 2) / TICKS


def _ticks(pid: int, fields: int) -> int:
    found = 0
    with suppress(*GONE):
        found = sum(map(int, Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11 : 11 + fields]))
    return found


def memory(pid: int) -> float:
    """PSS of a process and its descendants, in kilobytes."""
    return sum(map(held, family(pid)))


def resident(pid: int) -> float:
    """RSS of a process and its descendants, in megabytes; shared pages count for each."""
    found = 0
    for each in family(pid):
        with suppress(*GONE, IndexError):  # one that has just ended holds nothing
            found += int(Path(f"/proc/{each}/status").read_text().partition("VmRSS:")[2].split()[0])
    return found / 1024


def held(pid: int) -> float:
    found = 0.0
    with suppress(*GONE):
        found = float(Path(f"/proc/{pid}/smaps_rollup").read_text().split("Pss:")[1].split()[0])
    return found


def wait_for_rest(pid: int) -> None:
    """Wait until the first cards of all tables have been drawn; from then on a move needs one card."""
    for _ in range(LOOKS):
        used = cpu(pid)
        sleep(REST_S)
        if cpu(pid) - used < AT_REST * REST_S:
            return
