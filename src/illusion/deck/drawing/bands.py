"""Bands across the canvas, for the families. A band lies between two lines of points."""

import numpy as np
import shapely
from numpy.typing import NDArray

from illusion.deck.drawing.card_face import CANVAS

Numbers = NDArray[np.float64]


def without_corner_bands(edges: Numbers, width: float) -> Numbers:
    """The edges of the bands that are on the canvas, without a first or last band that only covers a corner."""
    bands = shapely.polygons(np.concatenate([edges[:-1], edges[1:, ::-1]], axis=1))
    shown: Numbers = np.asarray(shapely.area(shapely.intersection(bands, CANVAS)))
    first, *inner, last = np.flatnonzero(shown > 0)
    inner = [*inner, last]
    if shown[first] < 1.5 * width**2:
        del inner[0]
    if shown[last] < 1.5 * width**2:
        del inner[-1]
    return edges[[first, *inner, last + 1]]


def visible_span(lower: Numbers, upper: Numbers) -> tuple[int, int]:
    """The indices of the first and the last points at which the band is on the canvas."""
    left, top, right, bottom = CANVAS.bounds
    points = np.stack([lower, (lower + upper) / 2, upper])
    on = ((points > (left, top)) & (points < (right, bottom))).all(axis=2).any(axis=0)
    steps = np.flatnonzero(on)
    return (int(steps[0]), int(steps[-1])) if len(steps) else (0, 0)
