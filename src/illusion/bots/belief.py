"""How likely a row is right, and stays right with the next card in each gap: exact inference by forward-backward.

The row is a chain: each card has chances over the rungs of the scale, and two neighbours are tied by "the left one is
not above the right one" and by what other players' moves tell. The forward-backward algorithm (Rabiner 1989, section
III) sums over all rungs in one pass each way; the next card in a gap is scored by the forward message left of the gap
times the backward message right of it.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from illusion.bots.scale import RUNGS, Chances

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
