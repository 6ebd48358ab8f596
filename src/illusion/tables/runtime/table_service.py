"""The service where all tables stand: one line of people at each table, entries stored before anybody is told.

Other processes may have the same table in their services: whoever stores a number first wins, the other one reads what
is there and tries again on the new state. A refusal stands only if nothing new is in the store.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from time import perf_counter

import msgspec

from illusion.rules import Doubt, Move, RulesError, Variant
from illusion.tables.model import commands
from illusion.tables.model.entries import AnyEntry, Closed, Dealt, Doubted, decode, encode
from illusion.tables.model.errors import RefusalCode, Refused
from illusion.tables.model.fair_deal import Secret, dealing
from illusion.tables.model.reactions import Reaction
from illusion.tables.model.table import Table
from illusion.tables.public.record import Record, record
from illusion.tables.runtime.live_table import Event, Listener, LiveTable, Reader
from illusion.tables.runtime.table_cache import ROOM, TableCache
from illusion.tables.stores.base import Claims, Stale, Store, StoreFailed, ignore

Command = Callable[[Table, float], list[AnyEntry]]


class TableService:
    """The tables of one process.

    `on_change` is called with a table's id whenever something happened there, `on_open` when there is a new table,
    `on_stored` with entries and the seconds until they were durable, or None if the store failed.
    """

    def __init__(self, store: Store, now: Callable[[], float] = time.time, room: int = ROOM) -> None:
        self._store = store
        self.now = now
        self._room = TableCache(store, now(), room)
        self.on_change: Callable[[str], object] = str
        self.on_open: Callable[[str], object] = str
        self.on_stored: Callable[[Sequence[AnyEntry], float | None], object] = ignore

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

        await self.execute(table, sit)
        return seat, token

    async def move(self, table: str, seat: int, chosen: Move, seq: int) -> int:
        return await self.execute(table, lambda state, now: commands.move(state, now, seat, chosen, seq))

    async def rematch(self, table: str) -> str:
        """The table where the same people play again; the first one to ask opens it."""
        state = await self.get_current(table)
        if state.rematch is None:
            id = commands.new_id()
            pointing, opening = commands.play_again(state, self.now(), id)
            await self._new(opening, id)
            await self.execute(table, lambda state, _: pointing if state.rematch is None else [])
            state = await self.get(table)
        assert state.rematch is not None
        return state.rematch

    async def execute(self, table: str, command: Command) -> int:
        """Take one's turn in the table's line and do something there; the number of the last entry."""
        live = await self._room.use(table)
        try:
            async with live.line:
                await self._do(live, command)
                return live.table.seq
        finally:
            self._room.leave(live)

    def do_at_once(self, table: str, command: Command, then: Callable[[int | None], object]) -> bool:
        """Do something without a task and without waiting, if nothing at all is in its way.

        Then it is under way, and `then` gets the number of its last entry once that is durable, or None if nothing was
        done. Else nothing has happened, and `do` will say why. Nobody can be dealt to in this way, which takes a while.
        """
        live = self._room.here(table)
        if live is None or live.unsure or not live.line.take():
            return False
        began = perf_counter()
        storing = None
        try:
            entries = command(live.table, self.now())
            if entries:
                storing = asyncio.ensure_future(self._stored(live.table, entries))
        except Exception:  # refused, or broken: `do` will say so
            storing = None
        if storing is None:
            live.line.leave()
            return False
        self._room.enter(live)
        storing.add_done_callback(lambda done: then(self._done(live, entries, done, began)))
        return True

    def _done(
        self, live: LiveTable, entries: list[AnyEntry], storing: "asyncio.Future[None]", began: float
    ) -> int | None:
        """What becomes of something done at once: the number of its last entry, or None."""
        try:
            storing.result()
            self._take(live, entries, began)
            self.on_change(live.table.id)
        except BaseException as error:  # whatever it was, `do` finds out
            live.unsure |= not isinstance(error, Stale)
            return None
        else:
            return live.table.seq
        finally:
            live.line.leave()
            self._room.leave(live)

    async def react(self, table: str, seat: int, reaction: Reaction) -> int:
        """Show a reaction to whoever listens, here or elsewhere; the number of the last entry: this adds none."""
        live = await self._room.find(table)
        said = msgspec.json.encode({"seat": seat, "reaction": reaction})
        live.tell((None, said))
        self._store.send_message(table, said)
        return live.table.seq

    def heard(self, table: str, said: bytes) -> None:
        """A reaction that was shown on another process."""
        live = self._room.here(table)
        if live is not None:
            live.tell((None, said))

    async def get(self, table: str) -> Table:
        """The table as it is known here; only to be read."""
        return (await self._room.find(table)).table

    async def get_current(self, table: str) -> Table:
        """The table as it stands, whoever has written meanwhile; only to be read."""
        live = await self._room.find(table)
        if self._store.shared or live.unsure:
            await self.catch_up(table)
            live = await self._room.find(table)
        return live.table

    async def catch_up(self, table: str) -> None:
        """Read what others have written."""
        live = await self._room.use(table)
        try:
            async with live.line:
                await self._catch_up(live)
        finally:
            self._room.leave(live)

    def here(self, table: str) -> Table:
        """A table that is in use, as it is known here."""
        live = self._room.here(table)
        assert live is not None
        return live.table

    def known_seqs(self) -> dict[str, int]:
        """The tables in memory and the last number known of each."""
        return self._room.known()

    def is_behind(self, table: str, seq: int) -> bool:
        """Whether a table in memory has not heard of this number."""
        live = self._room.here(table)
        return live is not None and live.table.seq < seq

    async def record(self, table: str) -> Record:
        """The finished game at a table, to keep and to check."""
        await self.get_current(table)
        live = await self._room.find(table)
        return record(live.table, live.events)

    async def seat(self, table: str, token: str) -> int:
        """The seat a token holds at this table, or a refusal."""
        hashed = commands.hashed(token)
        seat = (await self.get(table)).seat_of(hashed)
        if seat is None:
            seat = (await self.get_current(table)).seat_of(hashed)
        if seat is None:
            raise Refused(RefusalCode.NOT_SEATED)
        return seat

    @asynccontextmanager
    async def listen(self, table: str, after: int) -> AsyncIterator["Listener"]:
        """Everything that has happened since entry `after`, and then whatever happens."""
        listener = Listener()
        listener.miss(await self.subscribe(table, after, listener.tell))
        try:
            yield listener
        finally:
            self.unsubscribe(table, listener.tell)

    async def subscribe(self, table: str, after: int, reader: Reader) -> list[Event]:
        """Everything that has happened since entry `after`; the reader is called with whatever happens from now on."""
        await self.get_current(table)
        live = await self._room.use(table)
        if reader in live.readers:
            self._room.leave(live)
        live.readers.add(reader)
        return list(enumerate(live.events[after:], after + 1))

    def unsubscribe(self, table: str, reader: Reader) -> None:
        live = self._room.here(table)
        if live is not None and reader in live.readers:
            live.readers.discard(reader)
            self._room.leave(live)

    async def claim(self) -> Claims:
        """The tables that this process is to drive, see `Store.claim`."""
        return await self._store.claim()

    async def unfinished(self) -> int:
        """How many tables have not ended, whoever drives them."""
        return await self._store.unfinished()

    async def _new(self, entries: list[AnyEntry], id: str | None = None) -> str:
        id = id or commands.new_id()
        live = LiveTable(Table(id))
        try:
            await self._append(live, entries)
        except Stale:
            raise Refused(RefusalCode.STALE, seq=0) from None
        self._room.add(live)
        self.on_open(id)
        return id

    async def _do(self, live: LiveTable, command: Command) -> None:
        """Until the command fits the newest state. Every further try means that somebody else got something done."""
        if live.unsure:
            await self._catch_up(live)
        while True:
            try:
                entries = command(live.table, self.now())
            except (Refused, RulesError):
                if self._store.shared and await self._catch_up(live):
                    continue
                raise
            if not entries:
                return
            try:
                await self._append(live, entries)
            except Stale:
                if not await self._catch_up(live):
                    raise StoreFailed("the store has lost what it had confirmed") from None
            else:
                self.on_change(live.table.id)
                return

    async def _append(self, live: LiveTable, entries: list[AnyEntry]) -> None:
        """Store, then apply, then tell."""
        for entry in entries:
            await _shuffled(live.table, entry)
        began = perf_counter()
        try:
            await self._stored(live.table, entries)
        except Stale:
            raise
        except BaseException as error:
            live.unsure = True
            if isinstance(error, StoreFailed):
                self.on_stored(entries, None)
            raise
        self._take(live, entries, began)

    def _stored(self, table: Table, entries: list[AnyEntry]) -> Awaitable[None]:
        stored = [encode(entry) for entry in entries]
        return self._store.append(table.id, table.seq + 1, stored, ended=_ends(table, entries))

    def _take(self, live: LiveTable, entries: list[AnyEntry], began: float) -> None:
        self.on_stored(entries, perf_counter() - began)
        for entry in entries:
            live.tell(live.take(entry))

    async def _catch_up(self, live: LiveTable) -> bool:
        """Apply and tell what others have stored; whether there was anything."""
        missed = [decode(entry) for entry in await self._store.read(live.table.id, live.table.seq)]
        for entry in missed:
            await _shuffled(live.table, entry)  # for those who have sat down by then
            live.tell(live.take(entry))
        live.unsure = False
        if missed:
            self.on_change(live.table.id)
        return bool(missed)


async def _shuffled(table: Table, entry: AnyEntry) -> None:
    """Shuffle beside the event loop, so that no other table waits for it."""
    if isinstance(entry, Dealt):
        secret = Secret(entry.seed, entry.nonce, entry.generator)
        await asyncio.to_thread(dealing, secret, len(table.sitters), table.variant)


def _ends(table: Table, entries: list[AnyEntry]) -> bool:
    """Whether nothing is left to be done at this table once the entries are stored."""
    last = entries[-1]
    if isinstance(last, Doubted):
        return table.foresee(Doubt())[0].over
    return isinstance(last, Closed)
