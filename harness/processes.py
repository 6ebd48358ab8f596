"""What a server's processes use, read from /proc: it and all its children."""

import os
from contextlib import suppress
from pathlib import Path
from time import sleep

GONE = (FileNotFoundError, ProcessLookupError)
"""A process or a thread that ends while one looks at it."""
TICKS = os.sysconf("SC_CLK_TCK")
REST_S, LOOKS, AT_REST = 1.5, 40, 0.2
"""A server is at rest when it has used so little of a core for so long; at most so often one looks."""


def family(pid: int) -> list[int]:
    """A process and all that it has started, directly or not."""
    found = [pid]
    for each in found:
        with suppress(*GONE):
            for children in Path(f"/proc/{each}/task").glob("*/children"):
                found += map(int, children.read_text().split())
    return found


def drawing(pid: int) -> list[int]:
    """Those of a server's processes that draw pictures and look back at games: they stand back by their niceness."""
    own = os.getpriority(os.PRIO_PROCESS, pid)
    return [each for each in family(pid) if os.getpriority(os.PRIO_PROCESS, each) > own]


def cpu(*pids: int) -> float:
    """Seconds of CPU, user and system, of these processes and all that they have started, ended ones included."""
    return sum(_ticks(each, 4) for pid in pids for each in family(pid)) / TICKS


def own_cpu(pid: int) -> float:
    """Of this process alone: of a server of ours, without drawing and reviews."""
    return _ticks(pid, 2) / TICKS


def _ticks(pid: int, fields: int) -> int:
    found = 0
    with suppress(*GONE):
        found = sum(map(int, Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11 : 11 + fields]))
    return found


def memory(pid: int) -> float:
    """Kilobytes held by a process and all that it has started: proportional to sharing."""
    return sum(map(held, family(pid)))


def resident(pid: int) -> float:
    """Megabytes resident, of a process and all that it has started; what they share counts for each."""
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
    """Until what comes first at each table has been drawn; then drawing a move is drawing a card."""
    for _ in range(LOOKS):
        used = cpu(pid)
        sleep(REST_S)
        if cpu(pid) - used < AT_REST * REST_S:
            return
