"""A worker outside the event loop, on an executor of the standard library, for work that takes milliseconds.

It is a process, so that the event loop has a core to itself; a thread on a machine with one core; and in a browser,
which has neither, work is done in place. A worker that hangs or dies is replaced.
"""

import asyncio
import logging
import os
import sys
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

START_TIMEOUT_S: Final = 30.0
"""A new process imports its modules first, which takes a busy machine a while."""
MAX_FAILED_STARTS: Final = 2
"""After so many in a row the worker is a thread."""
MAX_WAITING: Final = 500
"""Bound of the queue: under overload, refuse."""
HAS_THREADS: Final = sys.platform != "emscripten"

LOG: Final = logging.getLogger("illusion")

Result = TypeVar("Result")


class TooMuchWork(Exception):
    """The queue is full."""


class WorkerLost(Exception):
    """The worker hung, died or could not be started. The next job gets a new one."""


class Where(StrEnum):
    """Where a worker runs."""

    PROCESS = "process"
    THREAD = "thread"
    HERE = "here"


@dataclass(frozen=True, slots=True)
class _Running:
    """An executor that has been started."""

    executor: Executor
    ready: "asyncio.Future[int]"
    """Its first job, done once its process has started."""
    children: frozenset["BaseProcess"] = frozenset()


class Worker:
    """Does one job at a time; starts with the first. `niceness` is that of a process."""

    def __init__(self, where: Where, niceness: int = 0) -> None:
        self._where = where if HAS_THREADS else Where.HERE
        self._niceness = niceness
        self._running: _Running | None = None
        self._failed_starts = 0
        self._waiting = 0

    @property
    def processes(self) -> frozenset["BaseProcess"]:
        """Its process, if it has one."""
        return frozenset() if self._running is None else self._running.children

    async def run(self, work: Callable[..., Result], *arguments: object, timeout_s: float | None = None) -> Result:
        """The result of `work(*arguments)`. Also raises WorkerLost and TooMuchWork."""
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
        """Start ahead of the first job, which reports any error of starting."""
        if self._where is not Where.HERE and self._running is None:
            with suppress(Exception):
                self._running = self._start()

    def stop(self) -> None:
        """Stop at once without waiting; a process is killed."""
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
        except Exception as error:  # e.g. it died while idle
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
        """Replace a worker, unless another of its jobs has done so."""
        if running is not self._running:
            return
        LOG.error("worker-lost")
        has_started = running is not None and running.ready.done() and running.ready.exception() is None
        self._failed_starts = 0 if has_started else self._failed_starts + 1
        if self._failed_starts >= MAX_FAILED_STARTS:
            self._where = Where.THREAD
        self.stop()


def _started_process(niceness: int) -> _Running:
    """Spawned, not forked, because a server has threads. Imports are local, because a browser lacks these modules."""
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415
    from multiprocessing import active_children, get_context  # noqa: PLC0415

    from illusion.child import begin  # noqa: PLC0415

    before = frozenset(active_children())
    executor = ProcessPoolExecutor(1, get_context("spawn"), begin, (niceness,))
    ready = _awaited(executor.submit(os.getpid))
    return _Running(executor, ready, frozenset(active_children()) - before)


def _awaited(job: "Future[Result]") -> "asyncio.Future[Result]":
    """An asyncio future that does not warn about an error if its waiter is gone."""
    done = asyncio.wrap_future(job)
    done.add_done_callback(lambda each: each.cancelled() or each.exception())
    return done
