"""Keeping regions stout and apart: a white gap between neighbours, and nothing too thin to see."""

from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry import MultiPolygon, Polygon
from shapely.geometry.base import BaseGeometry

from illusion.deck.drawing.card_face import GAP, THINNEST

Shapes = NDArray[np.object_]

HALF: Final = THINNEST / 2 + 2
"""Half the width that every region keeps everywhere, with a little over for settling."""
CRUMB: Final = (4 * HALF) ** 2
"""No region is smaller than this."""
SHARP: Final = 7.0
SEAL: Final = 2.0
"""Cracks up to twice this wide are closed when pieces are joined."""


def spaced_apart(polygons: Iterable[BaseGeometry]) -> list[list[Polygon]]:
    """Each polygon with half a gap taken off all around, and without parts that are too thin."""
    inset = _grown(list(polygons), -GAP / 2)
    stout = _without_thin(inset)
    return [_separate(shape) if isinstance(shape, MultiPolygon) else _large([shape]) for shape in stout]


def _without_thin(shapes: Shapes) -> Shapes:
    """The shapes without tails and necks; a shape may fall apart."""
    eroded = _grown(shapes, -HALF)
    # Where no edge has vanished and no corner is sharp, growing back would only give the same again. What eroding takes
    # is perimeter times depth, less depth squared times the sum of the corners' cotangents of half their angles: 4 for
    # a square, more with every sharp corner.
    taken = shapely.area(shapes) - shapely.area(eroded)
    sharp = shapely.length(shapes) / HALF - taken / HALF**2 > SHARP
    thin = sharp | (shapely.get_num_coordinates(eroded) != shapely.get_num_coordinates(shapes))
    stout = shapes.copy()
    stout[thin] = shapely.intersection(_grown(eroded[thin], HALF), shapes[thin])
    return stout


def _separate(shape: MultiPolygon) -> list[Polygon]:
    """The parts of a shape that fell apart, moved back from each other to leave a gap; the larger ones come first."""
    kept: list[Polygon] = []
    for part in sorted(_large(shape.geoms), key=lambda part: -part.area):
        if any(part.dwithin(other, GAP) for other in kept):
            (rest,) = _without_thin(_grown([part.difference(shapely.buffer(MultiPolygon(kept), GAP))], 0))
            kept += _large(other for other in shapely.get_parts(rest) if not other.dwithin(MultiPolygon(kept), GAP - 1))
        else:
            kept.append(part)
    return kept


def _large(shapes: Iterable[BaseGeometry]) -> list[Polygon]:
    return [shape for shape in shapes if isinstance(shape, Polygon) and shape.area > CRUMB]


def _grown(shapes: Sequence[BaseGeometry] | Shapes, by: float) -> Shapes:
    """All edges moved outward in parallel, or inward for a negative distance."""
    with np.errstate(divide="ignore", invalid="ignore"):  # GEOS computes past a doubled point; what it gives is sound
        return np.asarray(shapely.buffer(shapes, by, join_style="mitre", mitre_limit=3))


def joined(polygons: Iterable[Polygon | None]) -> BaseGeometry:
    """Neighbours as one; where rounding has left a crack between them, it is sealed."""
    (joined,) = _grown(_grown([shapely.union_all(list(polygons))], SEAL), -SEAL)
    whole: BaseGeometry = joined
    return whole
