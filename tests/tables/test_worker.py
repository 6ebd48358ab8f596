"""A worker gives what its work gives, or is replaced: nobody waits for ever, and nothing of it is left behind.

Reviews are reckoned by one, once, whoever asks, and whatever happens to the process that reckons.
"""

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from multiprocessing import get_context
from pathlib import Path

import pytest

from illusion.tables import reviews as reviews_module
from illusion.tables import worker as worker_module
from illusion.tables.pictures import ENTRY_BYTES
from illusion.tables.reviews import MAX_KEPT_BYTES, MAX_WAITING, NoAnswer, Reviews
from illusion.tables.worker import TooMuchWork, Where, Worker, WorkerLost
from tests.tables.work import deadly, die, double, fail

EVERYWHERE = pytest.mark.parametrize("where", Where)


@contextmanager
def begun(where: Where = Where.PROCESS) -> Iterator[Worker]:
    worker = Worker(where, niceness=3)
    try:
        yield worker
    finally:
        worker.stop()


async def lost(worker: Worker, **options: float) -> None:
    with pytest.raises(WorkerLost):
        await worker.run(double, 1, **options)


async def until_gone(pid: int) -> None:
    async with asyncio.timeout(60):
        while True:
            try:
                os.kill(pid, 0)
            except ProcessLookupError:
                return
            await asyncio.sleep(0.01)


@EVERYWHERE
async def test_work_gives_what_it_returns_or_raises(where: Where) -> None:
    with begun(where) as worker:
        assert await worker.run(double, 21) == 42
        with pytest.raises(ZeroDivisionError):
            await worker.run(fail)
        before = worker.processes
        assert await asyncio.gather(*(worker.run(double, n) for n in range(5))) == [0, 2, 4, 6, 8]
        assert worker.processes == before
        assert len(before) == (where is Where.PROCESS)


async def test_a_process_that_dies_or_hangs_is_replaced_and_all_who_wait_hear_of_it(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """At work, at rest, or stopped; each process stands back."""
    with begun() as worker:
        first = await worker.run(os.getpid)
        assert [process.pid for process in worker.processes] == [first]
        assert os.getpriority(os.PRIO_PROCESS, first) == os.getpriority(os.PRIO_PROCESS, 0) + 3
        os.kill(first, signal.SIGSTOP)
        jobs = [asyncio.create_task(worker.run(double, n)) for n in range(5)]
        await asyncio.sleep(0.1)
        os.kill(first, signal.SIGKILL)
        assert [type(each) for each in await asyncio.gather(*jobs, return_exceptions=True)] == [WorkerLost] * 5
        with pytest.raises(WorkerLost):
            await worker.run(die)
        second = await worker.run(os.getpid)
        os.kill(second, signal.SIGKILL)
        await until_gone(second)
        await lost(worker)
        third = await worker.run(os.getpid)
        assert len({first, second, third}) == 3
        assert [record.getMessage() for record in caplog.records] == ["worker-lost"] * 3
        os.kill(third, signal.SIGSTOP)
        await lost(worker, timeout_s=0.3)
        await until_gone(third)
        assert await worker.run(double, 2, timeout_s=30) == 4


async def test_a_process_that_hangs_before_its_first_job_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_module, "START_TIMEOUT_S", 0.5)
    with begun() as worker:
        job = asyncio.create_task(worker.run(double, 1))
        await asyncio.sleep(0)
        (process,) = worker.processes
        assert process.pid is not None
        os.kill(process.pid, signal.SIGSTOP)
        with pytest.raises(WorkerLost):
            await job
        await until_gone(process.pid)


async def test_where_no_process_can_be_started_a_thread_works() -> None:
    context = get_context("spawn")
    context.set_executable("/bin/false")
    try:
        with begun() as worker:
            await lost(worker)
            await lost(worker)
            assert await worker.run(os.getpid) == os.getpid()
    finally:
        context.set_executable(sys.executable)


@pytest.mark.parametrize("where", [Where.PROCESS, Where.THREAD])
async def test_it_stops_at_once_whatever_it_does(where: Where, caplog: pytest.LogCaptureFixture) -> None:
    with begun(where) as worker:
        await worker.run(double, 1)
        processes, go = worker.processes, threading.Event()
        work = (go.wait, 60) if where is Where.THREAD else (time.sleep, 60)
        jobs = [asyncio.create_task(worker.run(*work)) for _ in range(3)]
        await asyncio.sleep(0.05)
        worker.stop()
        for process in processes:
            assert process.pid is not None
            await until_gone(process.pid)
        go.set()
        await asyncio.wait(jobs, timeout=60)
        assert all(job.done() for job in jobs)
        assert [type(job.exception()) for job in jobs].count(WorkerLost) >= 2
    assert caplog.records == []


