"""Four pages at one of our tables. What its people sent and were told is remembered, to be held against the log."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import NamedTuple, Protocol

from bench.load.evening.album import Album
from bench.load.lines import LOST
from bench.load.page import RETRY_S, Events, Page, Shown
from bench.load.table import PLAYERS, Table

NAMES = ("Ana", "Bob", "Cleo", "Dora")
STALE = 409
AWAY = (LOST, 503)
"""The server or its store is gone for a while; whether the move was stored, nobody knows."""


class Move(NamedTuple):
    """Who did what; without a gap it is a doubt."""

    seat: int
    gap: int | None


class Guests(Protocol):
    """Whoever gathers the figures of all tables."""

    def delivered(self, table: Table) -> None:
        """All four have the move under way."""

    def complete(self, due: float) -> None:
        """All four have the picture of the card that a move brought which was due then."""

    def trouble(self, what: str) -> None: ...


class PagesTable(Table, Events):
    """One table, from the invitation to the end of its game."""

    def __init__(self, pages: Callable[[Events], list[Page]], seed: int, guests: Guests) -> None:
        """`pages` makes the four of them, who tell the table."""
        super().__init__(seed, guests.delivered)
        self.guests = guests
        self.album = Album(guests.complete)
        self.pages = pages(self)
        self.shown = Shown(0, "", 0, 0, "", [])
        self.base: int | None = None
        """The number on which the move under way was made."""
        self.dealt = asyncio.Event()
        self.sent: dict[int, list[Move]] = {}
        """By the number they were made on."""
        self.acknowledged: dict[int, Move] = {}

    @property
    def id(self) -> str:
        return self.pages[0].table

    async def open(self) -> None:
        host, *others = self.pages
        await host.sit_down("/invite", name=NAMES[0], seats=str(PLAYERS))
        for page, name in zip(others, NAMES[1:], strict=True):
            await page.sit_down(f"/table/{self.id}/join", name=name)
        await host.ask("POST", f"/api/tables/{self.id}/start")
        await self.dealt.wait()

    def send(self, gap: int | None) -> None:
        self.base = self.shown.seq
        self._send(self.base, Move(self.to_play, gap))

    def _send(self, base: int, move: Move) -> None:
        """Unless it has become known meanwhile that it was stored the last time."""
        if self.base == base == self.shown.seq:
            self.sent.setdefault(base, []).append(move)
            self.pages[move.seat].move(encoded(move, base), partial(self._answered, base, move))

    def _answered(self, base: int, move: Move, status: int, seq: int) -> None:
        if status == 200:
            self.acknowledged[seq] = move
        elif status in AWAY:
            self.trouble(f"move {status}")
            asyncio.get_running_loop().call_later(RETRY_S, self._send, base, move)
        elif status != STALE or len(self.sent[base]) < 2:  # it was stored the first time
            self.trouble(f"move {status}")

    def shows(self, shown: Shown) -> None:
        if shown.seq > self.shown.seq:
            self.shown = shown
            self.to_play, self.row = shown.to_play, shown.row
            self.deck_empty, self.over = not shown.next_card, shown.phase == "over"
        for card in shown.cards:
            self.album.expect(card, self.due)
        heard = min(page.seq for page in self.pages)
        if self.base is not None and heard > self.base:
            self.base = None
            self.delivered(self)
        elif shown.phase == "playing" and heard == self.shown.seq:
            self.dealt.set()

    def pictured(self, card: str) -> None:
        self.album.add(card, self.due)

    def trouble(self, what: str) -> None:
        self.guests.trouble(what)

    def close(self) -> None:
        for page in self.pages:
            page.close()


def encoded(move: Move, base: int) -> bytes:
    if move.gap is None:
        return b'{"move":"doubt","seq":%d}' % base
    return b'{"move":"place","gap":%d,"seq":%d}' % (move.gap, base)
