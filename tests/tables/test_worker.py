"""A worker gives what its work gives, or is replaced: nobody waits for ever, and nothing of it is left behind."""

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import get_context

import pytest

from illusion.tables import worker as worker_module
from illusion.tables.worker import TooMuchWork, Where, Worker, WorkerLost
from tests.tables.work import die, double, fail

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
