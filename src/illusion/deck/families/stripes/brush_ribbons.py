"""Brush ribbons: rows of long strokes that swell and taper, with ground between; both are cut into segments."""

from itertools import pairwise
from math import ceil, cos, pi, sin, sqrt
from random import Random
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry import Polygon

from illusion.deck.drawing.bands import Numbers, visible_span
from illusion.deck.drawing.card_face import CANVAS, CENTRE, Piece
from illusion.deck.drawing.curves import canvas_diagonal

MIN_PIECE_AREA: Final = 2500.0
STEP_LENGTH: Final = 170.0
"""The distance between two points of an edge."""


def pieces(rng: Random, count: int) -> list[Piece]:
    width = sqrt(CANVAS.area / count / 1.5)
    edges = _edges(rng, width)
    outlines: list[Polygon] = []
    layers: list[int] = []
    for at, (lower, upper) in enumerate(pairwise(edges)):
        wide = np.sqrt(((upper - lower) ** 2).sum(axis=1))
        for start, end in _runs(wide > 1):
            low, high = lower[start : end + 1], upper[start : end + 1]
            first, last = visible_span(low, high)
            area = (last - first) * STEP_LENGTH * wide[start + first : start + last + 1].mean()
            wanted = area / CANVAS.area * count * rng.uniform(0.75, 1.1) * (0.5 if at % 2 else 1)
            number = max(1, min(round(wanted), (last - first) // 4))
            jitter = [rng.uniform(-0.3, 0.3) for _ in range(1, number)]
            cuts = [first + round((last - first) * (k + by) / number) for k, by in enumerate(jitter, 1)]
            if last > first:
                outlines += [
                    Polygon(np.concatenate([low[a : b + 1], high[a : b + 1][::-1]]))
                    for a, b in pairwise([0, *cuts, len(low) - 1])
                ]
                layers += [at % 2] * number
    parts, of_outline = shapely.get_parts(shapely.intersection(outlines, CANVAS), return_index=True)
    return [Piece(part, layers[at]) for part, at in zip(parts, of_outline, strict=True) if part.area > MIN_PIECE_AREA]


def _edges(rng: Random, width: float) -> Numbers:
    """The lines of points between ground, strokes, ground, strokes and so on."""
    reach = 0.62 * canvas_diagonal()
    along: Numbers = (
        np.arange(-ceil(reach / STEP_LENGTH), ceil(reach / STEP_LENGTH) + 1, dtype=np.float64) * STEP_LENGTH
    )
    bend = rng.uniform(0.35, 0.5) * canvas_diagonal() / pi
    sway = rng.uniform(0.35, 0.7) * bend * np.sin(along / bend + rng.uniform(0, 2 * pi))
    lines = [sway - 1.5 * reach]
    middle = -1.1 * reach - rng.random() * width
    while middle < 1.1 * reach:
        thick = 1.9 * width * rng.uniform(0.75, 1.15) * _strokes(rng, along, width)
        wave = rng.uniform(0.4, 0.7) * canvas_diagonal() / (2 * pi)
        course = sway + middle + 0.4 * width * np.sin(along / wave + rng.uniform(0, 2 * pi))
        lower = lines[-1] + _at_least(0.5 * width, course - thick / 2 - lines[-1])
        lines += [lower, lower + thick]
        middle += 2.2 * width
    lines.append(lines[-1] + reach)
    across = np.array(lines)
    turn = rng.uniform(0.08, pi / 2 - 0.08) * rng.choice([-1, 1])
    return np.stack(
        [CENTRE[0] + along * cos(turn) - across * sin(turn), CENTRE[1] + along * sin(turn) + across * cos(turn)],
        axis=-1,
    )


def _strokes(rng: Random, along: Numbers, width: float) -> Numbers:
    """How thick the strokes of one row are, 0 to 1: each has a blunt end and a tapering end."""
    thick = np.zeros_like(along)
    start = along[0] - rng.random() * 0.5 * canvas_diagonal()
    flip = rng.random() < 0.5
    while start < along[-1]:
        length = rng.uniform(5, 8) * width
        t = np.clip((along - start) / length, 0, 1)
        thick += np.sin(pi * (1 - t if flip else t) ** 0.65) ** 0.6
        start += length + 0.3 * width
    return np.where(thick > 0.05, thick, 0)


def _at_least(least: float, wanted: Numbers) -> Numbers:
    """A smooth maximum (softplus) of `least` and `wanted`."""
    soft = least / 2
    return least + soft * np.logaddexp(0, (wanted - least) / soft)


def _runs(there: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """The runs of true values as (start, end), one step longer at either end."""
    changes = np.flatnonzero(np.diff(np.concatenate([[False], there, [False]])))
    return [(max(a - 1, 0), min(b, len(there) - 1)) for a, b in changes.reshape(-1, 2).tolist()]
