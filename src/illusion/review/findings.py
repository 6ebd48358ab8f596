"""The findings of a review, as JSON values: decisions, turning points and their sentences, awards."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter
from typing import Final, Literal

import msgspec

from illusion.languages import N_, Language

GRAIN: Final = 2**-16
"""Chances are rounded to multiples of this, so that their sums are exact."""


def grained(chance: float) -> float:
    return round(chance / GRAIN) * GRAIN


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """A decision of one seat: eye + judgement + luck = after - before, exactly."""

    seq: int
    """The number of the move's event at the table."""
    round: int
    turn: int
    """The number of the move in its round, from 1."""
    seat: int
    by: Literal["player", "stand-in"]
    move: Literal["place", "doubt"]
    gap: int | None = None
    cards: int
    """Cards in the row before the move."""
    before: float
    """The seat's chance to win before the decision."""
    after: float
    """The same before its next decision, or at the end of the game."""
    eye: float
    judgement: float
    luck: float
    chances: tuple[float, ...]
    """Every seat's chance to win before the decision."""
    right: bool
    """Whether the card was placed right, or the doubted row was wrong."""
    off: int = 0
    """Percentage points by which a placed card is too small or too large for its gap."""
    chance_to_fit: float | None = None
    """The chance that an ordinary eye would have placed the card right."""
    row_wrong: float | None = None
    """The chance, to an ordinary eye, that the row was wrong; null for a single card."""
    doubting: float | None = None
    """The chance to win with a doubt; null where it was not allowed."""
    placing: float | None = None
    """The chance to win with the best placement."""


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
    """The expected number of its cards that an ordinary eye would have placed right."""
    doubts: int
    doubts_right: int


class TurningPoint(msgspec.Struct, frozen=True, kw_only=True):
    """A decision that moved the chances to win, and the facts for its sentence."""

    seq: int
    round: int
    turn: int
    seat: int
    what: Literal["believed", "misplaced", "placed", "doubted-right", "doubted-wrong"]
    moved: float
    """after - before."""
    row_wrong: float | None = None
    cost: float = 0.0
    """By how much the other choice (a doubt or a placement) was better to an ordinary eye."""
    off: int = 0
    chance_to_fit: float | None = None
    taker: int | None = None
    """Who took the arrow of a doubt."""


class Award(msgspec.Struct, frozen=True):
    """An award to the one player who did something most."""

    award: Literal["boldest-doubt", "worst-illusion", "sharpest-placement"]
    seat: int
    seq: int
    round: int
    turn: int
    figure: float
    """The chance that the row was wrong, the points by which the card was off, or the chance to place it right."""


class Review(msgspec.Struct, frozen=True, kw_only=True):
    """The review of a game."""

    players: int
    ordinary: str
    """The level whose eyes are the ordinary ones."""
    decisions: list[Decision]
    chances_at_end: tuple[float, ...]
    seats: list[SeatTotals]
    turning_points: list[TurningPoint]
    awards: list[Award]
    sentences: list[str] = []
    """The turning points in words, in the reader's language."""


MOST_TURNING_POINTS: Final = 3
_EVEN: Final = 0.5
"""A doubt is bold, and a placement sharp, below this chance of success for an ordinary eye."""
_CLEAR: Final = 0.05
"""A sentence says that a doubt would have been better from this difference on."""


def turning_points(decisions: Sequence[Decision], takers: Mapping[int, int]) -> list[TurningPoint]:
    """At most one per round, the largest first. `takers` are the seats that took the arrow, by the doubt's number.

    One arrow moves the chances of several seats. Of a round's decisions with at least half of the largest change, the
    one with the most eye and judgement is chosen: it was most the player's own. If that is a card that most would have
    placed right, the doubt that ended the round is chosen instead.
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
    return [_point(each, takers.get(each.seq)) for largest, each in chosen[:MOST_TURNING_POINTS] if largest > 0]


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
    """By how much the other choice was better, to an ordinary eye."""
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
    """The award to the player who did it most. What stand-ins did does not count."""
    best = max(map(how_much, done), default=None)
    first = [each for each in done if how_much(each) == best]
    if len({each.seat for each in first}) != 1 or first[0].by == "stand-in":
        return None
    decision = first[0]
    return Award(name, decision.seat, decision.seq, decision.round, decision.turn, abs(how_much(decision)))


SENTENCES: Final = {
    "believed": (
        N_("%(name)s believed a row that seemed %(wrong)s likely to be wrong; a doubt was worth %(points)s more."),
        N_("You believed a row that seemed %(wrong)s likely to be wrong; a doubt was worth %(points)s more."),
    ),
    "misplaced": (
        N_("%(name)s placed a card %(off)s off; an ordinary eye gets it right %(chance)s of the time."),
        N_("You placed a card %(off)s off; an ordinary eye gets it right %(chance)s of the time."),
    ),
    "placed": (
        N_("%(name)s placed a card right; an ordinary eye does so %(chance)s of the time."),
        N_("You placed a card right; an ordinary eye does so %(chance)s of the time."),
    ),
    "doubted-right": (
        N_("%(name)s doubted a row that seemed %(wrong)s likely to be wrong, and it was wrong."),
        N_("You doubted a row that seemed %(wrong)s likely to be wrong, and it was wrong."),
    ),
    "doubted-wrong": (
        N_("%(name)s doubted a row that seemed %(wrong)s likely to be wrong, but it was right."),
        N_("You doubted a row that seemed %(wrong)s likely to be wrong, but it was right."),
    ),
}
"""What somebody did, and the same said to them."""


def sentence(point: TurningPoint, names: Sequence[str], language: Language, you: int | None = None) -> str:
    """`names` are those of the seats, `you` is the reader's own."""
    return language.gettext(SENTENCES[point.what][point.seat == you]) % {
        "name": names[point.seat],
        "wrong": language.percent(_chance(point.row_wrong)),
        "points": _points(_percent(point.cost), language),
        "off": _points(point.off, language),
        "chance": language.percent(_chance(point.chance_to_fit)),
    }


def _percent(chance: float | None) -> int:
    return round(100 * (chance or 0.0))


def _chance(chance: float | None) -> int:
    """In percent, but never 0 or 100: the model is never certain."""
    return min(max(_percent(chance), 1), 99)


def _points(count: int, language: Language) -> str:
    return language.ngettext("%(count)s point", "%(count)s points", count) % {"count": count}
