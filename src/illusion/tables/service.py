"""All tables of one process: commands are executed one at a time per table, and stored before anything is published.

Optimistic concurrency between processes: an append names the number it writes. If another process was first, the
store raises Stale; the new entries are read and the command is retried on the new state. A refusal stands only if
the store has nothing new.
"""

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Coroutine, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from time import perf_counter
from typing import Final, NamedTuple

import msgspec

from illusion.bots.drawing import Drawing
from illusion.rules import Doubt, Event, Move, RulesError
from illusion.rules.setup import FEWEST_PLAYERS
from illusion.tables.model import commands
from illusion.tables.model.bot_players import BotTurn
from illusion.tables.model.commands import DAY_S, RefusalCode, Refused
from illusion.tables.model.entries import ID_LENGTH, PRINTED, AnyEntry, Closed, Dealt, Doubted, Terms, decode, encode
from illusion.tables.model.fair_deal import Dealing
from illusion.tables.model.table import Phase, Table
from illusion.tables.pace import RevealReaders, SeatedPage, earliest_turn
from illusion.tables.pictures import Pictures
from illusion.tables.public.record import Record, record
from illusion.tables.public.view import public_event
from illusion.tables.reviews import Progress, Reviews, check_over, finished_game, review_of_game
from illusion.tables.stores import Hint, Stale, Store, StoreFailed
from illusion.tables.worker import Where, Worker

POLL_INTERVAL_S: Final = 2.0
"""A lost hint delays an event by this at most."""
UNUSED_TABLES: Final = 128
"""Size of the LRU cache of tables that nobody uses."""
LOG: Final = logging.getLogger("illusion")

Command = Callable[[Table, float], list[AnyEntry]]
"""Called with the state and the time; returns the entries to append."""

_json = msgspec.json.Encoder().encode


class Reaction(StrEnum):
    """A reaction that a player can show to the table."""

    CLAP = "clap"
    LAUGH = "laugh"
    WOW = "wow"
    THINK = "think"
    OOPS = "oops"
    HEART = "heart"


class Notice(NamedTuple):
    """A message to readers: a public event of the log, or a reaction, which is not logged and has no number."""

    seq: int | None
    json: bytes


EventReader = Callable[[Notice], object]
"""Called on the event loop with every notice; it must not block, and is dropped if it raises."""


@dataclass(eq=False, slots=True)
class LiveTable:
    """A table in memory. It may lag behind its log if other processes write."""

    table: Table
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Serializes commands."""
    users: int = 0
    """Commands and readers that keep the table in memory."""
    uncertain: bool = False
    """The store did not confirm an append: the log must be read before the table is used again."""
    reveal: RevealReaders = field(default_factory=RevealReaders)
    readers: dict[EventReader, int] = field(default_factory=dict)
    """Readers, with the number of the last event each was given."""


@dataclass(slots=True)
class Owned:
    """A table whose bots and clock this server runs."""

    claimed_at: float = 0.0
    """When it was claimed, or 0: no clock counts from before."""
    last_change: float = field(default_factory=time.monotonic)
    keep_s: float = 0.0
    """A table is not closed as idle before a turn's time has passed. Known once somebody has looked."""


class ServiceObserver:
    """Observes a `TableService`. Override the methods of interest; they must not block."""

    def loaded(self, table: str) -> None:
        """A table was loaded."""

    def may_be_due(self, table: str) -> None:
        """The table changed, or a row has been read: the next deadline of its bots or clock may have changed."""

    def changed(self, table: str) -> None:
        """This server has stored entries of a table that goes on."""

    def ended(self, table: str) -> None:
        """The game is over, or the table was closed."""

    def stored(self, entries: Sequence[AnyEntry], seconds: float | None) -> None:
        """Entries became durable, in `seconds`; None if the store failed."""


