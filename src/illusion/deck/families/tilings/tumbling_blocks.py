"""Tumbling blocks: a rhombille tiling, which looks like stacked boxes, enlarged or shrunk around a point.

A few boxes are hollow.
"""

from math import ceil, cos, fsum, pi, sin
from random import Random
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray

from illusion.deck.drawing.card_face import BOTTOM, CANVAS, CENTRE, LEFT, RIGHT, TOP, Piece
from illusion.deck.drawing.curves import canvas_diagonal

CORNERS: Final = ((0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 1, 1), (0, 0, 1), (1, 0, 1), (1, 1, 1))
"""The corners of a box, each as a sum of some of its three edges."""
FULL: Final = ((0, 1, 2, 3), (0, 3, 4, 5), (0, 5, 6, 1))
HOLLOW: Final = ((5, 6, 7, 4), (1, 2, 7, 6), (3, 4, 7, 2))
"""The three visible faces of a box, and of a hollow box."""


def pieces(rng: Random, count: int) -> list[Piece]:
    edges = _edges(rng, 3.7 * CANVAS.area / count)
    lattice = np.array([edges[0] - edges[2], edges[1] - edges[2]])
    rows, columns = (ceil((canvas_diagonal() / 2 + 400) * np.hypot(*line)) + 1 for line in np.linalg.inv(lattice).T)
    boxes = np.mgrid[-rows : rows + 1, -columns : columns + 1].reshape(2, -1).T @ lattice + CENTRE
    focus = LEFT + rng.uniform(0.1, 0.9) * (RIGHT - LEFT), TOP + rng.uniform(0.1, 0.9) * (BOTTOM - TOP)
    away = boxes[:, None, :] + np.array(CORNERS) @ edges - focus
    swell, breadth = rng.choice([-0.4, 0.5, 1]), rng.uniform(1300, 2000)
    grown = 1 + swell * (1 + (away**2).sum(axis=-1) / (2 * breadth**2)) ** -2
    points = np.round(focus + away * grown[..., None], 3)

    left, top, right, bottom = CANVAS.bounds
    seen = (points.min(axis=1) < (right, bottom)).all(axis=1) & (points.max(axis=1) > (left, top)).all(axis=1)
    hollow = rng.choice([0, 0.15, 0.3])
    faces = np.array([box[list(face)] for box in points[seen] for face in (HOLLOW if rng.random() < hollow else FULL)])
    clipped, of = shapely.get_parts(shapely.clip_by_rect(shapely.polygons(faces), *CANVAS.bounds), return_index=True)
    return [Piece(part, int(at) % 3) for part, at in zip(clipped, of, strict=True) if part.area > 0]


def _edges(rng: Random, area: float) -> NDArray[np.float64]:
    """The three edges of a box that covers this area: of unequal lengths, none level or upright."""
    angles = [turn * 2 * pi / 3 + rng.uniform(-0.25, 0.25) for turn in range(3)]
    starts = [rng.uniform(0, 2 * pi) for _ in range(8)]
    start = max(starts, key=lambda start: min(abs(sin(2 * (start + angle))) for angle in angles))
    lengths = [rng.uniform(0.75, 1.25) for _ in angles]
    sized = list(zip(angles, lengths, strict=True))
    covered = fsum(a * b * sin(v - u) for (u, a), (v, b) in zip(sized, sized[1:] + sized[:1], strict=True))
    scale = (area / covered) ** 0.5
    ends = [(length * cos(start + angle), length * sin(start + angle)) for angle, length in sized]
    return np.array([(scale * x, scale * y) for x, y in ends])
