"""What happens at tables without a request: bots and stand-ins move, clocks run out, idle tables close."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import Final

from illusion.rules import Move
from illusion.tables.model import bot_players, commands
from illusion.tables.model.commands import Refused
from illusion.tables.model.table import Phase, Sitter, Table
from illusion.tables.pace import Pace, earliest_turn, turn_rng
from illusion.tables.service import Command, Owned, ServiceObserver, TableService
from illusion.tables.stores import StoreFailed
from illusion.tables.worker import TooMuchWork

CLAIM_INTERVAL_S: Final = 2.0
"""Seconds between two claims; well below the duration of a lease."""
MIN_IDLE_CHECK_S: Final = 0.05
"""Minimum of seconds between two searches for idle tables."""
FAULT_RETRY_S: Final = 5.0
"""Seconds until a retry after an unexpected error."""
RETRY_S: Final = 1.0
"""Seconds until a retry after a refusal, a failure of the store or overload."""
RECHECK_S: Final = 3600.0
"""Maximum of seconds to sleep while a table waits for somebody to finish looking at a revealed row."""
CLAIMED_UNASKED: Final = 8
"""Extra tables to claim at a time, so that idle ones get closed."""
CLOSED_AT_ONCE: Final = 4
"""Idle tables closed at a time: each has to be loaded."""

LOG: Final = logging.getLogger("illusion")

Due = tuple[float, Callable[[], Awaitable[object]]]
"""Seconds until the next deadline, and its action."""


@dataclass(eq=False, slots=True)
class _Automated:
    """The task of a table."""

    woken: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the next deadline may have changed."""
    turn: tuple[int, float, Move] | None = None
    """A bot's decision: the entry it follows, its delay in seconds, and the move."""
    task: asyncio.Task[None] | None = None