async def test_it_stops_before_it_has_begun() -> None:
    for turns in range(5):
        with begun() as worker:
            job = asyncio.create_task(worker.run(double, 1))
            for _ in range(turns):
                await asyncio.sleep(0.01)
            job.cancel()
        await asyncio.wait([job])


async def test_too_much_work_is_refused() -> None:
    go = threading.Event()
    with begun(Where.THREAD) as worker:
        jobs = [asyncio.create_task(worker.run(go.wait)) for _ in range(worker_module.MAX_WAITING)]
        await asyncio.sleep(0)
        with pytest.raises(TooMuchWork):
            await worker.run(double, 1)
        go.set()
        await asyncio.gather(*jobs)
        assert await worker.run(double, 1) == 2


KILLED = """
import asyncio, os, signal
from illusion.tables.worker import Where, Worker

async def main():
    print(await Worker(Where.PROCESS).run(os.getpid), flush=True)
    os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(main())
"""


async def test_a_process_ends_with_its_server_even_if_that_is_killed() -> None:
    ran = subprocess.run([sys.executable, "-c", KILLED], capture_output=True, text=True, check=False, timeout=120)
    assert ran.returncode == -signal.SIGKILL
    await until_gone(int(ran.stdout))


def test_what_a_browser_has_not_is_not_even_loaded() -> None:
    """There are neither processes nor threads there; work is done in place."""
    look = "import sys, illusion.tables; print({'multiprocessing', 'concurrent.futures.process'} & sys.modules.keys())"
    ran = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, check=True)
    assert ran.stdout == "set()\n"


async def test_without_threads_work_is_done_in_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_module, "HAS_THREADS", False)
    for where in Where:
        with begun(where) as worker:
            assert await worker.run(threading.get_ident) == threading.get_ident()
            assert not worker.processes


@asynccontextmanager
async def asked(max_kept_bytes: int = MAX_KEPT_BYTES) -> AsyncIterator[Reviews]:
    reviews = Reviews(max_kept_bytes=max_kept_bytes)
    try:
        async with asyncio.timeout(120):
            yield reviews
    finally:
        await reviews.stop()


async def until_kept(reviews: Reviews, key: str) -> bytes:
    while (answer := reviews.kept(key)) is None:
        await asyncio.sleep(0.01)
    return answer


async def test_what_is_asked_is_answered_and_kept_and_nobody_can_fill_the_queue() -> None:
    async with asked() as reviews:
        assert (reviews.kept("0"), reviews.is_asked("0")) == (None, False)
        for number in range(MAX_WAITING):
            reviews.ask(str(number), str.encode, "first")
        reviews.ask("0", str.encode, "never asked")
        assert reviews.is_asked("0")
        with pytest.raises(TooMuchWork):
            reviews.ask("mine", str.encode, "y")
        assert await until_kept(reviews, "0") == b"first"
        assert not reviews.is_asked("0")
        reviews.ask("mine", str.encode, "y")
        assert await until_kept(reviews, "mine") == b"y"


async def test_a_question_that_no_process_survives_has_no_answer_and_others_have(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A process that is killed is replaced, and asked again. What is kept is bounded, and the oldest goes first."""
    for name in ("once", "always"):
        (tmp_path / name).mkdir()
    async with asked(max_kept_bytes=2 * ENTRY_BYTES + 10) as reviews:
        reviews.ask("a", deadly, str(tmp_path / "once"), 1)
        assert await until_kept(reviews, "a") == b"1"
        assert [record.getMessage() for record in caplog.records] == ["worker-lost", "review-failed"]
        for key in ("d", "e"):
            reviews.ask(key, str.encode, "fine")
            assert await until_kept(reviews, key) == b"fine"
        assert (reviews.kept("a"), reviews.kept("d")) == (None, b"fine")
        for key, work in (("b", (deadly, str(tmp_path / "always"), 1000)), ("c", (fail,))):
            reviews.ask(key, *work)
            reviews.ask(f"after {key}", str.encode, "fine")
            assert await until_kept(reviews, f"after {key}") == b"fine"
            with pytest.raises(NoAnswer):
                reviews.kept(key)
            assert reviews.kept(key) is None  # it may be asked for again
        assert len(list((tmp_path / "always").iterdir())) == reviews_module.MAX_TRIES


async def test_a_process_goes_when_nobody_asks_and_another_one_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviews_module, "IDLE_S", 0.05)
    async with asked() as reviews:
        for key in ("a", "b"):
            reviews.ask(key, str.encode, key)
            assert await until_kept(reviews, key) == key.encode()
            while reviews.processes:
                await asyncio.sleep(0.01)
