"""Bands across the canvas, for the families. A band lies between two lines of points."""

from itertools import pairwise

import numpy as np

from illusion.deck.card_face import CANVAS_BOTTOM, CANVAS_LEFT, CANVAS_RIGHT, CANVAS_TOP
from illusion.deck.plane.clipping import clipped
from illusion.deck.plane.rings import FINE, Mask, Numbers, rings_of


def without_corner_bands(edges: Numbers, width: float) -> Numbers:
    """The edges of the bands that are on the canvas, without a first or last band that only covers a corner."""
    seen = clipped(rings_of(np.concatenate([edges[:-1], edges[1:, ::-1]], axis=1)))
    shown = [0] * (len(edges) - 1)
    for band, area in zip(seen.piece.tolist(), seen.double_areas().tolist(), strict=True):
        shown[band] += area
    first, *inner, last = (band for band, area in enumerate(shown) if area > 0)
    inner = [*inner, last]
    least = 3 * width * width * FINE * FINE
    if shown[first] < least:
        del inner[0]
    if shown[last] < least:
        del inner[-1]
    return edges[[first, *inner, last + 1]]


def visible(lower: Numbers, upper: Numbers) -> Mask:
    """At which of its points each of some bands is on the canvas."""
    points = np.stack([lower, (lower + upper) / 2, upper])
    x, y = points[..., 0], points[..., 1]
    on = (x > CANVAS_LEFT) & (x < CANVAS_RIGHT) & (y > CANVAS_TOP) & (y < CANVAS_BOTTOM)
    there: Mask = on[0] | on[1] | on[2]
    return there


def span(there: list[bool]) -> tuple[int, int]:
    """The indices of the first and the last that are true."""
    return (there.index(True), len(there) - 1 - there[::-1].index(True)) if True in there else (0, 0)


def distances(lower: Numbers, upper: Numbers) -> Numbers:
    """How far the lines are apart at each point."""
    x, y = upper[..., 0] - lower[..., 0], upper[..., 1] - lower[..., 1]
    away: Numbers = np.sqrt(x * x + y * y)
    return away


def mean(values: Numbers) -> float:
    """The mean to a sixteenth, summed in whole numbers so that their order does not matter."""
    return int(np.rint(values * FINE).astype(np.int64).sum()) / (FINE * len(values))


def segments(lower: Numbers, upper: Numbers, cuts: list[int], slant: int = 0) -> list[Numbers]:
    """The outlines of a band's parts between cuts at these points; the upper ends are `slant` points farther on."""
    return [
        np.concatenate([lower[start : end + 1], upper[start + slant : end + slant + 1][::-1]])
        for start, end in pairwise(cuts)
    ]
