"""Brush ribbons: rows of long strokes that swell and taper, with ground between; both are cut into segments."""

from itertools import pairwise
from math import ceil, sqrt
from typing import Final

import numpy as np

from illusion.deck.picture import CANVAS_AREA
from illusion.deck.plane.curves import (
    CANVAS_DIAGONAL,
    counted,
    distances,
    mean,
    rotated,
    segments,
    span,
    uneven_cuts,
    visible,
)
from illusion.deck.plane.exact import PI, TAU, Dice, cos_sin, turn
from illusion.deck.plane.mosaic import Mosaic, mosaic
from illusion.deck.plane.rings import Mask, Numbers

STEP_LENGTH: Final = 170.0
"""The distance between two points of an edge."""


def pieces(dice: Dice, count: int) -> Mosaic:
    width = sqrt(CANVAS_AREA / count / 1.5)
    outlines: list[Numbers] = []
    layers: list[int] = []
    edges = _edges(dice, width)
    widths = distances(edges[:-1], edges[1:])
    seen = visible(edges[:-1], edges[1:]).tolist()
    for at, (lower, upper) in enumerate(pairwise(edges)):
        wide = widths[at]
        for start, end in _runs(wide > 1):
            first, last = span(seen[at][start : end + 1])
            if last == first:
                continue
            low, high = lower[start : end + 1], upper[start : end + 1]
            area = (last - first) * STEP_LENGTH * mean(wide[start + first : start + last + 1])
            wanted = area / CANVAS_AREA * count * dice.uniform(0.75, 1.1) * (0.5 if at % 2 else 1)
            number = max(1, min(round(wanted), (last - first) // 4))
            outlines += segments(low, high, [0, *uneven_cuts(dice, first, last, number), len(low) - 1])
            layers += [at % 2] * number
    return mosaic(outlines, layers)


def _edges(dice: Dice, width: float) -> Numbers:
    """The lines of points between ground, strokes, ground, strokes and so on."""
    reach = 0.62 * CANVAS_DIAGONAL
    steps = ceil(reach / STEP_LENGTH)
    along = (counted(2 * steps + 1) - steps) * STEP_LENGTH
    bend = dice.uniform(0.35, 0.5) * CANVAS_DIAGONAL / PI
    sway = dice.uniform(0.35, 0.7) * bend * cos_sin(along / bend + dice.uniform(0, TAU))[1]
    middles, middle = list[float](), -1.1 * reach - dice.random() * width
    while middle < 1.1 * reach:
        middles.append(middle)
        middle += 2.2 * width
    thicks = _strokes(dice, along, width, len(middles))
    waves = np.array(dice.uniforms(TAU / 0.7, TAU / 0.4, len(middles)))[:, None] / CANVAS_DIAGONAL
    courses = sway + 0.4 * width * cos_sin(along * waves + np.array(dice.uniforms(0, TAU, len(middles)))[:, None])[1]
    lines = [sway - 1.5 * reach]
    for middle, strokes, course in zip(middles, thicks, courses, strict=True):
        thick = 1.9 * width * dice.uniform(0.75, 1.15) * strokes
        lower = lines[-1] + _at_least(0.5 * width, course + middle - thick / 2 - lines[-1])
        lines += [lower, lower + thick]
    lines.append(lines[-1] + reach)
    return rotated(along, np.array(lines), *turn(dice.uniform(0.08, PI / 2 - 0.08) * dice.sign()))


def _strokes(dice: Dice, along: Numbers, width: float, rows: int) -> Numbers:
    """The thickness of each row's strokes, 0 to 1: each has a blunt end and a tapering end."""
    first, last = float(along[0]), float(along[-1])
    starts, sizes, flips, row_of = list[float](), list[float](), list[bool](), list[int]()
    for row in range(rows):
        start, flip = first - dice.random() * 0.5 * CANVAS_DIAGONAL, dice.chance(0.5)
        while start < last:
            stroke = dice.uniform(5, 8) * width
            if start + stroke > first:
                starts.append(start)
                sizes.append(stroke)
                flips.append(flip)
                row_of.append(row)
            start += stroke + 0.3 * width
    t = np.minimum(np.maximum((along - np.array(starts)[:, None]) / np.array(sizes)[:, None], 0), 1)
    bows = cos_sin(PI * _five_eighths(np.where(np.array(flips)[:, None], 1 - t, t)))[1]
    parts = _five_eighths(np.maximum(bows, 0))
    thick = np.zeros((rows, len(along)))
    for row, part in zip(row_of, parts, strict=True):
        thick[row] += part
    return np.where(thick > 0.05, thick, 0)


def _five_eighths(values: Numbers) -> Numbers:
    """The values to the power of 5/8."""
    root = np.sqrt(values)
    raised: Numbers = root * np.sqrt(np.sqrt(root))
    return raised


def _at_least(least: float, wanted: Numbers) -> Numbers:
    """A smooth maximum of `least` and `wanted`."""
    over = wanted - least
    smooth: Numbers = least + (over + np.sqrt(over * over + least * least)) / 2
    return smooth


def _runs(there: Mask) -> list[tuple[int, int]]:
    """The runs of true values as (start, end), one step longer at either end."""
    changes = np.flatnonzero(np.diff(np.concatenate([[False], there, [False]])))
    return [(max(a - 1, 0), min(b, len(there) - 1)) for a, b in changes.reshape(-1, 2).tolist()]
