"""Pinwheels: tilted tiles of uneven size, each divided into vanes that curve around its centre."""

from itertools import accumulate
from math import ceil, cos, pi, sin
from random import Random

import numpy as np
import shapely
from numpy.typing import NDArray

from illusion.deck.drawing.card_face import BOTTOM, CANVAS, CENTRE, LEFT, RIGHT, TOP, Piece
from illusion.deck.drawing.curves import MAX_SAG, canvas_diagonal

Points = NDArray[np.float64]


def pieces(rng: Random, count: int) -> list[Piece]:
    vanes = rng.choice([4, 8]) if count > 40 else 4
    side = 1.1 * (vanes * CANVAS.area / count) ** 0.5
    net = _net(rng, side)
    share = rng.uniform(0.35, 0.5)
    whirl = rng.choice([-1, 1]) * (rng.uniform(1.3, 2.2) if vanes == 4 else rng.choice([0, rng.uniform(0.7, 1.2)]))
    hands = rng.choice([(1, -1), (1, 1)]) if vanes == 4 else (1, -1)
    bends = ceil((abs(whirl) * side / (8 * MAX_SAG)) ** 0.5) + 1
    left, top, right, bottom = CANVAS.bounds
    shapes, layers = [], []
    for row in range(len(net) - 1):
        for column in range(len(net) - 1):
            corners = net[[row, row, row + 1, row + 1], [column, column + 1, column + 1, column]]
            if (corners.min(axis=0) > (right, bottom)).any() or (corners.max(axis=0) < (left, top)).any():
                continue
            hand = hands[(row + column) % 2]
            rim = corners if vanes == 4 else _rim(corners, share if hand > 0 else 1 - share)
            spokes = _spokes(corners.mean(axis=0), rim, hand * whirl, bends)
            shapes += [np.concatenate([spokes[vane - 1], spokes[vane][::-1]]) for vane in range(vanes)]
            layers += [vane % 2 for vane in range(vanes)]
    polygons = [shapely.Polygon(np.round(shape, 3)) for shape in shapes]
    clipped, of = shapely.get_parts(shapely.clip_by_rect(polygons, left, top, right, bottom), return_index=True)
    return [Piece(part, layers[at]) for part, at in zip(clipped, of, strict=True) if part.area > 0]


def _net(rng: Random, side: float) -> Points:
    """The tiles' corners: uneven rows and columns, tilted, enlarged or shrunk around a point."""
    tiles = 2 * ceil((canvas_diagonal() / 2 + 400) / side) + 1
    lines = [np.array([0, *accumulate(side * rng.uniform(0.85, 1.2) for _ in range(tiles))]) for _ in range(2)]
    x, y = np.meshgrid(*(line - line[-1] / 2 for line in lines))
    turn = rng.choice([0, pi / 4]) + rng.uniform(0.06, pi / 4 - 0.06)
    points = np.stack([x * cos(turn) - y * sin(turn), x * sin(turn) + y * cos(turn)], axis=-1) + CENTRE
    focus = LEFT + rng.uniform(0.1, 0.9) * (RIGHT - LEFT), TOP + rng.uniform(0.1, 0.9) * (BOTTOM - TOP)
    away = points - focus
    grown = 1 + rng.choice([-0.3, 0.3, 0.6]) * (1 + (away**2).sum(axis=-1) / (2 * 1800**2)) ** -2
    swollen: Points = focus + away * grown[..., None]
    return swollen


def _rim(corners: Points, share: float) -> Points:
    """A tile's corners and, after each, a point on the side that follows."""
    sides = np.roll(corners, -1, axis=0) - corners
    return np.stack([corners, corners + share * sides], axis=1).reshape(8, 2)


def _spokes(centre: Points, rim: Points, whirl: float, bends: int) -> Points:
    """Lines from the centre to the rim, bent more the nearer they are to the centre."""
    steps = np.linspace(0, 1, bends + 1 if whirl else 2)
    angles = whirl * (1 - steps) ** 2
    away = (rim - centre)[:, None, :] * steps[:, None]
    x, y = away[..., 0], away[..., 1]
    bent = np.stack([x * np.cos(angles) - y * np.sin(angles), x * np.sin(angles) + y * np.cos(angles)], axis=-1)
    spokes: Points = centre + bent
    return spokes
