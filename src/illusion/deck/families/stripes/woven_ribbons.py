"""Woven ribbons: ribbons that cross over and under each other, close together or with ground between them."""

from itertools import pairwise
from math import cos, pi, sin
from random import Random
from typing import Final

import numpy as np
import shapely
from shapely.geometry import Polygon

from illusion.deck.drawing.card_face import CANVAS, CENTRE, Piece
from illusion.deck.drawing.curves import canvas_diagonal

MIN_TILT_RAD: Final = 0.06
MIN_PIECE_AREA: Final = 2500.0

Span = tuple[float, float]
Box = tuple[Span, Span]

OPEN: Final = ((2, 1), (2, 1), (4, 2))
TIGHT: Final = ((4, 2), (5, 3), (6, 3))
"""Weaves (twills) as (length, over): of `length` crossings the warp is on top in `over`, shifted by one a ribbon."""


def pieces(rng: Random, count: int) -> list[Piece]:
    side = (CANVAS.area / count) ** 0.5
    loose = count > 20 and rng.random() < 0.75
    repeat, over = rng.choice(OPEN if loose else TIGHT)
    pitch = side * (1.75 if loose else 0.8)
    gap = rng.uniform(0.22, 0.4) if loose else 0.0
    ratio = rng.uniform(0.8, 1.25)
    plaid = not loose or rng.random() < 0.3
    warp, weft = _ribbons(rng, pitch * ratio, gap), _ribbons(rng, pitch / ratio, gap)

    boxes: list[tuple[Box, int]] = []
    for column, span in enumerate(warp):
        under = [row for row in range(len(weft)) if (column + row) % repeat >= over]
        boxes += [((span, (weft[a][1], weft[b][0])), column % 2 * plaid) for a, b in pairwise(under)]
    for row, span in enumerate(weft):
        under = [column for column in range(len(warp)) if (column + row) % repeat < over]
        boxes += [(((warp[a][1], warp[b][0]), span), 3 + row % 2 * plaid) for a, b in pairwise(under)]
    boxes += [(((a[1], b[0]), (c[1], d[0])), 2) for a, b in pairwise(warp) for c, d in pairwise(weft)]
    lines = [np.unique(spans).tolist() for spans in (warp, weft)]
    return _laid(rng, lines, [(box, layer) for box, layer in boxes if all(high - low > 1 for low, high in box)])


def _ribbons(rng: Random, pitch: float, gap: float) -> list[Span]:
    """The start and the end of each ribbon, side by side."""
    reach = 0.75 * canvas_diagonal() + 3 * pitch
    ribbons = []
    at = -reach
    while at < reach:
        width = pitch * (1 - gap) * rng.uniform(0.8, 1.2)
        ribbons.append((at, at + width))
        at += width + pitch * gap
    return ribbons


def _laid(rng: Random, lines: list[list[float]], boxes: list[tuple[Box, int]]) -> list[Piece]:
    """The boxes rotated and sheared, clipped to the canvas."""
    turn = rng.uniform(MIN_TILT_RAD, pi / 2 - MIN_TILT_RAD)
    lean = turn + pi / 2
    while (lean + MIN_TILT_RAD) % (pi / 2) < 2 * MIN_TILT_RAD or lean == turn + pi / 2:
        lean = turn + pi / 2 + rng.uniform(-0.25, 0.25)
    u, v = (np.array(line)[:, None] for line in lines)
    grid = (u * (cos(turn), sin(turn)))[:, None] + v * (cos(lean), sin(lean)) + CENTRE
    columns, rows = ({edge: at for at, edge in enumerate(line)} for line in lines)
    left, top, right, bottom = CANVAS.bounds
    polygons, layers = [], []
    for ((a, b), (c, d)), layer in boxes:
        block = grid[columns[a] : columns[b] + 1, rows[c] : rows[d] + 1]
        x, y = block[[0, 0, -1, -1], [0, -1, 0, -1]].T.tolist()
        if max(x) > left and min(x) < right and max(y) > top and min(y) < bottom:
            # A side has a point wherever a neighbour's line meets it, so that rounding leaves no crack.
            ring = np.concatenate([block[:-1, 0], block[-1, :-1], block[:0:-1, -1], block[0, :0:-1]])
            polygons.append(Polygon(ring))
            layers.append(layer)
    parts, of_box = shapely.get_parts(shapely.intersection(polygons, CANVAS), return_index=True)
    return [Piece(part, layers[at]) for part, at in zip(parts, of_box, strict=True) if part.area > MIN_PIECE_AREA]
