"""Hexagons: a tilted honeycomb, enlarged or shrunk around a point; some cells are divided into rhombs or triangles."""

from math import ceil, sqrt
from typing import Final

import numpy as np

from illusion.deck.picture import CANVAS_AREA
from illusion.deck.plane.curves import CANVAS_DIAGONAL, CENTRE_POINT, near_canvas, point_inside, swollen
from illusion.deck.plane.exact import PI, Dice, turn
from illusion.deck.plane.mosaic import Mosaic, mosaic

WHOLE: Final = ((0, 1, 2, 3, 4, 5),)
RHOMBS: Final = ((6, 0, 1, 2), (6, 2, 3, 4), (6, 4, 5, 0))
OTHER_RHOMBS: Final = ((6, 1, 2, 3), (6, 3, 4, 5), (6, 5, 0, 1))
TRIANGLES: Final = ((6, 0, 1), (6, 1, 2), (6, 2, 3), (6, 3, 4), (6, 4, 5), (6, 5, 0))
"""Ways to divide a cell, whose corners are 0 to 5 and whose centre is 6."""
PLAIN_PATTERNS: Final = ((WHOLE, WHOLE, RHOMBS), (WHOLE, WHOLE, OTHER_RHOMBS))
PATTERNS: Final = (
    *PLAIN_PATTERNS,
    (WHOLE, RHOMBS, TRIANGLES),
    (WHOLE, WHOLE, TRIANGLES),
    (WHOLE, RHOMBS, OTHER_RHOMBS),
)


def pieces(dice: Dice, count: int) -> Mosaic:
    kinds = dice.choice(PLAIN_PATTERNS if count < 40 else PATTERNS)
    regular = dice.chance(0.5)
    parts = sum(map(len, kinds)) / 3
    radius = 1.1 * sqrt(parts * CANVAS_AREA / count / 2.6)
    tilt = dice.choice([0, PI / 6]) + dice.uniform(0.05, PI / 6 - 0.05)
    focus = point_inside(dice, 0.1)
    swell, breadth = dice.choice([-0.35, 0.3, 0.7]), dice.uniform(1300, 2000)

    reach = ceil((CANVAS_DIAGONAL / 2 + 400) / (1.5 * radius)) + 1
    cells = [(i, j) for i in range(-reach, reach + 1) for j in range(-reach, reach + 1) if abs(i + j) <= reach]
    spokes = np.array([*(turn(tilt + corner * PI / 3) for corner in range(6)), (0.0, 0.0)])
    one, other = turn(tilt + PI / 6), turn(tilt + PI / 2)
    places = np.array(cells)
    centres = CENTRE_POINT + radius * sqrt(3) * (places[:, :1] * one + places[:, 1:] * other)
    points = swollen(centres[:, None, :] + radius * spokes, focus, swell, breadth)
    outlines, layers = [], []
    for at in np.flatnonzero(near_canvas(points)).tolist():
        (i, j), cell = cells[at], points[at]
        kind = kinds[(i - j) % 3] if regular else dice.choice(kinds)
        for layer, part in enumerate(kind):
            outlines.append(cell[list(part)])
            layers.append(1 + layer % 2 if len(kind) > 1 else 0)
    return mosaic(outlines, layers)
