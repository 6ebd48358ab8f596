"""How long things take at a table, and who still looks at a row that was turned over.

How long a bot takes depends on chance and on what everybody sees, and on nothing else: a delay that followed from how
close a decision was would tell the others what the bot saw. So the moment of a bot's move is fixed before it looks: a
bot is never handed its delay, and the delay never sees a decision.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import ceil, inf
from random import Random
from typing import Final

SPREAD: Final = 0.3
"""Standard deviation of the delay's logarithm. People's response times are about log-normal (van der Linden 2006)."""
ORDINARY_ROW: Final = 5
"""Cards in the row for which the median is `bot_s`; each card more or less changes it by `A_CARD`."""
A_CARD: Final = 0.05
LONGEST_ROW: Final = 10
"""Longer rows take no longer than this one."""
STEPS: Final = 6
"""Parts of `bot_s`: bots move at whole steps after the turn began, so that no finer time tells anything."""
SHORTEST, LONGEST = 0.5, 3.0
"""The delay's bounds, in units of `bot_s`. By default the shortest is 0.75 s. A decision takes about 0.04 s; with new
pictures to draw on a busy machine, up to 0.6 s."""

READING, NEW_ROUND = 40.0, 0.8
"""In units of `bot_s`: a pace without any waiting waits for nobody."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How long things take, in seconds. A bot takes about `bot_s`."""

    bot_s: float = 1.5
    idle_s: float = 6 * 3600

    @property
    def reading_s(self) -> float:
        """For how long bots and the clock wait at most until everybody has looked at a row that was turned over; 60 by
        default."""
        return self.bot_s * READING

    @property
    def reading_alone_s(self) -> float:
        """The same where there is only one person at the table: as long as they like."""
        return inf if self.bot_s else 0.0

    @property
    def new_round_s(self) -> float:
        """For how long a new round stands before a bot's turn begins; 1.2 by default."""
        return self.bot_s * NEW_ROUND

    @property
    def step_s(self) -> float:
        return self.bot_s / STEPS

    def thinking_s(self, cards_in_row: int, rng: Random) -> float:
        """Seconds from the turn's beginning to a bot's move, whatever the move will be: a whole number of steps."""
        median = 1 + A_CARD * (min(cards_in_row, LONGEST_ROW) - ORDINARY_ROW)
        drawn = min(max(median * rng.lognormvariate(0, SPREAD), SHORTEST), LONGEST)
        return ceil(drawn * STEPS) * self.step_s

    def left_s(self, thinking_s: float, elapsed_s: float) -> float:
        """Seconds still to wait. A bot that is late waits for the next step, so that it tells little by being late.

        Never more than the whole time: the wall clock may be set meanwhile, and those of two machines differ.
        """
        if elapsed_s < thinking_s:
            return min(thinking_s - elapsed_s, thinking_s)
        return -elapsed_s % self.step_s if self.step_s > 0 else 0.0


def turn_rng(nonce: str, moves: int) -> Random:
    """For the turn after so many moves. It follows from the table's secret, so it is the same after a restart."""
    return Random(f"{nonce} pace {moves}")


@dataclass(eq=False, slots=True)
class RevealReaders:
    """Who still looks at the row that was last turned over: pages of people at the table that have not gone on."""

    pages: dict[object, int] = field(default_factory=dict)
    """Each with the number of the last doubt that it has been through with."""
    _doubt: int = 0
    _turned_at: float = 0.0
    done_at: float = 0.0
    """When the last of them went on."""

    def open(self, page: object, seq: int) -> None:
        """A page that shows the table as it is at `seq`."""
        self.pages[page] = seq

    def close(self, page: object, now: float) -> bool:
        """Returns whether it was the last page that was waited for."""
        return self._note_end(self.pages.pop(page, self._doubt), now)

    def turn_over(self, seq: int, now: float) -> None:
        self._doubt, self._turned_at, self.done_at = seq, now, now

    def go_on(self, page: object, seq: int, now: float) -> bool:
        """The page has been through with everything up to `seq`. Returns whether it was the last one waited for."""
        if page not in self.pages:
            return False
        read = self.pages[page]
        self.pages[page] = max(read, seq)
        return self._note_end(read, now)

    def _note_end(self, read: int, now: float) -> bool:
        """A page that had read so far is through, or gone."""
        if read >= self._doubt or self.are_reading:
            return False
        self.done_at = now
        return True

    @property
    def are_reading(self) -> bool:
        return any(self.reading())

    def reading(self) -> Iterator[object]:
        """The pages that are waited for."""
        return (page for page, read in self.pages.items() if read < self._doubt)

    def left_s(self, now: float, most_s: float) -> float:
        """Seconds that they may still look, at most so many after the doubt; 0 when all have gone on."""
        return min(max(self._turned_at + most_s - now, 0.0), most_s) if self.are_reading else 0.0

    def ended_at(self, most_s: float) -> float:
        """When everybody had gone on, or their time was up."""
        latest = self._turned_at + most_s
        return latest if self.are_reading else min(self.done_at, latest)
