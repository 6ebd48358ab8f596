"""Batches requests that arrive while the previous batch is under way (group commit, and its counterpart for reads)."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Sequence
from typing import Final, Generic, TypeVar

from illusion.tables.stores.base import MIN_COMMIT_INTERVAL_S, StoreFailed

Request = TypeVar("Request")
Result = TypeVar("Result")

MAX_BATCH: Final = 512
"""Requests that are answered together at most."""


class Batcher(Generic[Request, Result]):
    """One batch is under way at a time, and batches begin at least MIN_COMMIT_INTERVAL_S apart.

    A batch holds at most one request per key; further ones with the same key wait for the next batch.
    """

    def __init__(
        self,
        run: Callable[[Sequence[Request]], Awaitable[Sequence[Result]]],
        key: Callable[[Request], Hashable],
    ) -> None:
        self._run_batch = run
        self._key = key
        self._waiting: list[tuple[Request, asyncio.Future[Result]]] = []
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._closed = False

    def start(self) -> None:
        self._task = asyncio.create_task(self._run())

    async def submit(self, request: Request) -> Result:
        if self._closed:
            raise StoreFailed("the store is closed")
        result: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        self._waiting.append((request, result))
        self._wake.set()
        return await result

    async def stop(self) -> None:
        """Finish what was submitted; accept nothing more."""
        self._closed = True
        self._wake.set()
        if self._task is not None:
            await self._task

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        began = loop.time() - MIN_COMMIT_INTERVAL_S
        while self._waiting or not self._closed:
            if not self._waiting:
                self._wake.clear()
                await self._wake.wait()
                continue
            await asyncio.sleep(began + MIN_COMMIT_INTERVAL_S - loop.time())
            began = loop.time()
            batch = self._next_batch()
            try:
                results = await self._run_batch([request for request, _ in batch])
            except Exception as error:  # whatever went wrong, nobody may wait for ever
                for _, waiting in batch:
                    if not waiting.done():
                        waiting.set_exception(error if isinstance(error, StoreFailed) else StoreFailed(repr(error)))
            else:
                for (_, waiting), result in zip(batch, results, strict=True):
                    if not waiting.done():
                        waiting.set_result(result)

    def _next_batch(self) -> list[tuple[Request, "asyncio.Future[Result]"]]:
        batch: dict[Hashable, tuple[Request, asyncio.Future[Result]]] = {}
        later = []
        for request, result in self._waiting:
            if result.cancelled():
                continue
            key = self._key(request)
            if key in batch or len(batch) == MAX_BATCH:
                later.append((request, result))
            else:
                batch[key] = (request, result)
        self._waiting = later
        return list(batch.values())
