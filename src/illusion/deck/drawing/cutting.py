"""Cutting a region in two, one side with a given area."""

from math import atan2, hypot
from typing import Final

import shapely
import shapely.affinity
from shapely.geometry import Polygon
from shapely.geometry.base import BaseGeometry

from illusion.deck.drawing.card_face import GAP
from illusion.deck.drawing.spacing import HALF_MIN_WIDTH, MIN_REGION_AREA

HALF_MIN_CUT_WIDTH: Final = 3 * HALF_MIN_WIDTH
"""Half the width that both sides of a cut must have somewhere, so that neither looks like waste."""
MIN_CUT_AREA: Final = 4.5 * HALF_MIN_CUT_WIDTH**2
CUT_TILT_RAD: Final = 0.08
"""Cuts are tilted a little, so that pieces along the frame get no level or upright edges."""


def cut(polygon: Polygon, area: float) -> tuple[Polygon, Polygon] | None:
    """Cut a polygon across its length, leaving a gap; the first side has the area. None if a side would be too thin.

    The place of the cut is found by regula falsi (false position), kept away from the ends of the interval.
    """
    if min(area, polygon.area - area) < MIN_CUT_AREA:
        return None
    across = _direction(polygon) + CUT_TILT_RAD
    turned = shapely.affinity.rotate(polygon, -across, origin=(0, 0), use_radians=True)
    left, bottom, right, top = turned.bounds
    at = right
    one: BaseGeometry = turned
    low, high, less, more = left, right, 0.0, polygon.area
    for _ in range(6):
        at = low + (high - low) * min(max((area - less) / (more - less), 0.1), 0.9)
        one = shapely.clip_by_rect(turned, left - 1, bottom - 1, at, top + 1)
        low, high, less, more = (at, high, one.area, more) if one.area < area else (low, at, less, one.area)
    if at + GAP >= right:
        return None
    other = shapely.clip_by_rect(turned, at + GAP, bottom - 1, right + 1, top + 1)
    sides = []
    for side in (one, other):
        if not isinstance(side, Polygon):  # it fell apart
            return None
        if shapely.buffer(side, -HALF_MIN_CUT_WIDTH, quad_segs=1).is_empty or _has_thin_tail(side):
            return None
        sides.append(shapely.affinity.rotate(side, across, origin=(0, 0), use_radians=True))
    return sides[0], sides[1]


def _has_thin_tail(polygon: Polygon) -> bool:
    """Whether the cut left a thin tail."""
    stout = shapely.buffer(shapely.buffer(polygon, -HALF_MIN_WIDTH, quad_segs=2), HALF_MIN_WIDTH, quad_segs=2)
    return bool(polygon.area - stout.area > MIN_REGION_AREA / 2)


def _direction(polygon: Polygon) -> float:
    """The direction of the polygon's length, in radians."""
    corners = shapely.get_coordinates(polygon.minimum_rotated_rectangle)
    sides = corners[1:3] - corners[:2]
    dx, dy = max(sides, key=lambda side: hypot(*side))
    return atan2(dy, dx)
