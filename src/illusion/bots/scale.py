"""The shares a mind thinks possible, and how likely each is after one look."""

from functools import lru_cache
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from illusion.bots.eyes import Impression

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
