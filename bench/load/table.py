"""A table as its four players see it: who is to play, how long the row is, and when everybody has heard of a move."""

import asyncio
import random
from abc import ABC, abstractmethod
from time import perf_counter
from typing import Protocol

import msgspec

PLAYERS = 4
ROW_TO_DOUBT = 8


class Task(msgspec.Struct):
    """The tables of one client process."""

    kind: str
    """How its players speak to the server."""
    port: int
    tables: int
    every: float = 0.0
    """Seconds between two moves at a table; 0 for a closed loop, in which everybody moves on at once."""
    languages: int = 1
    """How many different ones there are at a table."""
    looks: bool = True
    """Whether players look at pictures."""
    variant: str = "first-to-three"
    seed: int = 0


class Audience(Protocol):
    """Whoever gathers the figures of all tables."""

    def delivered(self, table: "Table") -> None:
        """All four have the move under way."""

    def complete(self, due: float) -> None:
        """All four have the picture of the card that a move brought which was due then."""

    def trouble(self, what: str) -> None:
        """Something that a person would notice, or that a browser had to do again."""


class Album:
    """The pictures of one table. A picture may come before, with or after the event that shows its card."""

    def __init__(self, audience: Audience, people: int = PLAYERS) -> None:
        self._audience = audience
        self._people = people
        self._missing: dict[str, tuple[float, int]] = {}

    def expect(self, card: str, due: float) -> None:
        """Everybody is to have it; a card that is known stays as it is."""
        self._missing.setdefault(card, (due, self._people))

    def add(self, card: str, due: float) -> None:
        """One more has it. `due` counts if nobody has heard of the card yet."""
        since, missing = self._missing.get(card, (due, self._people))
        self._missing[card] = since, missing - 1
        if missing == 1:
            self._audience.complete(since)

    def waiting(self) -> list[float]:
        """When the moves were due whose cards somebody has not got."""
        return [since for since, missing in self._missing.values() if missing > 0]


class Table(ABC):
    """A game in play. A subclass sends the moves and calls `hear` for every player that an event reaches."""

    def __init__(self, task: Task, place: int, seed: int, audience: Audience) -> None:
        """At the same place the same people sit at one table after another."""
        self.task = task
        self.place = place
        self.audience = audience
        self.album = Album(audience)
        self.rng = random.Random(seed)
        self.dealt = asyncio.Event()
        """Everybody has heard of the deal."""
        self.missing = PLAYERS
        """How many have not heard the next event yet."""
        self.due = 0.0
        """When the move under way was to be sent, and so the moment its delay counts from."""
        self.behind = 0
        """Moves that fell due while another was still under way."""
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

    @abstractmethod
    def close(self) -> None:
        """Hang up."""

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
