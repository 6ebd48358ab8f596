"""Circle packing: discs of very different sizes, packed closely on a ground of a few cells."""

from random import Random
from typing import Final

import numpy as np
import shapely

from illusion.deck.drawing.card_face import CANVAS, Piece
from illusion.deck.drawing.scattering import delaunay_cells, disc_polygons, pack_discs

MIN_GROUND_WIDTH: Final = 140.0
"""The ground between two discs is at least this wide."""
MIN_RADIUS: Final = 130.0


def pieces(rng: Random, count: int) -> list[Piece]:
    grounds = 3 + count // 12
    wanted = max(8, count - grounds)
    size = (CANVAS.area / wanted) ** 0.5
    fade = rng.uniform(0.95, 0.98) ** (40 / wanted)
    discs = pack_discs(rng, wanted, size * rng.uniform(0.75, 1.2), MIN_RADIUS, max(MIN_GROUND_WIDTH, size * 0.13), fade)
    rounds = disc_polygons(discs)
    cells = delaunay_cells(rng, [(x, y) for x, y, _ in discs], grounds)
    ground = shapely.get_parts(shapely.difference(cells, shapely.multipolygons(rounds)))
    return [
        *(Piece(part) for part in ground if part.area > MIN_RADIUS**2),
        *(Piece(disc, 1) for disc in np.asarray(shapely.clip_by_rect(rounds, *CANVAS.bounds))),
    ]
