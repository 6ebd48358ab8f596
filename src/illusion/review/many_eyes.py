"""What a hundred ordinary eyes see in a row, and what each of them can know from it.

An average over the noise of an eye is a mean over a fixed number of eyes that look as bots do (`bots.eyes`), each with
its own noise and its own taste in patterns. The noise is always the same for the same card and colour, and comes in
pairs of opposite sign (antithetic variates, Hammersley & Morton 1956), so that means settle sooner.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from illusion.bots.belief import NOT_FALLING, Factor
from illusion.bots.eyes import repeatable_noise
from illusion.bots.observer import Look
from illusion.bots.scale import RUNGS, posterior
from illusion.review.ordinary import Numbers, ordinary_eyes
from illusion.rules import CardId, Colour

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
