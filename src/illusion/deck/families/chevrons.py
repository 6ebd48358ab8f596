"""Chevrons: zigzag bands, alternately thick and thin, cut at their corners or halfway between."""

from itertools import pairwise
from math import sqrt
from typing import Final

import numpy as np

from illusion.deck.picture import CANVAS_AREA
from illusion.deck.plane.curves import CANVAS_DIAGONAL, band_lines, rotated, segments, without_corner_bands
from illusion.deck.plane.exact import PI, Dice, turn
from illusion.deck.plane.mosaic import Mosaic, mosaic
from illusion.deck.plane.rings import Numbers

MIN_TILT_RAD: Final = 0.05
"""No edge is closer than this to the horizontal or the vertical."""


def pieces(dice: Dice, count: int) -> Mosaic:
    count = round(0.88 * count)
    slender = dice.uniform(1.3, 2.2)
    width = sqrt(CANVAS_AREA / (0.72 * count * 1.5 * slender))
    edges = without_corner_bands(_edges(dice, width, slender * width), width)
    outlines: list[Numbers] = []
    layers: list[int] = []
    for at, (lower, upper) in enumerate(pairwise(edges)):
        cuts, last = [dice.below(2)], len(lower) - 1
        while cuts[-1] < last:
            cuts.append(min(cuts[-1] + dice.choice([2, 2, 3, 4, 4]), last))
        outlines += segments(lower, upper, cuts)
        layers += [at % 2] * (len(cuts) - 1)
    return mosaic(outlines, layers)


def _edges(dice: Dice, width: float, arm: float) -> Numbers:
    """The lines between the bands: points at the corners and halfway between them."""
    reach = CANVAS_DIAGONAL / 2
    steep = dice.uniform(0.5, 0.9)
    cosine, sine = turn(steep)
    along, rise = [-reach - 2 * arm], [dice.uniform(-1, 0) * width]
    while along[-1] < reach + arm:
        half = arm * dice.uniform(0.75, 1.25) / 2
        up = half * sine / cosine * (1 if len(along) % 4 == 1 else -1)
        along += [along[-1] + half, along[-1] + 2 * half]
        rise += [rise[-1] + up, rise[-1] + 2 * up]

    bases = band_lines(width, 1.5 * reach, dice.uniform(0.7, 1.3), dice.uniform(-0.3, 0.3))
    tilt = 0.0
    while any((angle + MIN_TILT_RAD) % (PI / 2) < 2 * MIN_TILT_RAD for angle in (tilt, tilt + steep, tilt - steep)):
        tilt = dice.uniform(-PI / 2, PI / 2)
    middle = (min(rise) + max(rise)) / 2
    return rotated(np.array(along), np.array(bases)[:, None] + (np.array(rise) - middle), *turn(tilt))
