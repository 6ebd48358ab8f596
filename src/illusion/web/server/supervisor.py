"""Several server processes on one port: one that watches, and others that work; one that dies is replaced."""

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Final

Work = Callable[[Callable[[], None]], None]
"""What a worker does until it is told to stop; it calls what it is given once it can be asked. It can be pickled."""

RESTART_DELAY_S: Final = 1.0
"""Seconds before a worker that died at once is replaced."""

STOP_TIMEOUT_S: Final = 10.0
"""Seconds that a worker may take to finish when all is to end."""


def supervise(work: Work, count: int, ready: Callable[[], None], ended: Callable[[int], object]) -> None:
    """Keep so many workers at work until this process is told to stop.

    `ready` is called when the first one is up, `ended` with the number of a process that died.
    """
    spawn = multiprocessing.get_context("spawn")
    up, says_up = spawn.Pipe(duplex=False)

    def start() -> tuple[BaseProcess, float]:
        worker = spawn.Process(target=_work, args=(work, says_up))
        worker.start()
        return worker, time.monotonic()

    before = signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    workers = [start() for _ in range(count)]
    waiting: list[Connection] = [up]
    try:
        while True:
            for event in wait([*waiting, *(worker.sentinel for worker, _ in workers)]):
                if event is up:
                    waiting = []
                    ready()
            for place, (worker, since) in enumerate(workers):
                if worker.exitcode is not None:
                    assert worker.pid is not None
                    ended(worker.pid)
                    time.sleep(max(0.0, since + RESTART_DELAY_S - time.monotonic()))
                    workers[place] = start()
    except KeyboardInterrupt:
        pass
    finally:
        signal.signal(signal.SIGTERM, before)
        _end([worker for worker, _ in workers])


def _end(workers: list[BaseProcess]) -> None:
    for worker in workers:
        worker.terminate()
    for worker in workers:
        worker.join(STOP_TIMEOUT_S)
        worker.kill()
        worker.join()


def _work(work: Work, says_up: Connection) -> None:
    threading.Thread(target=_outlived, daemon=True).start()
    work(lambda: says_up.send_bytes(b"up"))


def _outlived() -> None:
    """Nobody would replace or stop a worker whose watcher was killed, so it dies like it; the store has everything."""
    watcher = multiprocessing.parent_process()
    assert watcher is not None
    watcher.join()
    os.kill(os.getpid(), signal.SIGKILL)
