"""Confetti: squares, triangles, discs and bars scattered at all angles on a ground of large cells."""

from math import cos, radians, sin
from random import Random
from typing import Final

import numpy as np
import shapely
from shapely.geometry import Polygon

from illusion.deck.drawing.card_face import CANVAS, Piece
from illusion.deck.drawing.curves import Point, circle
from illusion.deck.drawing.scattering import delaunay_cells, pack_discs

MIN_GROUND_WIDTH: Final = 100.0
MIN_RADIUS: Final = 190.0
MIN_BAR_HALF_WIDTH: Final = 85.0
"""Half the width of a bar, at least."""
MIN_PIECE_AREA: Final = 25000.0


def pieces(rng: Random, count: int) -> list[Piece]:
    grounds = 4 + count // 9
    wanted = max(8, count - grounds)
    size = (CANVAS.area / wanted) ** 0.5
    fade = rng.uniform(0.94, 0.98) ** (40 / wanted)
    spots = pack_discs(rng, wanted, size * rng.uniform(0.55, 0.8), MIN_RADIUS, MIN_GROUND_WIDTH, fade)
    kinds = rng.choices(["square", "triangle", "disc", "bar"], [rng.uniform(0.4, 2) for _ in range(4)], k=len(spots))
    slim = rng.uniform(0.3, 0.42)
    figures = [
        Polygon([(x + u, y + v) for u, v in _figure(rng, kind, radius, slim)])
        for kind, (x, y, radius) in zip(kinds, spots, strict=True)
    ]
    cells = delaunay_cells(rng, [(x, y) for x, y, _ in spots], grounds)
    ground = shapely.get_parts(shapely.difference(cells, shapely.multipolygons(figures)))
    seen = shapely.get_parts(shapely.clip_by_rect(figures, *CANVAS.bounds))
    return [
        *(Piece(part) for part in ground if part.area > MIN_PIECE_AREA),
        *(Piece(figure, 1) for figure in seen if figure.area > MIN_PIECE_AREA),
    ]


def _figure(rng: Random, kind: str, radius: float, slim: float) -> list[Point]:
    """A figure around the origin that fits a circle of this radius; its edges are never level or upright."""
    turn = radians(30 * rng.randrange(12) + rng.uniform(5, 25))
    if kind == "disc":
        return circle((0, 0), 0.82 * radius)
    if kind == "triangle":
        return [(radius * cos(turn + corner), radius * sin(turn + corner)) for corner in np.radians([0, 120, 240])]
    half = max(MIN_BAR_HALF_WIDTH, radius * slim) if kind == "bar" else radius * 0.7
    length = (radius**2 - half**2) ** 0.5 if kind == "bar" else half
    corners = [(length, half), (-length, half), (-length, -half), (length, -half)]
    return [(u * cos(turn) - v * sin(turn), u * sin(turn) + v * cos(turn)) for u, v in corners]
