"""The processes that a running server consists of."""

import signal
import socket
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from harness.postgres import children


def worker_pids(supervisor: int) -> list[int]:
    """The workers that a supervisor has started, without the helper process of Python's multiprocessing."""
    found = []
    for pid in children(supervisor):
        with suppress(FileNotFoundError):  # it may end meanwhile
            found += [pid] if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes() else []
    return found


def has_died(pid: int) -> bool:
    """Whether all threads of a process have ended, so that nothing is open any more, and its parent knows."""
    return not Path(f"/proc/{pid}").exists()


def stubborn_worker(_place: int, up: Callable[[], None]) -> None:
    """A worker that does not stop when asked to."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    up()
    while True:
        time.sleep(60)


def holder(of: socket.socket, processes: Sequence[int]) -> int | None:
    """Which of these processes holds the other end of a TCP connection on loopback, as the system tells it."""
    own, other = (_as_in_proc(*name) for name in (of.getsockname(), of.getpeername()))
    _, found, after = Path("/proc/net/tcp").read_text().partition(f" {other} {own} ")  # of thousands of lines
    if found:
        inode = after.split(maxsplit=7)[6]
        for pid in processes:
            if f"socket:[{inode}]" in _descriptors(pid):
                return pid
    return None


def _as_in_proc(address: str, port: int) -> str:
    return f"{int.from_bytes(socket.inet_aton(address), sys.byteorder):08X}:{port:04X}"


def _descriptors(pid: int) -> list[str]:
    found = []
    for descriptor in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(FileNotFoundError):  # closed meanwhile
            found.append(str(descriptor.readlink()))
    return found
