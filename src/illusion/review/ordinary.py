"""Ordinary players, with whom a review compares everybody: they have the eyes of *keen*, and experience.

An expectation over the noise of an eye is a mean over a hundred simulated ones (`bots.eyes`), each with its own noise
and taste in patterns. Noise is a function of card and colour, in pairs of opposite sign (antithetic variates,
Hammersley & Morton 1956), for less variance. Their experience was fitted by `tools/fit_bots.py ordinary` on games
between such players, and is kept in `ordinary.json`.
"""

from functools import cache
from importlib import resources
from typing import Final

import msgspec
import numpy as np

from illusion.bots import levels
from illusion.bots.belief import posterior
from illusion.bots.eyes import Eyes, Look, repeatable_noise
from illusion.bots.race import Experience, Numbers, Taken, interpolated
from illusion.rules import CardId, Colour

LEVEL: Final = "keen"
"""The level with ordinary eyes."""


class Ordinary(msgspec.Struct, frozen=True):
    """The experience of ordinary players, by the number of players."""

    experience: Experience
    taken_if_right: dict[str, Taken]
    """Who took the arrow after a placement that left the row right."""
    taken_if_wrong: dict[str, Taken]
    """The same for a placement after which the row was wrong."""

    def starts(self, players: int) -> tuple[float, ...]:
        """Each seat's chance to take the arrow of a round, counted from the seat that starts it."""
        rounded = self.experience.starts[str(players)]
        return tuple(chance / sum(rounded) for chance in rounded)

    def takers(self, players: int, cards: int, right: Numbers, *, is_right: bool | None = None) -> Numbers:
        """Each seat's chance to take the arrow, counted from the one who placed, for each chance in `right` that the
        row seems right. If it is known whether it is, `right` still tells how soon others will doubt it."""
        taken = {None: self.experience.taken, True: self.taken_if_right, False: self.taken_if_wrong}[is_right]
        found = interpolated(taken[str(players)], cards, right)
        return np.asarray(found / found.sum(axis=-1, keepdims=True))  # the tables are rounded


def ordinary_eyes() -> Eyes:
    return levels()[LEVEL].eyes


@cache
def ordinary() -> Ordinary:
    stored = resources.files("illusion.review").joinpath("ordinary.json").read_bytes()
    return msgspec.json.decode(stored, type=Ordinary)


EYES: Final = 100
_NAMES: Final = [f"ordinary eye {number}" for number in range(EYES)]


class ManyEyes:
    """A hundred ordinary players, who look at each card once and remember what they saw."""

    def __init__(self, look: Look) -> None:
        self._look = look
        self._seen: dict[tuple[CardId, Colour], Numbers] = {}

    def see(self, card: CardId, colour: Colour) -> Numbers:
        """The posterior of a card's rung: a column for each eye."""
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
        return np.array([posterior(impression) for impression in impressions]).T
