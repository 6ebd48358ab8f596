"""What happens at tables without a request: bots and stand-ins move, clocks run out, idle tables close."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from illusion.rules import Move
from illusion.tables.model import bot_players, commands
from illusion.tables.model.errors import Refused
from illusion.tables.model.table import Phase, Sitter, Table
from illusion.tables.runtime.pace import Pace, turn_lot
from illusion.tables.runtime.table_service import Command, TableService
from illusion.tables.stores.base import StoreFailed

CLAIM_INTERVAL_S: Final = 2.0
"""Seconds between two claims; well below the duration of a lease."""
MIN_IDLE_CHECK_S: Final = 0.05
"""Seconds between two searches for idle tables at least, however short the idle time is."""
FAULT_RETRY_S: Final = 5.0
"""Seconds until a table is tried again after an unexpected error."""
STORE_RETRY_S: Final = 1.0
"""Seconds until a table is tried again after the store failed."""
CONCURRENT_LOADS: Final = 4
"""Tables loaded at a time, so that people's requests need not wait behind all of them."""

LOG: Final = logging.getLogger("illusion")


class Automation:
    """Moves bots and stand-ins, ends turns, and closes idle tables: for the tables this process holds a lease on.

    A table has one task while a bot has to move or a clock runs, and none while people take their time.
    """

    def __init__(self, service: TableService, pace: Pace | None = None) -> None:
        self._service = service
        self._pace = pace or Pace()
        self._last_change: dict[str, float] = {}
        """The tables of this process, with the monotonic time of the last change at each."""
        self._changed: dict[str, asyncio.Event] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._considered: dict[str, int] = {}
        """The number of the last entry that each task knows of."""
        self._opened = asyncio.Event()
        self._lease_end = 0.0
        self._loading = asyncio.Semaphore(CONCURRENT_LOADS)
        self._claiming: asyncio.Task[None] | None = None
        self._bot_thread = ThreadPoolExecutor(1, "bots")
        """One thread for all bots, so that people's moves wait for one decision at most."""
        service.on_change = self._on_change
        service.on_open = lambda _: self._opened.set()

    async def start(self) -> None:
        """Claim unfinished tables now and from then on."""
        self._claiming = asyncio.create_task(self._claim())

    async def stop(self) -> None:
        if self._claiming is not None:
            self._claiming.cancel()
            await asyncio.gather(self._claiming, return_exceptions=True)
        await self._drop_all()
        self._bot_thread.shutdown(cancel_futures=True)

    async def _claim(self) -> None:
        while True:
            self._opened.clear()
            try:
                claims = await self._service.claim()
            except StoreFailed:
                pass  # the lease stays ours until it expires
            else:
                if claims.renewed_too_late:
                    await self._drop_all()
                self._lease_end = claims.until
                for table in claims.tables:
                    self._last_change[table] = time.monotonic()
                    self._start_task(table)
            self._start_idle()
            try:
                async with asyncio.timeout(min(CLAIM_INTERVAL_S, max(self._pace.idle_s, MIN_IDLE_CHECK_S))):
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
        self._considered.clear()
        self._last_change.clear()

    def _on_change(self, id: str) -> None:
        if id not in self._last_change:
            return
        self._last_change[id] = time.monotonic()
        table = self._service.in_memory(id)
        if id in self._tasks:
            if table is None or table.seq != self._considered.get(id):
                self._changed[id].set()
        elif table is None or _needs_task(table):
            self._start_task(id)
        elif _has_ended(table):
            del self._last_change[id]

    def _start_idle(self) -> None:
        """Start tasks for idle tables, which close them."""
        for id in [id for id in self._last_change if self._is_idle(id) and id not in self._tasks]:
            self._start_task(id)

    def _is_idle(self, id: str) -> bool:
        return time.monotonic() - self._last_change[id] >= self._pace.idle_s

    def _start_task(self, id: str) -> None:
        """A table has one task at most, however often it is claimed or changes."""
        if id in self._tasks:
            self._changed[id].set()
            return
        self._changed[id] = asyncio.Event()
        self._tasks[id] = asyncio.create_task(self._run(id))

    async def _run(self, id: str) -> None:
        try:
            while await self._step(id):
                pass
        finally:
            self._tasks.pop(id, None)
            self._changed.pop(id, None)
            self._considered.pop(id, None)

    async def _step(self, id: str) -> bool:
        """Wait until something is due at a table and do it; returns whether there may be more. Errors do not end it."""
        self._changed[id].clear()
        try:
            async with self._loading:
                table = await self._service.get(id)
            self._considered[id] = table.seq
            waiting = await self._next(table)
            del table  # do not keep it in memory while waiting
            if waiting is None:
                return False
            delay, act = waiting
            try:
                async with asyncio.timeout(delay):
                    await self._changed[id].wait()
            except TimeoutError:
                if time.monotonic() < self._lease_end:
                    await act()
                else:
                    await asyncio.sleep(CLAIM_INTERVAL_S)
        except StoreFailed:
            await asyncio.sleep(STORE_RETRY_S)
        except Exception:
            LOG.exception("automation-failed")
            await asyncio.sleep(FAULT_RETRY_S)
        return True

    async def _next(self, table: Table) -> tuple[float, Callable[[], Awaitable[None]]] | None:
        """The seconds until something has to be done if nobody does anything, and what; None if nothing for long."""
        id, seq = table.id, table.seq
        if not _needs_task(table):
            if _has_ended(table):
                self._last_change.pop(id, None)
            elif self._is_idle(id):
                return 0, lambda: self._do(id, seq, commands.close)
            return None
        if _sitter_to_play(table).is_absent:
            turn = bot_players.bot_turn(table)
            began, lot = table.turn_began, turn_lot(table.dealt().secret.nonce, len(table.moves))
            thinking_s = self._pace.thinking_s(len(turn.view.row), lot)  # fixed before the bot decides
            move = await self._decision(turn)
            left_s = self._pace.left_s(thinking_s, self._service.now() - began)
            return left_s, lambda: self._do(id, seq, lambda state, now: commands.stand_in(state, now, move))
        clock = table.clock or 0
        left = table.turn_began + clock - self._service.now()
        # bounded: the wall clock may be set meanwhile, and those of two machines differ
        return min(max(left, 0), clock), lambda: self._do(id, seq, commands.run_out)

    async def _decision(self, turn: bot_players.BotTurn) -> Move:
        return await asyncio.get_running_loop().run_in_executor(self._bot_thread, turn.decide)

    async def _do(self, id: str, seq: int, command: Command) -> None:
        """Execute a command unless something else has happened meanwhile."""
        try:
            await self._service.execute(id, lambda state, now: command(state, now) if state.seq == seq else [])
        except Refused:
            return
        except StoreFailed:
            await asyncio.sleep(STORE_RETRY_S)


def _needs_task(table: Table) -> bool:
    """Whether a bot has to move or a clock runs."""
    if table.game is None or table.game.to_play is None or table.phase is Phase.CLOSED:
        return False
    return table.clock is not None or _sitter_to_play(table).is_absent


def _has_ended(table: Table) -> bool:
    return table.phase in (Phase.OVER, Phase.CLOSED)


def _sitter_to_play(table: Table) -> Sitter:
    _, seat = table.running()
    return table.sitter(seat)
