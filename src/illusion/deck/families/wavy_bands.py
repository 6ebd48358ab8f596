"""Wavy bands: bands of varying width that run in waves across the card, each cut into segments."""

from itertools import pairwise
from math import ceil, sqrt

import numpy as np

from illusion.deck.picture import CANVAS_AREA
from illusion.deck.plane.curves import (
    CANVAS_DIAGONAL,
    MAX_SAG,
    band_lines,
    counted,
    distances,
    mean,
    rotated,
    segments,
    span,
    uneven_cuts,
    visible,
    without_corner_bands,
)
from illusion.deck.plane.exact import PI, TAU, Dice, cos_sin, turn
from illusion.deck.plane.mosaic import Mosaic, mosaic
from illusion.deck.plane.rings import Numbers


def pieces(dice: Dice, count: int) -> Mosaic:
    width = sqrt(CANVAS_AREA / count / 2.2)
    edges = without_corner_bands(_edges(dice, width), width)
    slant = dice.choice([-1, 0, 0, 1])
    outlines: list[Numbers] = []
    layers: list[int] = []
    widths, steps = distances(edges[:-1], edges[1:]), distances(edges[:, 0], edges[:, 1]).tolist()
    seen = visible(edges[:-1], edges[1:]).tolist()
    for at, (lower, upper) in enumerate(pairwise(edges)):
        first, last = span(seen[at])
        area = (last - first) * steps[at] * mean(widths[at][first : last + 1])
        number = max(1, min(round(area / CANVAS_AREA * count * dice.uniform(0.75, 1.05)), (last - first) // 3))
        cuts = uneven_cuts(dice, first, last, number)
        outlines += segments(lower, upper, [1, *cuts, len(lower) - 2], slant)
        layers += [at % 2] * (len(cuts) + 1)
    return mosaic(outlines, layers)


def _edges(dice: Dice, width: float) -> Numbers:
    """The lines of points between the bands."""
    reach = CANVAS_DIAGONAL / 2
    wave, small_wave = dice.uniform(0.5, 0.9) * reach / PI, dice.uniform(0.3, 0.5) * reach / PI
    high = dice.uniform(0.3, 0.55) * wave
    drift = dice.uniform(0.5, 1.1)
    swing = dice.uniform(0.25, 0.4) * width / drift
    step = sqrt(8 * MAX_SAG / (high / (wave * wave) + swing / (small_wave * small_wave)))
    steps = ceil(1.2 * reach / step)
    along = (counted(2 * steps + 1) - steps) * step

    bases = band_lines(width, 1.3 * reach, dice.uniform(0.75, 1.25), dice.uniform(-0.35, 0.35))
    phases = np.arange(len(bases))[:, None] * drift + dice.uniform(0, TAU)
    across = np.array(bases)[:, None] + high * cos_sin(along / wave + dice.uniform(0, TAU))[1]
    across = across + swing * cos_sin(along / small_wave + phases)[1]
    return rotated(along, across, *turn(dice.uniform(0.08, PI / 2 - 0.08) * dice.sign()))
