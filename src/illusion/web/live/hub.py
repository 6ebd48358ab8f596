"""Fan-out: an event is encoded once for all pages and once for all programs, and put into every inbox.

Programs get the event; pages the event, the view after it, and the pictures of newly visible cards. Texts and palettes
are the page's business, so that all pages get the same message.
"""

import asyncio
import gzip
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

import msgspec

from illusion.tables import Table, TableService, public_view
from illusion.tables.service import Notice

MAX_WAITING: Final = 64
"""Bound of an inbox. A client that falls further behind is disconnected; it reconnects and gets one whole view."""
AT_ONCE: Final = 8
"""Messages that are sent together at most: a client that reads slowly is not given all at once."""
BEAT_S: Final = 4.0
"""Seconds between heartbeats, which are left out if an event was sent meanwhile."""
READ_TOLD_S: Final = 0.1
"""Pages are told this late who still looks at a row: people go on together."""
PAGES_HEARTBEAT: Final = "{}"
PROGRAMS_HEARTBEAT: Final = ": still here\n\n"
LOOKED_BACK: Final = 60
"""The number of missed events that are searched for a doubt."""

_encode: Final = msgspec.json.Encoder().encode


class Inbox:
    """A connection's queue of messages to send, with a tenth of the memory of an asyncio.Queue."""

    def __init__(self) -> None:
        self.seq = 0
        """The number of the last event put in."""
        self._loop = asyncio.get_running_loop()
        self._waiting = list[str]()
        self._taker: asyncio.Future[None] | None = None
        self._closed = False

    def put(self, message: str, seq: int | None = None) -> None:
        """Add a message without blocking, unless its event has been added before."""
        if self._closed or (seq is not None and seq <= self.seq):
            return
        if len(self._waiting) >= MAX_WAITING:
            self._waiting.clear()
            self.close()
            return
        self.seq = self.seq if seq is None else seq
        self._waiting.append(message)
        self._wake()

    def close(self) -> None:
        """End the connection after the pending messages."""
        self._closed = True
        self._wake()

    async def take(self) -> list[str]:
        """Wait for the next messages; none once closed. To be called by one task only."""
        while not self._waiting and not self._closed:
            self._taker = self._loop.create_future()
            await self._taker
        some, self._waiting = self._waiting[:AT_ONCE], self._waiting[AT_ONCE:]
        return some

    def _wake(self) -> None:
        if self._taker is not None and not self._taker.done():
            self._taker.set_result(None)


class Hub:
    """The connections of one table."""

    def __init__(self, service: TableService, table: str) -> None:
        self.users = 0
        """Connections, including those being opened."""
        self._service = service
        self._table = table
        self._pages = set[Inbox]()
        self._programs = set[Inbox]()
        self._shown = 0
        """The number of cards whose pictures pages have been sent or have asked for."""
        self._reading = list[int]()
        """The seats that still look at a revealed row, as last sent to pages."""
        self._telling: asyncio.TimerHandle | None = None
        self._is_quiet = False
        """Whether no event was sent since the last beat."""
        self._next_beat = asyncio.get_running_loop().call_later(BEAT_S, self._beat)

    def add(self, inbox: Inbox, seq: int, *, is_page: bool) -> None:
        """Send all events after number `seq` to this inbox."""
        inbox.seq = seq
        if not self._pages:
            self._shown = len(self._state().seen_cards())
        (self._pages if is_page else self._programs).add(inbox)
        if is_page and self._reading:
            inbox.put(_who_reads(self._reading))

    def discard(self, inbox: Inbox) -> None:
        self._pages.discard(inbox)
        self._programs.discard(inbox)

    def tell(self, notice: Notice) -> None:
        """Called by the service, in the order of events. If encoding fails, all connections end, to reconnect."""
        self._is_quiet = False
        try:
            if self._pages:
                state = self._state()
                _put(self._pages, for_pages(state, notice, self._new_pictures(state)), notice.seq)
                self._tell_who_reads()
            if self._programs:
                _put(self._programs, for_programs(notice), notice.seq)
        except Exception:
            self.close()
            raise

    def tell_who_reads(self) -> None:
        """Tell pages soon which seats still look at the revealed row, if that changes."""
        if self._telling is None:
            self._telling = asyncio.get_running_loop().call_later(READ_TOLD_S, self._tell_who_reads)

    def _tell_who_reads(self) -> None:
        """Lost seats are not waited for."""
        if self._telling is not None:
            self._telling.cancel()
            self._telling = None
        state, reading = self._service.in_memory(self._table), set[int]()
        for page in list(self._service.reveal(self._table).reading()):
            seats = [] if state is None else page.seats_at(state)
            reading.update(seats)
            if not seats:
                self._service.close_page(self._table, page)
        if sorted(reading) != self._reading:
            self._reading = sorted(reading)
            _put(self._pages, _who_reads(self._reading), None)

    def close(self) -> None:
        for inbox in (*self._pages, *self._programs):
            inbox.close()

    def end(self) -> None:
        """The last connection has ended."""
        self._next_beat.cancel()
        if self._telling is not None:
            self._telling.cancel()

    def _beat(self) -> None:
        """Send heartbeats to idle connections, with one timer for all."""
        self._next_beat = asyncio.get_running_loop().call_later(BEAT_S, self._beat)
        if self._is_quiet:
            _put(self._pages, PAGES_HEARTBEAT, None)
            _put(self._programs, PROGRAMS_HEARTBEAT, None)
        self._is_quiet = True

    def _state(self) -> Table:
        state = self._service.in_memory(self._table)
        if state is None:
            raise LookupError(f"table {self._table} is not in memory although somebody follows it")
        return state

    def _new_pictures(self, state: Table) -> dict[str, str]:
        """The pictures of new cards that are drawn already; pages request the others."""
        new = state.seen_cards(self._shown)
        self._shown += len(new)
        ready = ((state.card_address(card.number), self._service.pictures.ready(card)) for card in new)
        return {address: gzip.decompress(drawing.front).decode() for address, drawing in ready if drawing is not None}


