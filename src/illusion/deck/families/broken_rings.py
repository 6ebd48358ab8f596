"""Broken rings: rings of varying width around a point off the centre, each broken into arcs of varying length."""

from bisect import bisect_left
from itertools import accumulate, pairwise
from math import ceil, sqrt

import numpy as np

from illusion.deck.picture import CANVAS_AREA
from illusion.deck.plane.curves import MAX_SAG, Point, farthest_corner, point_inside, polar
from illusion.deck.plane.exact import TAU, Dice
from illusion.deck.plane.mosaic import Mosaic, mosaic
from illusion.deck.plane.rings import Numbers


def pieces(dice: Dice, count: int) -> Mosaic:
    centre = point_inside(dice, 0.1)
    size = 1.15 * sqrt(CANVAS_AREA / count)
    stretch = dice.uniform(1.1, 1.5)
    slant = dice.choice([0, 0, -1, 1]) * dice.uniform(0.4, 0.9)
    radii = _radii(dice, centre, size / stretch)
    starts: list[list[float]] = [[]]
    ends: list[list[float]] = [[]]
    for inner, outer in pairwise(radii):
        starts.append(_cuts(dice, max(3, round(TAU * (inner + outer) / 2 / (size * stretch)))))
        ends.append([(cut + slant * (1 - inner / outer)) % TAU for cut in starts[-1]])
    rims = [_rim(radius, a + b) for radius, a, b in zip(radii, ends, [*starts[1:], []], strict=True)]
    sizes = [len(rim) for rim in rims]
    around = polar(centre, np.repeat(radii, sizes), np.array([turn for rim in rims for turn in rim]))
    points = [around[start:end] for start, end in pairwise(accumulate(sizes, initial=0))]

    outlines, layers = [points[0]], [0]
    for ring in range(1, len(starts)):
        for at in range(len(starts[ring])):
            near = _between(rims[ring - 1], points[ring - 1], starts[ring][at - 1], starts[ring][at])
            away = _between(rims[ring], points[ring], ends[ring][at - 1], ends[ring][at])
            outlines.append(np.concatenate([away, near[::-1]]))
            layers.append(ring % 2)
    return mosaic(outlines, layers)


def _radii(dice: Dice, centre: Point, width: float) -> list[float]:
    """Radii to beyond the farthest corner; the last ring is wide, so that no sliver is left there."""
    corner = farthest_corner(centre)
    radii = [width * dice.uniform(0.6, 0.9)]
    while radii[-1] < corner - width / 2:
        radii.append(radii[-1] + max(200, width * dice.choice([0.6, 0.8, 1, 1.3, 1.6])))
    return [*radii[:-1], max(radii[-1], corner + width)]


def _cuts(dice: Dice, parts: int) -> list[float]:
    """Angles around the circle, at uneven distances."""
    lengths = [0.0, *accumulate(dice.uniforms(0.5, 1.6, parts))]
    start = dice.uniform(0, TAU)
    return [(start + TAU * length / lengths[-1]) % TAU for length in lengths[:-1]]


def _rim(radius: float, marks: list[float]) -> list[float]:
    """The angles of a circle's vertices in order: the marks where a ring is cut, and enough between to look round."""
    marks = sorted(marks)
    rim = []
    for start, end in pairwise([*marks, marks[0] + TAU]):
        steps = ceil((end - start) * sqrt(radius / (8 * MAX_SAG)))
        rim += [(start + (end - start) * step / steps) % TAU for step in range(steps)]
    return sorted(rim)


def _between(rim: list[float], points: Numbers, start: float, end: float) -> Numbers:
    first, last = bisect_left(rim, start), bisect_left(rim, end)
    return points[first : last + 1] if first < last else np.concatenate([points[first:], points[: last + 1]])
