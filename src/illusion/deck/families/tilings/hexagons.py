"""Hexagons: a tilted honeycomb, enlarged or shrunk around a point; some cells are divided into rhombs or triangles."""

from math import ceil, cos, pi, sin
from random import Random
from typing import Final

import numpy as np
import shapely

from illusion.deck.drawing.card_face import BOTTOM, CANVAS, CENTRE, LEFT, RIGHT, TOP, Piece
from illusion.deck.drawing.curves import canvas_diagonal

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


def pieces(rng: Random, count: int) -> list[Piece]:
    kinds = rng.choice(PLAIN_PATTERNS if count < 40 else PATTERNS)
    regular = rng.random() < 0.5
    parts = sum(map(len, kinds)) / 3
    radius = 1.1 * (parts * CANVAS.area / count / 2.6) ** 0.5
    turn = rng.choice([0, pi / 6]) + rng.uniform(0.05, pi / 6 - 0.05)
    u, v = LEFT + rng.uniform(0.1, 0.9) * (RIGHT - LEFT), TOP + rng.uniform(0.1, 0.9) * (BOTTOM - TOP)
    swell, breadth = rng.choice([-0.35, 0.3, 0.7]), rng.uniform(1300, 2000)

    reach = ceil((canvas_diagonal() / 2 + 400) / (1.5 * radius)) + 1
    cells = [(i, j) for i in range(-reach, reach + 1) for j in range(-reach, reach + 1) if abs(i + j) <= reach]
    angles = [turn + corner * pi / 3 for corner in range(6)]
    spokes = [*((cos(angle), sin(angle)) for angle in angles), (0, 0)]
    steps = [(cos(turn + pi / 6 + way * pi / 3), sin(turn + pi / 6 + way * pi / 3)) for way in (0, 1)]
    centres = CENTRE + radius * 3**0.5 * np.array(cells) @ np.array(steps)
    points = centres[:, None, :] + radius * np.array(spokes)
    away = points - (u, v)
    grown = 1 + swell * (1 + (away**2).sum(axis=-1) / (2 * breadth**2)) ** -2
    points = np.round((u, v) + away * grown[..., None], 3)

    left, top, right, bottom = CANVAS.bounds
    seen = (points.min(axis=1) < (right, bottom)).all(axis=1) & (points.max(axis=1) > (left, top)).all(axis=1)
    shapes, layers = [], []
    for at in np.flatnonzero(seen):
        kind = kinds[(cells[at][0] - cells[at][1]) % 3] if regular else rng.choice(kinds)
        for layer, part in enumerate(kind):
            shapes.append(points[at, [*part, *part[-1:] * (6 - len(part))]])
            layers.append(1 + layer % 2 if len(kind) > 1 else 0)
    polygons = shapely.polygons(np.array(shapes))
    clipped, of = shapely.get_parts(shapely.clip_by_rect(polygons, *CANVAS.bounds), return_index=True)
    return [Piece(part, layers[at]) for part, at in zip(clipped, of, strict=True) if part.area > 0]
