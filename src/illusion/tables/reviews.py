"""Questions about finished games, answered by a worker of low priority, and kept so that each is worked out once.

Its process starts when somebody asks, and ends when nobody has asked for a while. A question that its process does not
survive is put to another one; after some deaths there is no answer.
"""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Hashable
from contextlib import suppress
from typing import TYPE_CHECKING, Final

import msgspec

from illusion.tables.pictures import Lru
from illusion.tables.worker import TooMuchWork, Where, Worker

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

MAX_KEPT_BYTES: Final = 32 * 1024 * 1024
"""Some five hundred reviews. Others are worked out again when somebody asks."""
MAX_WAITING: Final = 100
"""Questions: a few minutes of work."""
TIMEOUT_S: Final = 300.0
"""A hundred times what a review takes. A process that takes longer hangs."""
IDLE_S: Final = 5.0
"""How long a process waits for the next question."""
MAX_TRIES: Final = 2
NICENESS: Final = 10

LOG: Final = logging.getLogger("illusion")


class NoAnswer(Exception):
    """What should have worked this out failed, or died of it."""


class Progress(msgspec.Struct, frozen=True):
    """How much of what there is to look at has been looked at."""

    done: int
    of: int


class Reviews:
    """The answers of one server."""

    def __init__(self, where: Where = Where.PROCESS, max_kept_bytes: int = MAX_KEPT_BYTES) -> None:
        self._worker = Worker(where, NICENESS)
        self._kept: Lru[Hashable, bytes | None] = Lru(max_kept_bytes, lambda answer: len(answer or b""))
        """By key; None where there is no answer."""
        self._asked: OrderedDict[Hashable, tuple[int, Callable[..., bytes], tuple[object, ...]]] = OrderedDict()
        """Steps and work of each question. The first of them is being answered."""
        self._more = asyncio.Event()
        self._answering: asyncio.Task[None] | None = None

    @property
    def processes(self) -> frozenset["BaseProcess"]:
        """Those that answer just now: one, or none."""
        return self._worker.processes

    def kept(self, key: Hashable) -> bytes | None:
        """The answer if it is there. Raises NoAnswer, once, if there is none; then it may be asked for again."""
        answer = self._kept.get(key)
        if answer is None and key in self._kept:
            self._kept.pop(key)
            raise NoAnswer
        return answer

    def progress(self, key: Hashable) -> Progress | None:
        """None if nobody has asked. An answer comes all at once."""
        return Progress(0, self._asked[key][0]) if key in self._asked else None

    def ask(self, key: Hashable, steps: int, work: Callable[..., bytes], *arguments: object) -> Progress:
        """Have it worked out, once however often it is asked. Raises TooMuchWork."""
        if key not in self._asked:
            if len(self._asked) >= MAX_WAITING:
                raise TooMuchWork
            self._asked[key] = steps, work, arguments
            self._more.set()
            if self._answering is None or self._answering.done():
                self._answering = asyncio.create_task(self._answer_all())
        return Progress(0, steps)

    async def stop(self) -> None:
        """At once; what waits is dropped."""
        if self._answering is not None:
            self._answering.cancel()
            await asyncio.gather(self._answering, return_exceptions=True)
        self._worker.stop()

    async def _answer_all(self) -> None:
        """Until nobody has asked for a while."""
        while self._asked:
            key, (_, work, arguments) = next(iter(self._asked.items()))
            self._kept.put(key, await self._answer(work, arguments))
            del self._asked[key]
            self._more.clear()
            if not self._asked:
                with suppress(TimeoutError):
                    async with asyncio.timeout(IDLE_S):
                        await self._more.wait()
        self._worker.stop()

    async def _answer(self, work: Callable[..., bytes], arguments: tuple[object, ...]) -> bytes | None:
        for _ in range(MAX_TRIES):
            try:
                return await self._worker.run(work, *arguments, timeout_s=TIMEOUT_S)
            except Exception:  # whatever is wrong with one, others are answered
                LOG.exception("review-failed")
        return None
