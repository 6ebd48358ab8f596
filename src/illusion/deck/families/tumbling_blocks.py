"""Tumbling blocks: a rhombille tiling, which looks like stacked boxes, enlarged or shrunk around a point.

A few boxes are hollow.
"""

from math import ceil, sqrt
from typing import Final

import numpy as np

from illusion.deck.picture import CANVAS_AREA
from illusion.deck.plane.curves import CANVAS_DIAGONAL, CENTRE_POINT, length, near_canvas, point_inside, swollen
from illusion.deck.plane.exact import TAU, Dice, turn
from illusion.deck.plane.mosaic import Mosaic, mosaic

CORNERS: Final = ((0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 1, 1), (0, 0, 1), (1, 0, 1), (1, 1, 1))
"""The corners of a box, each as a sum of some of its three edges."""
FULL: Final = ((0, 1, 2, 3), (0, 3, 4, 5), (0, 5, 6, 1))
HOLLOW: Final = ((5, 6, 7, 4), (1, 2, 7, 6), (3, 4, 7, 2))
"""The three visible faces of a box, and of a hollow box."""

Edge = tuple[float, float]


def pieces(dice: Dice, count: int) -> Mosaic:
    a, b, c = _edges(dice, 3.7 * CANVAS_AREA / count)
    (px, py), (qx, qy) = (a[0] - c[0], a[1] - c[1]), (b[0] - c[0], b[1] - c[1])
    covered = abs(px * qy - py * qx)
    far = CANVAS_DIAGONAL / 2 + 400
    rows, columns = ceil(far * length(qx, qy) / covered) + 1, ceil(far * length(px, py) / covered) + 1
    row, column = (each.reshape(-1, 1) for each in np.mgrid[-rows : rows + 1, -columns : columns + 1])
    boxes = row * np.array([px, py]) + column * np.array([qx, qy]) + CENTRE_POINT
    corners = np.array([(u * a[0] + v * b[0] + w * c[0], u * a[1] + v * b[1] + w * c[1]) for u, v, w in CORNERS])
    focus, swell, breadth = point_inside(dice, 0.1), dice.choice([-0.4, 0.5, 1]), dice.uniform(1300, 2000)
    points = swollen(boxes[:, None, :] + corners, focus, swell, breadth)
    points = points[near_canvas(points)]
    hollow = dice.choice([0, 0.15, 0.3])
    faces = np.array([HOLLOW if dice.random() < hollow else FULL for _ in points])
    outlines = points[np.arange(len(points))[:, None, None], faces]
    return mosaic(outlines.reshape(-1, 4, 2), [0, 1, 2] * len(points))


def _edges(dice: Dice, area: float) -> list[Edge]:
    """The three edges of a box that covers this area: of unequal lengths, none level or upright."""
    angles = [step * TAU / 3 + dice.uniform(-0.25, 0.25) for step in range(3)]
    starts = dice.uniforms(0, TAU, 8)
    ways = max(
        ([turn(start + angle) for angle in angles] for start in starts),
        key=lambda ways: min(abs(cosine * sine) for cosine, sine in ways),
    )
    edges = [
        (size * cosine, size * sine) for size, (cosine, sine) in zip(dice.uniforms(0.75, 1.25, 3), ways, strict=True)
    ]
    (a, b), (c, d), (e, f) = edges
    scale = sqrt(area / ((a * d - b * c) + (c * f - d * e) + (e * b - f * a)))
    return [(scale * x, scale * y) for x, y in edges]
