"""Several server processes on one port: a supervisor starts workers, replaces those that die, and stops them all."""

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Final

Work = Callable[[int, Callable[[], None]], None]
"""What a worker runs until SIGTERM. It gets its place, from 0, and calls the other argument once it answers requests.

It can be pickled."""

STOP_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)
RESTART_INTERVAL_S: Final = 1.0
"""A worker that dies at once is restarted no sooner than this after its last start."""
STOP_TIMEOUT_S: Final = 10.0
"""Workers that have not stopped by then are killed."""


def interrupt_on_signals() -> None:
    """Let SIGINT and SIGTERM raise KeyboardInterrupt in this process.

    Set explicitly, because a process can inherit SIGINT as ignored: a shell script starts `command &` that way.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))


def supervise(
    work: Work,
    count: int,
    ready: Callable[[], None],
    ended: Callable[[int], object],
    stop_timeout_s: float = STOP_TIMEOUT_S,
) -> None:
    """Keep `count` workers running until this process gets SIGINT or SIGTERM; a new one gets the place of a dead one.

    `ready` is called when the first worker answers, `ended` with the process id of a worker that died.
    """
    spawn = multiprocessing.get_context("spawn")
    up, says_up = spawn.Pipe(duplex=False)

    def start(place: int) -> tuple[BaseProcess, float]:
        worker = spawn.Process(target=_work, args=(work, place, says_up))
        worker.start()
        return worker, time.monotonic()

    with _stop_requests() as stop:
        workers = [start(place) for place in range(count)]
        waiting: list[Connection] = [up]
        try:
            while not stop.poll():
                if up in wait([stop, *waiting, *(worker.sentinel for worker, _ in workers)]):
                    waiting = []
                    ready()
                for place, (worker, since) in enumerate(workers):
                    if worker.exitcode is not None:
                        assert worker.pid is not None
                        ended(worker.pid)
                        if stop.poll(max(0.0, since + RESTART_INTERVAL_S - time.monotonic())):
                            break
                        workers[place] = start(place)
        finally:
            _stop([worker for worker, _ in workers], stop_timeout_s)


@contextmanager
def _stop_requests() -> Iterator[Connection]:
    """A connection that becomes readable at the first SIGINT or SIGTERM.

    The handlers raise nothing: an exception could come between a worker's start and its entry in the list of workers.
    """
    stop, request_stop = multiprocessing.Pipe(duplex=False)
    requested = False

    def handle(*_: object) -> None:
        nonlocal requested
        if not requested:
            requested = True
            request_stop.send_bytes(b"stop")

    with stop, request_stop:
        before = {number: signal.signal(number, handle) for number in STOP_SIGNALS}
        try:
            yield stop
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def _stop(workers: list[BaseProcess], timeout_s: float) -> None:
    for worker in workers:
        worker.terminate()
    deadline = time.monotonic() + timeout_s
    for worker in workers:
        worker.join(max(0.0, deadline - time.monotonic()))
        worker.kill()
        worker.join()


def _work(work: Work, place: int, says_up: Connection) -> None:
    """The server sets its own handlers while it serves; before and after that a signal ends the process at once."""
    for number in STOP_SIGNALS:
        signal.signal(number, signal.SIG_DFL)
    threading.Thread(target=_die_with_supervisor, daemon=True).start()
    work(place, lambda: says_up.send_bytes(b"up"))


def _die_with_supervisor() -> None:
    """Nobody would replace or stop a worker whose supervisor was killed; what it acknowledged is in the store."""
    supervisor = multiprocessing.parent_process()
    assert supervisor is not None
    supervisor.join()
    os.kill(os.getpid(), signal.SIGKILL)