class Automation(ServiceObserver):
    """Moves bots and stand-ins, ends turns, and closes idle tables: all tables that the service owns.

    Two servers may own a table for a moment: the log decides whose move counts.

    A table has a task only while a bot has to move or a clock runs: not while people think without a clock, not once
    all of them have left, and not before somebody has looked at it since the process started.
    """

    _service: TableService

    def __init__(self, pace: Pace | None = None) -> None:
        self._pace = pace or Pace()
        self._automated: dict[str, _Automated] = {}
        self._asked = asyncio.Event()
        self._claiming: asyncio.Task[None] | None = None

    def observe(self, service: TableService) -> None:
        """Call this before the service's store is opened: hints begin then. This must be one of its observers."""
        self._service = service

    async def start(self) -> None:
        """Claim unfinished tables now and from then on."""
        self._claiming = asyncio.create_task(self._claim())

    async def stop(self) -> None:
        if self._claiming is not None:
            self._claiming.cancel()
            await asyncio.gather(self._claiming, return_exceptions=True)
        tasks = [each.task for each in self._automated.values() if each.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._automated.clear()  # a task cancelled before its first step has not removed itself

    def loaded(self, table: str) -> None:
        if table not in self._service.owned:
            self._asked.set()
        else:
            self.may_be_due(table)

    def may_be_due(self, table: str) -> None:
        """Wake the table's task, or start one if the table is in memory."""
        state = self._service.in_memory(table)
        if table in self._automated:
            self._automated[table].woken.set()
        elif table in self._service.owned and state is not None and state.needs_server:
            self._start_task(table)

    async def _claim(self) -> None:
        while True:
            self._asked.clear()
            with suppress(StoreFailed):
                for table in await self._service.store.claim(self._wanted(), CLAIMED_UNASKED):
                    self._service.owned[table] = Owned(self._service.now())
                    self.may_be_due(table)
            idle = (table for table in self._service.owned if self._is_idle(table) and table not in self._automated)
            for table in list(islice(idle, CLOSED_AT_ONCE)):
                self._start_task(table)
            try:
                async with asyncio.timeout(min(CLAIM_INTERVAL_S, max(self._pace.idle_s, MIN_IDLE_CHECK_S))):
                    await self._asked.wait()
            except TimeoutError:
                continue

    def _wanted(self) -> list[str]:
        """Tables in memory that have not ended and are not owned yet."""
        tables = self._service.tables_in_memory()
        return [table.id for table in tables if table.id not in self._service.owned and not _has_ended(table)]

    def _is_idle(self, id: str) -> bool:
        owned = self._service.owned[id]
        return time.monotonic() - owned.last_change >= max(self._pace.idle_s, owned.keep_s)

    def _start_task(self, id: str) -> None:
        automated = self._automated[id] = _Automated()
        automated.task = asyncio.create_task(self._run(id, automated))

    async def _run(self, id: str, automated: _Automated) -> None:
        try:
            while id in self._service.owned and await self._step(id, automated):
                pass
        finally:
            if self._automated.get(id) is automated:
                del self._automated[id]

    async def _step(self, id: str, automated: _Automated) -> bool:
        """Wait for the table's next deadline and act; returns whether there may be another one. Errors are retried."""
        automated.woken.clear()
        try:
            due = await self._due(await self._service.get(id), automated)
            if due is None:
                return False
            delay_s, act = due
            try:
                async with asyncio.timeout(delay_s):
                    await automated.woken.wait()
            except TimeoutError:
                await act()
        except (Refused, StoreFailed, TooMuchWork):
            await asyncio.sleep(RETRY_S)
        except Exception:
            LOG.exception("automation-failed")
            await asyncio.sleep(FAULT_RETRY_S)
        return True

    async def _due(self, table: Table, automated: _Automated) -> Due | None:
        """The next deadline and its action, or None."""
        id, owned = table.id, self._service.owned.get(table.id)
        if owned is None:
            return None
        if not table.needs_server:
            owned.keep_s = table.terms.clock or 0
            if _has_ended(table):
                del self._service.owned[id]
            elif self._is_idle(id):
                return 0, partial(self._execute, id, table.seq, commands.close)
            return None
        bots_turn = _sitter_to_play(table).is_absent
        is_alone = sum(not sitter.is_absent for sitter in table.sitters) == 1
        reading_s = self._pace.reading_alone_s if is_alone else self._pace.reading_s
        reveal = self._service.reveal(id)
        still_reading_s = reveal.left_s(self._service.now(), reading_s)
        if still_reading_s > 0:
            return min(still_reading_s, RECHECK_S), partial(asyncio.sleep, 0)
        read_at = reveal.ended_at(reading_s)
        if bots_turn:
            return await self._bots_move(table, read_at, automated)
        clock = table.terms.clock or 0
        claimed = earliest_turn(owned.claimed_at, clock)
        left_s = max(table.turn_began, claimed, read_at) + clock - self._service.now()
        # bounded: wall clocks get adjusted and differ between machines
        return min(max(left_s, 0), clock), partial(self._run_out, id, table.seq, automated)

    async def _bots_move(self, table: Table, read_at: float, automated: _Automated) -> Due:
        game, _ = table.running()
        began, seq = max(table.turn_began, table.left_at), table.seq
        if len(game.row) == 1 and table.moves:
            began = max(began, read_at) + self._pace.new_round_s
        thinking_s, move = await self._bots_turn(table, automated)
        left_s = self._pace.left_s(thinking_s, self._service.now() - began)
        return left_s, partial(self._stand_in, table.id, seq, move)

    async def _bots_turn(self, table: Table, automated: _Automated) -> tuple[float, Move]:
        """The bot's delay and move, computed once per turn; the delay first, so that it cannot depend on the move."""
        if automated.turn is None or automated.turn[0] != table.seq:
            game, _ = table.running()
            rng = turn_rng(table.dealt().secret.nonce, len(table.moves))
            seq, thinking_s = table.seq, self._pace.thinking_s(len(game.row), rng)
            automated.turn = seq, thinking_s, await self._service.decision(bot_players.bot_turn(table))
        return automated.turn[1:]

    async def _run_out(self, id: str, seq: int, automated: _Automated) -> None:
        """A clock ran out: a bot makes one move for the player, who counts as away if they are late again next turn."""
        table = await self._service.get(id)
        if table.seq != seq:
            return
        if _sitter_to_play(table).late:
            await self._execute(id, seq, commands.run_out)
        else:
            _, move = await self._bots_turn(table, automated)
            await self._stand_in(id, seq, move)

    async def _stand_in(self, id: str, seq: int, move: Move) -> None:
        await self._execute(id, seq, lambda state, now: commands.stand_in(state, now, move))

    async def _execute(self, id: str, seq: int, command: Command) -> None:
        """No-op if the table has changed since `seq`."""
        await self._service.execute(id, lambda state, now: command(state, now) if state.seq == seq else [])


def _has_ended(table: Table) -> bool:
    return table.phase in (Phase.OVER, Phase.CLOSED)


def _sitter_to_play(table: Table) -> Sitter:
    _, seat = table.running()
    return table.sitter(seat)
