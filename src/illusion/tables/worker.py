"""A worker beside the event loop, on an executor of the standard library, for what takes milliseconds.

A process leaves the event loop a core to itself; on a machine with one core a thread does as well; where there are
neither, as in a browser, work is done in place. A worker that hangs or dies is replaced, so nobody waits for ever.
"""

import asyncio
import logging
import os
import signal
import sys
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from threading import Thread
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

START_TIMEOUT_S: Final = 30.0
"""A process has to load what it works with, which takes a busy machine a while."""
MAX_FAILED_STARTS: Final = 2
"""In a row. Where processes cannot be started, a thread works."""
MAX_WAITING: Final = 500
"""Jobs that may wait for a worker: when more is asked for than can be done, somebody has to be told."""
HAS_THREADS: Final = sys.platform != "emscripten"

LOG: Final = logging.getLogger("illusion")

Result = TypeVar("Result")


class TooMuchWork(Exception):
    """Too much waits already."""


class WorkerLost(Exception):
    """The worker hung, died or could not be started. The next job gets a new one."""


class Where(StrEnum):
    """Where work is done."""

    PROCESS = "process"
    THREAD = "thread"
    HERE = "here"


@dataclass(frozen=True, slots=True)
class _Running:
    """An executor that has been started."""

    executor: Executor
    ready: "asyncio.Future[int]"
    """Its first job, with which its process starts."""
    children: frozenset["BaseProcess"] = frozenset()


class Worker:
    """Does one job after another, and is started by the first. A process runs at this niceness."""

    def __init__(self, where: Where, niceness: int = 0) -> None:
        self._where = where if HAS_THREADS else Where.HERE
        self._niceness = niceness
        self._running: _Running | None = None
        self._failed_starts = 0
        self._waiting = 0

    @property
    def processes(self) -> frozenset["BaseProcess"]:
        """The processes that run just now: one, or none."""
        return frozenset() if self._running is None else self._running.children

    async def run(self, work: Callable[..., Result], *arguments: object, timeout_s: float | None = None) -> Result:
        """What the work returns or raises. Raises WorkerLost and TooMuchWork."""
        if self._where is Where.HERE:
            await asyncio.sleep(0)
            return work(*arguments)
        if self._waiting >= MAX_WAITING:
            raise TooMuchWork
        self._waiting += 1
        try:
            return await self._run(work, arguments, timeout_s)
        finally:
            self._waiting -= 1

    def start(self) -> None:
        """Before there is work. If it cannot be started, the first job tells."""
        if self._where is not Where.HERE and self._running is None:
            with suppress(Exception):
                self._running = self._start()

    def stop(self) -> None:
        """At once and without waiting, whatever it does: a process is killed."""
        running, self._running = self._running, None
        if running is not None:
            running.executor.shutdown(wait=False, cancel_futures=True)
            for child in running.children:
                child.kill()

    async def _run(self, work: Callable[..., Result], arguments: tuple[object, ...], timeout_s: float | None) -> Result:
        running = None
        try:
            running = self._running = self._running or self._start()
            done = _awaited(running.executor.submit(work, *arguments))
        except Exception as error:  # also if it died while it had nothing to do
            self._lost(running)
            raise WorkerLost from error
        if not running.ready.done():
            await asyncio.wait([running.ready], timeout=START_TIMEOUT_S)  # unlike wait_for, this cancels nothing
        await asyncio.wait([done], timeout=timeout_s if running.ready.done() else 0)
        try:
            if done.done():
                return done.result()
        except (BrokenExecutor, asyncio.CancelledError) as error:
            self._lost(running)
            raise WorkerLost from error
        self._lost(running)
        raise WorkerLost(f"it took longer than {timeout_s} seconds")

    def _start(self) -> _Running:
        if self._where is Where.THREAD:
            executor = ThreadPoolExecutor(1)
            return _Running(executor, _awaited(executor.submit(os.getpid)))
        return _started_process(self._niceness)

    def _lost(self, running: _Running | None) -> None:
        """Several jobs may have been lost with one worker."""
        if running is not self._running:
            return
        LOG.error("worker-lost")
        has_started = running is not None and running.ready.done() and running.ready.exception() is None
        self._failed_starts = 0 if has_started else self._failed_starts + 1
        if self._failed_starts >= MAX_FAILED_STARTS:
            self._where = Where.THREAD
        self.stop()


def _started_process(niceness: int) -> _Running:
    """Spawned rather than forked: a server has threads. Imported here, since a browser has neither module."""
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415
    from multiprocessing import active_children, get_context  # noqa: PLC0415

    before = frozenset(active_children())
    executor = ProcessPoolExecutor(1, get_context("spawn"), _begin, (niceness,))
    ready = _awaited(executor.submit(os.getpid))
    return _Running(executor, ready, frozenset(active_children()) - before)


def _awaited(job: "Future[Result]") -> "asyncio.Future[Result]":
    """Its error is no news if nobody waits any more."""
    done = asyncio.wrap_future(job)
    done.add_done_callback(lambda each: each.cancelled() or each.exception())
    return done


def _begin(niceness: int) -> None:
    """Called first in a worker process: Ctrl-C is for the server, and the process ends when its server is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(niceness)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    from multiprocessing import parent_process  # noqa: PLC0415

    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)
