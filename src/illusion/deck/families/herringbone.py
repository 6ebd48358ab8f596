"""Herringbone: slabs laid in a herringbone or a brick bond, tilted and sheared."""

from itertools import pairwise
from math import ceil, sqrt

import numpy as np

from illusion.deck.picture import CANVAS_AREA
from illusion.deck.plane.curves import CANVAS_DIAGONAL, CENTRE_POINT, grid_directions, near_canvas
from illusion.deck.plane.exact import Dice, turn
from illusion.deck.plane.mosaic import Mosaic, mosaic
from illusion.deck.plane.rings import Numbers, Whole

Slabs = tuple[Numbers, Whole]
"""The corners of each slab with the points where neighbours' corners touch it, and its layer."""


def pieces(dice: Dice, count: int) -> Mosaic:
    long = dice.choice([2, 2, 3, 4])
    side = sqrt(CANVAS_AREA / (0.75 * count) / long)
    reach = ceil(0.62 * CANVAS_DIAGONAL / side) + long
    slabs, layers = _bond(dice, long, reach) if dice.chance(0.3) else _zigzag(long, reach)
    tilt, lean = grid_directions(dice, 0.3)
    stretch = dice.uniform(0.85, 1.18)
    axis, other_axis = np.array(turn(tilt)) * (side * stretch), np.array(turn(lean)) * (side / stretch)
    places = slabs + dice.random()
    points = places[..., :1] * axis + places[..., 1:] * other_axis + CENTRE_POINT
    seen = near_canvas(points).nonzero()[0]
    return mosaic(points[seen], layers[seen].tolist())


def _zigzag(long: int, reach: int) -> Slabs:
    """Slabs in herringbone: alternately horizontal and vertical along diagonal stairs."""
    lying = [*((k, 0) for k in range(long + 1)), *((k, 1) for k in range(long, -1, -1))]
    upright = [(m, 1 + k) for k, m in lying]
    stairs = np.arange(-reach, reach + 1)
    reaches = reach + long - np.abs(stairs) * long
    counts = np.maximum(2 * reaches + 1, 0)
    stair = stairs.repeat(counts)
    step = np.arange(len(stair)) - (counts.cumsum() - counts + reaches).repeat(counts)
    corners = np.stack([step + stair * long, step - stair * long], axis=1)
    slabs = corners[:, None, None] + np.array([lying, upright])
    layers = 2 * (step % 2)[:, None] + np.array([0, 1])
    return slabs.reshape(-1, len(lying), 2), layers.ravel()


def _bond(dice: Dice, long: int, reach: int) -> Slabs:
    """Rows of bricks, each shifted against the one before, alternately high and low."""
    bricks: list[list[tuple[float, float]]] = []
    layers: list[int] = []
    shift = dice.choice([0.5, 0.375, 0.25]) * long
    low = dice.uniform(0.65, 1)
    lines = [row + (1 - low) * (row % 2) for row in range(-reach, reach + 2)]
    for row, (bottom, top) in enumerate(pairwise(lines)):
        start = row * shift % long - long * ceil(reach / long)
        for brick in range(2 * ceil(reach / long) + 1):
            x, end = start + brick * long, start + (brick + 1) * long
            bricks.append([(x, bottom), (end - shift, bottom), (end, bottom), (end, top), (x + shift, top), (x, top)])
            layers.append(row % 2 + 2 * (brick % 2))
    return np.array(bricks), np.array(layers)
