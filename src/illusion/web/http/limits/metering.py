"""Measures the time that a request takes on the event loop, without what others do while it waits.

By the wall clock: it is the time for which nobody else is served, and asking for a thread's CPU time is a system call,
which made up a third of what a move cost.
"""

from collections.abc import Callable, Coroutine, Generator
from time import perf_counter
from types import coroutine
from typing import Any


@coroutine
def metered(work: Coroutine[Any, Any, None], charge: Callable[[float], object]) -> Generator[Any, Any, None]:
    """Await the work; `charge` is called with the seconds of each of its steps, from one wait to the next."""
    resume: Callable[[], Any] = lambda: work.send(None)  # noqa: E731
    while True:
        began = perf_counter()
        try:
            waiting_for = resume()
        except StopIteration:
            return
        finally:
            charge(perf_counter() - began)
        try:
            got = yield waiting_for
        except GeneratorExit:
            work.close()
            raise
        except BaseException as error:
            raised = error
            resume = lambda: work.throw(raised)  # noqa: B023, E731
        else:
            resume = lambda: work.send(got)  # noqa: B023, E731
