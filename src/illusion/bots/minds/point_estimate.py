"""The simplest mind: it takes what it saw for the truth and doubts a fall that is large enough."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import hypot

from illusion.bots.eyes import Impression
from illusion.bots.minds.mind import decided
from illusion.rules import Move, View

TEMPER = 0.15
"""How much a temper of 1 changes what the mind compares with 0."""


@dataclass(frozen=True, slots=True)
class PointEstimate:
    """`doubts_at` is the fall between two neighbours that makes it doubt, in standard deviations of a difference."""

    doubts_at: float

    def decide(self, view: View, row: Sequence[Impression], card: Impression | None, temper: float = 0.0) -> Move:
        steepest = max((_fall(left, right) for left, right in pairwise(row)), default=0.0)
        eagerness = steepest - self.doubts_at + TEMPER * temper
        gap = 0 if card is None else min(view.legal.gaps, key=lambda gap: _trouble(row, gap, card))
        return decided(view, eagerness, gap)


def _fall(left: Impression, right: Impression) -> float:
    return (left.seen - right.seen) / (hypot(left.spread, right.spread) or 1e-9)


def _trouble(row: Sequence[Impression], gap: int, card: Impression) -> float:
    """How badly the card fits a gap: the sum of the falls it makes with all cards left and right of it."""
    return sum(max(0.0, _fall(left, card)) for left in row[:gap]) + sum(
        max(0.0, _fall(card, right)) for right in row[gap:]
    )
