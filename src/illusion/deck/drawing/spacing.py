"""A white gap between neighbouring regions, and no region or part of one that is too thin."""

from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry import MultiPolygon, Polygon
from shapely.geometry.base import BaseGeometry

from illusion.deck.drawing.card_face import GAP, MIN_WIDTH

Shapes = NDArray[np.object_]

HALF_MIN_WIDTH: Final = MIN_WIDTH / 2 + 2
"""Half the width that every region has everywhere; a little more than needed, because fitting areas may shrink it."""
MIN_REGION_AREA: Final = (4 * HALF_MIN_WIDTH) ** 2
"""Smaller regions are dropped."""
SHARP_CORNERS: Final = 7.0
"""The sum of the cotangents of half the corner angles above which a shape has sharp corners; a square has 4."""
CRACK_HALF_WIDTH: Final = 2.0
"""Cracks up to twice this wide are closed when pieces are joined."""


def spaced_apart(polygons: Iterable[BaseGeometry]) -> list[list[Polygon]]:
    """Each polygon shrunk by half a gap, without its thin parts: a list for each, since it may fall apart or vanish."""
    inset = _offset(list(polygons), -GAP / 2)
    stout = _without_thin_parts(inset)
    return [_separate(shape) if isinstance(shape, MultiPolygon) else _large([shape]) for shape in stout]


def _without_thin_parts(shapes: Shapes) -> Shapes:
    """The shapes without tails and necks (morphological opening: erode, then dilate); a shape may fall apart."""
    eroded = _offset(shapes, -HALF_MIN_WIDTH)
    # If no edge has vanished and no corner is sharp, dilating would give the same shape again and is skipped. Erosion
    # removes an area of perimeter * depth - depth**2 * (sum of the cotangents of half the corner angles), which tells
    # how sharp the corners are.
    taken = shapely.area(shapes) - shapely.area(eroded)
    sharp = shapely.length(shapes) / HALF_MIN_WIDTH - taken / HALF_MIN_WIDTH**2 > SHARP_CORNERS
    thin = sharp | (shapely.get_num_coordinates(eroded) != shapely.get_num_coordinates(shapes))
    stout = shapes.copy()
    stout[thin] = shapely.intersection(_offset(eroded[thin], HALF_MIN_WIDTH), shapes[thin])
    return stout


def _separate(shape: MultiPolygon) -> list[Polygon]:
    """The parts of a shape that fell apart, largest first; smaller ones are cut back to leave a gap to the larger."""
    kept: list[Polygon] = []
    for part in sorted(_large(shape.geoms), key=lambda part: -part.area):
        if any(part.dwithin(other, GAP) for other in kept):
            (rest,) = _without_thin_parts(_offset([part.difference(shapely.buffer(MultiPolygon(kept), GAP))], 0))
            kept += _large(other for other in shapely.get_parts(rest) if not other.dwithin(MultiPolygon(kept), GAP - 1))
        else:
            kept.append(part)
    return kept


def _large(shapes: Iterable[BaseGeometry]) -> list[Polygon]:
    return [shape for shape in shapes if isinstance(shape, Polygon) and shape.area > MIN_REGION_AREA]


def _offset(shapes: Sequence[BaseGeometry] | Shapes, by: float) -> Shapes:
    """Shapes with all edges moved outward in parallel, or inward if `by` is negative."""
    # GEOS divides by zero at a doubled point, and still returns the right shape.
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(shapely.buffer(shapes, by, join_style="mitre", mitre_limit=3))


def joined(polygons: Iterable[Polygon | None]) -> BaseGeometry:
    """The union of neighbours, with the cracks closed that rounding left between them (morphological closing)."""
    (joined,) = _offset(_offset([shapely.union_all(list(polygons))], CRACK_HALF_WIDTH), -CRACK_HALF_WIDTH)
    whole: BaseGeometry = joined
    return whole
