"""A table as its four players see it: who is to play, the length of the row, and when everybody has got a move."""

import asyncio
import random
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from functools import partial
from time import perf_counter
from typing import Protocol

import msgspec

from bench.load.wire import Answer, EventStream, Lines, WebSocket, request

PLAYERS = 4
RETRY_S = 1.0
"""The delay of retries."""
ROW_TO_DOUBT = 8


class Task(msgspec.Struct):
    """The tables of one client process."""

    kind: str
    """The players' protocol."""
    port: int
    tables: int
    every: float = 0.0
    """Seconds between two moves at a table; 0 for a closed loop."""
    looks: bool = True
    """Whether players look at pictures."""
    variant: str = "first-to-three"
    seed: int = 0


class Audience(Protocol):
    """Collects the figures of all tables."""

    def delivered(self, table: "Table") -> None:
        """All four have the pending move."""

    def complete(self, due: float) -> None:
        """All four have the picture of the card of a move that was due at this time."""

    def trouble(self, what: str) -> None:
        """An error that a person would notice, or a retry of a browser."""


class Table(ABC):
    """A game in play. A subclass sends the moves and calls `hear` for every player that an event reaches."""

    def __init__(self, task: Task, place: int, seed: int, audience: Audience) -> None:
        """A place has the same people, at one table after another."""
        self.task = task
        self.place = place
        self.audience = audience
        self.posts = Lines(task.port)
        self.connections: list[EventStream | WebSocket] = []
        self.pictures: dict[str, tuple[float, int]] = {}
        """By card: when the move was due that brought it, and how many players have not got its picture."""
        self.rng = random.Random(seed)
        self.dealt = asyncio.Event()
        """Whether everybody has got the deal."""
        self.missing = PLAYERS
        """The number of players who have not got the next event."""
        self.due = 0.0
        """When the pending move was due, from which its delay counts."""
        self.behind = 0
        """Moves that became due while another was pending."""
        self.to_play = 0
        self.row = 1
        self.deck_empty = False
        self.over = False

    @abstractmethod
    async def open(self) -> None:
        """Sit four players down, connect each, and deal."""

    @abstractmethod
    def send(self, gap: int | None) -> None:
        """Have the player at turn place into a gap or, without one, doubt."""

    def close(self) -> None:
        """Hang up."""
        self.posts.close()
        for connection in self.connections:
            connection.transport.close()

    def play(self, due: float | None = None) -> None:
        """The next move: into any gap, until the row is long enough to doubt."""
        self.due = due or perf_counter()
        doubts = self.row >= ROW_TO_DOUBT or self.deck_empty
        self.send(None if doubts else self.rng.randint(0, self.row))

    def hear(self) -> None:
        """One more player has the next event; the last of them completes the move."""
        self.missing -= 1
        if self.missing == 0:
            self.missing = PLAYERS
            if self.dealt.is_set():
                self.audience.delivered(self)
            self.dealt.set()

    def look(self, viewer: "Viewer", cards: Iterable[str | None]) -> None:
        """A player sees these cards; everybody is expected to get their pictures."""
        for card in filter(None, cards if self.task.looks else ()):
            self.pictures.setdefault(card, (self.due, PLAYERS))
            viewer.look_at(card)

    def has(self, card: str) -> None:
        """One more player has the picture, perhaps before the event that shows its card."""
        due, missing = self.pictures.get(card, (self.due, PLAYERS))
        self.pictures[card] = due, missing - 1
        if missing == 1:
            self.audience.complete(due)

    def awaited(self) -> list[float]:
        """When moves were due whose cards have not reached everybody."""
        return [due for due, missing in self.pictures.values() if missing > 0]


class Viewer:
    """A player who fetches every picture once, on connections of their own."""

    def __init__(self, table: Table, headers: Mapping[str, str], address: str | None = None) -> None:
        self.at = table
        self.headers = {**headers, "accept-encoding": "gzip"}
        self.lines = Lines(table.task.port, address)
        self.asked: set[str] = set()
        """Cards whose pictures the player has or has asked for."""
        self.pictures: set[str] = set()
        """Cards whose pictures the player has."""
        self.is_closed = False

    def look_at(self, card: str) -> None:
        if card not in self.asked and not self.is_closed:
            self.asked.add(card)
            self.lines.ask(request("GET", f"/cards/{card}.svg", self.headers), partial(self._fetched, card))

    def _fetched(self, card: str, answer: Answer) -> None:
        if answer.status == 200:
            self.has(card)
        elif not self.is_closed:
            self.at.audience.trouble(f"picture {answer.status}")
            self.asked.discard(card)
            asyncio.get_running_loop().call_later(RETRY_S, self.look_at, card)

    def has(self, card: str) -> None:
        """The card's picture came, perhaps for the second time."""
        if card not in self.pictures:
            self.asked.add(card)
            self.pictures.add(card)
            self.at.has(card)

    def close(self) -> None:
        self.is_closed = True
        self.lines.close()
