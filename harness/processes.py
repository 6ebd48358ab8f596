"""The processes that a running server consists of."""

import signal
import time
from collections.abc import Callable
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


def stubborn_worker(_place: int, up: Callable[[], None]) -> None:
    """A worker that does not stop when asked to."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    up()
    while True:
        time.sleep(60)
