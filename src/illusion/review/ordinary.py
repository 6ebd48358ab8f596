"""The ordinary player that a review compares everybody with: the eyes of *keen*, and what such players learn.

Fitted by `tools/fit_bots.py ordinary` on games of such players against each other, and kept in `ordinary.json`.
"""

from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import Final, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

from illusion.bots import levels
from illusion.bots.experience import SHORTEST_DOUBTED, Experience
from illusion.bots.eyes import Eyes

LEVEL: Final = "keen"
"""Whose eyes are ordinary ones."""

Numbers: TypeAlias = NDArray[np.float64]
Taken: TypeAlias = list[list[list[float]]]
"""Who took the arrow after a placement, as in `Experience.taken`."""


class Ordinary(msgspec.Struct, frozen=True):
    """What ordinary players learn from their games, by the number of players."""

    experience: Experience
    taken_if_right: dict[str, Taken]
    """Who took the arrow after a placement that left the row right."""
    taken_if_wrong: dict[str, Taken]
    """The same for a row that was wrong then, whoever had made it so."""

    def starts(self, players: int) -> tuple[float, ...]:
        """Who takes the arrow of a round, by seats counted from the one who starts it."""
        rounded = self.experience.starts[str(players)]
        return tuple(chance / sum(rounded) for chance in rounded)

    def wrong(self, players: int, believed: Numbers, cards: int) -> Numbers:
        """`Experience.wrong` for many beliefs at once: how often rows that looked this wrong were wrong."""
        level, slope, length = self.experience.calibration[str(players)]
        clipped = believed.clip(1e-6, 1 - 1e-6)
        odds = level + slope * np.log(clipped / (1 - clipped)) + length * (cards - SHORTEST_DOUBTED)
        return np.asarray(1 / (1 + np.exp(-odds)))

    def takers(self, players: int, cards: int, right: Numbers) -> Numbers:
        """`Experience.takers` for many chances at once: a line for each, by seats counted from the one who placed."""
        return _interpolated(self.experience.taken[str(players)], cards, right)

    def takers_knowing(self, players: int, cards: int, seems_right: Numbers, *, is_right: bool) -> Numbers:
        """The same where it is known whether the row is right; how right it seems tells how soon others doubt it."""
        taken = self.taken_if_right if is_right else self.taken_if_wrong
        return _interpolated(taken[str(players)], cards, seems_right)


def _interpolated(lengths: Sequence[Sequence[Sequence[float]]], cards: int, right: Numbers) -> Numbers:
    steps = np.array(lengths[min(cards - SHORTEST_DOUBTED, len(lengths) - 1)])
    at = right.clip(0.0, 1.0) * (len(steps) - 1)
    below = np.minimum(at.astype(int), len(steps) - 2)
    part = (at - below)[..., None]
    taken = steps[below] + part * (steps[below + 1] - steps[below])
    return np.asarray(taken / taken.sum(axis=-1, keepdims=True))  # the tables are rounded


def ordinary_eyes() -> Eyes:
    return levels()[LEVEL].eyes


@cache
def ordinary() -> Ordinary:
    stored = resources.files("illusion.review").joinpath("ordinary.json").read_bytes()
    return msgspec.json.decode(stored, type=Ordinary)
