"""Questions about finished games, answered by one process of low priority, and kept so that each is reckoned once.

The process is started when somebody asks and goes when nobody has asked for a while. Fair queueing decides between
those who wait. If it dies, the question is put to another one; after some deaths there is no answer.
"""

import asyncio
import logging
import pickle  # pipes between our own processes alone  # nosec B403
import sys
from asyncio.subprocess import PIPE, Process
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from typing import Final, TypeVar

from illusion.tables.public.looking_back import Question
from illusion.tables.runtime.fair_queue import FairQueue, current_payer
from illusion.tables.runtime.painter import LENGTH
from illusion.tables.runtime.reviews.reviewer import Progress, Reckoned
from illusion.tables.stores.base import ignore

MAX_KEPT_BYTES: Final = 32 * 1024 * 1024
"""Answers kept: some five hundred reviews. The least recently used are dropped, and reckoned again when asked for."""
ENTRY_BYTES: Final = 300
"""What keeping an answer takes besides it: many small ones must not fill the memory either."""
SILENCE_TIMEOUT_S: Final = 60.0
"""A reviewer that tells nothing for so long has hung."""
IDLE_S: Final = 5.0
"""How long a reviewer waits for the next question."""
MAX_TRIES: Final = 2
DISMISSAL_TIMEOUT_S: Final = 2.0
START: Final = "from illusion.tables.runtime.reviews.reviewer import main; main()"

LOG: Final = logging.getLogger("illusion")

Result = TypeVar("Result")


class NoAnswer(Exception):
    """Whoever tried to reckon this died."""


class Reviews:
    """The answers of one process. `on_cost` is called with a payer and the CPU seconds that an answer took."""

    def __init__(self, max_kept_bytes: int = MAX_KEPT_BYTES) -> None:
        self.on_cost: Callable[[str, float], object] = ignore
        self._max_kept_bytes = max_kept_bytes
        self._kept: OrderedDict[Hashable, bytes | None] = OrderedDict()
        """By key; None where there is no answer."""
        self._kept_bytes = 0
        self._asked: dict[Hashable, tuple[Question, Progress]] = {}
        """What is waiting or being reckoned, and how far it is."""
        self._queue: FairQueue[Hashable] = FairQueue()
        self._something = asyncio.Event()
        self._reviewing: asyncio.Task[None] | None = None
        self.process: Process | None = None

    def kept(self, key: Hashable) -> bytes | None:
        """The answer if it is there. Raises NoAnswer, once, if all who tried to reckon it died; then it may be asked
        for again."""
        if key not in self._kept:
            return None
        self._kept.move_to_end(key)
        answer = self._kept[key]
        if answer is None:
            del self._kept[key]
            self._kept_bytes -= _size(None)
            raise NoAnswer
        return answer

    def progress(self, key: Hashable) -> Progress | None:
        """How far it is; None if nobody has asked."""
        asked = self._asked.get(key)
        return None if asked is None else asked[1]

    def ask(self, key: Hashable, question: Question) -> Progress:
        """Have it answered, for whoever pays now. Asked twice, it is reckoned once. Raises TooMuchWork."""
        if key not in self._asked:
            self._queue.put(current_payer(), key)
            self._asked[key] = question, Progress(0, question.steps)
            self._something.set()
            if self._reviewing is None or self._reviewing.done():
                self._reviewing = asyncio.create_task(self._review())
        return self._asked[key][1]

    async def stop(self) -> None:
        """What waits is dropped."""
        if self._reviewing is not None:
            self._reviewing.cancel()
            await asyncio.gather(self._reviewing, return_exceptions=True)

    async def _review(self) -> None:
        """Until nobody has asked for a while: one reviewer after another, each until it dies."""
        deaths: Counter[Hashable] = Counter()
        following = self._queue.pop()
        while following is not None:
            process = None
            try:
                process = self.process = await _hired()
                while following is not None:
                    payer, key = following
                    reckoned = await self._answered(process, key)
                    self._queue.charge(payer, reckoned.cost_s)
                    self.on_cost(payer, reckoned.cost_s)
                    self._keep(key, reckoned.json)
                    following = await self._next()
            except (OSError, EOFError, TimeoutError):
                LOG.error("reviewer-died")  # what it said is on its standard error
                following = self._again(following, deaths)
            finally:
                self.process = None
                if process is not None:
                    await _to_its_end(_dismissed(process))
            following = following or self._queue.pop()  # somebody may have asked while it went

    def _again(self, asked: tuple[str, Hashable] | None, deaths: Counter[Hashable]) -> tuple[str, Hashable] | None:
        """The same question for another reviewer, unless some have died of it."""
        if asked is not None:
            deaths[asked[1]] += 1
            if deaths[asked[1]] >= MAX_TRIES:
                self._keep(asked[1], None)
                return None
        return asked

    async def _next(self) -> tuple[str, Hashable] | None:
        """The next question and its payer; None if nobody asks for a while."""
        following = self._queue.pop()
        if following is None:
            self._something.clear()
            try:
                async with asyncio.timeout(IDLE_S):
                    await self._something.wait()
            except TimeoutError:
                return None
            following = self._queue.pop()
        return following

    async def _answered(self, process: Process, key: Hashable) -> Reckoned:
        assert process.stdin is not None
        assert process.stdout is not None
        question, _ = self._asked[key]
        message = pickle.dumps(question, pickle.HIGHEST_PROTOCOL)
        async with asyncio.timeout(SILENCE_TIMEOUT_S):
            process.stdin.write(LENGTH.pack(len(message)) + message)
            await process.stdin.drain()
        while True:
            async with asyncio.timeout(SILENCE_TIMEOUT_S):
                (length,) = LENGTH.unpack(await process.stdout.readexactly(LENGTH.size))
                told = pickle.loads(await process.stdout.readexactly(length))  # noqa: S301  # nosec B301
            if isinstance(told, Reckoned):
                return told
            self._asked[key] = question, told

    def _keep(self, key: Hashable, answer: bytes | None) -> None:
        self._asked.pop(key, None)
        if key in self._kept:  # asked for again by somebody who had looked before it was there
            self._kept_bytes -= _size(self._kept.pop(key))
        self._kept[key] = answer
        self._kept_bytes += _size(answer)
        while self._kept_bytes > self._max_kept_bytes:
            _, oldest = self._kept.popitem(last=False)
            self._kept_bytes -= _size(oldest)


def _size(answer: bytes | None) -> int:
    return ENTRY_BYTES + len(answer or b"")


async def _hired() -> Process:
    """A new reviewer. If the server stops meanwhile, it goes as it came."""
    hiring = asyncio.create_task(asyncio.create_subprocess_exec(sys.executable, "-c", START, stdin=PIPE, stdout=PIPE))
    try:
        return await _to_its_end(hiring)
    except asyncio.CancelledError:
        await _dismissed(hiring.result())
        raise


async def _to_its_end(work: Awaitable[Result]) -> Result:
    """Waits even when it is cancelled meanwhile: what has begun with a process is not left half done."""
    doing = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(doing)
    except asyncio.CancelledError:
        await asyncio.wait([doing])
        raise


async def _dismissed(process: Process) -> None:
    """It ends when its input does, unless it is at work: then nobody wants the answer any more."""
    if process.stdin is not None:
        process.stdin.close()
    try:
        async with asyncio.timeout(DISMISSAL_TIMEOUT_S):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()
    if process.stdout is not None:
        await process.stdout.read()  # to its end, so that nothing of the pipe is left behind
