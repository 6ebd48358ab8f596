"""One thread for everything that takes milliseconds: dealing, drawing, thinking, rendering, loading.

Whoever asks pays: each job counts for an address or a table. By start-time fair queueing (Goyal, Vin and Cheng, 1996)
the next job is one of those who have had the least, so that one who asks for much makes nobody else wait for more than
the job that is running. The cost of a job is the CPU time it took, known afterwards.
"""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from illusion.tables.stores.base import ignore

MAX_WAITING: Final = 200
"""Jobs that may wait for one payer: about two seconds of work."""

_payer: ContextVar[str] = ContextVar("payer", default="")

Result = TypeVar("Result")


class TooMuchWork(Exception):
    """Too many jobs of this payer wait already."""


@contextmanager
def paid_by(payer: str) -> Iterator[None]:
    """Jobs asked for within count for this payer, also those of tasks that are started within."""
    token = _payer.set(payer)
    try:
        yield
    finally:
        _payer.reset(token)


def current_payer() -> str:
    """An empty string if nobody in particular pays."""
    return _payer.get()


@dataclass(slots=True)
class _Job:
    work: Callable[[], Any]
    done: "asyncio.Future[Any]"


@dataclass(slots=True)
class _Flow:
    """The jobs of one payer."""

    start: float
    """The virtual time at which its next job may start."""
    waiting: deque[_Job] = field(default_factory=deque)


class FairWorker:
    """Runs jobs one at a time. `on_cost` is called with a payer and the CPU seconds that a job took."""

    def __init__(self) -> None:
        self.on_cost: Callable[[str, float], object] = ignore
        self._thread = ThreadPoolExecutor(1, "worker")
        self._flows: dict[str, _Flow] = {}
        """Of payers with jobs waiting, and of those who have had more than their share."""
        self._virtual_time = 0.0
        self._busy = False

    @property
    def payers(self) -> int:
        """How many are remembered."""
        return len(self._flows)

    def run(self, work: Callable[[], Result]) -> Awaitable[Result]:
        """What the work returns or raises, from the worker's thread. Raises TooMuchWork."""
        payer = current_payer()
        flow = self._flows.setdefault(payer, _Flow(self._virtual_time))
        if len(flow.waiting) >= MAX_WAITING:
            raise TooMuchWork
        done: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        flow.waiting.append(_Job(work, done))
        self._start_next()
        return done

    def stop(self) -> None:
        """Jobs that wait are dropped."""
        for flow in self._flows.values():
            for job in flow.waiting:
                job.done.cancel()
        self._flows.clear()
        self._thread.shutdown(cancel_futures=True)

    def _start_next(self) -> None:
        while not self._busy:
            waiting = [(flow.start, payer) for payer, flow in self._flows.items() if flow.waiting]
            if not waiting:
                self._flows.clear()
                return
            start, payer = min(waiting)
            self._virtual_time = max(self._virtual_time, start)
            job = self._flows[payer].waiting.popleft()
            if not job.done.done():
                self._start(payer, job)

    def _start(self, payer: str, job: _Job) -> None:
        self._busy = True
        loop = asyncio.get_running_loop()

        def on_done(done: Future[tuple[object, BaseException | None, float]]) -> None:
            if not done.cancelled():
                loop.call_soon_threadsafe(self._finish, payer, job, *done.result())

        self._thread.submit(_measured, job.work).add_done_callback(on_done)

    def _finish(self, payer: str, job: _Job, result: object, error: BaseException | None, cost_s: float) -> None:
        self._busy = False
        flow = self._flows.setdefault(payer, _Flow(self._virtual_time))
        flow.start = max(flow.start, self._virtual_time) + cost_s
        self.on_cost(payer, cost_s)
        if not job.done.done():
            if error is None:
                job.done.set_result(result)
            else:
                job.done.set_exception(error)
        self._forget()
        self._start_next()

    def _forget(self) -> None:
        """Those who have had no more than others."""
        for payer in [payer for payer, flow in self._flows.items() if _is_even(flow, self._virtual_time)]:
            del self._flows[payer]


def _is_even(flow: _Flow, virtual_time: float) -> bool:
    return not flow.waiting and flow.start <= virtual_time


def _measured(work: Callable[[], object]) -> tuple[object, BaseException | None, float]:
    began = time.thread_time()
    try:
        return work(), None, time.thread_time() - began
    except BaseException as error:
        return None, error, time.thread_time() - began
