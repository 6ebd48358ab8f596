"""Warped checkerboard: squares enlarged around a point, or bent by waves."""

from math import ceil, sqrt
from typing import Final

import numpy as np

from illusion.deck.picture import CANVAS_AREA, CANVAS_BOTTOM, CANVAS_LEFT, CANVAS_RIGHT, CANVAS_TOP
from illusion.deck.plane.curves import CANVAS_DIAGONAL, CENTRE_POINT, near_canvas
from illusion.deck.plane.exact import PI, TAU, Dice, cos_sin, turn
from illusion.deck.plane.mosaic import Mosaic, mosaic
from illusion.deck.plane.rings import Numbers, Whole

MAX_PIECES_WAVES_ONLY: Final = 25
"""With this many squares or fewer, an enlargement would hardly show: only waves are used."""
_WIDE, _HIGH = CANVAS_RIGHT - CANVAS_LEFT, CANVAS_BOTTOM - CANVAS_TOP


def pieces(dice: Dice, count: int) -> Mosaic:
    side = sqrt(CANVAS_AREA / count) * (1 + 0.4 / sqrt(count))
    chords = ceil(side / 300)
    reach = ceil((CANVAS_DIAGONAL / 2 + side) / side)
    steps = (np.arange(2 * reach * chords + 1) / chords - reach) * side
    cosine, sine = turn(dice.uniform(0.06, PI / 4) * dice.sign())
    across, down = np.meshgrid(steps + dice.random() * side, steps + dice.random() * side, indexing="ij")
    x, y = across * cosine - down * sine, across * sine + down * cosine
    x, y = _swollen(x, y, dice) if count > MAX_PIECES_WAVES_ONLY and dice.chance(0.6) else _waved(x, y, dice)
    points = np.stack([x, y], axis=-1) + CENTRE_POINT

    columns, rows = (at.ravel() for at in np.indices((2 * reach, 2 * reach)))
    i, j = _outline(chords)
    rings = points[columns[:, None] * chords + i, rows[:, None] * chords + j]
    seen = near_canvas(rings)
    return mosaic(rings[seen], ((columns + rows)[seen] % 2).tolist())


def _outline(chords: int) -> tuple[Whole, Whole]:
    """The column and row indices of the points around one square."""
    up, end = np.arange(chords), np.full(chords, chords)
    along = np.concatenate([up, end, end - up, 0 * up])
    return along, np.roll(along, chords)


def _swollen(x: Numbers, y: Numbers, dice: Dice) -> tuple[Numbers, Numbers]:
    """Squares enlarged around a point, as by a lens."""
    u, v = x - dice.uniform(-0.25, 0.25) * _WIDE, y - dice.uniform(-0.25, 0.25) * _HIGH
    radius = dice.uniform(0.42, 0.6) * _HIGH
    outside = 1 - np.minimum((u * u + v * v) / (radius * radius), 1)
    swell = dice.uniform(0.5, 0.75) * outside * outside
    return x + u * swell, y + v * swell


def _waved(x: Numbers, y: Numbers, dice: Dice) -> tuple[Numbers, Numbers]:
    """Squares bent by waves in both directions, strong enough to bend every line and too weak to fold one."""
    for _ in range(2):
        wave = dice.uniform(0.45, 1.1) * _WIDE / TAU
        steep = dice.uniform(0.3, 0.55)
        x, y = y + steep * wave * cos_sin(x / wave + dice.uniform(0, TAU))[1], x
    return x, y
