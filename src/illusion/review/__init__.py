"""Looking back at a finished game: what was eye, what judgement, what luck; and what a player's own eyes are like."""

from illusion.review.findings import Award, Decision, Review, SeatTotals, TurningPoint
from illusion.review.reviewing import Moved, NotOver, review

__all__ = ["Award", "Decision", "Moved", "NotOver", "Review", "SeatTotals", "TurningPoint", "review"]
