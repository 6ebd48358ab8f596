"""Triangle mesh: a grid of triangles, tilted, jittered, and enlarged or shrunk around a point."""

from math import atan2, ceil, cos, pi, sin
from random import Random

import numpy as np
import shapely

from illusion.deck.drawing.card_face import BOTTOM, CANVAS, CENTRE, LEFT, RIGHT, TOP, Piece
from illusion.deck.drawing.curves import canvas_diagonal


def pieces(rng: Random, count: int) -> list[Piece]:
    height = rng.uniform(0.7, 1)
    edge = 1.1 * (2 * CANVAS.area / (count * height)) ** 0.5
    rows = ceil(canvas_diagonal() / 2 / (edge * height)) + 1
    columns = ceil(canvas_diagonal() / 2 / edge + rows / 2) + 1
    row, column = np.mgrid[-rows : rows + 1, -columns : columns + 1].astype(float)
    shake = rng.choice([0.04, 0.1, 0.18])
    shaken = np.array([rng.uniform(-shake, shake) for _ in range(2 * row.size)]).reshape(2, *row.shape)
    across, down = edge * (column + row / 2 + shaken[0]), edge * height * (row + shaken[1])

    turn = _turn(rng, height)
    x, y = across * cos(turn) - down * sin(turn) + CENTRE[0], across * sin(turn) + down * cos(turn) + CENTRE[1]
    u, v = LEFT + rng.uniform(0.1, 0.9) * (RIGHT - LEFT), TOP + rng.uniform(0.1, 0.9) * (BOTTOM - TOP)
    swell, breadth = rng.choice([-0.45, 0.7, 1.3]), rng.uniform(1300, 2000)
    grown = 1 + swell * (1 + ((x - u) ** 2 + (y - v) ** 2) / (2 * breadth**2)) ** -2
    points = np.stack([u + (x - u) * grown, v + (y - v) * grown], axis=-1)

    a, b, c, d = points[:-1, :-1], points[:-1, 1:], points[1:, 1:], points[1:, :-1]
    corners = np.concatenate([np.stack([a, b, d], axis=2), np.stack([b, c, d], axis=2)]).reshape(-1, 3, 2)
    layers = np.arange(len(corners)) >= len(corners) // 2
    low, high = corners.min(axis=1), corners.max(axis=1)
    left, top, right, bottom = CANVAS.bounds
    seen = (low < (right, bottom)).all(axis=1) & (high > (left, top)).all(axis=1)
    clipped = np.asarray(shapely.clip_by_rect(shapely.polygons(corners[seen]), left, top, right, bottom))
    return [Piece(part, int(layer)) for part, layer in zip(clipped, layers[seen], strict=True) if part.area > 0]


def _turn(rng: Random, height: float) -> float:
    """A tilt at which no side of the triangles is level or upright."""
    sides = (0.0, atan2(height, 0.5), atan2(height, -0.5))
    turns = [rng.uniform(0, pi) for _ in range(6)]
    return max(turns, key=lambda turn: min(abs(sin(2 * (turn + side))) for side in sides))
