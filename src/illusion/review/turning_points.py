"""The decisions where a game turned: those that were followed by the largest change of the seat's chance to win."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final, Literal

from illusion.review.findings import Decision, TurningPoint

MOST: Final = 3
_CLEAR: Final = 0.02
"""A cost below two points of chance explains nothing."""


def turning_points(decisions: Sequence[Decision], takers: Mapping[int, int]) -> list[TurningPoint]:
    """At most one a round, the largest first. `takers` is who took the arrow, by the number of the doubt.

    One arrow moves the chances of several seats. Of the decisions in a round that were followed by at least half of the
    largest change, the one with the most eye and judgement in it is named: it was the most a player's own.
    """
    rounds: dict[int, list[Decision]] = defaultdict(list)
    for decision in decisions:
        rounds[decision.round].append(decision)
    chosen = []
    for decided in rounds.values():
        largest = max(map(_moved, decided))
        chosen.append(max((each for each in decided if _moved(each) >= largest / 2), key=_own))
    chosen.sort(key=_moved, reverse=True)
    return [_point(each, takers.get(each.seq)) for each in chosen[:MOST] if _moved(each) > 0]


def _moved(decision: Decision) -> float:
    return abs(decision.after - decision.before)


def _own(decision: Decision) -> tuple[float, float]:
    return abs(decision.eye + decision.judgement), _moved(decision)


def _point(decision: Decision, taker: int | None) -> TurningPoint:
    return TurningPoint(
        seq=decision.seq,
        round=decision.round,
        turn=decision.turn,
        seat=decision.seat,
        what=_what(decision),
        moved=decision.after - decision.before,
        row_wrong=decision.row_wrong,
        cost=-decision.judgement,
        off=decision.off,
        chance_to_fit=decision.chance_to_fit,
        taker=taker,
    )


def _what(decision: Decision) -> Literal["believed", "misplaced", "placed", "doubted-right", "doubted-wrong"]:
    if decision.move == "doubt":
        return "doubted-right" if decision.right else "doubted-wrong"
    if -decision.judgement >= max(_CLEAR, abs(decision.eye)):
        return "believed"
    return "placed" if decision.right else "misplaced"
