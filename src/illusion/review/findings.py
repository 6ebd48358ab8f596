"""What a review finds, as values that go out as JSON. Chances are parts of one."""

from typing import Final, Literal

import msgspec

GRAIN: Final = 2**-16
"""Chances are whole multiples of this, so that sums of them are exact; it is finer than anybody can read."""


def grained(chance: float) -> float:
    return round(chance / GRAIN) * GRAIN


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """A decision of one seat: eye + judgement + luck = after - before, exactly."""

    seq: int
    """The number of the move's event at the table; in a record, of the move."""
    round: int
    turn: int
    """Which move of the round it was, from 1."""
    seat: int
    by: Literal["player", "stand-in"]
    move: Literal["place", "doubt"]
    gap: int | None = None
    cards: int
    """In the row, before the move."""
    before: float
    """The seat's chance to win before the decision."""
    after: float
    """The same when it is asked again, or when the game is over."""
    eye: float
    judgement: float
    luck: float
    chances: tuple[float, ...]
    """Every seat's chance to win before the decision."""
    right: bool
    """Whether the card was placed right, or the doubted row was wrong."""
    off: int = 0
    """By how many points a placed card is too small for its gap, or too large."""
    chance_to_fit: float | None = None
    """That an ordinary eye would have placed the card right."""
    row_wrong: float | None = None
    """How likely the row was wrong, to an ordinary eye; null for a single card."""
    doubting: float | None = None
    """What a doubt was worth in chance to win; null where it was not allowed."""
    placing: float | None = None
    """What the best placement was worth."""


class SeatTotals(msgspec.Struct, frozen=True, kw_only=True):
    """A seat over the whole game: eye + judgement + luck = end - start, exactly.

    Luck includes what happened before its first decision.
    """

    seat: int
    start: float
    end: float
    eye: float
    judgement: float
    luck: float
    placed: int
    placed_right: int
    expected_right: float
    """How many of its cards an ordinary eye would have placed right."""
    doubts: int
    doubts_right: int


class TurningPoint(msgspec.Struct, frozen=True, kw_only=True):
    """A decision that moved the chance to win, and the facts that its sentence needs."""

    seq: int
    round: int
    turn: int
    seat: int
    what: Literal["believed", "misplaced", "placed", "doubted-right", "doubted-wrong"]
    moved: float
    """after - before."""
    row_wrong: float | None = None
    cost: float = 0.0
    """By how much the other choice, a doubt or a placement, was worth more to an ordinary eye."""
    off: int = 0
    chance_to_fit: float | None = None
    taker: int | None = None
    """Who took the arrow of a doubt."""


class Award(msgspec.Struct, frozen=True):
    """Something that one player alone did most."""

    award: Literal["boldest-doubt", "worst-illusion", "sharpest-placement"]
    seat: int
    seq: int
    round: int
    turn: int
    figure: float
    """How likely the row was wrong, by how many points the card was off, or the chance to place it right."""


class Review(msgspec.Struct, frozen=True, kw_only=True):
    """How a game went."""

    players: int
    ordinary: str
    """The level whose eyes are taken for ordinary ones."""
    decisions: list[Decision]
    chances_at_end: tuple[float, ...]
    seats: list[SeatTotals]
    turning_points: list[TurningPoint]
    awards: list[Award]
    sentences: list[str] = []
    """The turning points in words, in the language of whoever asked."""
