"""The ordinary players that a review compares everybody with: the eyes of *keen*, and what such players learn.

An average over the noise of an eye is a mean over a hundred of them, who look as bots do (`bots.eyes`), each with its
own noise and its own taste in patterns. The noise is always the same for the same card and colour, and comes in pairs
of opposite sign (antithetic variates, Hammersley & Morton 1956), so that means settle sooner. What they learn was
fitted by `tools/fit_bots.py ordinary` on games of such players against each other, and is kept in `ordinary.json`.
"""

from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import Final, NamedTuple, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

from illusion.bots import levels
from illusion.bots.belief import NOT_FALLING, RUNGS, Factor, posterior
from illusion.bots.eyes import Eyes, Look, repeatable_noise
from illusion.bots.race import SHORTEST_DOUBTED, Experience
from illusion.rules import CardId, Colour

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


EYES: Final = 100
_NAMES: Final = [f"ordinary eye {number}" for number in range(EYES)]


class ManyEyes:
    """A hundred ordinary players who look at every card once, and remember what they saw."""

    def __init__(self, look: Look) -> None:
        self._look = look
        self._seen: dict[tuple[CardId, Colour], Numbers] = {}

    def see(self, card: CardId, colour: Colour) -> Numbers:
        """How likely each rung is for this card: a line for each eye."""
        if (card, colour) not in self._seen:
            self._seen[card, colour] = self._looked(card, colour)
        return self._seen[card, colour]

    def _looked(self, card: CardId, colour: Colour) -> Numbers:
        sight, eyes = self._look(card), ordinary_eyes()
        noise = [repeatable_noise(name, card, colour) for name in _NAMES[: EYES // 2]]
        impressions = (
            eyes.see(sight, colour, name, each)
            for name, each in zip(_NAMES, (*noise, *(-each for each in noise)), strict=True)
        )
        return np.array([posterior(impression) for impression in impressions])


class ManyBeliefs(NamedTuple):
    """`bots.belief.Belief` of each eye: `right[eye]`, `stays[eye, gap]`."""

    right: Numbers
    stays: Numbers


def believe_all(row: Sequence[Numbers], card: Numbers | None, evidence: Sequence[Factor | None]) -> ManyBeliefs:
    """`bots.belief.believe` for all eyes at once; a test compares the two."""
    cards, eyes = len(row), len(row[0])
    forward, backward = np.empty((2, cards + 1, eyes, len(RUNGS)))
    forward[0] = backward[cards] = 1.0
    steps = [NOT_FALLING, *(NOT_FALLING if each is None else each * NOT_FALLING for each in evidence), NOT_FALLING]
    for gap in range(cards):
        forward[gap + 1] = (row[gap] * forward[gap]) @ steps[gap + 1]
    for gap in range(cards - 1, -1, -1):
        backward[gap] = (row[gap] * backward[gap + 1]) @ steps[gap].T
    right = forward[cards, :, -1]
    total = _total_weight(row, evidence)
    if card is None:
        return ManyBeliefs(right / total, np.empty((eyes, 0)))
    stays = (forward * backward * card).sum(axis=2).T
    for gap, factor in enumerate(evidence, 1):
        if factor is not None:  # the card comes between two that the evidence ties together
            left, other = row[gap - 1] * forward[gap - 1], row[gap] * backward[gap + 1]
            stays[:, gap] = _with_card_between(left, card, other, factor)
    return ManyBeliefs(right / total, stays / total[:, None])


def _with_card_between(left: Numbers, card: Numbers, right: Numbers, factor: Factor) -> Numbers:
    """The sum over all rungs a ≤ c ≤ b of left[a] · factor[a, b] · card[c] · right[b], for each eye: the card's part is
    (the sum of card up to b) - (the sum of card below a)."""
    up_to = np.cumsum(card, axis=1)
    tied = factor * NOT_FALLING
    to_the_right, to_the_left = right @ tied.T, (right * up_to) @ tied.T
    return np.asarray((left * (to_the_left - (up_to - card) * to_the_right)).sum(axis=1))


def _total_weight(row: Sequence[Numbers], evidence: Sequence[Factor | None]) -> Numbers:
    weight = row[0]
    for chances, factor in zip(row[1:], evidence, strict=True):
        weight = (weight.sum(axis=1, keepdims=True) if factor is None else weight @ factor) * chances
    return np.asarray(weight.sum(axis=1))
