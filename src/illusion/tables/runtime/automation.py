"""What happens at tables without a request: bots and stand-ins move, clocks run out, idle tables close."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from itertools import islice
from typing import Final

from illusion.rules import Move
from illusion.tables.model import bot_players, commands
from illusion.tables.model.errors import Refused
from illusion.tables.model.table import Phase, Sitter, Table
from illusion.tables.runtime.fair_queue import TooMuchWork, current_payer, set_payer
from illusion.tables.runtime.pace import Pace, turn_lot
from illusion.tables.runtime.table_service import Command, TableService
from illusion.tables.stores.base import StoreFailed

CLAIM_INTERVAL_S: Final = 2.0
"""Seconds between two claims; well below the duration of a lease."""
MIN_IDLE_CHECK_S: Final = 0.05
"""Seconds between two searches for idle tables at least, however short the idle time is."""
FAULT_RETRY_S: Final = 5.0
"""Seconds until a table is tried again after an unexpected error."""
RETRY_S: Final = 1.0
"""Seconds until a table is tried again after the store failed or there was too much to do."""
CLAIMED_UNASKED: Final = 8
"""Tables claimed at a time although nobody has asked for them, so that somebody closes them once they are idle."""
CLOSED_AT_ONCE: Final = 4
"""Idle tables that are closed at a time: each has to be loaded."""

LOG: Final = logging.getLogger("illusion")


class Automation:
    """Moves bots and stand-ins, ends turns, and closes idle tables: for the tables this process holds a lease on.

    A table has one task while a bot has to move or a clock runs, and none while people take their time, once all of
    them have left, or until somebody has looked at it since the process started.
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
        self._claimed_at: dict[str, float] = {}
        """The time at which each table of this process was claimed: before that no clock may have run."""
        self._leaving: dict[str, str] = {}
        """Tables of this process whose people play in another one, with that one's name: it is to automate them."""
        self._asked = asyncio.Event()
        self._lease_end = 0.0
        self._claiming: asyncio.Task[None] | None = None
        service.on_change = self._on_change
        service.on_load = self._on_load
        service.on_read = self._on_read
        service.on_elsewhere = self._on_elsewhere

    async def start(self) -> None:
        """Claim unfinished tables now and from then on."""
        self._claiming = asyncio.create_task(self._claim())

    async def stop(self) -> None:
        if self._claiming is not None:
            self._claiming.cancel()
            await asyncio.gather(self._claiming, return_exceptions=True)
        await self._drop_all()

    async def _claim(self) -> None:
        while True:
            self._asked.clear()
            try:
                await self._hand_over()
                claims = await self._service.claim(self._wanted(), CLAIMED_UNASKED)
            except StoreFailed:
                pass  # the lease stays ours until it expires
            else:
                if claims.renewed_too_late:
                    await self._drop_all()
                self._lease_end = claims.until
                for table in claims.tables:
                    self._take_up(table)
            self._start_idle()
            try:
                async with asyncio.timeout(min(CLAIM_INTERVAL_S, max(self._pace.idle_s, MIN_IDLE_CHECK_S))):
                    await self._asked.wait()
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
        self._claimed_at.clear()
        self._leaving.clear()

    async def _hand_over(self) -> None:
        """Tables whose people play elsewhere, unless some have come here; first, nothing more is done at them."""
        leaving = {id: taker for id, taker in self._leaving.items() if not self._service.is_followed(id)}
        self._leaving.clear()
        if not leaving:
            return
        for id in leaving:
            self._forget(id)
        tasks = [self._tasks[id] for id in leaving if id in self._tasks]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        try:
            await self._service.hand_over(leaving)
        except StoreFailed:
            self._leaving |= leaving
            raise

    def _wanted(self) -> list[str]:
        """The tables in memory that may need this process and are not its own."""
        return [id for id in self._service.followed() if id not in self._last_change and not self._has_ended(id)]

    def _has_ended(self, id: str) -> bool:
        table = self._service.in_memory(id)
        return table is not None and _has_ended(table)

    def _take_up(self, id: str) -> None:
        """A table that was claimed just now. One that is not in memory waits until somebody asks for it."""
        self._last_change[id] = time.monotonic()
        self._claimed_at[id] = self._service.now()
        self._on_load(id)

    def _on_load(self, id: str) -> None:
        if id not in self._last_change:
            self._asked.set()
            return
        table = self._service.in_memory(id)
        if table is not None and (_needs_task(table) or not self._service.is_followed(id)):
            self._start_task(id)

    def _on_elsewhere(self, id: str, writer: str) -> None:
        """Another process has stored something, and nobody uses the table here."""
        if id in self._last_change:
            self._leaving[id] = writer
            self._asked.set()

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
            self._forget(id)

    def _on_read(self, id: str) -> None:
        if id in self._changed:
            self._changed[id].set()

    def _forget(self, id: str) -> None:
        self._last_change.pop(id, None)
        self._claimed_at.pop(id, None)

    def _start_idle(self) -> None:
        """Start tasks for some idle tables, which close them."""
        idle = (id for id in self._last_change if self._is_idle(id) and id not in self._tasks)
        for id in list(islice(idle, CLOSED_AT_ONCE)):
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
        """Thinking is paid for by whoever's request made the task start, else by the table itself."""
        try:
            set_payer(current_payer() or f"table {id}")
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
        except (StoreFailed, TooMuchWork):
            await asyncio.sleep(RETRY_S)
        except Exception:
            LOG.exception("automation-failed")
            await asyncio.sleep(FAULT_RETRY_S)
        return True

    async def _next(self, table: Table) -> tuple[float, Callable[[], Awaitable[None]]] | None:
        """The seconds until something has to be done if nobody does anything, and what; None if nothing for long."""
        id, seq = table.id, table.seq
        if not _needs_task(table):
            if _has_ended(table):
                self._forget(id)
            elif self._is_idle(id):
                return 0, lambda: self._do(id, seq, commands.close)
            return None
        is_absent = _sitter_to_play(table).is_absent
        reveal, reading_s = self._service.reveal(id), self._pace.reading_s
        if not is_absent:
            reading_s = self._pace.clock_reading_s
        still_reading_s = reveal.left_s(self._service.now(), reading_s)
        if still_reading_s > 0:
            return still_reading_s, _nothing
        if is_absent:
            turn = bot_players.bot_turn(table)
            began = max(table.turn_began, table.left_at)
            if len(turn.view.row) == 1 and table.moves:
                began = max(began, reveal.ended_at(reading_s)) + self._pace.new_round_s
            lot = turn_lot(table.dealt().secret.nonce, len(table.moves))
            thinking_s = self._pace.thinking_s(len(turn.view.row), lot)  # fixed before the bot decides
            move = await self._decision(turn)
            left_s = self._pace.left_s(thinking_s, self._service.now() - began)
            return left_s, lambda: self._do(id, seq, lambda state, now: commands.stand_in(state, now, move))
        clock = table.clock or 0
        began = max(table.turn_began, self._claimed_at.get(id, 0.0), reveal.ended_at(reading_s))
        left = began + clock - self._service.now()
        # bounded: the wall clock may be set meanwhile, and those of two machines differ
        return min(max(left, 0), clock), lambda: self._run_out(id, seq)

    async def _decision(self, turn: bot_players.BotTurn) -> Move:
        """What it looks at is drawn by the painters, if there are any."""
        await self._service.painters.prepare(turn.cards)
        return await self._service.worker.run(turn.decide)

    async def _run_out(self, id: str, seq: int) -> None:
        """The clock has run out. The first time a bot moves once; whoever is late the next time, too, is away."""
        table = await self._service.get(id)
        if table.seq != seq:
            return
        if _sitter_to_play(table).late:
            await self._do(id, seq, commands.run_out)
        else:
            move = await self._decision(bot_players.bot_turn(table))
            await self._do(id, seq, lambda state, now: commands.stand_in(state, now, move))

    async def _do(self, id: str, seq: int, command: Command) -> None:
        """Execute a command unless something else has happened meanwhile."""
        try:
            await self._service.execute(id, lambda state, now: command(state, now) if state.seq == seq else [])
        except Refused:
            return
        except StoreFailed:
            await asyncio.sleep(RETRY_S)


async def _nothing() -> None:
    """It is only looked again."""


def _needs_task(table: Table) -> bool:
    """Whether a bot has to move or a clock runs, and somebody is still there."""
    if table.game is None or table.game.to_play is None or table.phase is Phase.CLOSED:
        return False
    return (table.clock is not None or _sitter_to_play(table).is_absent) and not _is_abandoned(table)


def _is_abandoned(table: Table) -> bool:
    """Whether all people have left: bots and stand-ins do not play on among themselves."""
    return all(sitter.is_absent for sitter in table.sitters)


def _has_ended(table: Table) -> bool:
    return table.phase in (Phase.OVER, Phase.CLOSED)


def _sitter_to_play(table: Table) -> Sitter:
    _, seat = table.running()
    return table.sitter(seat)
