"""What can be measured about a colour in a picture, other than its share: what fools the eye."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from illusion.deck.card_face import BOTTOM, CENTRE, LEFT, RIGHT, TOP
from illusion.deck.picture import Picture, Region, Ring
from illusion.rules import Colour

_COLUMNS, _ROWS = np.linspace(LEFT + 60, RIGHT - 60, 33), np.linspace(TOP + 60, BOTTOM - 60, 47)
_AWAY = np.hypot(_COLUMNS[:, None] - CENTRE[0], _ROWS - CENTRE[1])
"""The distance of the points of a grid from the card's centre."""


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
    rings = [ring for region in regions for ring in region]
    points = np.concatenate(rings)
    after = np.concatenate([np.roll(ring, -1, axis=0) for ring in rings])
    firsts = np.cumsum([0, *map(len, rings)])[:-1]
    first_rings = np.cumsum([0, *map(len, regions)])[:-1]
    doubled = np.add.reduceat(points[:, 0] * after[:, 1] - points[:, 1] * after[:, 0], firsts)
    areas = np.add.reduceat(doubled, first_rings) / 2
    low, high = np.minimum.reduceat(points, firsts), np.maximum.reduceat(points, firsts)
    sizes = (high - low)[first_rings]
    covered = _covered(points, after)
    middles = (low + high)[first_rings] / 2
    away = _AWAY[covered].mean() if covered.any() else np.average(np.hypot(*(middles - CENTRE).T), weights=areas)
    return Features(
        regions=len(regions),
        sides=float(sizes.sum()) / 100,
        perimeter=float(np.hypot(*(after - points).T).sum()) / 100,
        distance=float(away) / 100,
        largest=float(areas.max() / areas.sum()),
    )


def _covered(start: Ring, end: Ring) -> NDArray[np.bool_]:
    """Which points of the grid lie inside: those above which an odd number of edges pass (even-odd rule)."""
    low, high = np.minimum(start[:, 0], end[:, 0]), np.maximum(start[:, 0], end[:, 0])
    first, last = np.searchsorted(_COLUMNS, low), np.searchsorted(_COLUMNS, high)
    counts = last - first
    edge = np.repeat(np.arange(len(start)), counts)
    column = np.arange(len(edge)) + np.repeat(first - (np.cumsum(counts) - counts), counts)
    (x, y), (u, v) = start[edge].T, end[edge].T
    height = y + (v - y) * (_COLUMNS[column] - x) / (u - x)
    row = np.searchsorted(_ROWS, height)
    crossings = np.bincount(column * (len(_ROWS) + 1) + row, minlength=len(_COLUMNS) * (len(_ROWS) + 1))
    above = np.cumsum(crossings.reshape(len(_COLUMNS), -1), axis=1)[:, :-1]
    odd: NDArray[np.bool_] = above % 2 == 1
    return odd
