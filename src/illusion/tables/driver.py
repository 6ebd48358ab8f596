"""What a table does by itself: bots and stand-ins move, clocks run out, forgotten tables close."""

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from illusion.tables import commands, opponents
from illusion.tables.errors import Refused
from illusion.tables.hall import Command, Hall
from illusion.tables.store import StoreFailed
from illusion.tables.table import Phase, Table


@dataclass(frozen=True, slots=True)
class Pace:
    """How long things take, in seconds. A bot takes about so long, less where all is clear, more for hard cards."""

    bot: float = 1.5
    idle: float = 6 * 3600


class Driver:
    """One task for each table that has not ended."""

    def __init__(self, hall: Hall, pace: Pace | None = None) -> None:
        self._hall = hall
        self._pace = pace or Pace()
        self._changed: dict[str, asyncio.Event] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._thinking = ThreadPoolExecutor(1, "bots")
        """One bot thinks at a time: however many there are, people's moves wait for one of them at most."""
        hall.on_change = self._notice

    async def start(self) -> None:
        """Take up every table that was left unfinished."""
        for table in await self._hall.unfinished():
            self._notice(table)

    async def stop(self) -> None:
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._thinking.shutdown(cancel_futures=True)

    def _notice(self, table: str) -> None:
        if table in self._tasks:
            self._changed[table].set()
        else:
            self._changed[table] = asyncio.Event()
            self._tasks[table] = asyncio.create_task(self._drive(table))

    async def _drive(self, id: str) -> None:
        try:
            while True:
                self._changed[id].clear()
                table = await self._hall.look(id)
                if table.phase in (Phase.OVER, Phase.CLOSED):
                    return
                delay, act = await self._next(table)
                try:
                    async with asyncio.timeout(delay):
                        await self._changed[id].wait()
                except TimeoutError:
                    await act()
        finally:
            del self._tasks[id], self._changed[id]

    async def _next(self, table: Table) -> tuple[float, Callable[[], Awaitable[None]]]:
        """What happens at this table if nobody does anything, and when."""
        id, seq = table.id, table.seq
        if table.game is not None and table.game.to_play is not None:
            sitter = table.chairs[table.game.to_play]
            assert sitter is not None
            if sitter.is_bot or sitter.away:
                decision = await asyncio.get_running_loop().run_in_executor(self._thinking, opponents.decision, table)
                moment = self._pace.bot * (0.5 + decision.hard)
                return moment, lambda: self._do(
                    id, seq, lambda state, now: commands.stand_in(state, now, decision.move)
                )
            if table.clock is not None:
                left = table.turn_began + table.clock - self._hall.now()
                return max(left, 0), lambda: self._do(id, seq, commands.run_out)
        return self._pace.idle, lambda: self._do(id, seq, commands.close)

    async def _do(self, id: str, seq: int, command: Command) -> None:
        """Do something unless something else has happened meanwhile."""
        try:
            await self._hall.do(id, lambda state, now: command(state, now) if state.seq == seq else [])
        except Refused:
            return
        except StoreFailed:
            await asyncio.sleep(1)  # and then look at the table again
