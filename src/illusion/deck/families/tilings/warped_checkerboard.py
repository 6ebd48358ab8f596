"""Warped checkerboard: squares enlarged around a point, or bent by waves."""

from math import ceil, cos, pi, sin
from random import Random
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray

from illusion.deck.drawing.card_face import CANVAS, Piece
from illusion.deck.drawing.curves import canvas_diagonal

Numbers = NDArray[np.float64]

MIN_PIECE_AREA: Final = 2500.0
MAX_PIECES_WAVES_ONLY: Final = 25
"""With this many squares or fewer, an enlargement would hardly show: only waves are used."""


def pieces(rng: Random, count: int) -> list[Piece]:
    side = (CANVAS.area / count) ** 0.5 * (1 + 0.4 / count**0.5)
    chords = ceil(side / 300)
    reach = ceil((canvas_diagonal() / 2 + side) / side)
    steps = (np.arange(2 * reach * chords + 1) / chords - reach) * side
    turn = rng.uniform(0.06, pi / 4) * rng.choice([-1, 1])
    across, down = np.meshgrid(steps + rng.random() * side, steps + rng.random() * side, indexing="ij")
    x, y = across * cos(turn) - down * sin(turn), across * sin(turn) + down * cos(turn)
    x, y = _swollen(x, y, rng) if count > MAX_PIECES_WAVES_ONLY and rng.random() < 0.6 else _waved(x, y, rng)
    left, top, right, bottom = CANVAS.bounds
    points = np.stack([x + (left + right) / 2, y + (top + bottom) / 2], axis=-1)

    columns, rows = (at.ravel() for at in np.indices((2 * reach, 2 * reach)))
    i, j = _outline(chords)
    rings = points[columns[:, None] * chords + i, rows[:, None] * chords + j]
    low, high = rings.min(axis=1), rings.max(axis=1)
    near = (high > (left, top)).all(axis=1) & (low < (right, bottom)).all(axis=1)
    squares = shapely.intersection(shapely.polygons(rings[near]), CANVAS)
    parity = (columns + rows)[near] % 2
    return [
        Piece(part, int(layer))
        for square, layer in zip(squares, parity, strict=True)
        for part in shapely.get_parts(square)
        if part.area > MIN_PIECE_AREA
    ]


def _outline(chords: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The column and row indices of the points around one square."""
    up, end = np.arange(chords), np.full(chords, chords)
    along = np.concatenate([up, end, end - up, 0 * up])
    return along, np.roll(along, chords)


def _swollen(x: Numbers, y: Numbers, rng: Random) -> tuple[Numbers, Numbers]:
    """Squares enlarged around a point, as by a lens."""
    left, top, right, bottom = CANVAS.bounds
    u, v = x - rng.uniform(-0.25, 0.25) * (right - left), y - rng.uniform(-0.25, 0.25) * (bottom - top)
    inside = np.minimum((u**2 + v**2) / (rng.uniform(0.42, 0.6) * (bottom - top)) ** 2, 1)
    swell = rng.uniform(0.5, 0.75) * (1 - inside) ** 2
    return x + u * swell, y + v * swell


def _waved(x: Numbers, y: Numbers, rng: Random) -> tuple[Numbers, Numbers]:
    """Squares bent by waves in both directions, strong enough to bend every line and too weak to fold one."""
    left, _, right, _ = CANVAS.bounds
    for _ in range(2):
        wave = rng.uniform(0.45, 1.1) * (right - left) / (2 * pi)
        steep = rng.uniform(0.3, 0.55)
        x, y = y + steep * wave * np.sin(x / wave + rng.uniform(0, 2 * pi)), x
    return x, y
