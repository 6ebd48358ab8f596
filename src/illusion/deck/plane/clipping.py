"""Clipping all rings to the canvas (Sutherland and Hodgman 1974), one side of the canvas after another.

The crossing of an edge with a side is computed from the same end for both neighbours, so that they still share their
points afterwards.
"""

from itertools import chain, pairwise
from typing import Final

import numpy as np

from illusion.deck.picture import CANVAS_BOTTOM, CANVAS_LEFT, CANVAS_RIGHT, CANVAS_TOP
from illusion.deck.plane.rings import FINE, RingLayout, Rings, without_doubled_points

LOW_X, LOW_Y, HIGH_X, HIGH_Y = (FINE * side for side in (CANVAS_LEFT, CANVAS_TOP, CANVAS_RIGHT, CANVAS_BOTTOM))
_SIDES: Final = ((0, 1, LOW_X), (0, -1, HIGH_X), (1, 1, LOW_Y), (1, -1, HIGH_Y))
"""Axis, direction to the inside, and place of each side."""

Point = tuple[int, int]


def clipped(rings: Rings) -> Rings:
    """The parts of the rings on the canvas. An outline that falls apart becomes several rings."""
    starts = rings.layout.starts
    low_x, high_x = np.minimum.reduceat(rings.x, starts), np.maximum.reduceat(rings.x, starts)
    low_y, high_y = np.minimum.reduceat(rings.y, starts), np.maximum.reduceat(rings.y, starts)
    seen = (high_x > LOW_X) & (low_x < HIGH_X) & (high_y > LOW_Y) & (low_y < HIGH_Y)
    inside = (low_x >= LOW_X) & (high_x <= HIGH_X) & (low_y >= LOW_Y) & (high_y <= HIGH_Y)
    cut = rings.select(seen & ~inside)
    often = set(cut.piece[cut.double_areas() < 0].tolist())  # a hole that is cut opens into the outside
    for axis, inward, side in _SIDES:
        if len(cut.layout.sizes):
            cut, split = _one_side(cut, axis, inward, side)
            often.update(split)
    if often and len(cut.layout.sizes):
        cut = _fallen_apart(without_doubled_points(cut), often)
    return without_doubled_points(_all(rings.select(inside), cut))


def _all(some: Rings, more: Rings) -> Rings:
    return Rings(
        np.concatenate([some.x, more.x]),
        np.concatenate([some.y, more.y]),
        RingLayout(np.concatenate([some.layout.sizes, more.layout.sizes])),
        np.concatenate([some.piece, more.piece]),
    )


def _one_side(rings: Rings, axis: int, inward: int, side: int) -> tuple[Rings, list[int]]:
    """The rings clipped at one side, and the pieces that cross it more than twice."""
    x, y = (rings.x, rings.y) if axis == 0 else (rings.y, rings.x)
    after, starts = rings.layout.after, rings.layout.starts
    inside = x >= side if inward > 0 else x <= side
    crossing = inside != inside[after]
    start = crossing.nonzero()[0]
    if not len(start):
        gone = ~inside[starts]
        return (rings.select(~gone) if gone.any() else rings), []
    counts = inside.astype(np.intp)
    counts[start] += 1
    source = np.arange(len(x)).repeat(counts)
    places = counts.cumsum()[start] - 1
    end = after[start]
    ahead = x[start] < x[end]
    low, high = np.where(ahead, start, end), np.where(ahead, end, start)
    low_x, low_y = x[low], y[low]
    part = ((side - low_x) * (y[high] - low_y)) / (x[high] - low_x)
    new_x, new_y = x[source], y[source]
    new_x[places] = side
    new_y[places] = low_y + np.rint(part).astype(np.int64)
    sizes = np.add.reduceat(counts, starts)
    often = rings.piece[rings.layout.count(crossing) > 2].tolist()
    kept = sizes > 0
    new_x, new_y = (new_x, new_y) if axis == 0 else (new_y, new_x)
    return Rings(new_x, new_y, RingLayout(sizes[kept]), rings.piece[kept]), often


def _fallen_apart(rings: Rings, often: set[int]) -> Rings:
    """The rings of these pieces without the doubled lines along the canvas's sides that join their parts."""
    keep = np.array([piece not in often for piece in rings.piece.tolist()], bool)
    joined = rings.select(~keep)
    points = list(zip(joined.x.tolist(), joined.y.tolist(), strict=True))
    of_piece: dict[int, list[list[Point]]] = {}
    for piece, start, end in zip(
        joined.piece.tolist(), joined.layout.starts.tolist(), joined.layout.ends.tolist(), strict=True
    ):
        of_piece.setdefault(piece, []).append(points[start:end])
    parts = [(part, piece) for piece, outlines in of_piece.items() for part in _parts(outlines)]
    places = np.fromiter(chain.from_iterable(point for part, _ in parts for point in part), np.int64).reshape(-1, 2)
    apart = Rings(
        places[:, 0],
        places[:, 1],
        RingLayout(np.array([len(part) for part, _ in parts], np.int64)),
        np.array([piece for _, piece in parts], np.int64),
    )
    return _all(rings.select(keep), apart)


def _parts(rings: list[list[Point]]) -> list[list[Point]]:
    """Cut the edges along a side at every point there; edges that run both ways cancel out; the rest form rings."""
    points = [point for ring in rings for point in ring]
    on_any = {(x, y) for x, y in points if x in (LOW_X, HIGH_X) or y in (LOW_Y, HIGH_Y)}
    on_side = {(axis, side): {point for point in on_any if point[axis] == side} for axis, _, side in _SIDES}
    steps: dict[Point, list[Point]] = {}
    for ring in rings:
        for start, end in zip(ring, [*ring[1:], ring[0]], strict=True):
            if start not in on_any or end not in on_any:
                steps.setdefault(start, []).append(end)
                continue
            for a, b in pairwise(_divided(start, end, on_side)):
                if a in steps.get(b, ()):
                    steps[b].remove(a)
                else:
                    steps.setdefault(a, []).append(b)
    parts = []
    for start in points:
        while steps.get(start):
            part, at = [start], steps[start].pop()
            while at != start:
                part.append(at)
                at = steps[at].pop()
            parts.append(part)
    return [part for part in parts if len(part) > 2]


def _divided(start: Point, end: Point, on_side: dict[tuple[int, int], set[Point]]) -> list[Point]:
    """An edge's ends and, if it lies on a side of the canvas, the points there between them."""
    for (axis, _), there in on_side.items():
        if start in there and end in there:
            low, high = sorted((start[1 - axis], end[1 - axis]))
            between = sorted(point for point in there if low < point[1 - axis] < high)
            return [start, *(between if start < end else between[::-1]), end]
    return [start, end]
