"""What a table does by itself: bots and stand-ins move, clocks run out, forgotten tables close."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from dataclasses import dataclass
from typing import Final

from illusion.bots import Decision
from illusion.tables.model import bot_players, commands
from illusion.tables.model.errors import Refused
from illusion.tables.model.table import Phase, Sitter, Table
from illusion.tables.runtime.table_service import Command, TableService
from illusion.tables.stores.base import StoreFailed

BEAT: Final = 2.0
"""Seconds between two claims; well below the time that a claim lasts."""
QUICKEST: Final = 0.05
"""Seconds between two looks for forgotten tables, however soon tables are forgotten."""

FAULT_RETRY_S: Final = 5.0
"""Seconds until a table is looked at again at which something of ours broke."""

LOG: Final = logging.getLogger("illusion")

AT_ONCE: Final = 4
"""Tables that are read from the store at a time for being driven, so that people need not wait for it."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How long things take, in seconds. A bot takes about so long, less where all is clear, more for hard cards."""

    bot: float = 1.5
    idle: float = 6 * 3600


class Automation:
    """Drives the unfinished tables that this process has claimed: no other process drives them meanwhile.

    A table has a task while a bot is at turn or a clock runs. Where people play at their leisure, nothing waits.
    """

    def __init__(self, service: TableService, pace: Pace | None = None) -> None:
        self._service = service
        self._pace = pace or Pace()
        self._since: dict[str, float] = {}
        """The tables that are driven, and when something last happened at each."""
        self._changed: dict[str, asyncio.Event] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._opened = asyncio.Event()
        self._until = 0.0
        self._taking_up = asyncio.Semaphore(AT_ONCE)
        self._claiming: asyncio.Task[None] | None = None
        self._thinking = ThreadPoolExecutor(1, "bots")
        """One bot thinks at a time: however many there are, people's moves wait for one of them at most."""
        service.on_change = self._notice
        service.on_open = lambda _: self._opened.set()

    async def start(self) -> None:
        """Take up the tables that were left unfinished, and from then on those that are opened or left behind."""
        self._claiming = asyncio.create_task(self._claim())

    async def stop(self) -> None:
        if self._claiming is not None:
            self._claiming.cancel()
            await asyncio.gather(self._claiming, return_exceptions=True)
        await self._drop_all()
        self._thinking.shutdown(cancel_futures=True)

    async def _claim(self) -> None:
        while True:
            self._opened.clear()
            try:
                claims = await self._service.claim()
            except StoreFailed:
                pass  # what was claimed stays claimed until its time runs out
            else:
                if claims.anew:
                    await self._drop_all()
                self._until = claims.until
                for table in claims.tables:
                    self._since[table] = time.monotonic()
                    self._begin(table)
            self._recall()
            try:
                async with asyncio.timeout(min(BEAT, max(self._pace.idle, QUICKEST))):
                    await self._opened.wait()
            except TimeoutError:
                continue

    async def _drop_all(self) -> None:
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._tasks.clear()  # also of those that had not even begun
        self._changed.clear()
        self._since.clear()

    def _notice(self, id: str) -> None:
        """Something happened at a table."""
        if id not in self._since:
            return
        self._since[id] = time.monotonic()
        if id in self._tasks:
            self._changed[id].set()
        elif _goes_on(table := self._service.here(id)):
            self._begin(id)
        elif _has_ended(table):
            del self._since[id]

    def _recall(self) -> None:
        """Look at the tables that have been forgotten."""
        for id in [id for id in self._since if self._is_forgotten(id) and id not in self._tasks]:
            self._begin(id)

    def _is_forgotten(self, id: str) -> bool:
        return time.monotonic() - self._since[id] >= self._pace.idle

    def _begin(self, id: str) -> None:
        self._changed[id] = asyncio.Event()
        self._tasks[id] = asyncio.create_task(self._drive(id))

    async def _drive(self, id: str) -> None:
        try:
            while await self._step(id):
                pass
        finally:
            self._tasks.pop(id, None)
            self._changed.pop(id, None)

    async def _step(self, id: str) -> bool:
        """Wait for what is next at the table and do it; whether there may be more. A fault of ours stops no table."""
        self._changed[id].clear()
        try:
            async with self._taking_up:
                table = await self._service.get(id)
            waiting = await self._next(table)
            del table  # not held on to while nothing happens: it may leave the memory
            if waiting is None:
                return False
            delay, act = waiting
            try:
                async with asyncio.timeout(delay):
                    await self._changed[id].wait()
            except TimeoutError:
                if time.monotonic() < self._until:
                    await act()
                else:
                    await asyncio.sleep(BEAT)
        except StoreFailed:
            await asyncio.sleep(1)
        except Exception:
            LOG.exception("driver-failed")
            await asyncio.sleep(FAULT_RETRY_S)
        return True

    async def _next(self, table: Table) -> tuple[float, Callable[[], Awaitable[None]]] | None:
        """What happens at this table if nobody does anything, and when; None if nothing does for long."""
        id, seq = table.id, table.seq
        if not _goes_on(table):
            if _has_ended(table):
                self._since.pop(id, None)
            elif self._is_forgotten(id):
                return 0, lambda: self._do(id, seq, commands.close)
            return None
        if _at_turn(table).absent:
            decision = await self._decided(table)
            moment = self._pace.bot * (0.5 + decision.hard)
            return moment, lambda: self._do(id, seq, lambda state, now: commands.stand_in(state, now, decision.move))
        assert table.clock is not None
        left = table.turn_began + table.clock - self._service.now()
        # the clock on the wall may be set meanwhile, and those of two machines differ
        return min(max(left, 0), table.clock), lambda: self._do(id, seq, commands.run_out)

    async def _decided(self, table: Table) -> Decision:
        """What the bot at turn does. It thinks about the table as it stands now, whatever happens there meanwhile."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thinking, bot_players.decision, copy(table))

    async def _do(self, id: str, seq: int, command: Command) -> None:
        """Do something unless something else has happened meanwhile."""
        try:
            await self._service.execute(id, lambda state, now: command(state, now) if state.seq == seq else [])
        except Refused:
            return
        except StoreFailed:
            await asyncio.sleep(1)  # and then look at the table again


def _goes_on(table: Table) -> bool:
    """Whether something will happen at this table before long, even if nobody does anything."""
    if table.game is None or table.game.to_play is None or table.phase is Phase.CLOSED:
        return False
    return table.clock is not None or _at_turn(table).absent


def _has_ended(table: Table) -> bool:
    return table.phase in (Phase.OVER, Phase.CLOSED)


def _at_turn(table: Table) -> Sitter:
    assert table.game is not None
    assert table.game.to_play is not None
    sitter = table.chairs[table.game.to_play]
    assert sitter is not None
    return sitter
