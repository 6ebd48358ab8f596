"""Superlatives of a game. An award is given only if one player alone has earned it."""

from collections.abc import Callable, Sequence
from typing import Literal

from illusion.review.findings import Award, Decision

_EVEN = 0.5
"""A doubt is bold, and a placement sharp, where an ordinary eye would rather not have done it."""


def awards(decisions: Sequence[Decision]) -> list[Award]:
    doubts = [each for each in decisions if each.move == "doubt" and each.right and (each.row_wrong or 0.0) < _EVEN]
    misplaced = [each for each in decisions if each.move == "place" and not each.right]
    sharp = [each for each in decisions if each.move == "place" and each.right and _to_fit(each) < _EVEN]
    found = (
        _award("boldest-doubt", doubts, lambda each: -(each.row_wrong or 0.0)),
        _award("worst-illusion", misplaced, lambda each: each.off),
        _award("sharpest-placement", sharp, lambda each: -_to_fit(each)),
    )
    return [award for award in found if award is not None]


def _to_fit(decision: Decision) -> float:
    return 1.0 if decision.chance_to_fit is None else decision.chance_to_fit


def _award(
    name: Literal["boldest-doubt", "worst-illusion", "sharpest-placement"],
    done: Sequence[Decision],
    how_much: Callable[[Decision], float],
) -> Award | None:
    """To whoever did it most; a stand-in earns nothing for the person whose seat it holds."""
    best = max(map(how_much, done), default=None)
    first = [each for each in done if how_much(each) == best]
    if len({each.seat for each in first}) != 1 or first[0].by == "stand-in":
        return None
    decision = first[0]
    return Award(name, decision.seat, decision.seq, decision.round, decision.turn, abs(how_much(decision)))
