"""Chevrons: zigzag bands, alternately thick and thin, cut at their corners or halfway between."""

from itertools import pairwise
from math import cos, pi, sin, sqrt, tan
from random import Random
from typing import Final

import numpy as np
import shapely
from shapely.geometry import Polygon

from illusion.deck.drawing.bands import Numbers, without_corner_bands
from illusion.deck.drawing.card_face import CANVAS, CENTRE, Piece
from illusion.deck.drawing.curves import canvas_diagonal

MIN_PIECE_AREA: Final = 2500.0
MIN_TILT_RAD: Final = 0.05
"""No edge is closer than this to the horizontal or the vertical."""


def pieces(rng: Random, count: int) -> list[Piece]:
    slender = rng.uniform(1.3, 2.2)
    width = sqrt(CANVAS.area / (0.72 * count * 1.5 * slender))
    edges = without_corner_bands(_edges(rng, width, slender * width), width)
    left, top, right, bottom = CANVAS.bounds
    outlines = []
    layers = []
    for at, (lower, upper) in enumerate(pairwise(edges)):
        start, last = rng.choice([0, 1]), len(lower) - 1
        while start < last:
            end = min(start + rng.choice([2, 2, 3, 4, 4]), last)
            outline = np.concatenate([lower[start : end + 1], upper[start : end + 1][::-1]])
            if (outline.max(axis=0) > (left, top)).all() and (outline.min(axis=0) < (right, bottom)).all():
                outlines.append(Polygon(outline))
                layers.append(at % 2)
            start = end
    parts, of_outline = shapely.get_parts(shapely.intersection(outlines, CANVAS), return_index=True)
    return [Piece(part, layers[at]) for part, at in zip(parts, of_outline, strict=True) if part.area > MIN_PIECE_AREA]


def _edges(rng: Random, width: float, arm: float) -> Numbers:
    """The lines between the bands: points at the corners and halfway between them."""
    reach = canvas_diagonal() / 2
    steep = rng.uniform(0.5, 0.9)
    along, rise = [-reach - 2 * arm], [rng.uniform(-1, 0) * width]
    while along[-1] < reach + arm:
        half = arm * rng.uniform(0.75, 1.25) / 2
        up = half * tan(steep) * (1 if len(along) % 4 == 1 else -1)
        along += [along[-1] + half, along[-1] + 2 * half]
        rise += [rise[-1] + up, rise[-1] + 2 * up]

    ratio, growth = rng.uniform(0.7, 1.3), rng.uniform(-0.3, 0.3)
    bases = [-1.5 * reach]
    while bases[-1] < 1.5 * reach:
        even = ratio if len(bases) % 2 else 2 - ratio
        bases.append(bases[-1] + width * even * (1 + growth * bases[-1] / reach))
    turn = 0.0
    while any((angle + MIN_TILT_RAD) % (pi / 2) < 2 * MIN_TILT_RAD for angle in (turn, turn + steep, turn - steep)):
        turn = rng.uniform(-pi / 2, pi / 2)
    u, v = np.array(along), np.array(bases)[:, None] + np.array(rise) - np.mean(rise)
    return np.stack([CENTRE[0] + u * cos(turn) - v * sin(turn), CENTRE[1] + u * sin(turn) + v * cos(turn)], axis=-1)
