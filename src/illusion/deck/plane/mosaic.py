"""The canvas divided into pieces that share their borders point by point, and the union of some of them.

Neighbours run along a shared edge in opposite directions, so a union needs no geometry: edges that run both ways cancel
out, and those that remain are its outlines (a doubly connected edge list, Muller and Preparata 1978).
"""

from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import chain
from typing import Final, NamedTuple

import numpy as np

from illusion.deck.picture import CENTRE
from illusion.deck.plane.clipping import clipped
from illusion.deck.plane.rings import FINE, Mask, Numbers, RingLayout, Rings, Whole, outward, rings_of, whole

MIN_SHARED: Final = 110 * FINE
"""Pieces with a shorter common border are not joined: the join would be a narrow neck."""


class Neighbours(NamedTuple):
    """For each piece the pieces it touches, and the lengths of their common borders in fine parts."""

    bounds: list[int]
    others: list[int]
    lengths: list[int]

    def of(self, piece: int) -> Iterable[tuple[int, int]]:
        start, end = self.bounds[piece], self.bounds[piece + 1]
        return zip(self.others[start:end], self.lengths[start:end], strict=True)


class Mosaic:
    """Pieces of the canvas, each with one outline or several rings, and its layer.

    `layer` tells apart pieces that should look different, such as a figure (1) and its ground (0), or odd and even
    bands. A colour stays in one layer as long as it can.
    """

    def __init__(self, rings: Rings, layers: Sequence[int]) -> None:
        self.layers = layers
        self.count = len(layers)
        mixed = len((rings.piece[1:] < rings.piece[:-1]).nonzero()[0])
        self.rings = _ordered(rings, rings.piece.argsort(kind="stable")) if mixed else rings
        self.after = self.rings.layout.after
        self.of_edge = self.rings.piece.repeat(self.rings.layout.sizes)
        """The piece of the edge that starts at each point."""
        self.twin = _twins(self.rings)
        """The edge that runs the other way, or -1."""

    @cached_property
    def lengths(self) -> Whole:
        """The length of each edge, in fine parts."""
        x, y = self.rings.x, self.rings.y
        dx, dy = x[self.after] - x, y[self.after] - y
        return np.rint(np.sqrt((dx * dx + dy * dy).astype(np.float64))).astype(np.int64)

    def borders(self) -> tuple["Neighbours", Mask]:
        """The neighbours of each piece, and the edges of borders that are too short; those neighbours are left out."""
        shared = (self.twin >= 0).nonzero()[0]
        narrow = np.zeros(len(self.twin), bool)
        if not len(shared):
            return Neighbours([0] * (self.count + 1), [], []), narrow
        pairs = self.of_edge[shared] * self.count + self.of_edge[self.twin[shared]]
        order = pairs.argsort(kind="stable")
        shared, pairs = shared[order], pairs[order]
        firsts = np.concatenate([[0], (pairs[1:] != pairs[:-1]).nonzero()[0] + 1])
        long = np.add.reduceat(self.lengths[shared], firsts)
        short = long < MIN_SHARED
        narrow[shared] = short.repeat(np.concatenate([firsts[1:], [len(pairs)]]) - firsts)
        wide = (~short).nonzero()[0]
        keys = pairs[firsts[wide]]
        bounds = keys.searchsorted(np.arange(self.count + 1) * self.count)
        return Neighbours(bounds.tolist(), (keys % self.count).tolist(), long[wide].tolist()), narrow

    def joined(self, labels: Whole, narrow: Mask | None = None) -> Rings:
        """The pieces of each label as one: rings by label, with holes. Pieces labelled -1 are left out.

        `narrow` marks edges along which pieces stay apart.
        """
        label = labels[self.of_edge]
        inner = (self.twin >= 0) & (label >= 0) & (label == label[self.twin])
        if narrow is not None:
            inner &= ~narrow
        edges = ((label >= 0) & ~inner).nonzero()[0]
        after = self.after[edges]
        while len(cancelled := inner[after].nonzero()[0]):
            after[cancelled] = self.after[self.twin[after[cancelled]]]
        return self._traced(edges, after, label)

    def _traced(self, edges: Whole, after: Whole, label: Whole) -> Rings:
        """The edges, each followed by its next, joined to rings."""
        if not len(edges):
            return Rings(edges, edges, RingLayout(edges), edges)
        following = dict(zip(edges.tolist(), after.tolist(), strict=True))
        order: list[int] = []
        sizes: list[int] = []
        while following:
            at, before = next(iter(following)), len(order)
            while at in following:
                order.append(at)
                at = following.pop(at)
            sizes.append(len(order) - before)
        found, layout = np.array(order), RingLayout(np.array(sizes))
        return outlines_first(Rings(self.rings.x[found], self.rings.y[found], layout, label[found[layout.starts]]))


