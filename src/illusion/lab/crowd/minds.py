"""The minds of the bots (`bots/minds/`) for many lanes at once: the same decisions from the same impressions.

They are written again because a mind of one player walks through one row in Python, and a batch needs whole arrays: of
numpy, or of JAX where it trains against them. `tests/lab/crowd/test_minds.py` holds the two together, decision by
decision. All their numbers (thresholds, tempers, experience, evidence) come from the bots.
"""

from collections.abc import Callable
from itertools import product
from typing import Any, Final, TypeAlias

import numpy as np

from illusion.bots.belief import ASSUMED, NOT_FALLING, OthersEyes, factor_of
from illusion.bots.minds import (
    Mind,
    PointEstimate,
    Threshold,
    Value,
)
from illusion.bots.race import SHORTEST_DOUBTED, worth_of_arrow, worth_of_penalty
from illusion.lab.batch.engine import CannotPlay
from illusion.lab.batch.lanes import NO_GOAL, Number, Terms
from illusion.lab.batch.primitives import namespace
from illusion.lab.crowd.situations import Situations, Ties, believe, ties
from illusion.lab.learning.learned import TEMPER, Known, Learned, Look, Weights, features, judged
from illusion.rules import Penalty

Judged: TypeAlias = tuple[Number, Number]
"""How eager the player at turn is to doubt, above 0 or not; and the gap they would place into."""
BatchMind: TypeAlias = Callable[[Situations], Judged]
OnDevice: TypeAlias = Callable[[Any], Any]

_MOST_SCORES: Final = 20_000


def batch_mind(
    mind: Mind, terms: Terms, on_device: OnDevice = lambda arrays: arrays, kind: Any = np.float64
) -> BatchMind:
    """The same mind for a batch of these terms. Its tables go where `on_device` puts them."""

    def table(numbers: Any) -> Any:
        return on_device(np.asarray(numbers, kind))

    if isinstance(mind, PointEstimate):
        return BatchPointEstimate(mind)
    if isinstance(mind, Threshold):
        return BatchThreshold(mind, terms, table)
    if isinstance(mind, Value):
        return BatchValue(mind, terms, table)
    if isinstance(mind, Learned):
        return BatchLearned(Weights(*map(table, mind.weights[terms.players])), terms, table)
    raise CannotPlay(
        f"There is no batch of {type(mind).__name__}; there are PointEstimate, Threshold, Value and Learned."
    )


def decided(known: Situations, judged: Judged, terms: Terms) -> Number:
    """The action: doubt if the mind is eager to or cannot place, else place; always legal."""
    eagerness, gap = judged
    doubts = (known.gaps == 0) | ((eagerness > 0) & known.may_doubt)
    return namespace(gap).where(doubts, terms.longest, gap).astype(np.int32)


class BatchPointEstimate:
    def __init__(self, mind: PointEstimate) -> None:
        self._doubts_at = mind.doubts_at

    def __call__(self, known: Situations) -> Judged:
        xp, seen, spread = namespace(known.seen), known.seen, known.spread
        row, rows_spread, card, cards_spread = seen[:, :-1], spread[:, :-1], seen[:, -1:], spread[:, -1:]
        steep = _fall(row[:, :-1], rows_spread[:, :-1], row[:, 1:], rows_spread[:, 1:])
        steepest = xp.where(known.there[:, 1:], steep, -np.inf).max(axis=1, initial=-np.inf)
        steepest = xp.where(known.length > 1, steepest, 0)
        left = xp.where(known.there, xp.maximum(_fall(row, rows_spread, card, cards_spread), 0), 0)
        right = xp.where(known.there, xp.maximum(_fall(card, cards_spread, row, rows_spread), 0), 0)
        none = xp.zeros_like(card)
        falls_left = xp.concatenate([none, xp.cumsum(left, axis=1)], axis=1)
        falls_right = xp.concatenate([xp.cumsum(right[:, ::-1], axis=1)[:, ::-1], none], axis=1)
        trouble = xp.where(_is_gap(known), falls_left + falls_right, np.inf)
        eagerness = steepest - self._doubts_at + PointEstimate.TEMPER * known.temper
        return eagerness, xp.argmin(trouble, axis=1)


