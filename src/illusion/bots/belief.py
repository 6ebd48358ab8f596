"""How likely a row is right, and stays right with the next card in each gap: exact inference by forward-backward.

The row is a chain: each card has chances over the rungs of a scale, and two neighbours are tied by "the left one is
not above the right one" and by what other players' moves tell. The forward-backward algorithm (Rabiner 1989, section
III) sums over all rungs in one pass each way; the next card in a gap is scored by the forward message left of the gap
times the backward message right of it.

What others tell: a card was laid where it seemed to fit, and no doubt means no fall seen. Each other player counts once
for two neighbours: as the one who laid them side by side, or as one who did not doubt.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from math import erf, sqrt
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from illusion.bots.eyes import Impression
from illusion.rules import View

Chances: TypeAlias = NDArray[np.float64]
"""One number for each rung."""

RUNGS: Final = np.array(
    [2.5, 4.5, 6.5, 8.5, 10.5, 12.5, 14.5, 16.5, 18.6, 21, 23.6, 26.6, 30, 33.8, 38, 42.8, 48.2, 54]
)
"""Shares in percent, halfway between the ladders a colour can have: minds know how decks are made, but no deck."""
PRIOR: Final[Chances] = np.linspace(7, 4, len(RUNGS)) / np.linspace(7, 4, len(RUNGS)).sum()

_LOGS: Final = np.log(RUNGS)
_LEAST_SPREAD: Final = 0.01


@lru_cache(maxsize=100_000)
def posterior(impression: Impression) -> Chances:
    """How likely each rung is for a card that left this impression. Cached: impressions are rounded and come again."""
    made = posteriors(np.array(impression.seen), np.array(impression.spread))
    made.setflags(write=False)
    return made


def posteriors(seen: Chances, spread: Chances) -> Chances:
    """The same for many impressions, whose rungs are the last axis."""
    away = (_LOGS - seen[..., None]) / np.maximum(spread, _LEAST_SPREAD)[..., None]
    chances = PRIOR * np.exp((away**2).min(axis=-1, keepdims=True) / 2 - away**2 / 2)
    made: Chances = chances / chances.sum(axis=-1, keepdims=True)
    return made


Factor: TypeAlias = NDArray[np.float64]
"""For two neighbours of a row: the likelihood of what other players did, by the left and the right card's rung."""

NOT_FALLING: Final = np.triu(np.ones((len(RUNGS), len(RUNGS))))
"""1 where the left rung is not above the right one (R3.1)."""


class Belief(NamedTuple):
    """`right`: the chance that the row is right. `stays[gap]`: that it is, with the next card in that gap."""

    right: float
    stays: list[float]


def believe(row: Sequence[Chances], card: Chances | None, evidence: Sequence[Factor | None] = ()) -> Belief:
    """The belief about a row and the next card; `evidence[i]` is what others' moves tell about cards i and i + 1.

    `forward[gap]` is the chance that the cards left of the gap do not fall and that none is above a card in the gap, by
    that card's rung; `backward[gap]` is the same for the cards right of the gap.
    """
    cards = len(row)
    steps = [NOT_FALLING] * (cards + 1)
    for gap, factor in enumerate(evidence, 1):
        if factor is not None:
            steps[gap] = factor * NOT_FALLING
    forward, backward = np.empty((cards + 1, len(RUNGS))), np.empty((cards + 1, len(RUNGS)))
    forward[0] = backward[cards] = 1.0
    for gap in range(cards):
        np.dot(row[gap] * forward[gap], steps[gap + 1], forward[gap + 1])
    for gap in range(cards - 1, -1, -1):
        np.dot(steps[gap], row[gap] * backward[gap + 1], backward[gap])
    right = float(forward[cards, -1])
    stays = [] if card is None else ((forward * backward) @ card).tolist()
    if not evidence:
        return Belief(right, stays)
    total = _total_weight(row, evidence)
    for gap, factor in enumerate(evidence, 1):
        if card is not None and factor is not None:  # the card comes between two that the evidence ties together
            left, other = row[gap - 1] * forward[gap - 1], row[gap] * backward[gap + 1]
            stays[gap] = float(left @ (factor * _between(card)) @ other)
    return Belief(right / total, [chance / total for chance in stays])


def _between(card: Chances) -> Factor:
    """The chance that the card is neither below the left rung nor above the right one, by both rungs."""
    up_to = np.cumsum(card)
    between: Factor = (up_to - (up_to - card)[:, None]) * NOT_FALLING
    return between


def _total_weight(row: Sequence[Chances], evidence: Sequence[Factor | None]) -> float:
    """The likelihood of the evidence over all rungs the cards can have, whether the row falls or not."""
    weight = row[0]
    for chances, factor in zip(row[1:], evidence, strict=True):
        weight = (weight.sum() if factor is None else weight @ factor) * chances
    return float(weight.sum())


LAPSE: Final = 0.02
"""How often others do not look at all, so that nothing they do is proof."""


class OthersEyes(NamedTuple):
    """How well others are assumed to see."""

    spread: float = 0.10
    """The noise of their eyes, as `w` of `Eyes`."""
    tolerance: float = 1.0
    """How large a fall they do not doubt, in standard deviations of a difference."""


ASSUMED: Final = OthersEyes()


def others_evidence(view: View, me: int, eyes: OthersEyes = ASSUMED) -> list[Factor | None]:
    """For each two neighbours of the row, the likelihood of the others' moves; None if there were none."""
    laid = view.laid
    turns = {turn: by for turn, by in zip(laid, view.placed_by, strict=True) if by is not None}
    factors: list[Factor | None] = []
    for left, right in pairwise(laid):
        since = max(left, right)
        placer = turns[since]
        believers = {turns[turn] for turn in range(since + 1, len(laid))} - {me, placer}
        factors.append(factor_of(eyes, placed=placer != me, believers=len(believers)))
    return factors


@lru_cache
def factor_of(eyes: OthersEyes, *, placed: bool, believers: int) -> Factor | None:
    """The likelihood that another one laid two cards so, if `placed`, and that as many others saw no fall there."""
    if not placed and not believers:
        return None
    logs = np.log(RUNGS)
    apart = (logs - logs[:, None]) / (eyes.spread * sqrt(2))
    return np.asarray(_likelihood(apart) ** int(placed) * _likelihood(apart + eyes.tolerance) ** believers)


def _likelihood(apart: Factor) -> Factor:
    normal_cdf = np.array([[(1 + erf(each / sqrt(2))) / 2 for each in line] for line in apart])
    return np.asarray(LAPSE + (1 - LAPSE) * normal_cdf)
