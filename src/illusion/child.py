"""How a worker process begins. It imports nothing else of ours, so that the process holds only what its work needs."""

import os
import signal
from multiprocessing import parent_process
from threading import Thread


def begin(niceness: int) -> None:
    """Ignore Ctrl-C, which is for the server, and end when the server is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(niceness)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)
