"""What other players' moves tell about a row: a card was laid where it seemed to fit, and no doubt means no fall seen.

Each other player counts once for two neighbours: as the one who laid them side by side, or as one who did not doubt.
"""

from functools import lru_cache
from itertools import pairwise
from math import erf, sqrt
from typing import Final, NamedTuple

import numpy as np

from illusion.bots.belief import Factor
from illusion.bots.scale import RUNGS
from illusion.rules import View

LAPSE: Final = 0.02
"""How often others do not look at all, so that nothing they do is proof."""


class OthersEyes(NamedTuple):
    """How well others are assumed to see."""

    spread: float = 0.10
    """The noise of their eyes, as `w` in `eyes.py`."""
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