def mosaic(outlines: Sequence[Numbers] | Numbers, layers: Sequence[int]) -> Mosaic:
    """Outlines in units, clipped to the canvas. One that falls apart becomes several pieces."""
    return cut_out(rings_of(outlines), layers)


def mosaic_with_holes(
    pieces: Sequence[Sequence[Sequence[tuple[float, float]]]],
    layers: Sequence[int],
    turn: tuple[float, float] = (1.0, 0.0),
) -> Mosaic:
    """Pieces given as rings of points in units, an outline and its holes, clipped to the canvas.

    `turn` is the cosine and sine of an angle by which everything is turned; then points count from the card's centre.
    """
    rings = [ring for piece in pieces for ring in piece]
    points = np.fromiter(chain.from_iterable(chain.from_iterable(rings)), np.float64)
    x, y = points[::2], points[1::2]
    if turn != (1.0, 0.0):
        x, y = CENTRE[0] + x * turn[0] - y * turn[1], CENTRE[1] + x * turn[1] + y * turn[0]
    sizes = np.fromiter(map(len, rings), np.int64, len(rings))
    of_ring = np.arange(len(pieces)).repeat([len(piece) for piece in pieces])
    return cut_out(outward(Rings(whole(x), whole(y), RingLayout(sizes), of_ring)), layers)


def cut_out(rings: Rings, layers: Sequence[int]) -> Mosaic:
    """The parts of pieces on the canvas. One that falls apart becomes several."""
    parts = clipped(rings)
    areas = parts.double_areas()
    if len(areas.nonzero()[0]) < len(areas):
        parts, areas = parts.select(areas != 0), areas[areas != 0]
    outlines, holes = (areas > 0).nonzero()[0], (areas < 0).nonzero()[0]
    piece = np.full(len(areas), -1)
    piece[outlines] = np.arange(len(outlines))
    for hole in holes.tolist():
        same = outlines[parts.piece[outlines] == parts.piece[hole]]
        around = same[areas[same].argsort(kind="stable")].tolist()
        piece[hole] = piece[_holder(parts, hole, around)] if around else -1
    shown = parts._replace(piece=piece)
    if len(holes):
        shown = outlines_first(shown if (piece >= 0).all() else shown.select(piece >= 0))
    return Mosaic(shown, [layers[at] for at in parts.piece[outlines].tolist()])


def _holder(rings: Rings, hole: int, outlines: list[int]) -> int:
    """The first of some outlines around a hole, which a ray from a point of the hole crosses an odd number of times."""
    starts = rings.layout.starts
    px, py = rings.x[starts[hole]], rings.y[starts[hole]]
    for outline in outlines[:-1]:
        ring = slice(starts[outline], starts[outline] + rings.layout.sizes[outline])
        x, y = rings.x[ring], rings.y[ring]
        u, v = np.roll(x, -1), np.roll(y, -1)
        side = (u - x) * (py - y) - (v - y) * (px - x)
        crossed = ((y <= py) & (v > py) & (side > 0)) | ((y > py) & (v <= py) & (side < 0))
        if crossed.sum() % 2:
            return outline
    return outlines[-1]


def outlines_first(rings: Rings) -> Rings:
    """The rings by piece, each piece's outline before its holes."""
    if len(rings.layout.sizes) == 1:
        return rings
    return _ordered(rings, np.lexsort((rings.double_areas() < 0, rings.piece)))


def _ordered(rings: Rings, order: Whole) -> Rings:
    layout = RingLayout(rings.layout.sizes[order])
    at = np.arange(len(rings.x)) + (rings.layout.starts[order] - layout.starts).repeat(layout.sizes)
    return Rings(rings.x[at], rings.y[at], layout, rings.piece[order])


def _twins(rings: Rings) -> Whole:
    """For each edge the first that runs the other way, or -1. Only edges with the same middle are compared."""
    x, y, after = rings.x, rings.y, rings.layout.after
    end_x, end_y = x[after], y[after]
    middles = (x + end_x << 20) + (y + end_y)
    order = middles.argsort(kind="stable")
    middles, none = middles[order], len(x)
    twins = np.full(none, none)
    apart = 1
    while len(at := (middles[:-apart] == middles[apart:]).nonzero()[0]):
        one, other = order[at], order[at + apart]
        opposite = (x[one] == end_x[other]) & (y[one] == end_y[other])
        opposite &= (x[other] == end_x[one]) & (y[other] == end_y[one])
        one, other = one[opposite], other[opposite]
        twins[one], twins[other] = np.minimum(twins[one], other), np.minimum(twins[other], one)
        apart += 1
    twins[twins == none] = -1
    return twins
