"""A table as its four players see it: who is to play, how long the row is, and when everybody has heard of a move."""

import random
from abc import ABC, abstractmethod
from collections.abc import Callable
from time import perf_counter

PLAYERS = 4
ROW_TO_DOUBT = 8


class Table(ABC):
    """A game in play. A subclass sends the moves and calls `hear` for every player that an event reaches."""

    def __init__(self, seed: int, delivered: "Callable[[Table], object]") -> None:
        self.rng = random.Random(seed)
        self.delivered = delivered
        self.seq = 0
        """The number of the last event that everybody has heard."""
        self.missing = PLAYERS
        """How many have not heard the next one yet."""
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
        """Sit four players down, connect each, and start."""

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
            self.delivered(self)
