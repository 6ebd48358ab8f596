"""What a table does by itself: bots and stand-ins move, clocks run out, forgotten tables close."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from illusion.bots import LEVELS, choose
from illusion.deck.picture import Picture
from illusion.rules import CardId, Move, view
from illusion.tables import commands
from illusion.tables.errors import Refused
from illusion.tables.hall import Command, Hall
from illusion.tables.store import StoreFailed
from illusion.tables.table import Phase, Table

STAND_IN: Final = "casual"
"""The level at which an absent player's seat is played."""

BEAT: Final = 2.0
"""Seconds between two claims; well below the time that a claim lasts."""

AT_ONCE: Final = 4
"""Tables that are read from the store at a time for being driven, so that people need not wait for it."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How long things take, in seconds."""

    bot: float = 1.5
    idle: float = 6 * 3600


class Driver:
    """One task for each unfinished table that this process has claimed: no other process drives it meanwhile."""

    def __init__(self, hall: Hall, pace: Pace | None = None) -> None:
        self._hall = hall
        self._pace = pace or Pace()
        self._changed: dict[str, asyncio.Event] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._opened = asyncio.Event()
        self._until = 0.0
        self._taking_up = asyncio.Semaphore(AT_ONCE)
        self._claiming: asyncio.Task[None] | None = None
        hall.on_change = self._notice
        hall.on_open = lambda _: self._opened.set()

    async def start(self) -> None:
        """Take up the tables that were left unfinished, and from then on those that are opened or left behind."""
        self._claiming = asyncio.create_task(self._claim())

    async def stop(self) -> None:
        if self._claiming is not None:
            self._claiming.cancel()
            await asyncio.gather(self._claiming, return_exceptions=True)
        await self._drop_all()

    async def _claim(self) -> None:
        while True:
            self._opened.clear()
            try:
                claims = await self._hall.claim()
            except StoreFailed:
                pass  # what was claimed stays claimed until its time runs out
            else:
                if claims.anew:
                    await self._drop_all()
                self._until = claims.until
                for table in claims.tables:
                    self._changed[table] = asyncio.Event()
                    self._tasks[table] = asyncio.create_task(self._drive(table))
            try:
                async with asyncio.timeout(BEAT):
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

    def _notice(self, table: str) -> None:
        if table in self._tasks:
            self._changed[table].set()

    async def _drive(self, id: str) -> None:
        """The table itself is not held on to while nothing happens: it may leave the memory."""
        try:
            while True:
                self._changed[id].clear()
                try:
                    async with self._taking_up:
                        waiting = self._next(await self._hall.look(id))
                except StoreFailed:
                    await asyncio.sleep(1)
                    continue
                if waiting is None:
                    return
                delay, act = waiting
                try:
                    async with asyncio.timeout(delay):
                        await self._changed[id].wait()
                except TimeoutError:
                    if time.monotonic() < self._until:
                        await act()
                    else:
                        await asyncio.sleep(BEAT)
        finally:
            self._tasks.pop(id, None)
            self._changed.pop(id, None)

    def _next(self, table: Table) -> tuple[float, Callable[[], Awaitable[None]]] | None:
        """What happens at this table if nobody does anything, and when; None if nothing ever will."""
        if table.phase in (Phase.OVER, Phase.CLOSED):
            return None
        id, seq = table.id, table.seq
        if table.game is not None and table.game.to_play is not None:
            sitter = table.chairs[table.game.to_play]
            assert sitter is not None
            if sitter.is_bot or sitter.away:
                return self._pace.bot, lambda: self._stand_in(id, seq)
            if table.clock is not None:
                return table.clock, lambda: self._do(id, seq, commands.run_out)
        return self._pace.idle, lambda: self._do(id, seq, commands.close)

    async def _stand_in(self, id: str, seq: int) -> None:
        table = await self._hall.look(id)
        if table.seq == seq:
            chosen = await asyncio.to_thread(bot_move, table)
            await self._do(id, seq, lambda state, now: commands.stand_in(state, now, chosen))

    async def _do(self, id: str, seq: int, command: Command) -> None:
        """Do something unless something else has happened meanwhile."""
        try:
            await self._hall.do(id, lambda state, now: command(state, now) if state.seq == seq else [])
        except Refused:
            return
        except StoreFailed:
            await asyncio.sleep(1)  # and then look at the table again


def bot_move(table: Table) -> Move:
    """What the bot or stand-in at turn does: it knows the public view and the pictures in it."""
    assert table.game is not None
    assert table.game.to_play is not None
    assert table.dealing is not None
    cards = table.dealing.cards
    sitter = table.chairs[table.game.to_play]
    level = LEVELS[sitter.level if sitter is not None and sitter.level is not None else STAND_IN]

    def look(card: CardId) -> Picture:
        return cards[int(card)].picture

    return choose(view(table.game), look, level, f"{table.id} {table.game.to_play}")
