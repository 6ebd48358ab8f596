"""The hall where all tables stand: one line of people at each table, entries stored before anybody is told."""

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final

import msgspec

from illusion.rules import Doubt, Move, Variant
from illusion.tables import commands
from illusion.tables.entries import AnyEntry, Closed, Dealt, Doubted, decode, encode
from illusion.tables.errors import Code, Refused
from illusion.tables.fair import Secret, dealing
from illusion.tables.public import public_event
from illusion.tables.reactions import Reaction
from illusion.tables.record import Record, record
from illusion.tables.store import Stale, Store
from illusion.tables.table import Table

Command = Callable[[Table, float], list[AnyEntry]]
Event = tuple[int | None, bytes]
"""A number and the JSON that everybody gets, encoded once; a reaction has no number, as it is not in the log."""
Reader = Callable[[Event], object]
"""Called with every event as it happens; it must not wait."""

QUEUE: Final = 256
"""Events that may wait for a slow reader; then its stream ends, and it comes back by the last number it saw."""


@dataclass(eq=False)
class _Live:
    """A table in memory: its line, its events, and who listens."""

    table: Table
    line: asyncio.Lock = field(default_factory=asyncio.Lock)
    events: list[bytes] = field(default_factory=list)
    """The public event of each entry; entry number n is at n - 1."""
    readers: "set[Reader]" = field(default_factory=set)

    def take(self, entry: AnyEntry) -> Event:
        """Apply an entry that is stored; its public event."""
        happened = self.table.apply(entry)
        self.events.append(_encoder.encode(public_event(self.table, entry, happened)))
        return self.table.seq, self.events[-1]

    def tell(self, event: Event) -> None:
        """Hand an event to everybody who listens."""
        for reader in tuple(self.readers):
            reader(event)


_encoder = msgspec.json.Encoder()


class Listener:
    """Events one after another: those missed, then those that come; it ends when its reader falls too far behind."""

    def __init__(self) -> None:
        self._missed: deque[Event] = deque()
        self._coming: asyncio.Queue[Event | None] = asyncio.Queue(QUEUE)
        self._lost = False

    def tell(self, event: Event) -> None:
        """Take one more; who has fallen too far behind is sent away to come back."""
        if self._coming.full():
            self._lost = True
            while not self._coming.empty():
                self._coming.get_nowait()
            self._coming.put_nowait(None)
        elif not self._lost:
            self._coming.put_nowait(event)

    def miss(self, events: list[Event]) -> None:
        """What happened before it came."""
        self._missed.extend(events)

    def __aiter__(self) -> "Listener":
        return self

    async def __anext__(self) -> Event:
        event = self._missed.popleft() if self._missed else await self._coming.get()
        if event is None:
            raise StopAsyncIteration
        return event


