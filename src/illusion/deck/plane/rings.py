"""Many closed rings of points in flat arrays, so that one operation works on all of them.

Coordinates are whole numbers of `FINE` parts of a unit (a unit is 0.01 mm): points that two pieces share are the same
to the bit, and areas and lengths are sums of whole numbers, which come out the same in any order.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

Whole = NDArray[np.int64]
Numbers = NDArray[np.float64]
Mask = NDArray[np.bool_]

FINE: Final = 16


class Rings(NamedTuple):
    """Rings one after another. Outlines run so that their area is positive, holes the other way round."""

    x: Whole
    y: Whole
    sizes: Whole
    """The number of points of each ring."""
    piece: Whole
    """The piece to which each ring belongs. The rings of a piece follow each other, its outline first."""

    @property
    def starts(self) -> Whole:
        return self.sizes.cumsum() - self.sizes

    def select(self, wanted: Mask) -> "Rings":
        """Some of the rings."""
        points = wanted.repeat(self.sizes)
        return Rings(self.x[points], self.y[points], self.sizes[wanted], self.piece[wanted])

    def double_areas(self) -> Whole:
        """Twice the area of each ring, by the shoelace formula."""
        if not len(self.sizes):
            return np.zeros(0, np.int64)
        after = following(self.sizes)
        return np.add.reduceat(self.x * self.y[after] - self.x[after] * self.y, self.starts)


def rings_of(outlines: Sequence[Numbers] | Numbers) -> Rings:
    """A piece for each outline, an array of points in units, rounded to fine parts and turned the right way."""
    if isinstance(outlines, np.ndarray):
        points, sizes = outlines.reshape(-1, 2), np.full(len(outlines), outlines.shape[1])
    else:
        points, sizes = np.concatenate(outlines), np.fromiter(map(len, outlines), np.int64, len(outlines))
    fine = np.rint(points * FINE).astype(np.int64)
    return turned_right(Rings(fine[:, 0].copy(), fine[:, 1].copy(), sizes, np.arange(len(sizes))))


def outward(rings: Rings) -> Rings:
    """The rings turned the right way round: the largest of each piece is its outline, the others are its holes."""
    areas = rings.double_areas()
    size = np.abs(areas)
    largest = np.zeros(int(rings.piece[-1]) + 1, np.int64)
    np.maximum.at(largest, rings.piece, size)
    return _reversed(rings, (areas < 0) == (size == largest[rings.piece]))


def turned_right(rings: Rings) -> Rings:
    """Rings without holes, those of negative area turned round."""
    return _reversed(rings, rings.double_areas() < 0)


def _reversed(rings: Rings, wrong: Mask) -> Rings:
    if not wrong.any():
        return rings
    backward = wrong.repeat(rings.sizes)
    at = np.arange(len(rings.x))
    mirrored = np.repeat(2 * rings.starts + rings.sizes - 1, rings.sizes) - at
    at = np.where(backward, mirrored, at)
    return Rings(rings.x[at], rings.y[at], rings.sizes, rings.piece)


def following(sizes: Whole) -> Whole:
    """The index of the point after each, around its ring."""
    ends = sizes.cumsum()
    after = np.arange(1, (int(ends[-1]) if len(ends) else 0) + 1)
    after[ends - 1] = ends - sizes
    return after


def preceding(sizes: Whole) -> Whole:
    """The index of the point before each, around its ring."""
    ends = sizes.cumsum()
    before = np.arange(-1, (int(ends[-1]) if len(ends) else 0) - 1)
    before[ends - sizes] = ends - 1
    return before


def without_doubled_points(rings: Rings) -> Rings:
    """The rings without points that equal the next one; rings of fewer than three points vanish."""
    after = following(rings.sizes)
    keep = (rings.x != rings.x[after]) | (rings.y != rings.y[after])
    if keep.all() and (rings.sizes > 2).all():
        return rings
    sizes = np.add.reduceat(keep.astype(np.int64), rings.starts)
    return Rings(rings.x[keep], rings.y[keep], sizes, rings.piece).select(sizes > 2)
