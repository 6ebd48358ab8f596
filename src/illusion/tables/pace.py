"""Delays at a table, and who still looks at a revealed row.

A bot's delay depends only on public state and chance. If it depended on how close the decision was, it would tell the
others what the bot saw. So it is fixed before the bot looks.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import ceil, inf
from random import Random
from typing import Final, Protocol

from illusion.tables.model.commands import DAY_S
from illusion.tables.model.table import Table

SPREAD: Final = 0.3
"""Standard deviation of the delay's logarithm. People's response times are about log-normal (van der Linden 2006)."""
ORDINARY_ROW: Final = 5
"""Row length at which the median delay is `bot_s`; each card more or less changes it by `A_CARD`."""
A_CARD: Final = 0.05
LONGEST_ROW: Final = 10
"""Beyond this length the delay stays the same."""
STEPS: Final = 6
"""Steps per `bot_s`: delays are rounded up to whole steps, so that small differences in computing time do not show."""
SHORTEST, LONGEST = 0.5, 3.0
"""The delay's bounds, in units of `bot_s`: by default at least 0.75 s. Deciding takes about 0.04 s; up to 0.6 s if
pictures have to be drawn on a busy machine."""

GRACE_S: Final = 3600.0
READING, NEW_ROUND = 40.0, 0.8
"""In units of `bot_s`, so that `bot_s=0` means no waiting at all."""


@dataclass(frozen=True, slots=True)
class Pace:
    """Delays in seconds. `bot_s` is the median for a bot's move."""

    bot_s: float = 1.5
    idle_s: float = 6 * 3600

    @property
    def reading_s(self) -> float:
        """How long bots and the clock wait at most for people to look at a revealed row; 60 by default."""
        return self.bot_s * READING

    @property
    def reading_alone_s(self) -> float:
        """The same at a table with one person: no limit."""
        return inf if self.bot_s else 0.0

    @property
    def new_round_s(self) -> float:
        """The pause at the beginning of a round before a bot's turn; 1.2 by default."""
        return self.bot_s * NEW_ROUND

    @property
    def step_s(self) -> float:
        return self.bot_s / STEPS

    def thinking_s(self, cards_in_row: int, rng: Random) -> float:
        """Seconds from the turn's beginning to a bot's move, in whole steps."""
        median = 1 + A_CARD * (min(cards_in_row, LONGEST_ROW) - ORDINARY_ROW)
        drawn = min(max(median * rng.lognormvariate(0, SPREAD), SHORTEST), LONGEST)
        return ceil(drawn * STEPS) * self.step_s

    def left_s(self, thinking_s: float, elapsed_s: float) -> float:
        """Seconds still to wait; a late bot waits for the next whole step.

        At most `thinking_s`: wall clocks get adjusted and differ between machines.
        """
        if elapsed_s < thinking_s:
            return min(thinking_s - elapsed_s, thinking_s)
        return -elapsed_s % self.step_s if self.step_s > 0 else 0.0


def earliest_turn(served_since: float, clock: int | None) -> float:
    """When a turn counts as begun at the earliest, of a table that this server serves since then.

    It gets its full time again; at a slow table an hour, or daily restarts would keep a turn from ever ending.
    """
    return served_since + GRACE_S - clock if clock is not None and clock >= DAY_S else served_since


def turn_rng(nonce: str, moves: int) -> Random:
    """The generator for the turn after `moves` moves: derived from the table's secret, the same after a restart."""
    return Random(f"{nonce} pace {moves}")


class SeatedPage(Protocol):
    """A seated person's page."""

    def seats_at(self, state: Table) -> list[int]:
        """The seats that it holds."""
        ...


@dataclass(eq=False, slots=True)
class RevealReaders:
    """Who still looks at the last revealed row: pages of seated people that have not gone on."""

    pages: dict[SeatedPage, int] = field(default_factory=dict)
    """Pages, with the entry up to which each has gone on."""
    _doubt: int = 0
    _turned_at: float = 0.0
    done_at: float = 0.0
    """When the last of them went on."""

    def open(self, page: SeatedPage, seq: int) -> None:
        """Add a page that shows the table at `seq`."""
        self.pages[page] = seq

    def close(self, page: SeatedPage, now: float) -> bool:
        """Remove a page. Returns whether it was the last one waited for."""
        return self._note_end(self.pages.pop(page, self._doubt), now)

    def turn_over(self, seq: int, now: float) -> None:
        self._doubt, self._turned_at, self.done_at = seq, now, now

    def go_on(self, page: SeatedPage, seq: int, now: float) -> bool:
        """The page has shown everything up to `seq`. Returns whether it was the last one waited for."""
        if page not in self.pages:
            return False
        read = self.pages[page]
        self.pages[page] = max(read, seq)
        return self._note_end(read, now)

    def _note_end(self, read: int, now: float) -> bool:
        """A page that had read up to `read` went on or left. Returns whether it was the last one waited for."""
        if read >= self._doubt or self.are_reading:
            return False
        self.done_at = now
        return True

    @property
    def are_reading(self) -> bool:
        return any(self.reading())

    def reading(self) -> Iterator[SeatedPage]:
        """Pages that are waited for."""
        return (page for page, read in self.pages.items() if read < self._doubt)

    def left_s(self, now: float, most_s: float) -> float:
        """Seconds left to look, of `most_s` after the doubt; 0 once all have gone on."""
        return min(max(self._turned_at + most_s - now, 0.0), most_s) if self.are_reading else 0.0

    def ended_at(self, most_s: float) -> float:
        """When all had gone on, or the time was up."""
        latest = self._turned_at + most_s
        return latest if self.are_reading else min(self.done_at, latest)
