"""What pages are told: an event, the table after it, and before both the pictures of cards that have just been dealt.

Everybody gets the same bytes. A page writes its texts itself, in its reader's language, and puts pictures into its
reader's palette.
"""

from typing import Any, Final

import msgspec

from illusion.deck import Card
from illusion.tables import Table, TableService, public_view
from illusion.tables.live_table import Notice
from illusion.tables.model.table_cards import seen_cards
from illusion.tables.public.view import card_address
from illusion.web.live.broadcast import Form
from illusion.web.live.frames import BINARY, frame, text_frame

HEARTBEAT_S: Final = 5.0
"""Pages take a connection for dead that has been silent for longer."""
LOOKED_BACK: Final = 60
"""Missed events among which a doubt is looked for."""
FORM_NAME: Final = "page"

_encode: Final = msgspec.json.Encoder().encode


class PageMessages:
    """Renders notices for the pages of one table: frames of a WebSocket, pictures as binary ones."""

    def __init__(self, service: TableService, table: Table) -> None:
        self._service = service
        self._table = table.id
        self._shown = len(seen_cards(table))
        """How many cards' pictures pages have asked for, or got."""

    def form(self) -> Form:
        return Form(FORM_NAME, self, text_frame(b"{}"), HEARTBEAT_S)

    def __call__(self, notice: Notice) -> bytes:
        if notice.seq is None:
            return text_frame(b'{"reaction":%s}' % notice.json)
        state = self._state()
        if notice.is_placement:  # like most; pages work out what that changes
            told = text_frame(b'{"seq":%d,"event":%s}' % (notice.seq, notice.json))
        else:
            told = _message(state, notice)
        return b"".join((*self._new_pictures(state), told))

    def caught_up(self, missed: list[Notice]) -> bytes:
        """For one page that missed something: the whole table. It asks for pictures itself; others still get theirs."""
        return _message(self._state(), condensed(missed))

    def _state(self) -> Table:
        state = self._service.in_memory(self._table)
        if state is None:
            raise LookupError(f"table {self._table} is not in memory although somebody follows it")
        return state

    def _new_pictures(self, state: Table) -> list[bytes]:
        """Those that are ready; a page asks for others itself."""
        new = seen_cards(state, self._shown)
        self._shown += len(new)
        return [picture for card in new if (picture := self._picture(state, card)) is not None]

    def _picture(self, state: Table, card: Card) -> bytes | None:
        """The card's address, a line break, and its front in the standard palette: SVG compressed by gzip."""
        drawing = self._service.pictures.ready(card)
        if drawing is None:
            return None
        return frame(BINARY, card_address(state, card.number).encode() + b"\n" + drawing.front)


def _message(state: Table, notice: Notice) -> bytes:
    return text_frame(b'{"seq":%d,"event":%s,"view":%s}' % (state.seq, notice.json, _encode(public_view(state))))


def condensed(missed: list[Notice]) -> Notice:
    """One event instead of all that a page missed: the last one, with the last doubt if there was one.

    The page gets the table as it is anyway; what it would still like to show is a row that was turned over.
    """
    events = [msgspec.json.decode(notice.json) for notice in missed[-LOOKED_BACK:]]
    last = events[-1]
    doubted = next((event for event in reversed(events) if _is_doubt(event)), last)
    if doubted is not last:
        turned = (each for each in doubted["happened"] if each["event"] != "round-started")
        last["happened"] = [*turned, *last["happened"]]
    return Notice(missed[-1].seq, msgspec.json.encode(last))


def _is_doubt(event: dict[str, Any]) -> bool:
    return any(each["event"] == "row-doubted" for each in event["happened"])
