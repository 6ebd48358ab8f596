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
_ONES: Final = np.ones(len(RUNGS))


class Belief(NamedTuple):
    """`right`: the row does not fall. `stays[gap]`: it does not, even with the next card in that gap."""

    right: float
    stays: list[float]


def believe(row: Sequence[Chances], card: Chances | None, heard: Sequence[Factor | None] = ()) -> Belief:
    """The belief about cards with these chances; `heard[i]` tells what others think of cards i and i + 1.

    `before[gap]` is the chance that the cards left of the gap do not fall and that none is above a card laid there, by
    that card's rung; `after[gap]` the same for the cards right of it.
    """
    if heard:
        steps = [NOT_FALLING if factor is None else factor * NOT_FALLING for factor in heard]
        everything = _everything(row, heard)
    else:
        steps, everything = [NOT_FALLING] * (len(row) - 1), 1.0
    before, after = [_ONES], [_ONES]
    for chances, step in zip(row, [*steps, NOT_FALLING], strict=True):
        before.append((chances * before[-1]) @ step)
    for chances, step in zip(reversed(row), [*reversed(steps), NOT_FALLING], strict=True):
        after.append(step @ (chances * after[-1]))
    after.reverse()
    stays = [] if card is None else ((np.array(before) * np.array(after)) @ card).tolist()
    for gap, factor in enumerate(heard, 1):
        if card is not None and factor is not None:  # the card comes between two that are tied to each other
            left, right = row[gap - 1] * before[gap - 1], row[gap] * after[gap + 1]
            stays[gap] = float(left @ (factor * _between(card)) @ right)
    if everything != 1.0:
        stays = [chance / everything for chance in stays]
    return Belief(float(before[-1][-1]) / everything, stays)


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