def _put(inboxes: set[Inbox], message: str, seq: int | None = None) -> None:
    for inbox in inboxes:
        inbox.put(message, seq)


class Hubs:
    """The hubs of this process: one for each table that has a connection."""

    def __init__(self, service: TableService) -> None:
        self._service = service
        self._hubs: dict[str, Hub] = {}

    def __len__(self) -> int:
        return len(self._hubs)

    @asynccontextmanager
    async def join(self, table: str, after: int, *, is_page: bool) -> AsyncIterator[tuple[Inbox, list[Notice]]]:
        """An inbox for future events, and the missed ones after number `after`. Raises StoreFailed."""
        if table not in self._hubs:
            self._hubs[table] = Hub(self._service, table)
        hub, inbox = self._hubs[table], Inbox()
        hub.users += 1
        try:
            missed = await self._service.subscribe(table, after, hub.tell)
            state = self._service.in_memory(table)
            # a client that missed nothing is up to date, even if it named a higher number
            hub.add(inbox, missed[-1].seq or 0 if missed else 0 if state is None else state.seq, is_page=is_page)
            yield inbox, missed
        finally:
            hub.discard(inbox)
            hub.users -= 1
            if not hub.users:
                hub.end()
                del self._hubs[table]
                self._service.unsubscribe(table, hub.tell)

    def tell_who_reads(self, table: str) -> None:
        """Tell a table's pages, if there are any in this process."""
        if table in self._hubs:
            self._hubs[table].tell_who_reads()

    def close(self) -> None:
        """End all streams, because the server stops."""
        for hub in tuple(self._hubs.values()):
            hub.close()


def for_programs(notice: Notice) -> str:
    """The notice as a server-sent event."""
    name = "event: reaction" if notice.seq is None else f"id: {notice.seq}"
    return f"{name}\ndata: {notice.json.decode()}\n\n"


def for_pages(state: Table, notice: Notice, pictures: dict[str, str]) -> str:
    """The notice and the view as JSON; `pictures` are SVG by the card's address."""
    if notice.seq is None:
        return _encode({"reaction": msgspec.Raw(notice.json)}).decode()
    message = {"seq": state.seq, "event": msgspec.Raw(notice.json), "view": public_view(state)}
    return _encode(message | ({"pictures": pictures} if pictures else {})).decode()


def _who_reads(seats: list[int]) -> str:
    return _encode({"reading": seats}).decode()


def caught_up(state: Table, missed: list[Notice]) -> str:
    """A message for a page that missed events: one event instead of all, and the view, without pictures."""
    return for_pages(state, condensed(missed), {})


def condensed(missed: list[Notice]) -> Notice:
    """The last event, with the last missed doubt, if any, so that the page can show the revealed row."""
    events = [msgspec.json.decode(notice.json) for notice in missed[-LOOKED_BACK:]]
    last = events[-1]
    doubted = next((event for event in reversed(events) if _is_doubt(event)), last)
    if doubted is not last:
        turned = (each for each in doubted["happened"] if each["event"] != "round-started")
        last["happened"] = [*turned, *last["happened"]]
    return Notice(missed[-1].seq, msgspec.json.encode(last))


def _is_doubt(event: dict[str, Any]) -> bool:
    return any(each["event"] == "row-doubted" for each in event["happened"])
