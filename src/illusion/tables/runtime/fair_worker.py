"""One thread for everything that takes milliseconds: dealing, rendering, loading, thinking. Whoever asks pays."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

from illusion.tables.runtime.fair_queue import FairQueue, current_payer
from illusion.tables.stores.store import ignore

Result = TypeVar("Result")


@dataclass(slots=True)
class _Job:
    work: Callable[[], Any]
    done: "asyncio.Future[Any]"


class FairWorker:
    """Runs jobs one at a time. `on_cost` is called with a payer and the CPU seconds that a job took."""

    def __init__(self) -> None:
        self.on_cost: Callable[[str, float], object] = ignore
        self._thread = ThreadPoolExecutor(1, "worker")
        self._queue: FairQueue[_Job] = FairQueue()
        self._busy = False

    def run(self, work: Callable[[], Result]) -> Awaitable[Result]:
        """What the work returns or raises, from the worker's thread. Raises TooMuchWork."""
        done: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        self._queue.put(current_payer(), _Job(work, done))
        self._start_next()
        return done

    def stop(self) -> None:
        """Jobs that wait are dropped."""
        for job in self._queue.drain():
            job.done.cancel()
        self._thread.shutdown(cancel_futures=True)

    def _start_next(self) -> None:
        while not self._busy and (following := self._queue.pop()) is not None:
            payer, job = following
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
        self._queue.charge(payer, cost_s)
        self.on_cost(payer, cost_s)
        if not job.done.done():
            if error is None:
                job.done.set_result(result)
            else:
                job.done.set_exception(error)
        self._start_next()


def _measured(work: Callable[[], object]) -> tuple[object, BaseException | None, float]:
    began = time.thread_time()
    try:
        return work(), None, time.thread_time() - began
    except BaseException as error:
        return None, error, time.thread_time() - began
