"""Wavy bands: bands of varying width that run in waves across the card, each cut into segments."""

from itertools import pairwise
from math import ceil, cos, pi, sin, sqrt
from random import Random
from typing import Final

import numpy as np
import shapely
from shapely.geometry import Polygon

from illusion.deck.drawing.bands import Numbers, visible_span, without_corner_bands
from illusion.deck.drawing.card_face import CANVAS, CENTRE, Piece
from illusion.deck.drawing.curves import MAX_SAG, canvas_diagonal

MIN_PIECE_AREA: Final = 2500.0


def pieces(rng: Random, count: int) -> list[Piece]:
    width = sqrt(CANVAS.area / count / 2.2)
    edges = without_corner_bands(_edges(rng, width), width)
    slant = rng.choice([-1, 0, 0, 1])
    outlines = []
    layers = []
    for at, (lower, upper) in enumerate(pairwise(edges)):
        first, last = visible_span(lower, upper)
        area = (last - first) * np.hypot(*(lower[1] - lower[0])) * np.hypot(*(upper - lower).T)[first : last + 1].mean()
        number = max(1, min(round(area / CANVAS.area * count * rng.uniform(0.75, 1.05)), (last - first) // 3))
        jitter = [rng.uniform(-0.3, 0.3) for _ in range(1, number)]
        cuts = [first + round((last - first) * (k + by) / number) for k, by in enumerate(jitter, 1)]
        for start, end in pairwise([1, *cuts, len(lower) - 2]):
            outlines.append(np.concatenate([lower[start : end + 1], upper[start + slant : end + slant + 1][::-1]]))
            layers.append(at % 2)
    shapes = shapely.intersection([Polygon(outline) for outline in outlines], CANVAS)
    parts, of_shape = shapely.get_parts(shapes, return_index=True)
    return [Piece(part, layers[at]) for part, at in zip(parts, of_shape, strict=True) if part.area > MIN_PIECE_AREA]


def _edges(rng: Random, width: float) -> Numbers:
    """The lines of points between the bands."""
    reach = canvas_diagonal() / 2
    wave, small_wave = rng.uniform(0.5, 0.9) * reach / pi, rng.uniform(0.3, 0.5) * reach / pi
    high = rng.uniform(0.3, 0.55) * wave
    drift = rng.uniform(0.5, 1.1)
    swing = rng.uniform(0.25, 0.4) * width / drift
    step = sqrt(8 * MAX_SAG / (high / wave**2 + swing / small_wave**2))
    along = np.arange(-ceil(1.2 * reach / step), ceil(1.2 * reach / step) + 1) * step

    ratio, growth = rng.uniform(0.75, 1.25), rng.uniform(-0.35, 0.35)
    bases = [-1.3 * reach]
    while bases[-1] < 1.3 * reach:
        even = ratio if len(bases) % 2 else 2 - ratio
        bases.append(bases[-1] + width * even * (1 + growth * bases[-1] / reach))
    phases = np.arange(len(bases))[:, None] * drift + rng.uniform(0, 2 * pi)
    across = np.array(bases)[:, None] + high * np.sin(along / wave + rng.uniform(0, 2 * pi))
    across = across + swing * np.sin(along / small_wave + phases)
    turn = rng.uniform(0.08, pi / 2 - 0.08) * rng.choice([-1, 1])
    return np.stack(
        [CENTRE[0] + along * cos(turn) - across * sin(turn), CENTRE[1] + along * sin(turn) + across * cos(turn)],
        axis=-1,
    )