class Hall:
    """All tables of one process. `on_change` is called with a table's id whenever something happened there."""

    def __init__(self, store: Store, now: Callable[[], float] = time.time) -> None:
        self._store = store
        self.now = now
        self._live: dict[str, _Live] = {}
        self._loading: dict[str, asyncio.Lock] = {}
        self.on_change: Callable[[str], object] = str

    async def open(
        self,
        name: str,
        seats: int,
        variant: Variant = Variant.FIRST_TO_THREE,
        bots: Sequence[str] = (),
        clock: int | None = None,
    ) -> tuple[str, str]:
        """A new table, and the token that holds its first chair."""
        token = commands.new_token()
        entries = commands.open_table(self.now(), token, name, seats, variant, bots, clock)
        return await self._new(entries), token

    async def sit(self, table: str, name: str) -> tuple[int, str]:
        """A chair, and the token that holds it."""
        token = commands.new_token()
        seat = -1

        def sit(state: Table, now: float) -> list[AnyEntry]:
            nonlocal seat
            entries = commands.sit(state, now, token, name)
            seat = entries[0].seat  # type: ignore[union-attr]
            return entries

        await self.do(table, sit)
        return seat, token

    async def move(self, table: str, seat: int, chosen: Move, seq: int) -> int:
        return await self.do(table, lambda state, now: commands.move(state, now, seat, chosen, seq))

    async def rematch(self, table: str) -> str:
        """The table where the same people play again; the first one to ask opens it."""
        live = await self._find(table)
        if live.table.rematch is None:
            id = commands.new_id()
            pointing, opening = commands.play_again(live.table, self.now(), id)
            await self._new(opening, id)
            try:
                await self.do(table, lambda state, _: pointing if state.rematch is None else [])
            except Refused:
                if live.table.rematch is None:
                    raise
        assert live.table.rematch is not None
        return live.table.rematch

    async def do(self, table: str, command: Command) -> int:
        """Take one's turn in the table's line and do something there; the number of the last entry."""
        live = await self._find(table)
        async with live.line:
            entries = command(live.table, self.now())
            if entries:
                await self._store_entries(live, entries)
            seq = live.table.seq
        if entries:
            self.on_change(table)
        return seq

    async def react(self, table: str, seat: int, reaction: Reaction) -> int:
        """Show a reaction to whoever listens; the number of the last entry, to which this adds none."""
        live = await self._find(table)
        live.tell((None, _encoder.encode({"seat": seat, "reaction": reaction})))
        return live.table.seq

    async def look(self, table: str) -> Table:
        """The table as it stands; only to be read."""
        return (await self._find(table)).table

    async def record(self, table: str) -> Record:
        """The finished game at a table, to keep and to check."""
        live = await self._find(table)
        return record(live.table, live.events)

    async def seat(self, table: str, token: str) -> int:
        """The seat a token holds at this table, or a refusal."""
        seat = (await self.look(table)).seat_of(commands.hashed(token))
        if seat is None:
            raise Refused(Code.NOT_SEATED)
        return seat

    @asynccontextmanager
    async def listen(self, table: str, after: int) -> AsyncIterator["Listener"]:
        """Everything that has happened since entry `after`, and then whatever happens."""
        listener = Listener()
        listener.miss(await self.follow(table, after, listener.tell))
        try:
            yield listener
        finally:
            self.unfollow(table, listener.tell)

    async def follow(self, table: str, after: int, reader: Reader) -> list[Event]:
        """Everything that has happened since entry `after`; the reader is called with whatever happens from now on."""
        live = await self._find(table)
        live.readers.add(reader)
        return list(enumerate(live.events[after:], after + 1))

    def unfollow(self, table: str, reader: Reader) -> None:
        if table in self._live:
            self._live[table].readers.discard(reader)

    async def unfinished(self) -> list[str]:
        return await self._store.unfinished()

    async def _new(self, entries: list[AnyEntry], id: str | None = None) -> str:
        id = id or commands.new_id()
        live = _Live(Table(id))
        await self._store_entries(live, entries)
        self._live[id] = live
        self.on_change(id)
        return id

    async def _find(self, table: str) -> _Live:
        live = self._live.get(table)
        if live is not None:
            return live
        async with self._loading.setdefault(table, asyncio.Lock()):
            if table not in self._live:
                stored = await self._store.read(table)
                if not stored:
                    self._loading.pop(table, None)
                    raise Refused(Code.NO_SUCH_TABLE)
                live = _Live(Table(table))
                for entry in map(decode, stored):
                    live.take(entry)
                live.table.turn_began = self.now()  # no clock runs while nobody serves the table
                self._live[table] = live
            self._loading.pop(table, None)
            return self._live[table]

    async def _store_entries(self, live: _Live, entries: list[AnyEntry]) -> None:
        """Store, then apply, then tell; a table that somebody else wrote to is read again and refuses as stale."""
        table = live.table
        stored = [encode(entry) for entry in entries]
        for entry in entries:
            if isinstance(entry, Dealt):  # shuffle beside the event loop, so that no other table waits for it
                secret = Secret(entry.seed, entry.nonce, entry.generator)
                await asyncio.to_thread(dealing, secret, len(table.sitters), table.variant)
        try:
            await self._store.append(table.id, table.seq + 1, stored, ended=_ends(table, entries))
        except Stale:
            for missed in await self._store.read(table.id, table.seq):
                live.tell(live.take(decode(missed)))
            raise Refused(Code.STALE, seq=table.seq) from None
        for entry in entries:
            live.tell(live.take(entry))


def _ends(table: Table, entries: list[AnyEntry]) -> bool:
    """Whether nothing is left to be done at this table once the entries are stored."""
    last = entries[-1]
    if isinstance(last, Doubted):
        return table.foresee(Doubt())[0].over
    return isinstance(last, Closed)
