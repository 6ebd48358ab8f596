"""What can be measured about a colour in a picture, other than its share: what fools the eye."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import shapely

from illusion.deck.drawing.card_face import BOTTOM, CENTRE, LEFT, RIGHT, TOP
from illusion.deck.drawing.picture import Picture, Region
from illusion.rules import Colour

_GRID = np.array(
    [(x, y) for x in np.linspace(LEFT + 60, RIGHT - 60, 33) for y in np.linspace(TOP + 60, BOTTOM - 60, 47)]
)
_AWAY = np.hypot(*(_GRID - CENTRE).T)


@dataclass(frozen=True, slots=True)
class Features:
    """How a colour is spread. Lengths are in millimetres."""

    regions: int
    sides: float
    """The sum of the regions' widths and heights: people judge an area by adding its sides (Yousif & Keil 2019)."""
    perimeter: float
    distance: float
    """The mean distance of the colour from the card's centre."""
    largest: float
    """The largest region's part of the colour's area, 0 to 1."""


def measure(picture: Picture) -> dict[Colour, Features]:
    return {colour: _features(regions) for colour, regions in picture.items()}


def _features(regions: Sequence[Region]) -> Features:
    shapes = np.array([shapely.Polygon(outline, holes) for outline, *holes in regions])
    areas = shapely.area(shapes)
    left, top, right, bottom = shapely.bounds(shapes).T
    shapely.prepare(shapes)
    covered = np.logical_or.reduce([shapely.contains_xy(shape, _GRID) for shape in shapes])
    centroids = shapely.get_coordinates(shapely.centroid(shapes))
    away = _AWAY[covered].mean() if covered.any() else np.average(np.hypot(*(centroids - CENTRE).T), weights=areas)
    return Features(
        regions=len(shapes),
        sides=float((right - left + bottom - top).sum()) / 100,
        perimeter=float(shapely.length(shapes).sum()) / 100,
        distance=float(away) / 100,
        largest=float(areas.max() / areas.sum()),
    )
