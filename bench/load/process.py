"""What a server's processes have used, read from /proc: it and all its children."""

import os
from contextlib import suppress
from pathlib import Path

GONE = (FileNotFoundError, ProcessLookupError)
"""A process or a thread that ends while one looks at it."""
TICKS = os.sysconf("SC_CLK_TCK")


def family(pid: int) -> list[int]:
    """A process and all that it has started, directly or not."""
    found = [pid]
    for each in found:
        with suppress(*GONE):
            for children in Path(f"/proc/{each}/task").glob("*/children"):
                found += map(int, children.read_text().split())
    return found


def drawing(pid: int) -> list[int]:
    """Those of a server's processes that draw pictures: they stand back by their niceness."""
    own = os.getpriority(os.PRIO_PROCESS, pid)
    return [each for each in family(pid) if os.getpriority(os.PRIO_PROCESS, each) > own]


def serving_cpu(*pids: int) -> float:
    """Seconds of CPU of these processes and all that they have started, but for those that draw."""
    return cpu(*pids) - cpu(*(each for pid in pids for each in drawing(pid)))


def cpu(*pids: int) -> float:
    """Seconds of CPU, user and system, of these processes and all that they have started."""
    return sum(_ticks(each) for pid in pids for each in family(pid)) / TICKS


def asleep(pid: int) -> bool:
    """Whether a process waits for something other than a core."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "S"


def machine_cpu() -> float:
    """Seconds of CPU that all processes of this machine have used together."""
    user, nice, system, _, _, interrupts, soft_interrupts, stolen = map(
        int, Path("/proc/stat").read_text().split(maxsplit=9)[1:9]
    )
    return (user + nice + system + interrupts + soft_interrupts + stolen) / TICKS


def memory(pid: int) -> float:
    """Kilobytes held: proportional to sharing, so that forked workers are not counted twice."""
    return sum(held(each) for each in family(pid))


def _ticks(pid: int) -> int:
    # With what its children had used when they ended, so that a sum never shrinks.
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15]))


def held(pid: int) -> float:
    """Kilobytes of one process, proportional to sharing."""
    return float(Path(f"/proc/{pid}/smaps_rollup").read_text().split("Pss:")[1].split()[0])
