"""Reviews of finished games (eye, judgement and luck of each decision), and estimates of a player's own eyes."""

from illusion.review.findings import Award, Decision, Review, SeatTotals, TurningPoint
from illusion.review.reviewing import Moved, NotOver, review

__all__ = ["Award", "Decision", "Moved", "NotOver", "Review", "SeatTotals", "TurningPoint", "review"]
