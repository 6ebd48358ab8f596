"""What others' moves tell about a row: who laid a card beside another found it in place, who did not doubt saw no fall.

Each other player counts once for two neighbours: as the one who laid them side by side, or as one who let them lie.
"""

from functools import lru_cache
from itertools import pairwise
from math import erf, sqrt
from typing import Final

import numpy as np

from illusion.bots.belief import Factor
from illusion.bots.scale import RUNGS
from illusion.rules import View

OTHERS_SPREAD: Final = 0.10
"""How well others are supposed to see."""
TOLERANCE: Final = 1.0
"""How large a fall others are supposed to let lie, in units of the spread of a difference."""
LAPSE: Final = 0.02
"""How often others do not look at all: so nothing they do is proof."""


def heard(view: View, me: int) -> list[Factor | None]:
    """For each two neighbours of the row, what the others' moves tell about them; None if nothing."""
    laid = view.laid
    turns = {turn: by for turn, by in zip(laid, view.placed_by, strict=True) if by is not None}
    factors: list[Factor | None] = []
    for left, right in pairwise(laid):
        since = max(left, right)
        placer = turns[since]
        believers = {turns[turn] for turn in range(since + 1, len(laid))} - {me, placer}
        factors.append(_factor(placed=placer != me, believers=len(believers)))
    return factors


@lru_cache
def _factor(*, placed: bool, believers: int) -> Factor | None:
    if not placed and not believers:
        return None
    logs = np.log(RUNGS)
    apart = (logs - logs[:, None]) / (OTHERS_SPREAD * sqrt(2))
    return np.asarray(_likely(apart) ** int(placed) * _likely(apart + TOLERANCE) ** believers)


def _likely(apart: Factor) -> Factor:
    sure = np.array([[(1 + erf(each / sqrt(2))) / 2 for each in line] for line in apart])
    return np.asarray(LAPSE + (1 - LAPSE) * sure)
