"""Many closed rings of points, or of lines, in flat arrays, so that one operation works on all of them.

Coordinates are whole numbers of `FINE` parts of a unit (a unit is 0.01 mm): points that two pieces share are the same
to the bit, and areas and lengths are sums of whole numbers, which come out the same in any order. They have 64 bits on
every machine; indices and counts are `np.intp`, which has 32 where addresses have.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import Final, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

Whole = NDArray[np.int64]
Numbers = NDArray[np.float64]
Mask = NDArray[np.bool_]
Number = TypeVar("Number", np.int64, np.float64)

FINE: Final = 16


class RingLayout:
    """The division of flat arrays of points into rings. Indices of neighbours are cached."""

    def __init__(self, sizes: Whole) -> None:
        self.sizes = sizes.astype(np.intp, copy=False)
        """The number of points of each ring."""
        self.ends: Whole = self.sizes.cumsum()
        """The index after each ring's last point."""
        self.starts: Whole = self.ends - self.sizes
        """The index of each ring's first point."""

    @cached_property
    def after(self) -> Whole:
        """The index of the point after each, around its ring."""
        ends = self.ends
        after = np.arange(1, (int(ends[-1]) if len(ends) else 0) + 1)
        after[ends - 1] = self.starts
        return after

    @cached_property
    def before(self) -> Whole:
        """The index of the point before each, around its ring."""
        ends = self.ends
        before = np.arange(-1, (int(ends[-1]) if len(ends) else 0) - 1)
        before[self.starts] = ends - 1
        return before

    @cached_property
    def ring(self) -> Whole:
        """The ring of each point."""
        return np.arange(len(self.sizes)).repeat(self.sizes)

    def split(self, points: NDArray[Number]) -> list[NDArray[Number]]:
        """The points of each ring."""
        return [points[start:end] for start, end in zip(self.starts.tolist(), self.ends.tolist(), strict=True)]

    def count(self, wanted: Mask) -> Whole:
        """The number of wanted points in each ring."""
        return np.add.reduceat(wanted.astype(np.intp), self.starts)


class Rings(NamedTuple):
    """Rings one after another. Outlines run so that their area is positive, holes the other way round."""

    x: Whole
    y: Whole
    layout: RingLayout
    piece: Whole
    """The piece to which each ring belongs. The rings of a piece follow each other, its outline first."""

    def select(self, wanted: Mask) -> "Rings":
        """Some of the rings."""
        sizes = self.layout.sizes
        points = wanted.repeat(sizes).nonzero()[0]
        return Rings(self.x[points], self.y[points], RingLayout(sizes[wanted]), self.piece[wanted])

    def double_areas(self) -> Whole:
        """Twice the area of each ring, by the shoelace formula."""
        if not len(self.layout.sizes):
            return np.zeros(0, np.int64)
        after = self.layout.after
        return np.add.reduceat(self.x * self.y[after] - self.x[after] * self.y, self.layout.starts)


def rings_of(outlines: Sequence[Numbers] | Numbers) -> Rings:
    """A piece for each outline, an array of points in units, rounded to fine parts and turned the right way."""
    if isinstance(outlines, np.ndarray):
        points, sizes = outlines.reshape(-1, 2), np.full(len(outlines), outlines.shape[1])
    else:
        points, sizes = np.concatenate(outlines), np.fromiter(map(len, outlines), np.int64, len(outlines))
    return outward(Rings(whole(points[:, 0]), whole(points[:, 1]), RingLayout(sizes), np.arange(len(sizes))))


def whole(places: Numbers) -> Whole:
    """Coordinates in units rounded to fine parts."""
    return np.rint(places * FINE).astype(np.int64)


def units(places: Whole) -> Numbers:
    """Coordinates in fine parts as units."""
    return places.astype(np.float64) * (1 / FINE)  # exact: a power of two


def straight_points(x: Numbers, y: Numbers, layout: RingLayout, near: float) -> tuple[Mask, Numbers]:
    """Whether points are this near to the line between their neighbours; the squared length of the edge before each."""
    ax, ay = x - x[layout.before], y - y[layout.before]
    bx, by = ax[layout.after], ay[layout.after]
    off = ax * by - ay * bx
    span_x, span_y = ax + bx, ay + by
    straight = (off * off <= near * near * (span_x * span_x + span_y * span_y)) & (ax * bx + ay * by > 0)
    return straight, ax * ax + ay * ay


