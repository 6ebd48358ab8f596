"""The worker: nobody waits for more than the job that runs, whatever others have asked for."""

import asyncio
import threading
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import suppress
from functools import partial

import pytest

from illusion.tables.fair_queue import (
    FEWEST_WAITING,
    MAX_WAITING,
    MAX_WAITING_IN_ALL,
    FairQueue,
    TooMuchWork,
    current_payer,
    set_payer,
)
from illusion.tables.fair_worker import FairWorker


@pytest.fixture
async def worker() -> AsyncIterator[FairWorker]:
    made = FairWorker()
    yield made
    made.stop()


def spin(cpu_s: float) -> None:
    until = time.thread_time() + cpu_s
    while time.thread_time() < until:
        pass


async def test_a_newcomer_is_next_although_another_has_asked_for_much(worker: FairWorker) -> None:
    done: list[str] = []
    go = threading.Event()

    def work(name: str) -> None:
        go.wait()
        spin(0.002)
        done.append(name)

    set_payer("rude")
    jobs = [worker.run(partial(work, "first"))]
    jobs += [worker.run(partial(work, "rude")) for _ in range(20)]
    set_payer("honest")
    jobs += [worker.run(partial(work, "honest")) for _ in range(3)]
    go.set()
    await asyncio.gather(*jobs)
    assert done[:2] == ["first", "honest"]
    assert done[:8].count("honest") == 3  # then they take turns
    assert done.count("rude") == 20


async def test_what_a_job_cost_counts_and_not_how_many_there_are(worker: FairWorker) -> None:
    """One asks for jobs that take ten times as long: of two who always wait, both get the same time."""
    had: dict[str, float] = {"long": 0.0, "short": 0.0}
    when: list[dict[str, float]] = []

    def note(payer: str, cost_s: float) -> None:
        had[payer] += cost_s
        when.append(dict(had))

    worker.on_cost = note
    jobs = []
    for payer, cpu_s, count in (("long", 0.010, 20), ("short", 0.001, 150)):
        set_payer(payer)
        jobs += [worker.run(partial(spin, cpu_s)) for _ in range(count)]
    await asyncio.gather(*jobs)
    both_waited = [each for each in when if 0.02 < each["short"] < 0.14]
    assert both_waited
    assert max(abs(each["long"] - each["short"]) for each in both_waited) < 0.03


async def test_jobs_of_one_payer_keep_their_order_and_give_what_they_return_or_raise(worker: FairWorker) -> None:
    def fail() -> None:
        raise ZeroDivisionError

    jobs = [worker.run(partial(int, n)) for n in range(5)]
    broken = worker.run(fail)
    assert [await job for job in jobs] == list(range(5))
    with pytest.raises(ZeroDivisionError):
        await broken


async def test_too_many_jobs_of_one_payer_are_refused_and_others_are_not(worker: FairWorker) -> None:
    go = threading.Event()
    jobs = [worker.run(go.wait)]
    jobs += [worker.run(lambda: True) for _ in range(MAX_WAITING)]
    with pytest.raises(TooMuchWork):
        worker.run(lambda: True)
    set_payer("another")
    jobs.append(worker.run(lambda: True))
    go.set()
    assert all(await asyncio.gather(*jobs))


async def test_a_job_that_nobody_waits_for_any_more_is_not_done(worker: FairWorker) -> None:
    go, done = threading.Event(), list[int]()
    first = worker.run(go.wait)
    second, third = worker.run(lambda: done.append(2)), worker.run(lambda: done.append(3))
    assert isinstance(second, asyncio.Future)
    second.cancel()
    go.set()
    await asyncio.gather(first, third)
    assert done == [3]


@pytest.mark.parametrize("payers", [20, 100, 3000])
def test_what_waits_for_all_is_bounded_and_shared_out_evenly(payers: int) -> None:
    queue: FairQueue[int] = FairQueue()
    share, let_in = max(MAX_WAITING_IN_ALL // payers, FEWEST_WAITING), Counter[str]()
    for number in range(2 * share):
        for payer in map(str, range(payers)):
            with suppress(TooMuchWork):
                queue.put(payer, number)
                let_in[payer] += 1
    assert set(let_in.values()) == {share}


def test_what_is_put_back_is_next_however_much_waits() -> None:
    queue: FairQueue[int] = FairQueue()
    for number in range(MAX_WAITING):
        queue.put("a guest", number)
    assert queue.pop() == ("a guest", 0)
    queue.put("a guest", MAX_WAITING)
    queue.put_back("a guest", 0)
    assert queue.pop() == ("a guest", 0)
    assert queue.pop() == ("a guest", 1)


def test_payers_are_forgotten_once_they_have_had_no_more_than_others() -> None:
    queue: FairQueue[int] = FairQueue()
    for number in range(50):
        queue.put(f"payer {number % 10}", number)
    while (following := queue.pop()) is not None:
        queue.charge(following[0], 0.01)
    assert queue.payers == 0


async def test_tasks_inherit_who_pays() -> None:
    async def asked() -> str:
        return current_payer()

    set_payer("somebody")
    task = asyncio.create_task(asked())
    set_payer("another")
    assert await task == "somebody"
