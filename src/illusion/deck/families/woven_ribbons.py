"""Woven ribbons: ribbons that cross over and under each other, close together or with ground between them."""

from itertools import pairwise
from math import sqrt
from typing import Final

import numpy as np

from illusion.deck.picture import CANVAS_AREA, CANVAS_BOTTOM, CANVAS_LEFT, CANVAS_RIGHT, CANVAS_TOP
from illusion.deck.plane.curves import CANVAS_DIAGONAL, CENTRE_POINT, grid_directions
from illusion.deck.plane.exact import Dice, turn
from illusion.deck.plane.mosaic import Mosaic, mosaic

Span = tuple[float, float]
Box = tuple[Span, Span]

OPEN: Final = ((2, 1), (2, 1), (4, 2))
TIGHT: Final = ((4, 2), (5, 3), (6, 3))
"""Weaves (twills) as (length, over): of `length` crossings the warp is on top in `over`, shifted by one a ribbon."""


def pieces(dice: Dice, count: int) -> Mosaic:
    side = sqrt(CANVAS_AREA / count)
    loose = count > 20 and dice.chance(0.75)
    repeat, over = dice.choice(OPEN if loose else TIGHT)
    pitch = side * (1.75 if loose else 0.8)
    gap = dice.uniform(0.22, 0.4) if loose else 0.0
    ratio = dice.uniform(0.8, 1.25)
    plaid = not loose or dice.chance(0.3)
    warp, weft = _ribbons(dice, pitch * ratio, gap), _ribbons(dice, pitch / ratio, gap)

    boxes: list[tuple[Box, int]] = []
    for column, span in enumerate(warp):
        under = [row for row in range(len(weft)) if (column + row) % repeat >= over]
        boxes += [((span, (weft[a][1], weft[b][0])), column % 2 * plaid) for a, b in pairwise(under)]
    for row, span in enumerate(weft):
        under = [column for column in range(len(warp)) if (column + row) % repeat < over]
        boxes += [(((warp[a][1], warp[b][0]), span), 3 + row % 2 * plaid) for a, b in pairwise(under)]
    if loose:
        boxes += [(((a[1], b[0]), (c[1], d[0])), 2) for a, b in pairwise(warp) for c, d in pairwise(weft)]
    lines = [sorted({edge for span in spans for edge in span}) for spans in (warp, weft)]
    return _laid(dice, lines, [(box, layer) for box, layer in boxes if all(high - low > 1 for low, high in box)])


def _ribbons(dice: Dice, pitch: float, gap: float) -> list[Span]:
    """The start and the end of each ribbon, side by side."""
    reach = 0.6 * CANVAS_DIAGONAL + 3 * pitch
    ribbons = []
    at = -reach
    while at < reach:
        width = pitch * (1 - gap) * dice.uniform(0.8, 1.2)
        ribbons.append((at, at + width))
        at += width + pitch * gap
    return ribbons


def _laid(dice: Dice, lines: list[list[float]], boxes: list[tuple[Box, int]]) -> Mosaic:
    """The boxes rotated and sheared, clipped to the canvas."""
    tilt, lean = grid_directions(dice, 0.25)
    (ax, ay), (bx, by) = turn(tilt), turn(lean)
    u, v = (np.array(line)[:, None] for line in lines)
    grid = (u * np.array([ax, ay]))[:, None] + v * np.array([bx, by]) + CENTRE_POINT
    columns, rows = ({edge: at for at, edge in enumerate(line)} for line in lines)
    left, right = CANVAS_LEFT - CENTRE_POINT[0], CANVAS_RIGHT - CENTRE_POINT[0]
    top, bottom = CANVAS_TOP - CENTRE_POINT[1], CANVAS_BOTTOM - CENTRE_POINT[1]
    outlines, layers = [], []
    for ((a, b), (c, d)), layer in boxes:
        x, y = (a + b) / 2 * ax + (c + d) / 2 * bx, (a + b) / 2 * ay + (c + d) / 2 * by
        far = (b - a + d - c) / 2
        if left - far < x < right + far and top - far < y < bottom + far:
            # A side has a point wherever a neighbour's line meets it, so that neighbours share their points.
            block = grid[columns[a] : columns[b] + 1, rows[c] : rows[d] + 1]
            outlines.append(np.concatenate([block[:-1, 0], block[-1, :-1], block[:0:-1, -1], block[0, :0:-1]]))
            layers.append(layer)
    return mosaic(outlines, layers)
