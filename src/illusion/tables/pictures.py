"""Pictures of cards and their measurements for bots: drawn by a worker outside the event loop, and cached (LRU).

The next card of each table is prefetched, after all cards that somebody waits for.
"""

import asyncio
import gzip
import logging
import os
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from illusion.bots.drawing import Drawing, compressed, draw, draw_some
from illusion.bots.eyes import Sight
from illusion.deck import PALETTES, STANDARD, Card
from illusion.deck.svg import style
from illusion.tables.worker import TooMuchWork, Where, Worker, WorkerLost

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

MAX_KEPT_BYTES: Final = 12 * 1024 * 1024
"""Some three thousand drawings: enough for five hundred tables."""
SIGHT_BYTES: Final = 1000
ENTRY_BYTES: Final = 300
"""Overhead of a cache entry, counted with its value."""
MAX_WAITING: Final = 2000
"""Bound of the queue of cards that somebody waits for: some eight seconds of work. A server restarted with five hundred
running tables is asked for all their cards at once."""
MAX_AHEAD: Final = 2000
"""Bound of the prefetch queue; the oldest cards are dropped, to be drawn on demand."""
GATHER_S: Final = 0.3
AT_ONCE: Final = 8
"""Prefetch delay and batch size: each job costs the server's process half a millisecond. An urgent card waits for one
batch at most, some 30 ms."""
TIMEOUT_S: Final = 5.0
"""A hundred times what a batch takes."""
MAX_TRIES: Final = 2
"""By the worker. A card that kills workers is drawn in a thread, where its error shows."""
NICENESS: Final = 5

LOG: Final = logging.getLogger("illusion")

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Lru(Generic[Key, Value]):
    """An LRU cache of at most `max_bytes`, as measured by `size`."""

    def __init__(self, max_bytes: int, size: Callable[[Value], int]) -> None:
        self._max_bytes = max_bytes
        self._size = size
        self._kept: OrderedDict[Key, Value] = OrderedDict()
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._kept)

    def __contains__(self, key: Key) -> bool:
        return key in self._kept

    def get(self, key: Key) -> Value | None:
        if key in self._kept:
            self._kept.move_to_end(key)
        return self._kept.get(key)

    def put(self, key: Key, value: Value) -> None:
        self.pop(key)
        self._kept[key] = value
        self._bytes += self._size(value) + ENTRY_BYTES
        while self._bytes > self._max_bytes:
            self.pop(next(iter(self._kept)))

    def pop(self, key: Key) -> None:
        """Drop a value, if it is there."""
        if key in self._kept:
            self._bytes -= self._size(self._kept.pop(key)) + ENTRY_BYTES


def in_palette(front: bytes, palette: str) -> bytes:
    """A compressed front in another palette, which differs in the style sheet alone."""
    if palette == STANDARD.name:
        return front
    svg = gzip.decompress(front).decode()
    return compressed(svg.replace(style(STANDARD), style(PALETTES[palette]), 1))


def _key(card: Card) -> Hashable:
    """Identifies a card; cheaper to hash than the card itself."""
    return card.seed, card.number


