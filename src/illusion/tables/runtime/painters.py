"""Pictures drawn ahead and elsewhere: by processes of their own, of cards that are seen and of those that come next.

What somebody waits for goes before what may come, and between those who wait fair queueing decides. A painter that dies
is replaced, and its card is drawn again. Without painters everything works: cards are drawn in the worker's thread.
"""

import asyncio
import logging
import pickle  # pipes between our own processes alone  # nosec B403
import sys
from asyncio.subprocess import PIPE, Process
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from functools import partial
from typing import Final

from illusion.bots.sight import remember_sight
from illusion.deck import Card
from illusion.tables.runtime.fair_queue import FairQueue, TooMuchWork, current_payer
from illusion.tables.runtime.fair_worker import FairWorker
from illusion.tables.runtime.painter import LENGTH, Answer
from illusion.tables.runtime.painting import Painting, paint
from illusion.tables.stores.base import ignore

MAX_KEPT_BYTES: Final = 24 * 1024 * 1024
"""Of fronts kept: some nine thousand, more than lie on five hundred tables and come next there."""
ENTRY_BYTES: Final = 600
"""What a front takes besides its bytes: its card and its place in the order."""
MAX_FORESEEN: Final = 4096
"""Cards that wait to be drawn ahead; the oldest are forgotten, and drawn when somebody asks."""
GATHER_S: Final = 1.0
"""Cards that may come wait so long for others: in a row they cost less, because the processor's caches stay warm. Three
are ready at each table, so nobody waits for one unless three are laid within this time."""
MAX_AT_ONCE: Final = 8
"""So many of them a painter is given at a time, because together they take a tenth less; whoever asks for another card
waits for these, some 30 ms."""
FORESEEN_COST_S: Final = 0.004
"""What a card costs its payer that nobody waits for, about as much as on average. What its own drawing took must not
count: whoever is at the edge of a budget could tell by it what pattern comes next."""
PAINTING_TIMEOUT_S: Final = 5.0
"""A hundred times what some cards take. A painter that takes longer hangs, and is replaced."""
FIRST_TIMEOUT_S: Final = 30.0
"""For a new one's first cards: it has to load what it draws with, which takes a busy machine a while."""
MAX_TRIES: Final = 2
"""By painters. A card that kills painters is left to the thread, where its error shows."""
RESTART_S: Final = 0.5
"""Between the death of a painter and the start of the next."""
DISMISSAL_TIMEOUT_S: Final = 2.0
START: Final = "from illusion.tables.runtime.painter import main; main()"

LOG: Final = logging.getLogger("illusion")


