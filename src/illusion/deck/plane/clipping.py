"""Clipping all rings to the canvas (Sutherland and Hodgman 1974), one side of the canvas after another.

The crossing of an edge with a side is computed from the same end whichever of two neighbours asks, so neighbours still
share their points afterwards.
"""

from itertools import pairwise
from typing import Final

import numpy as np

from illusion.deck.card_face import CANVAS_BOTTOM, CANVAS_LEFT, CANVAS_RIGHT, CANVAS_TOP
from illusion.deck.plane.rings import FINE, Mask, Rings, Whole, following, without_doubled_points

LOW_X, LOW_Y, HIGH_X, HIGH_Y = (FINE * side for side in (CANVAS_LEFT, CANVAS_TOP, CANVAS_RIGHT, CANVAS_BOTTOM))
_SIDES: Final = ((0, 1, LOW_X), (0, -1, HIGH_X), (1, 1, LOW_Y), (1, -1, HIGH_Y))
"""Axis, direction to the inside, and place of each side."""

Point = tuple[int, int]


def clipped(rings: Rings) -> Rings:
    """What of the rings lies on the canvas. An outline that falls apart gives a ring for each part."""
    starts = rings.starts
    low_x, high_x = np.minimum.reduceat(rings.x, starts), np.maximum.reduceat(rings.x, starts)
    low_y, high_y = np.minimum.reduceat(rings.y, starts), np.maximum.reduceat(rings.y, starts)
    seen = (high_x > LOW_X) & (low_x < HIGH_X) & (high_y > LOW_Y) & (low_y < HIGH_Y)
    whole = (low_x >= LOW_X) & (high_x <= HIGH_X) & (low_y >= LOW_Y) & (high_y <= HIGH_Y)
    cut = rings.select(seen & ~whole)
    often = cut.piece[cut.double_areas() < 0]  # a hole that is cut opens into the outside
    for axis, inward, side in _SIDES:
        if len(cut.sizes):
            cut, split = _one_side(cut, axis, inward, side)
            often = np.append(often, split)
    cut = without_doubled_points(cut) if len(cut.sizes) else cut
    if len(often):
        cut = _fallen_apart(cut, set(often.tolist()))
    inside = rings.select(whole)
    return without_doubled_points(
        Rings(
            np.concatenate([inside.x, cut.x]),
            np.concatenate([inside.y, cut.y]),
            np.concatenate([inside.sizes, cut.sizes]),
            np.concatenate([inside.piece, cut.piece]),
        )
    )


def _one_side(rings: Rings, axis: int, inward: int, side: int) -> tuple[Rings, Whole]:
    """The rings clipped at one side, and the pieces that cross it more than twice."""
    x, y = (rings.x, rings.y) if axis == 0 else (rings.y, rings.x)
    after = following(rings.sizes)
    inside = (x - side) * inward >= 0
    crossing = inside != inside[after]
    if not crossing.any():
        gone = ~inside[rings.starts]
        return (rings.select(~gone) if gone.any() else rings), np.zeros(0, np.int64)
    counts = inside.astype(np.int64) + crossing
    source = np.repeat(np.arange(len(x)), counts)
    places = (counts.cumsum() - counts + inside)[crossing]
    ends = np.stack([crossing.nonzero()[0], after[crossing]])
    low, high = np.where(x[ends[0]] < x[ends[1]], ends, ends[::-1])
    part = ((side - x[low]) * (y[high] - y[low])) / (x[high] - x[low])
    new_x, new_y = x[source], y[source]
    new_x[places] = side
    new_y[places] = y[low] + np.rint(part).astype(np.int64)
    sizes = np.add.reduceat(counts, rings.starts)
    often = rings.piece[np.add.reduceat(crossing.astype(np.int64), rings.starts) > 2]
    kept: Mask = sizes > 0
    new_x, new_y = (new_x, new_y) if axis == 0 else (new_y, new_x)
    return Rings(new_x, new_y, sizes[kept], rings.piece[kept]), often


def _fallen_apart(rings: Rings, often: set[int]) -> Rings:
    """The rings of these pieces without the doubled lines along the canvas's sides that join their parts."""
    keep = np.array([piece not in often for piece in rings.piece.tolist()], bool)
    kept = rings.select(keep)
    of_piece: dict[int, list[list[Point]]] = {}
    starts = rings.starts
    for at in np.flatnonzero(~keep).tolist():
        ring = slice(int(starts[at]), int(starts[at] + rings.sizes[at]))
        points = list(zip(rings.x[ring].tolist(), rings.y[ring].tolist(), strict=True))
        of_piece.setdefault(int(rings.piece[at]), []).append(points)
    parts = [(part, piece) for piece, outlines in of_piece.items() for part in _parts(outlines)]
    return Rings(
        np.concatenate([kept.x, np.array([x for part, _ in parts for x, _ in part], np.int64)]),
        np.concatenate([kept.y, np.array([y for part, _ in parts for _, y in part], np.int64)]),
        np.concatenate([kept.sizes, np.array([len(part) for part, _ in parts], np.int64)]),
        np.concatenate([kept.piece, np.array([piece for _, piece in parts], np.int64)]),
    )


def _parts(rings: list[list[Point]]) -> list[list[Point]]:
    """Cut the edges along a side at every point there; edges that run both ways cancel out; the rest are rings."""
    points = [point for ring in rings for point in ring]
    on_side = {(axis, side): {point for point in points if point[axis] == side} for axis, _, side in _SIDES}
    on_any = set().union(*on_side.values())
    steps: dict[Point, list[Point]] = {}
    for ring in rings:
        for start, end in pairwise([*ring, ring[0]]):
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