def _where() -> Where:
    """A process if there is more than one core, else a thread."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return Where.PROCESS if cores > 1 else Where.THREAD


class Pictures:
    """The drawings of one server."""

    def __init__(self, where: Where | None = None, max_kept_bytes: int = MAX_KEPT_BYTES) -> None:
        """`where` depends on the number of cores by default."""
        self._worker = Worker(where or _where(), NICENESS)
        self._thread = Worker(Where.THREAD)
        self._kept: Lru[Hashable, Drawing] = Lru(max_kept_bytes, lambda drawing: len(drawing.front) + SIGHT_BYTES)
        self._waiting: dict[Hashable, asyncio.Future[Drawing]] = {}
        """Requests, by the card's key."""
        self._requested: deque[Card] = deque()
        """The queue of requested cards, without the one being drawn."""
        self._ahead: OrderedDict[Hashable, Card] = OrderedDict()
        self._somebody_asks = asyncio.Event()
        self._drawing: asyncio.Task[None] | None = None

    def __len__(self) -> int:
        return len(self._kept)

    @property
    def processes(self) -> frozenset["BaseProcess"]:
        """The worker's process, if it has one."""
        return self._worker.processes

    def start(self) -> None:
        """Start the worker ahead of the first request."""
        self._worker.start()

    def ready(self, card: Card) -> Drawing | None:
        """The drawing, if it is cached."""
        return self._kept.get(_key(card))

    async def drawn(self, card: Card) -> Drawing:
        """The drawing, cached or made now. Raises TooMuchWork, and any error of drawing it."""
        drawing = self._kept.get(_key(card))
        if drawing is None:
            drawing = await asyncio.shield(self._waiting.get(_key(card)) or self._ask(card))
        return drawing

    async def sights(self, cards: Iterable[Card]) -> dict[int, Sight]:
        """Measurements by card number. Cards are drawn one after another, so that one request cannot fill the queue."""
        return {card.number: (await self.drawn(card)).sight for card in cards}

    def prefetch(self, cards: Iterable[Card]) -> None:
        """Draw these cards once no request waits."""
        for card in cards:
            key = _key(card)
            if key not in self._kept and key not in self._waiting:
                self._ahead[key] = card
        while len(self._ahead) > MAX_AHEAD:
            self._ahead.popitem(last=False)
        self._go_on()

    async def stop(self) -> None:
        """Stop at once; requests that wait are cancelled."""
        if self._drawing is not None:
            self._drawing.cancel()
            await asyncio.gather(self._drawing, return_exceptions=True)
        self._worker.stop()
        self._thread.stop()
        for waiting in self._waiting.values():
            waiting.cancel()

    def _ask(self, card: Card) -> "asyncio.Future[Drawing]":
        if len(self._requested) >= MAX_WAITING:
            raise TooMuchWork
        waiting: asyncio.Future[Drawing] = asyncio.get_running_loop().create_future()
        waiting.add_done_callback(lambda done: done.cancelled() or done.exception())  # no warning if its waiter is gone
        self._waiting[_key(card)] = waiting
        self._requested.append(card)
        self._ahead.pop(_key(card), None)
        self._somebody_asks.set()
        self._go_on()
        return waiting

    def _go_on(self) -> None:
        if self._drawing is None or self._drawing.done():
            self._drawing = asyncio.create_task(self._draw_all())

    async def _draw_all(self) -> None:
        while self._requested or self._ahead:
            if not self._requested and len(self._ahead) < AT_ONCE:
                self._somebody_asks.clear()
                with suppress(TimeoutError):
                    async with asyncio.timeout(GATHER_S):
                        await self._somebody_asks.wait()
            await (self._draw_requested(self._requested.popleft()) if self._requested else self._draw_ahead())

    async def _draw_requested(self, card: Card) -> None:
        if _key(card) not in self._waiting:  # it came with a prefetched batch meanwhile
            return
        try:
            self._keep(card, await self._draw(card))
        except Exception as error:  # one card's error must not stop the queue
            LOG.exception("drawing-failed")
            self._waiting.pop(_key(card)).set_exception(error)

    async def _draw(self, card: Card) -> Drawing:
        for _ in range(MAX_TRIES):
            with suppress(WorkerLost):
                return await self._worker.run(draw, card, timeout_s=TIMEOUT_S)
        return await self._thread.run(draw, card, timeout_s=TIMEOUT_S)

    async def _draw_ahead(self) -> None:
        """Draw a batch of prefetched cards, without retries: what fails is drawn on demand."""
        cards = [self._ahead.popitem(last=False)[1] for _ in range(min(len(self._ahead), AT_ONCE))]
        try:
            drawings = await self._worker.run(draw_some, cards, timeout_s=TIMEOUT_S)
        except WorkerLost:
            pass  # logged by the worker
        except Exception:
            LOG.exception("drawing-failed")
        else:
            for card, drawing in zip(cards, drawings, strict=True):
                self._keep(card, drawing)

    def _keep(self, card: Card, drawing: Drawing) -> None:
        self._kept.put(_key(card), drawing)
        if (waiting := self._waiting.pop(_key(card), None)) is not None:
            waiting.set_result(drawing)