class TableService:
    """The tables of one process, and the observer of its store.

    Other servers' entries are announced by hints; polling finds those whose hint was lost.
    """

    def __init__(
        self,
        store: Store,
        now: Callable[[], float] = time.time,
        cached_tables: int = UNUSED_TABLES,
        observers: Sequence[ServiceObserver] = (),
        drawing: Where | None = None,
    ) -> None:
        """`drawing`, where pictures are drawn, depends on the number of cores by default."""
        self.store = store
        self._observers = observers
        self.now = now
        self.worker = Worker(Where.THREAD)
        """For work that takes milliseconds, so that it does not block the event loop."""
        self.pictures = Pictures(drawing)
        self.reviews = Reviews(Where.HERE if drawing is Where.HERE else Where.PROCESS)
        self._tables: dict[str, LiveTable] = {}
        self._unused: OrderedDict[str, None] = OrderedDict()
        """Tables that may be evicted, least recently used first."""
        self._most_unused = cached_tables
        self._loading: dict[str, asyncio.Task[None]] = {}
        self.owned: dict[str, Owned] = {}
        """Unfinished tables whose last entry this server stored, or which it has claimed since."""
        self._process_start = now()
        self._rematches: dict[str, asyncio.Task[str]] = {}
        """Rematches that are being opened."""
        self._following: set[asyncio.Task[None]] = set()

    def follow(self) -> None:
        """Start to poll for other servers' entries, if the store is shared."""
        if self.store.shared:
            self._begin(self._poll())

    async def stop(self) -> None:
        """Cancel drawing, reviews, loading and polling."""
        following = list(self._following)
        for task in following:
            task.cancel()
        await asyncio.gather(*following, return_exceptions=True)
        await self.pictures.stop()
        await self.reviews.stop()
        self.worker.stop()

    async def open(
        self,
        name: str,
        seats: int,
        terms: Terms = PRINTED,
        bots: Sequence[str] = (),
    ) -> tuple[str, str]:
        """Open a table; returns its id and the token of its first seat."""
        token = commands.new_token()
        entries = commands.open_table(self.now(), token, name, seats, terms, bots)
        return await self.open_with(commands.new_id(), entries), token

    async def sit(
        self, table: str, name: str, token: str = "", seat: int | None = None, known: Collection[str] = ()
    ) -> tuple[int, str]:
        """Take a free chair, or a seat during a game; returns the seat and its token. A page may bring the token, so
        that sending its form twice takes one seat. `known` are hashes of other tokens of the same device."""
        token = token or commands.new_token()
        await self.execute(table, lambda state, now: commands.sit(state, now, token, name, seat, known))
        return await self.seat(table, token), token

    async def wait(self, table: str, name: str, token: str = "", known: Collection[str] = ()) -> str:
        """Get a promise of a seat in the next game; returns the token that will hold it."""
        token = token or commands.new_token()
        await self.execute(table, lambda state, now: commands.wait(state, now, token, name, known))
        return token

    async def move(self, table: str, seat: int, chosen: Move, seq: int) -> int:
        return await self.execute(table, lambda state, now: commands.move(state, now, seat, chosen, seq))

    async def rematch(self, table: str, hashes: Collection[str]) -> str:
        """The id of the table's rematch, opened by the first request. People with these tokens sit down there."""
        opening = self._rematches.get(table)
        if opening is None:
            opening = self._rematches[table] = asyncio.create_task(self._rematch(table, hashes))
            opening.add_done_callback(lambda _: self._rematches.pop(table))
        again = await asyncio.shield(opening)
        people = commands.people_of(await self.get(table), hashes)
        await self.execute(again, lambda state, now: commands.join_again(state, now, people))
        return again

    async def _rematch(self, table: str, hashes: Collection[str]) -> str:
        while (state := await self.get_current(table)).rematch is None:
            id, seq = commands.new_id(), state.seq
            (link,), opening = commands.play_again(state, self.now(), id, hashes)
            await self.open_with(id, opening)
            await self.execute(table, partial(_unless_changed, link, seq))
            if _is_alone(state, hashes) and (await self.get(table)).rematch == id:
                await self.execute(id, lambda again, now: commands.start(again, now, again.host or 0))
        return state.rematch

    async def execute(self, table: str, command: Command) -> int:
        """Execute a command at a table; returns the number of the table's last entry.

        The only way to change a table. When it returns, the entries are durable; readers are told afterwards.
        """
        async with self._locked(table) as live:
            await self._execute(live, command)
            return live.table.seq

    async def react(self, table: str, seat: int, reaction: Reaction) -> int:
        """Show a reaction to all connected readers, of all processes; returns the number of the last entry."""
        live = await self._find(table)
        message = msgspec.json.encode({"seat": seat, "reaction": reaction})
        self._publish_soon(live, [Notice(None, message)])
        self.store.send_message(table, message)
        return live.table.seq

    def message(self, table: str, message: bytes) -> None:
        """A reaction from another server (`StoreObserver`)."""
        live = self._tables.get(table)
        if live is not None:
            self._publish_soon(live, [Notice(None, message)])

    def appended(self, hint: Hint) -> None:
        """Another server has stored entries (`StoreObserver`). A hint may be wrong or late; only the store is trusted.

        A table that nobody uses here is dropped from memory instead of being read.
        """
        live = self._tables.get(hint.table)
        if live is not None and live.table.seq >= hint.seq:
            return
        if live is not None and live.users:
            self._begin(self._follow(hint))
            return
        if live is not None:
            self._forget(hint.table)
        self._changed(hint.table, here=False, ended=hint.ended, is_due=True)

    async def get(self, table: str) -> Table:
        """The table, which may lag behind other servers' entries. Read only."""
        live = await self._find(table)
        if live.uncertain:
            return await self.catch_up(table)
        return live.table

    async def get_current(self, table: str) -> Table:
        """The table including other servers' entries. Read only."""
        return await self.catch_up(table) if self.store.shared else await self.get(table)

    async def catch_up(self, table: str) -> Table:
        """The table, after reading new entries from the store."""
        async with self._locked(table) as live:
            await self._catch_up(live)
            return live.table

    def in_memory(self, table: str) -> Table | None:
        """The table if it is in memory. Read only."""
        live = self._tables.get(table)
        return None if live is None else live.table

    def tables_in_memory(self) -> list[Table]:
        return [live.table for live in self._tables.values()]

    async def drawing(self, address: str) -> Drawing | None:
        """The drawing at a card's address, or None if there is none or the card has not been visible."""
        table = address[:ID_LENGTH]
        card = (await self.get(table)).card_at(address)
        if card is None:  # another server may just have revealed it
            card = (await self.get_current(table)).card_at(address)
        return None if card is None else await self.pictures.drawn(card)

    async def record(self, table: str) -> Record:
        """The finished game, to keep and to verify."""
        return await self.worker.run(record, await self.get_current(table))

    async def review(self, table: str) -> bytes | Progress:
        """The review of a finished game as JSON, or its progress. Raises TooMuchWork and NoAnswer."""
        state = await self.get_current(table)
        check_over(state)
        if (kept := self.reviews.kept(table)) is not None:
            return kept
        if not self.reviews.is_asked(table):
            self.reviews.ask(table, review_of_game, finished_game(state))
        return Progress(0, len(state.moves))

    async def decision(self, turn: BotTurn) -> Move:
        """A bot's decision. Pictures it needs are drawn first."""
        return await self.worker.run(turn.decide, await self.pictures.sights(turn.cards))

    async def seat(self, table: str, token: str) -> int:
        """The seat that a token holds; refuses a token without one."""
        hashed = commands.hashed(token)
        seat = (await self.get(table)).seat_of(hashed)
        if seat is None:
            seat = (await self.get_current(table)).seat_of(hashed)
        if seat is None:
            raise Refused(RefusalCode.NOT_SEATED)
        return seat

    async def subscribe(self, table: str, after: int, reader: EventReader) -> list[Notice]:
        """Subscribe a reader to all future events; returns the events after number `after`, replayed from the log."""
        await self.get_current(table)
        live = await self._acquire(table)
        events: list[Notice] = []
        while max(after, len(events)) < live.table.seq:  # more may be stored during the awaits
            stored = await self.store.read(table)
            events = await self.worker.run(_public_events, table, stored[: live.table.seq], live.table.dealing)
        if reader in live.readers:
            self._release(live)
        else:
            live.readers[reader] = live.table.seq
        return events[after:]

    def unsubscribe(self, table: str, reader: EventReader) -> None:
        live = self._tables.get(table)
        if live is not None and live.readers.pop(reader, None) is not None:
            self._release(live)

    def open_page(self, table: str, page: SeatedPage, after: int) -> None:
        """A seated person's page opened, which has seen everything up to number `after`: bots wait while it shows a
        revealed row."""
        live = self._tables.get(table)
        if live is not None:
            live.reveal.open(page, after)
            self.pictures.prefetch(live.table.cards_to_prefetch())

    def go_on(self, table: str, page: SeatedPage, seq: int) -> None:
        """The page has shown everything up to `seq`."""
        live = self._tables.get(table)
        if live is not None and live.reveal.go_on(page, min(seq, live.table.seq), self.now()):
            self._may_be_due(table)

    def close_page(self, table: str, page: SeatedPage) -> None:
        live = self._tables.get(table)
        if live is not None and live.reveal.close(page, self.now()):
            self._may_be_due(table)

    def reveal(self, table: str) -> RevealReaders:
        """Who still looks at the last revealed row, for a table in memory."""
        live = self._tables.get(table)
        return RevealReaders() if live is None else live.reveal

    async def _find(self, table: str) -> LiveTable:
        """The table, loaded if need be; it stays in memory at least until the caller awaits. Refuses an unknown id.

        A malformed id never reaches the store: a database may reject it together with other reads.
        """
        while (live := self._tables.get(table)) is None:
            if not commands.is_table_id(table):
                raise Refused(RefusalCode.NO_SUCH_TABLE)
            loading = self._loading.get(table)
            if loading is None:
                loading = self._loading[table] = asyncio.create_task(self._load(table))
            await asyncio.shield(loading)
        if table in self._unused:
            self._unused.move_to_end(table)
        return live

    async def _load(self, table: str) -> None:
        """Replay the log in the worker's thread.

        With a store that is not shared the clock starts now, since nobody else can have served the table before.
        """
        try:
            stored = await self.store.read(table)
            if not stored:
                raise Refused(RefusalCode.NO_SUCH_TABLE)
            began = self._process_start if self.store.shared else self.now()
            self._keep(await self.worker.run(_replayed, table, stored, began, self._process_start))
            for observer in self._observers:
                observer.loaded(table)
        finally:
            del self._loading[table]

    @asynccontextmanager
    async def _locked(self, table: str) -> AsyncIterator[LiveTable]:
        """The table, locked and kept in memory."""
        live = await self._acquire(table)
        try:
            async with live.lock:
                yield live
        finally:
            self._release(live)

    async def _acquire(self, table: str) -> LiveTable:
        """The table, kept in memory until `_release`."""
        live = await self._find(table)
        live.users += 1
        self._unused.pop(table, None)
        return live

    def _release(self, live: LiveTable) -> None:
        live.users -= 1
        if live.users == 0:
            self._keep(live)

    def _keep(self, live: LiveTable) -> None:
        """Cache a table that nobody uses, and evict the oldest."""
        self._tables[live.table.id] = live
        self._unused[live.table.id] = None
        if len(self._unused) > self._most_unused:
            self._forget(next(iter(self._unused)))

    def _forget(self, table: str) -> None:
        """Drop an unused table from memory."""
        del self._tables[table], self._unused[table]

    def _begin(self, following: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(following)
        self._following.add(task)
        task.add_done_callback(self._following.discard)

    async def _follow(self, hint: Hint) -> None:
        with suppress(StoreFailed, Refused):  # the next poll finds it
            async with self._locked(hint.table) as live:
                if live.table.seq < hint.seq:
                    await self._catch_up(live)

    async def _poll(self) -> None:
        while True:
            await asyncio.sleep(POLL_INTERVAL_S)
            with suppress(StoreFailed):
                for table, seq in (await self.store.heads([live.table.id for live in self._tables.values()])).items():
                    self.appended(Hint(table, seq))

    async def open_with(self, id: str, entries: list[AnyEntry]) -> str:
        """Open a table under an id that was chosen before. Refused as stale if it is there already."""
        live = LiveTable(Table(id))
        try:
            await self._append(live, entries)
        except Stale:
            raise Refused(RefusalCode.STALE, seq=0) from None
        self._keep(live)
        return id

    async def _execute(self, live: LiveTable, command: Command) -> None:
        """Retry until the command fits the newest state. Each retry means that another process made progress."""
        if live.uncertain:
            await self._catch_up(live)
        while True:
            try:
                entries = command(live.table, self.now())
            except (Refused, RulesError):
                if self.store.shared and await self._catch_up(live):
                    continue
                raise
            if not entries or await first_to_append(self._append(live, entries), partial(self._catch_up, live)):
                return

    async def _append(self, live: LiveTable, entries: list[AnyEntry]) -> None:
        """Store and apply entries; publish them after the caller has been answered."""
        dealt = [await self._dealt(live.table, entry) for entry in entries]
        stored = [encode(entry) for entry in entries]
        began = perf_counter()
        try:
            await self.store.append(live.table.id, live.table.seq + 1, stored, ended=_ends(live.table, entries))
        except Stale:
            raise
        except BaseException as error:  # even cancellation: the append may be in the log or not
            live.uncertain = True
            if isinstance(error, StoreFailed):
                self._stored(entries, None)
            raise
        self._stored(entries, perf_counter() - began)
        self._publish_soon(live, [_take(live, *each) for each in zip(entries, dealt, strict=True)])

    async def _catch_up(self, live: LiveTable) -> bool:
        """Apply and publish other processes' entries; returns whether there were any."""
        stored = await self.store.read(live.table.id, live.table.seq)
        for entry in map(decode, stored):
            dealt = await self._dealt(live.table, entry)  # in order: it depends on the state so far
            self._publish_soon(live, [_take(live, entry, dealt)], here=not self.store.shared)
        live.uncertain = False
        return bool(stored)

    def _publish_soon(self, live: LiveTable, notices: list[Notice], *, here: bool = True) -> None:
        """Publish in the loop's next iteration, so that a stored command is answered whatever happens there."""
        asyncio.get_running_loop().call_soon(self._publish, live, notices, here)

    def _publish(self, live: LiveTable, notices: list[Notice], here: bool) -> None:  # noqa: FBT001  (for the loop)
        for notice in notices:
            self._tell(live, notice)
        if notices[-1].seq is None:
            return
        table = live.table
        if live.reveal.pages:  # programs rarely need pictures
            self.pictures.prefetch(table.cards_to_prefetch())
        ended = table.phase in (Phase.OVER, Phase.CLOSED)
        self._changed(table.id, here=here, ended=ended, is_due=not here or table.needs_server)

    def _changed(self, table: str, *, here: bool, ended: bool, is_due: bool) -> None:
        """The table belongs to the server that stored its last entry."""
        if here and not ended:
            self.owned.setdefault(table, Owned()).last_change = time.monotonic()
            for observer in self._observers:
                observer.changed(table)
        else:
            self.owned.pop(table, None)
        if is_due:
            self._may_be_due(table)
        if ended:
            for observer in self._observers:
                observer.ended(table)

    def _may_be_due(self, table: str) -> None:
        for observer in self._observers:
            observer.may_be_due(table)

    def _tell(self, live: LiveTable, notice: Notice) -> None:
        """Call all readers; one that raises is logged and dropped."""
        for reader, last in tuple(live.readers.items()):
            if notice.seq is not None:
                if notice.seq <= last:
                    continue  # subscribed after the entry was applied
                live.readers[reader] = notice.seq
            try:
                reader(notice)
            except Exception:
                LOG.exception("reader-failed")
                self.unsubscribe(live.table.id, reader)

    def _stored(self, entries: list[AnyEntry], seconds: float | None) -> None:
        for observer in self._observers:
            observer.stored(entries, seconds)

    async def _dealt(self, table: Table, entry: AnyEntry) -> Dealing | None:
        return await self.worker.run(table.dealing_for, entry) if isinstance(entry, Dealt) else None


def _unless_changed(link: AnyEntry, seq: int, state: Table, _now: float) -> list[AnyEntry]:
    """No entry if the table has changed since `seq`: somebody may have been promised a seat, or sent away."""
    return [link] if state.seq == seq else []


def _is_alone(table: Table, hashes: Collection[str]) -> bool:
    """Whether a rematch can start at once: these tokens hold all people's seats, and there are enough players."""
    people = [sitter.token_hash for sitter in table.sitters if sitter.token_hash is not None]
    bots = sum(sitter.is_bot for sitter in table.sitters)
    return not table.promised and set(people) <= set(hashes) and len(people) + bots >= FEWEST_PLAYERS


def _ends(table: Table, entries: list[AnyEntry]) -> bool:
    """Whether these entries end the table, so that it needs no automation any more."""
    last = entries[-1]
    if isinstance(last, Doubted):
        return table.preview(Doubt())[0].over
    return isinstance(last, Closed)


async def first_to_append(append: Awaitable[None], catch_up: Callable[[], Awaitable[bool]]) -> bool:
    """Whether the entries were stored. If another process was first, its entries have been caught up with instead."""
    try:
        await append
    except Stale:
        if not await catch_up():
            raise StoreFailed("the store has lost what it had confirmed") from None
        return False
    return True


def _take(live: LiveTable, entry: AnyEntry, dealt: Dealing | None = None) -> Notice:
    """Apply a stored entry; returns its public event."""
    happened: tuple[Event, ...] = live.table.apply(entry, dealt)
    if isinstance(entry, Doubted):
        live.reveal.turn_over(live.table.seq, entry.at)
    return Notice(live.table.seq, _json(public_event(live.table, entry, happened)))


def _replayed(table: str, stored: Sequence[bytes], served_since: float, process_start: float) -> LiveTable:
    """Replay a log. The current turn begins at `served_since` at the earliest.

    A slow table may have been evicted and is loaded again: it is served since the process started.
    """
    live = LiveTable(Table(table))
    for entry in map(decode, stored):
        _take(live, entry)
    if live.table.phase is Phase.PLAYING:
        clock = live.table.terms.clock
        since = process_start if clock is not None and clock >= DAY_S else served_since
        live.table.turn_began = max(live.table.turn_began, earliest_turn(since, clock))
    return live


def _public_events(table: str, stored: Sequence[bytes], dealt: Dealing | None) -> list[Notice]:
    """All public events of a log."""
    again = LiveTable(Table(table))
    return [_take(again, entry, dealt) for entry in map(decode, stored)]
