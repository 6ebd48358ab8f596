"""Questions that gather while others are being answered, and are then answered together."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Sequence
from typing import Final, Generic, TypeVar

from illusion.tables.stores.base import MIN_COMMIT_INTERVAL_S, StoreFailed

Question = TypeVar("Question")
Answer = TypeVar("Answer")

LARGEST: Final = 512
"""Questions that are answered together at most."""


class Batcher(Generic[Question, Answer]):
    """One group is under way at a time, and they do not begin too soon after one another.

    Of questions about one thing only the first goes along; the rest come next.
    """

    def __init__(
        self,
        answer: Callable[[Sequence[Question]], Awaitable[Sequence[Answer]]],
        about: Callable[[Question], Hashable],
    ) -> None:
        self._answer = answer
        self._about = about
        self._waiting: list[tuple[Question, asyncio.Future[Answer]]] = []
        self._asked = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._closed = False

    def start(self) -> None:
        self._task = asyncio.create_task(self._run())

    async def ask(self, question: Question) -> Answer:
        if self._closed:
            raise StoreFailed("the store is closed")
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._waiting.append((question, answer))
        self._asked.set()
        return await answer

    async def stop(self) -> None:
        """Answer what has been asked, and nothing more."""
        self._closed = True
        self._asked.set()
        if self._task is not None:
            await self._task

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        began = loop.time() - MIN_COMMIT_INTERVAL_S
        while self._waiting or not self._closed:
            if not self._waiting:
                self._asked.clear()
                await self._asked.wait()
                continue
            await asyncio.sleep(began + MIN_COMMIT_INTERVAL_S - loop.time())
            began = loop.time()
            group = self._next_group()
            try:
                answers = await self._answer([question for question, _ in group])
            except Exception as error:  # whatever went wrong, the askers must not wait for ever
                for _, waiting in group:
                    if not waiting.done():
                        waiting.set_exception(error if isinstance(error, StoreFailed) else StoreFailed(repr(error)))
            else:
                for (_, waiting), answer in zip(group, answers, strict=True):
                    if not waiting.done():
                        waiting.set_result(answer)

    def _next_group(self) -> list[tuple[Question, "asyncio.Future[Answer]"]]:
        group: dict[Hashable, tuple[Question, asyncio.Future[Answer]]] = {}
        later = []
        for question, answer in self._waiting:
            if answer.cancelled():
                continue
            about = self._about(question)
            if about in group or len(group) == LARGEST:
                later.append((question, answer))
            else:
                group[about] = (question, answer)
        self._waiting = later
        return list(group.values())
