"""Rings as shapely's polygons, an independent witness for our geometry."""

import numpy as np
import shapely

from illusion.deck.plane.rings import FINE, Rings


def polygons(rings: Rings) -> dict[int, shapely.Polygon]:
    """A polygon with its holes for each piece."""
    found: dict[int, list[np.ndarray]] = {}
    for start, size, piece in zip(rings.layout.starts, rings.layout.sizes, rings.piece, strict=True):
        points = np.stack([rings.x[start : start + size], rings.y[start : start + size]], axis=1) / FINE
        found.setdefault(int(piece), []).append(points)
    return {piece: shapely.Polygon(outline, holes) for piece, (outline, *holes) in found.items()}