def outward(rings: Rings) -> Rings:
    """The rings turned the right way round: the largest of each piece is its outline, the others are its holes."""
    areas = rings.double_areas()
    size = np.abs(areas)
    largest = np.zeros(int(rings.piece[-1]) + 1, np.int64)
    np.maximum.at(largest, rings.piece, size)
    wrong = (areas < 0) == (size == largest[rings.piece])
    if not len(wrong.nonzero()[0]):
        return rings
    backward = wrong.repeat(rings.layout.sizes)
    at = np.arange(len(rings.x))
    mirrored = (rings.layout.starts + rings.layout.ends - 1).repeat(rings.layout.sizes) - at
    at = np.where(backward, mirrored, at)
    return Rings(rings.x[at], rings.y[at], rings.layout, rings.piece)


def without_doubled_points(rings: Rings) -> Rings:
    """The rings without points that equal the next one; rings of fewer than three points vanish."""
    after = rings.layout.after
    keep = (rings.x != rings.x[after]) | (rings.y != rings.y[after])
    if len(keep.nonzero()[0]) == len(keep) and not len((rings.layout.sizes < 3).nonzero()[0]):
        return rings
    sizes = rings.layout.count(keep)
    return Rings(rings.x[keep], rings.y[keep], RingLayout(sizes), rings.piece).select(sizes > 2)


class Lines:
    """Rings of lines, each from a point in a direction; they move inward in parallel when a piece shrinks.

    The inside is on the left (turning from x to y).

    `number` is a line's place before any were dropped, `length` its edge's length then, `ring` the number of each ring.
    """

    def __init__(
        self,
        starts: tuple[Numbers, Numbers],
        ways: tuple[Numbers, Numbers],
        length: Numbers,
        number: Whole,
        layout: RingLayout,
        ring: Whole,
    ) -> None:
        self.start_x, self.start_y = starts
        self.x, self.y = ways
        """The direction, a unit vector."""
        self.length, self.number, self.layout, self.ring = length, number, layout, ring
        self.before_x: Numbers = self.x[layout.before]
        self.before_y: Numbers = self.y[layout.before]
        """The direction of the line before."""
        self.turn: Numbers = self.before_x * self.y - self.before_y * self.x
        """The sine of the angle from the line before to this one."""
        self.alike: Numbers = self.before_x * self.x + self.before_y * self.y
        """The cosine of that angle."""
        self.level: Numbers = self.x * self.start_y - self.y * self.start_x
        """The signed distance of each line from the origin."""

    def keep(self, wanted: Whole, sizes: Whole, ring: Whole) -> "Lines":
        """Some of the lines, given by their indices; then rings have these sizes and numbers."""
        return Lines(
            (self.start_x[wanted], self.start_y[wanted]),
            (self.x[wanted], self.y[wanted]),
            self.length[wanted],
            self.number[wanted],
            RingLayout(sizes),
            ring,
        )

    def corners(self, depth: float) -> tuple[Numbers, Numbers]:
        """Where each line meets the one before, both moved inward by the depth."""
        level = self.level + depth
        before, turn = level[self.layout.before], self.turn
        parallel = (np.abs(turn) < 1e-7).nonzero()[0]
        if len(parallel):
            turn = turn.copy()
            turn[parallel] = 1.0
        x = (before * self.x - level * self.before_x) / turn
        y = (before * self.y - level * self.before_y) / turn
        if len(parallel):
            x[parallel] = self.start_x[parallel] - depth * self.y[parallel]
            y[parallel] = self.start_y[parallel] + depth * self.x[parallel]
        return x, y

    def lengths(self, depth: float) -> Numbers:
        """The length of each edge at a depth; negative if it has vanished before."""
        x, y = self.corners(depth)
        after = self.layout.after
        long: Numbers = self.x * (x[after] - x) + self.y * (y[after] - y)
        return long
