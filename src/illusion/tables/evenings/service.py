"""The evenings of one process, with the same optimistic concurrency as tables.

There are no background tasks: looking at an evening opens drawn tables that do not exist yet, and stores the results of
those that are over. So a server may be killed at any time.
"""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Final

from illusion.tables.evenings import commands
from illusion.tables.evenings.evening import KEY, Counted, DrawnTable, Evening, EveningEntry, Mark, decode, encode
from illusion.tables.evenings.standings import PublicEvening, public_evening
from illusion.tables.model import commands as at_table
from illusion.tables.model.commands import RefusalCode, Refused, hashed, is_table_id, new_id, new_token
from illusion.tables.model.entries import AnyEntry, SentAway, Terms
from illusion.tables.model.table import Phase, Table
from illusion.tables.service import TableService, first_to_append
from illusion.tables.stores import Stale

MAX_IN_MEMORY: Final = 64
TEND_S: Final = 2.0
"""Tables that are not in memory are checked at most this often, however many people look at their evening."""


@dataclass(eq=False, slots=True)
class _Live:
    evening: Evening
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    tended: float = float("-inf")
    public: PublicEvening | None = None
    """The cached view."""


class EveningService:
    """Evenings are in the tables' store. They need no automation, so their logs are marked as ended from the start."""

    def __init__(self, tables: TableService) -> None:
        self._tables = tables
        self._evenings = OrderedDict[str, _Live]()
        """An LRU cache, the least recently used first."""

    async def open(self, name: str, terms: Terms, *, rated: bool) -> tuple[str, str]:
        """Open an evening; returns its id and the host's token."""
        live, token = _Live(Evening(new_id())), new_token()
        opened = commands.open_evening(self._tables.now(), token, name, terms, rated=rated)
        try:
            await self._append(live, [opened])
        except Stale:
            raise Refused(RefusalCode.STALE, seq=0) from None
        self._keep(live)
        return live.evening.id, token

    def is_known(self, id: str, hashes: Sequence[str]) -> bool:
        """Whether one of these tokens is known at an evening in memory."""
        live = self._evenings.get(id)
        return live is not None and (live.evening.is_host(hashes) or live.evening.person_of(hashes) is not None)

    async def get(self, id: str) -> Evening:
        """The current evening, after opening its tables and storing their results. Read only."""
        return (await self._look(id)).evening

    async def public(self, id: str) -> PublicEvening:
        live = await self._look(id)
        async with live.lock:
            if live.public is None or live.public.seq != live.evening.seq:
                live.public = await self._tables.worker.run(public_evening, live.evening)
            return live.public

    async def execute(self, id: str, command: commands.Command) -> Evening:
        """Execute a command: the only way to change an evening. When it returns, the entries are durable."""
        live = await self._find(id)
        async with live.lock:
            await self._catch_up(live)
            await self._execute(live, command)
            return live.evening

    async def come(self, id: str, name: str, token: str = "") -> tuple[int, str]:
        """Add a person; returns their number and token, which a browser may have already."""
        token = token or new_token()
        evening = await self.execute(id, lambda state, now: commands.come(state, now, token, name))
        person = evening.person_of([hashed(token)])
        assert person is not None
        return person.number, token

    async def mark(self, id: str, hashes: Sequence[str], number: int, mark: Mark) -> Evening:
        """Mark a person; one who is not here any more also leaves their table, where a stand-in plays on: for good if
        they were removed."""
        evening = await self.execute(id, lambda state, now: commands.mark(state, now, hashes, number, mark))
        table, person = evening.table_of(number), evening.people[number]
        if mark is not Mark.HERE and table is not None and not table.ended:

            def leave(state: Table, now: float) -> list[AnyEntry]:
                seat = state.seat_of(person.token_hash)
                if seat is None or state.phase is not Phase.PLAYING:
                    return []
                return [SentAway(now, seat)] if mark is Mark.REMOVED else at_table.leave(state, now, seat)

            with suppress(Refused):
                await self._tables.execute(table.id, leave)
        return evening

    async def draw(self, id: str, hashes: Sequence[str], round: int) -> Evening:
        """Draw a round and open its tables."""
        rng = Random(new_token())
        await self._look(id, at_once=True)
        await self.execute(id, lambda state, now: commands.draw(state, now, hashes, round, rng))
        return (await self._look(id, at_once=True)).evening

    async def _look(self, id: str, *, at_once: bool = False) -> _Live:
        live = await self._find(id)
        async with live.lock:
            await self._catch_up(live)
            playing, is_time = live.evening.playing, time.monotonic() - live.tended >= TEND_S
            if at_once or is_time or any(self._is_over(drawn.id) for drawn in playing):
                live.tended = time.monotonic()
                for drawn in playing:
                    await self._tend(live, drawn)
        return live

    def _is_over(self, table: str) -> bool:
        """Whether a table is known to be over; looks only into memory."""
        state = self._tables.in_memory(table)
        return state is not None and state.phase is Phase.OVER

    async def _find(self, id: str) -> _Live:
        if id not in self._evenings:
            live = _Live(Evening(id))
            if is_table_id(id):
                await self._catch_up(live)
            if not live.evening.seq:
                raise Refused(RefusalCode.NO_SUCH_EVENING)
            self._keep(live)
        self._evenings.move_to_end(id)
        return self._evenings[id]

    def _keep(self, live: _Live) -> None:
        """Cache an evening, unless another request has done so meanwhile."""
        self._evenings.setdefault(live.evening.id, live)
        if len(self._evenings) > MAX_IN_MEMORY:
            self._evenings.popitem(last=False)

    async def _catch_up(self, live: _Live) -> bool:
        """Apply entries stored by other servers or by cancelled requests; returns whether there were any."""
        stored = await self._tables.store.read(KEY + live.evening.id, live.evening.seq)
        for entry in map(decode, stored):
            live.evening.apply(entry)
        return bool(stored)

    async def _execute(self, live: _Live, command: commands.Command) -> None:
        """Retry until the command fits the newest state, as for tables. In the worker's thread: a draw takes 40 ms."""
        while entries := await self._tables.worker.run(command, live.evening, self._tables.now()):
            if await first_to_append(self._append(live, entries), partial(self._catch_up, live)):
                return

    async def _append(self, live: _Live, entries: list[EveningEntry]) -> None:
        stored = [encode(entry) for entry in entries]
        await self._tables.store.append(KEY + live.evening.id, live.evening.seq + 1, stored, ended=True)
        for entry in entries:
            live.evening.apply(entry)

    async def _tend(self, live: _Live, drawn: DrawnTable) -> None:
        """Open a drawn table, or store its result."""
        try:
            table = await self._tables.get_current(drawn.id)
        except Refused:
            sitters = [(person.name, person.token_hash) for person in map(live.evening.person, drawn.people)]
            opened = at_table.open_drawn(self._tables.now(), sitters, live.evening.terms)
            with suppress(Refused):  # another server was first
                await self._tables.open_with(drawn.id, opened)
            table = await self._tables.get_current(drawn.id)
        if table.phase is Phase.WAITING:
            await self._tables.execute(drawn.id, at_table.deal_drawn)
        elif table.phase is Phase.OVER:
            await self._execute(live, lambda _, now: commands.end(live.evening, now, drawn, table))
        elif table.phase is Phase.CLOSED and drawn.counts:
            await self._execute(live, lambda _, now: [Counted(now, drawn.id, counts=False)] if drawn.counts else [])
