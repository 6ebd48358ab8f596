"""Herringbone: slabs laid in a herringbone or a brick bond, tilted and sheared."""

from itertools import pairwise
from math import ceil, cos, pi, sin
from random import Random
from typing import Final

import numpy as np
import shapely

from illusion.deck.drawing.card_face import CANVAS, CENTRE, Piece
from illusion.deck.drawing.curves import canvas_diagonal

MIN_TILT_RAD: Final = 0.06
MIN_PIECE_AREA: Final = 2500.0

Ring = list[tuple[float, float]]
"""A slab's corners, and the points where neighbours' corners touch it, so that rounding leaves no crack."""


def pieces(rng: Random, count: int) -> list[Piece]:
    long = rng.choice([2, 2, 3, 4])
    side = (CANVAS.area / (0.75 * count) / long) ** 0.5
    reach = ceil(0.65 * canvas_diagonal() / side) + long
    boxes = _bond(rng, long, reach) if rng.random() < 0.3 else _zigzag(long, reach)
    turn = rng.uniform(MIN_TILT_RAD, pi / 2 - MIN_TILT_RAD)
    lean = turn + pi / 2
    while (lean + MIN_TILT_RAD) % (pi / 2) < 2 * MIN_TILT_RAD or lean == turn + pi / 2:
        lean = turn + pi / 2 + rng.uniform(-0.3, 0.3)
    stretch = rng.uniform(0.85, 1.18)
    axes = np.array([[cos(turn) * stretch, sin(turn) * stretch], [cos(lean) / stretch, sin(lean) / stretch]]) * side
    u, v = np.array([ring for ring, _ in boxes]).transpose(2, 0, 1)[..., None] + rng.random()
    points = u * axes[0] + v * axes[1] + CENTRE
    left, top, right, bottom = CANVAS.bounds
    near = (points.max(axis=1) > (left, top)).all(axis=1) & (points.min(axis=1) < (right, bottom)).all(axis=1)
    layers = np.array([layer for _, layer in boxes])[near]
    parts, of_box = shapely.get_parts(shapely.intersection(shapely.polygons(points[near]), CANVAS), return_index=True)
    return [Piece(part, int(layers[at])) for part, at in zip(parts, of_box, strict=True) if part.area > MIN_PIECE_AREA]


def _zigzag(long: int, reach: int) -> list[tuple[Ring, int]]:
    """Slabs in herringbone: alternately horizontal and vertical along diagonal stairs."""
    slabs: list[tuple[Ring, int]] = []
    lying = [*((k, 0) for k in range(long + 1)), *((k, 1) for k in range(long, -1, -1))]
    for stair in range(-reach, reach + 1):
        for step in range(-2 * reach, 2 * reach + 1):
            x, y = step + stair * long, step - stair * long
            if abs(x) <= reach + long and abs(y) <= reach + long:
                tone = 2 * (step % 2)
                slabs.append(([(x + k, y + m) for k, m in lying], tone))
                slabs.append(([(x + m, y + 1 + k) for k, m in lying], tone + 1))
    return slabs


def _bond(rng: Random, long: int, reach: int) -> list[tuple[Ring, int]]:
    """Rows of bricks, each shifted against the one before, alternately high and low."""
    bricks: list[tuple[Ring, int]] = []
    shift = rng.choice([0.5, 0.375, 0.25]) * long
    low = rng.uniform(0.65, 1)
    lines = [row + (1 - low) * (row % 2) for row in range(-reach, reach + 2)]
    for row, (bottom, top) in enumerate(pairwise(lines)):
        start = row * shift % long - long * ceil(reach / long)
        for brick in range(2 * ceil(reach / long) + 1):
            x, end = start + brick * long, start + (brick + 1) * long
            ring = [(x, bottom), (end - shift, bottom), (end, bottom), (end, top), (x + shift, top), (x, top)]
            bricks.append((ring, row % 2 + 2 * (brick % 2)))
    return bricks
