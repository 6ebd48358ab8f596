"""The decisions where a game turned: those that were followed by the largest change of the seat's chance to win."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from operator import itemgetter
from typing import Final, Literal

from illusion.review.findings import Decision, TurningPoint

MOST: Final = 3
_CLEAR: Final = 0.05
"""By how much a doubt must have been better, to an ordinary eye, for a sentence to say so."""

_EVEN: Final = 0.5


def turning_points(decisions: Sequence[Decision], takers: Mapping[int, int]) -> list[TurningPoint]:
    """At most one a round, the largest first. `takers` is who took the arrow, by the number of the doubt.

    One arrow moves the chances of several seats. Of the decisions in a round that were followed by at least half of the
    largest change, the one with the most eye and judgement in it is named: it was the most a player's own. Instead of a
    card that most would have placed right, the doubt that ended the round is named.
    """
    rounds: dict[int, list[Decision]] = defaultdict(list)
    for decision in decisions:
        rounds[decision.round].append(decision)
    chosen: list[tuple[float, Decision]] = []
    for decided in rounds.values():
        largest = max(map(_moved, decided))
        named = max((each for each in decided if _moved(each) >= largest / 2), key=_own)
        chosen.append((largest, decided[-1] if _is_usual(named) else named))
    chosen.sort(key=itemgetter(0), reverse=True)
    return [_point(each, takers.get(each.seq)) for largest, each in chosen[:MOST] if largest > 0]


def _moved(decision: Decision) -> float:
    return abs(decision.after - decision.before)


def _own(decision: Decision) -> tuple[bool, float, float]:
    return not _is_usual(decision), abs(decision.eye + decision.judgement), _moved(decision)


def _is_usual(decision: Decision) -> bool:
    return _what(decision) == "placed" and (decision.chance_to_fit or 0.0) >= _EVEN


def _point(decision: Decision, taker: int | None) -> TurningPoint:
    return TurningPoint(
        seq=decision.seq,
        round=decision.round,
        turn=decision.turn,
        seat=decision.seat,
        what=_what(decision),
        moved=decision.after - decision.before,
        row_wrong=decision.row_wrong,
        cost=_cost(decision),
        off=decision.off,
        chance_to_fit=decision.chance_to_fit,
        taker=taker,
    )


def _cost(decision: Decision) -> float:
    """By how much the other of the two choices was worth more, to an ordinary eye."""
    if decision.doubting is None or decision.placing is None:
        return 0.0
    lead = decision.doubting - decision.placing
    return max(-lead if decision.move == "doubt" else lead, 0.0)


def _what(decision: Decision) -> Literal["believed", "misplaced", "placed", "doubted-right", "doubted-wrong"]:
    if decision.move == "doubt":
        return "doubted-right" if decision.right else "doubted-wrong"
    if _cost(decision) >= _CLEAR:
        return "believed"
    return "placed" if decision.right else "misplaced"
