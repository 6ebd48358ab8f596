"""Stained glass: the Voronoi diagram of a jittered grid of points."""

from math import ceil, sqrt
from typing import Final

from illusion.deck.picture import CANVAS_BOTTOM, CANVAS_LEFT, CANVAS_RIGHT, CANVAS_TOP
from illusion.deck.plane.curves import Point
from illusion.deck.plane.exact import Dice
from illusion.deck.plane.mosaic import Mosaic, mosaic_with_holes
from illusion.deck.plane.triangulation import points_around, triangulated

BEYOND: Final = 4000
"""The distance of the points around the canvas that close the outer cells."""


def pieces(dice: Dice, count: int) -> Mosaic:
    wide, high = CANVAS_RIGHT - CANVAS_LEFT, CANVAS_BOTTOM - CANVAS_TOP
    columns = max(2, round(sqrt(count * wide / high)))
    rows = ceil(count / columns)
    # Jittered sampling: one random point in each cell of a grid, so that the pieces do not differ too much in size.
    loose = dice.uniform(0.55, 0.95)
    points = [
        (
            round(
                CANVAS_LEFT + (column + 0.5 + loose * (dice.random() - 0.5) + 0.5 * (row % 2) - 0.25) / columns * wide
            ),
            round(CANVAS_TOP + (row + 0.5 + loose * (dice.random() - 0.5)) / rows * high),
        )
        for row in range(rows)
        for column in range(columns)
    ]
    cells = len(points)
    points += points_around(BEYOND)
    apex = triangulated(points)
    centres: dict[tuple[int, ...], Point] = {}
    around: dict[int, int] = {}
    for a, b in apex:
        around.setdefault(a, b)
    outlines = []
    for cell in range(cells):
        outline, at = [], around[cell]
        while True:
            following = apex[cell, at]
            corners = tuple(sorted((cell, at, following)))
            if corners not in centres:
                centres[corners] = _circumcentre(*(points[corner] for corner in corners))
            outline.append(centres[corners])
            at = following
            if at == around[cell]:
                break
        outlines.append([outline])
    return mosaic_with_holes(outlines, [0] * cells)


def _circumcentre(a: Point, b: Point, c: Point) -> Point:
    """The point at the same distance from all three."""
    bx, by, cx, cy = b[0] - a[0], b[1] - a[1], c[0] - a[0], c[1] - a[1]
    double = 2 * (bx * cy - by * cx)
    b_square, c_square = bx * bx + by * by, cx * cx + cy * cy
    return a[0] + (cy * b_square - by * c_square) / double, a[1] + (bx * c_square - cx * b_square) / double