class BatchThreshold:
    def __init__(self, mind: Threshold, terms: Terms, table: OnDevice) -> None:
        self._usual = mind.doubts_at[terms.players]
        self._returned = terms.arrows_returned
        self._ties = Ties(*map(table, ties([np.ones_like(NOT_FALLING)])))

    def __call__(self, known: Situations) -> Judged:
        xp = namespace(known.row)
        belief = believe(known.row, known.card, self._ties, None)
        lost = xp.minimum(known.arrows[:, 0], self._returned) * (1 - self._usual)
        threshold_now = (self._usual + lost) / (1 + lost)
        eagerness = 1 - belief.right - threshold_now + Threshold.TEMPER * known.temper
        return eagerness, _best_gap(known, belief.stays)


class BatchValue:
    def __init__(self, mind: Value, terms: Terms, table: OnDevice, eyes: OthersEyes = ASSUMED) -> None:
        self.terms, self._learns = terms, mind.learns
        n = str(terms.players)
        self._calibration = mind.experience.calibration[n]
        self._taken = table(mind.experience.taken[n])
        evidence = _evidence(terms.players, eyes) if mind.learns else []
        self._ties = Ties(*map(table, ties([np.ones_like(NOT_FALLING), *evidence])))
        self._worth, self._wrong_doubt = map(table, _worths(tuple(mind.experience.starts[n]), terms))

    def __call__(self, known: Situations) -> Judged:
        xp = namespace(known.row)
        _, wrong, stays = self.weigh(known)
        gap = _best_gap(known, stays)
        stays_right = xp.take_along_axis(stays, gap[:, None], axis=1)[:, 0]
        score = 0 * known.length
        for seat in range(self.terms.players if self.terms.arrows_to_win != NO_GOAL else 1):
            score = score * self._scores() + known.arrows[:, seat]
        worth = self._worth[score]
        placing = (self._takers(known.length + 1, stays_right) * worth).sum(axis=1)
        doubting = wrong * worth[:, 0] + (1 - wrong) * self._wrong_doubt[score]
        eagerness = doubting - placing + Value.TEMPER * known.temper
        return xp.where((known.gaps > 0) & known.may_doubt, eagerness, 0), gap

    def weigh(self, known: Situations) -> tuple[Number, Number, Number]:
        """How likely the row is wrong, by its own belief and by experience, and stays right with the card in a gap."""
        xp = namespace(known.row)
        tie = _tie(known, self.terms.players) if self._learns else None
        belief = believe(known.row, known.card, self._ties, tie)
        level, slope, length = self._calibration
        believed = xp.clip(1 - belief.right, 1e-6, 1 - 1e-6)
        odds = level + slope * xp.log(believed / (1 - believed)) + length * (known.length - SHORTEST_DOUBTED)
        wrong = 1 / (1 + xp.exp(-odds))
        factor = (1 - wrong) / xp.maximum(belief.right, 1e-9)
        return 1 - belief.right, wrong, factor[:, None] * belief.stays

    def _takers(self, cards: Number, right: Number) -> Number:
        """`Experience.takers` for many."""
        xp = namespace(right)
        length = xp.minimum(cards - SHORTEST_DOUBTED, self._taken.shape[0] - 1)
        steps = self._taken.shape[1] - 1
        at = xp.clip(right, 0, 1) * steps
        below = xp.minimum(at.astype(np.int32), steps - 1)
        low, high = self._taken[length, below], self._taken[length, below + 1]
        return low + (at - below)[:, None] * (high - low)

    def _scores(self) -> int:
        return self.terms.arrows_to_win


