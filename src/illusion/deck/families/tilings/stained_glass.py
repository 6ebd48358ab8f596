"""Stained glass: the Voronoi diagram of a jittered grid of points."""

from math import ceil, sqrt
from random import Random

import shapely
from shapely.geometry import MultiPoint

from illusion.deck.drawing.card_face import CANVAS, Piece


def pieces(rng: Random, count: int) -> list[Piece]:
    left, top, right, bottom = CANVAS.bounds
    columns = max(2, round(sqrt(count * (right - left) / (bottom - top))))
    rows = ceil(count / columns)
    # Jittered sampling: one random point in each cell of a grid, so that the pieces do not differ too much in size.
    loose = rng.uniform(0.55, 0.95)
    points = [
        (
            left + (column + 0.5 + loose * (rng.random() - 0.5) + 0.5 * (row % 2) - 0.25) / columns * (right - left),
            top + (row + 0.5 + loose * (rng.random() - 0.5)) / rows * (bottom - top),
        )
        for row in range(rows)
        for column in range(columns)
    ]
    cells = shapely.voronoi_polygons(MultiPoint(points), extend_to=CANVAS, ordered=True)
    return [Piece(cell) for cell in shapely.get_parts(shapely.clip_by_rect(shapely.get_parts(cells), *CANVAS.bounds))]
