"""Triangle mesh: a grid of triangles, tilted, jittered, and enlarged or shrunk around a point."""

from math import ceil, sqrt

import numpy as np

from illusion.deck.picture import CANVAS_AREA
from illusion.deck.plane.curves import CANVAS_DIAGONAL, length, near_canvas, point_inside, rotated, swollen
from illusion.deck.plane.exact import PI, Dice, turn
from illusion.deck.plane.mosaic import Mosaic, mosaic


def pieces(dice: Dice, count: int) -> Mosaic:
    height = dice.uniform(0.7, 1)
    edge = 1.1 * sqrt(2 * CANVAS_AREA / (count * height))
    rows = ceil(CANVAS_DIAGONAL / 2 / (edge * height)) + 1
    columns = ceil(CANVAS_DIAGONAL / 2 / edge + rows / 2) + 1
    row, column = np.mgrid[-rows : rows + 1, -columns : columns + 1].astype(np.float64)
    shake = dice.choice([0.04, 0.1, 0.18])
    shaken = np.array(dice.uniforms(-shake, shake, 2 * row.size)).reshape(2, *row.shape)
    across, down = edge * (column + row / 2 + shaken[0]), edge * height * (row + shaken[1])
    cosine, sine = _tilt(dice, height)
    focus = point_inside(dice, 0.1)
    points = swollen(
        rotated(across, down, cosine, sine), focus, dice.choice([-0.45, 0.7, 1.3]), dice.uniform(1300, 2000)
    )
    a, b, c, d = points[:-1, :-1], points[:-1, 1:], points[1:, 1:], points[1:, :-1]
    corners = np.concatenate([np.stack([a, b, d], axis=2), np.stack([b, c, d], axis=2)]).reshape(-1, 3, 2)
    layers = np.arange(len(corners)) >= len(corners) // 2
    seen = near_canvas(corners)
    return mosaic(corners[seen], layers[seen].astype(int).tolist())


def _tilt(dice: Dice, height: float) -> tuple[float, float]:
    """The cosine and sine of a tilt at which no side of the triangles is level or upright."""
    slope = length(0.5, height)
    sides = ((1.0, 0.0), (0.5 / slope, height / slope), (-0.5 / slope, height / slope))

    def clear(way: tuple[float, float]) -> float:
        return min(abs((way[0] * x - way[1] * y) * (way[1] * x + way[0] * y)) for x, y in sides)

    return max([turn(dice.uniform(0, PI)) for _ in range(6)], key=clear)