class Painters:
    """The pictures of a process. `on_cost` is called with a payer and the CPU seconds that each card counts as."""

    def __init__(self, worker: FairWorker, max_kept_bytes: int = MAX_KEPT_BYTES) -> None:
        self.on_cost: Callable[[str, float], object] = ignore
        self._worker = worker
        self._max_kept_bytes = max_kept_bytes
        self._kept: OrderedDict[Card, bytes] = OrderedDict()
        """Fronts, the one used last at the end. What eyes measured is kept elsewhere (`remember_sight`)."""
        self._kept_bytes = 0
        self._waiting: dict[Card, asyncio.Future[bytes]] = {}
        """Cards that somebody waits for."""
        self._urgent: FairQueue[Card] = FairQueue()
        self._foreseen: OrderedDict[Card, str] = OrderedDict()
        """Cards that may come, each with its payer."""
        self._tries: dict[Card, int] = {}
        self._something = asyncio.Event()
        self._gathering: asyncio.TimerHandle | None = None
        """When painters turn to the cards that may come."""
        self._painters: list[asyncio.Task[None]] = []
        self.processes: set[Process] = set()
        self._leaving: set[asyncio.Task[None]] = set()

    def __len__(self) -> int:
        return len(self._kept)

    def __contains__(self, card: Card) -> bool:
        """Whether its picture is ready."""
        return card in self._kept

    @property
    def are_employed(self) -> bool:
        """Whether anybody draws ahead."""
        return bool(self._painters)

    def start(self, count: int) -> None:
        self._painters = [asyncio.create_task(self._employ()) for _ in range(count)]

    async def stop(self) -> None:
        for painter in self._painters:
            painter.cancel()
        await asyncio.gather(*self._painters, return_exceptions=True)
        await asyncio.gather(*self._leaving)
        self._painters = []
        if self._gathering is not None:
            self._gathering.cancel()
        for waiting in self._waiting.values():
            waiting.cancel()

    def ready(self, card: Card) -> bytes | None:
        """Its front, if it is kept: in the standard palette, compressed."""
        kept = self._kept.get(card)
        if kept is not None:
            self._kept.move_to_end(card)
        return kept

    async def front(self, card: Card) -> bytes:
        """Drawn now unless it is kept. Raises TooMuchWork."""
        kept = self.ready(card)
        if kept is not None:
            return kept
        waiting = self._waiting.get(card)
        if waiting is None:
            waiting = self._ask(card)
        return await asyncio.shield(waiting)

    async def prepare(self, cards: Iterable[Card]) -> None:
        """If there are painters, wait until they have drawn these cards."""
        for card in cards if self._painters else ():
            await self.front(card)

    def foresee(self, seen: Collection[Card], coming: Collection[Card] = ()) -> None:
        """When nobody waits for a card, draw what is seen; soon, and in a row for all tables, what may come."""
        if not self._painters:
            return
        self._remember(seen)
        has_more = self._remember(coming)
        while len(self._foreseen) > MAX_FORESEEN:
            self._foreseen.popitem(last=False)
        undrawn = [card for card in seen if card in self._foreseen]
        for card in reversed(undrawn):
            self._foreseen.move_to_end(card, last=False)
        if undrawn:
            self._begin()
        elif has_more and self._gathering is None and not self._something.is_set():
            self._gathering = asyncio.get_running_loop().call_later(GATHER_S, self._begin)

    def _remember(self, cards: Collection[Card]) -> bool:
        """Whether any of the cards is still to be drawn and not asked for yet."""
        new = [card for card in cards if not (card in self._kept or card in self._waiting or card in self._foreseen)]
        self._foreseen.update(dict.fromkeys(new, current_payer()))
        return bool(new)

    def _begin(self) -> None:
        if self._gathering is not None:
            self._gathering.cancel()
            self._gathering = None
        self._something.set()

    def _ask(self, card: Card) -> "asyncio.Future[bytes]":
        waiting: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        if self._painters:
            self._urgent.put(current_payer(), card)
            self._waiting[card] = waiting
            self._something.set()
        else:
            self._draw_in_thread(card, waiting)
        return waiting

    def _drawn_in_thread(self, card: Card, drawing: "asyncio.Future[Painting]") -> None:
        waiting = self._waiting.pop(card)
        if drawing.cancelled():
            waiting.cancel()
        elif (error := drawing.exception()) is not None:
            waiting.set_exception(error)
        else:
            self._keep(card, drawing.result())
            waiting.set_result(drawing.result().front)

    def _keep(self, card: Card, painting: Painting) -> None:
        if card in self._kept:  # two painters drew it at once, for somebody and as one that may come
            return
        remember_sight(card, painting.sight)
        self._kept[card] = painting.front
        self._kept_bytes += len(painting.front) + ENTRY_BYTES
        while self._kept_bytes > self._max_kept_bytes:
            _, oldest = self._kept.popitem(last=False)
            self._kept_bytes -= len(oldest) + ENTRY_BYTES

    async def _employ(self) -> None:
        """One painter after another, each until it dies."""
        while True:
            process = await self._hired()
            self.processes.add(process)
            try:
                await self._work(process)
            finally:
                self.processes.discard(process)
                await asyncio.shield(self._dismissed(process))
            LOG.error("painter-died")
            await asyncio.sleep(RESTART_S)

    async def _hired(self) -> Process:
        """A new painter. If the server stops meanwhile, it goes as it came."""
        hiring = asyncio.create_task(
            asyncio.create_subprocess_exec(sys.executable, "-c", START, stdin=PIPE, stdout=PIPE)
        )
        try:
            return await asyncio.shield(hiring)
        except asyncio.CancelledError:
            self._dismissed(await hiring)
            raise

    def _dismissed(self, process: Process) -> "asyncio.Task[None]":
        leaving = asyncio.create_task(_dismiss(process))
        self._leaving.add(leaving)
        leaving.add_done_callback(self._leaving.discard)
        return leaving

    async def _work(self, process: Process) -> None:
        """Give it some cards after others; returns when it has died, or hangs."""
        timeout_s = FIRST_TIMEOUT_S
        while True:
            given = await self._next()
            try:
                async with asyncio.timeout(timeout_s):
                    answers = await _painted(process, [card for _, card in given])
            except (OSError, EOFError, TimeoutError) as error:
                self._again(given)
                if isinstance(error, TimeoutError):
                    with suppress(ProcessLookupError):  # it may have died just now
                        process.kill()
                return
            except asyncio.CancelledError:
                self._again(given)
                raise
            for (payer, card), (painting, took_s) in zip(given, answers, strict=True):
                self._tries.pop(card, None)
                cost_s = took_s if card in self._waiting else FORESEEN_COST_S
                self._urgent.charge(payer, cost_s)
                self.on_cost(payer, cost_s)
                self._finish(card, painting)
            timeout_s = PAINTING_TIMEOUT_S

    async def _next(self) -> list[tuple[str, Card]]:
        """What somebody waits for, else some of what may come; each with its payer."""
        while True:
            following = self._urgent.pop()
            if following is not None:
                self._foreseen.pop(following[1], None)
                if following[1] not in self._kept:
                    return [following]
            elif self._foreseen:
                ahead = [self._foreseen.popitem(last=False) for _ in range(min(len(self._foreseen), MAX_AT_ONCE))]
                if some := [(payer, card) for card, payer in ahead if card not in self._kept]:
                    return some
            else:
                self._something.clear()
                await self._something.wait()

    def _finish(self, card: Card, painting: Painting | None) -> None:
        waiting = self._waiting.pop(card, None)
        if painting is not None:
            self._keep(card, painting)
        if waiting is None or waiting.done():
            return
        if painting is not None:
            waiting.set_result(painting.front)
        else:
            self._draw_in_thread(card, waiting)

    def _again(self, given: Iterable[tuple[str, Card]]) -> None:
        """Their painter has died: another one draws them, and after some have, the thread what somebody waits for."""
        for payer, card in given:
            tries = self._tries[card] = self._tries.get(card, 0) + 1
            waiting = self._waiting.get(card)
            if tries < MAX_TRIES:
                if waiting is not None:
                    self._urgent.put_back(payer, card)
                else:
                    self._foreseen[card] = payer
                self._something.set()
            else:
                del self._tries[card]
                if waiting is not None:
                    del self._waiting[card]
                    self._draw_in_thread(card, waiting)

    def _draw_in_thread(self, card: Card, waiting: "asyncio.Future[bytes]") -> None:
        """If the thread has too much to do, whoever waits is told."""
        try:
            drawing = asyncio.ensure_future(self._worker.run(partial(paint, card)))
        except TooMuchWork as refused:
            waiting.set_exception(refused)
            waiting.exception()  # perhaps nobody waits any more
            return
        self._waiting[card] = waiting
        drawing.add_done_callback(partial(self._drawn_in_thread, card))


async def _dismiss(process: Process) -> None:
    """It ends when its input does, unless it hangs."""
    if process.stdin is not None:
        process.stdin.close()
    try:
        async with asyncio.timeout(DISMISSAL_TIMEOUT_S):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()


async def _painted(process: Process, cards: list[Card]) -> list[Answer]:
    assert process.stdin is not None
    assert process.stdout is not None
    if process.stdin.is_closing():  # it died while it had nothing to do; uvloop raises RuntimeError for what is written
        raise EOFError
    message = pickle.dumps(cards, pickle.HIGHEST_PROTOCOL)
    process.stdin.write(LENGTH.pack(len(message)) + message)
    await process.stdin.drain()
    (length,) = LENGTH.unpack(await process.stdout.readexactly(LENGTH.size))
    answers: list[Answer] = pickle.loads(await process.stdout.readexactly(length))  # noqa: S301  # nosec B301
    return answers