class BatchLearned:
    """The network, and what it is told."""

    def __init__(self, weights: Weights, terms: Terms, table: OnDevice) -> None:
        self.weights, self.terms = weights, terms
        self._ties = Ties(*map(table, ties([np.ones_like(NOT_FALLING), *_evidence(terms.players, ASSUMED)])))

    def told(self, known: Situations) -> Known:
        look = Look(
            known.seen[:, :-1],
            known.spread[:, :-1],
            known.laid,
            known.there,
            known.length,
            known.arrows,
            known.cards_left,
            known.gaps,
            known.may_doubt,
        )
        tie = _tie(known, self.terms.players)
        beliefs = [believe(known.row, known.card, self._ties, each) for each in (tie, None)]
        return features(namespace(known.row), look, *((belief.right, belief.stays) for belief in beliefs))

    def __call__(self, known: Situations) -> Judged:
        xp = namespace(known.row)
        liking, _ = judged(xp, self.weights, self.told(known))
        doubt = liking[:, -1] + TEMPER * known.temper
        return doubt - liking[:, :-1].max(axis=1), xp.argmax(liking[:, :-1], axis=1)


def _tie(known: Situations, players: int) -> Number | None:
    """Which evidence ties two neighbours: how many have believed them since the later one was laid (`_evidence`).

    Seats take turns, so of the `since` players who placed after it, the first n - 1 are different ones.
    """
    if known.row.shape[1] < SHORTEST_DOUBTED:
        return None
    xp = namespace(known.laid)
    since = known.length[:, None] - 1 - xp.maximum(known.laid[:, 1:], known.laid[:, :-1])
    mine = (since + 1) % players == 0
    tie = xp.where(mine, players, 1 + xp.minimum(since, players - 2))
    return xp.where(known.there[:, 1:], tie, 0)


def _fall(left: Number, lefts_spread: Number, right: Number, rights_spread: Number) -> Number:
    xp = namespace(left)
    spread = xp.hypot(lefts_spread, rights_spread)
    return (left - right) / xp.where(spread > 0, spread, 1e-9)


def _is_gap(known: Situations) -> Number:
    xp = namespace(known.length)
    return xp.arange(known.there.shape[1] + 1, dtype=np.int32) <= known.length[:, None]


def _best_gap(known: Situations, stays: Number) -> Number:
    xp = namespace(stays)
    return xp.argmax(xp.where(_is_gap(known), stays, -np.inf), axis=1)


def _evidence(players: int, eyes: OthersEyes) -> list[Any]:
    """By how many believed: somebody else laid two cards side by side, and 0 to n - 2 others believed them; or the
    player at turn laid them, and all n - 1 others believed."""
    others = [factor_of(eyes, placed=True, believers=believers) for believers in range(players - 1)]
    return [*others, factor_of(eyes, placed=False, believers=players - 1)]


def _worths(starts: tuple[float, ...], terms: Terms) -> tuple[list[tuple[float, ...]], list[float]]:
    """What an arrow is worth and what a wrong doubt costs, by score: arrows of each player, mine first, as digits."""
    penalty = Penalty.ARROW if terms.arrows_returned else Penalty.NOTHING
    if terms.arrows_to_win == NO_GOAL:
        alone = [(mine, *[0] * (terms.players - 1)) for mine in range(terms.rounds + 1)]
        return (
            [worth_of_arrow(arrows, starts, None) for arrows in alone],
            [worth_of_penalty(arrows, starts, None, penalty) for arrows in alone],
        )
    if terms.arrows_to_win**terms.players > _MOST_SCORES:
        raise CannotPlay(f"A race to {terms.arrows_to_win} arrows has too many scores for a batch of value minds.")
    scores = list(product(range(terms.arrows_to_win), repeat=terms.players))
    return (
        [worth_of_arrow(arrows, starts, terms.arrows_to_win) for arrows in scores],
        [worth_of_penalty(arrows, starts, terms.arrows_to_win, penalty) for arrows in scores],
    )
