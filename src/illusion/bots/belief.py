"""How likely a row is right, and that it stays right with the next card in each gap: one exact pass there and back."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from illusion.bots.scale import RUNGS, Chances

Factor = NDArray[np.float64]
"""For two neighbours of a row: how well what others did fits each pair of rungs, left by right."""

NOT_FALLING: Final = np.triu(np.ones((len(RUNGS), len(RUNGS))))
"""1 where the left rung is not above the right one (R3.1)."""


class Belief(NamedTuple):
    """`right`: the row does not fall. `stays[gap]`: it does not, even with the next card in that gap."""

    right: float
    stays: list[float]


def believe(row: Sequence[Chances], card: Chances | None, heard: Sequence[Factor | None] = ()) -> Belief:
    """The belief about cards with these chances; `heard[i]` tells what others think of cards i and i + 1.

    `before[gap]` is the chance that the cards left of the gap do not fall and that none is above a card laid there, by
    that card's rung; `after[gap]` the same for the cards right of it.
    """
    cards = len(row)
    steps = [NOT_FALLING] * (cards + 1)
    for gap, factor in enumerate(heard, 1):
        if factor is not None:
            steps[gap] = factor * NOT_FALLING
    before, after = np.empty((cards + 1, len(RUNGS))), np.empty((cards + 1, len(RUNGS)))
    before[0] = after[cards] = 1.0
    for gap in range(cards):
        np.dot(row[gap] * before[gap], steps[gap + 1], before[gap + 1])
    for gap in range(cards - 1, -1, -1):
        np.dot(steps[gap], row[gap] * after[gap + 1], after[gap])
    right = float(before[cards, -1])
    stays = [] if card is None else ((before * after) @ card).tolist()
    if not heard:
        return Belief(right, stays)
    everything = _everything(row, heard)
    for gap, factor in enumerate(heard, 1):
        if card is not None and factor is not None:  # the card comes between two that are tied to each other
            left, other = row[gap - 1] * before[gap - 1], row[gap] * after[gap + 1]
            stays[gap] = float(left @ (factor * _between(card)) @ other)
    return Belief(right / everything, [chance / everything for chance in stays])


def _between(card: Chances) -> Factor:
    """The chance that the card is neither below the left rung nor above the right one, by both."""
    up_to = np.cumsum(card)
    between: Factor = (up_to - (up_to - card)[:, None]) * NOT_FALLING
    return between


def _everything(row: Sequence[Chances], heard: Sequence[Factor | None]) -> float:
    """The weight of all rungs the cards may have, falling or not, given what was heard; 1 if that is nothing."""
    weight = row[0]
    for chances, factor in zip(row[1:], heard, strict=True):
        weight = (weight.sum() if factor is None else weight @ factor) * chances
    return float(weight.sum())
