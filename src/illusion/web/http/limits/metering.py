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
    step: Callable[[Any], Any] = work.send
    given: Any = None
    while True:
        began = perf_counter()
        try:
            waiting_for = step(given)
        except StopIteration:
            return
        finally:
            charge(perf_counter() - began)
        try:
            given = yield waiting_for
        except GeneratorExit:
            work.close()
            raise
        except BaseException as error:
            step, given = work.throw, error
        else:
            step = work.send
