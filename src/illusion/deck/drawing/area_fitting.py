"""Polygon offsetting to an exact area: a colour's outlines move in or out until it covers what the back says.

Every vertex moves along its mitre, so that all edges move in parallel by the same distance d; edges on the frame stay.
The area is then a quadratic function of d, so the right d has a closed form. Rounding to the file's whole numbers
changes the area a little; moving a few points by one unit makes up for that.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry import Polygon

from illusion.deck.drawing.card_face import BOTTOM, GAP, LEFT, MIN_WIDTH, RIGHT, TOP, WHITE_AREA

Points = NDArray[np.float64]
Ring = NDArray[np.int64]

AREA_TOLERANCE: Final = WHITE_AREA / 100 * 0.001
MAX_MITRE: Final = 2.0
"""A sharp corner moves at most this many times as far as its edges."""
MAX_OUTWARD: Final = ((GAP - MIN_WIDTH) / 2 - 0.8) / MAX_MITRE
"""An outline that moved farther outward would come too near to its neighbour; 0.8 is for rounding."""
SIMPLIFY_TOLERANCE: Final = 1.0
"""Points closer than this to the line between their neighbours are dropped: tiny edges have no clear direction."""
MAX_INWARD: Final = 16.0


class AreaOutOfReach(Exception):
    """No small offset gives this area."""


def fit_area(polygons: Sequence[Polygon], area: float) -> list[list[Ring]]:
    """The polygons offset so that together they have the area: for each its rings, outline first, in whole numbers.

    :raises AreaOutOfReach: if that would take more than a small offset.
    """
    plain = shapely.simplify(np.asarray(polygons, dtype=object), SIMPLIFY_TOLERANCE)
    oriented = shapely.orient_polygons(plain, exterior_cw=False)
    rings, of_polygon = shapely.get_rings(oriented, return_index=True)
    closed, of_point = shapely.get_coordinates(rings, return_index=True)
    starts = np.flatnonzero(np.append(True, of_point[1:] != of_point[:-1]))
    closing = np.append(starts[1:], len(closed)) - 1
    points, of_ring = np.delete(closed, closing, axis=0), np.delete(of_point, closing)
    offset = _Offset(points, of_ring)

    best, best_error, asked = None, np.inf, area
    for _ in range(4):
        moved = np.rint(points + offset.distance(asked) * offset.mitre).clip((LEFT, TOP), (RIGHT, BOTTOM))
        error = offset.area(moved) - area
        if abs(error) < abs(best_error):
            best, best_error = moved, error
        if abs(error) < AREA_TOLERANCE:
            break
        asked -= error
    if best is None:
        raise AreaOutOfReach
    best = offset.nudged(best, area)
    whole = np.split(best.astype(np.int64), np.cumsum(closing - starts)[:-1])
    closed[np.setdiff1d(np.arange(len(closed)), closing)] = best
    closed[closing] = closed[starts]
    if not shapely.is_valid(shapely.set_coordinates(oriented, closed)).all():
        raise AreaOutOfReach
    fitted: list[list[Ring]] = [[] for _ in polygons]
    for polygon, ring in zip(of_polygon, whole, strict=True):
        fitted[polygon].append(ring)
    return fitted


class _Offset:
    """The direction in which each vertex moves, and the area as a quadratic function of the distance."""

    def __init__(self, points: Points, of_ring: NDArray[np.int64]) -> None:
        count = len(points)
        last = np.append(of_ring[1:] != of_ring[:-1], True)
        first = np.append(True, last[:-1])
        self.following = np.arange(1, count + 1)
        self.following[last] = np.flatnonzero(first)
        self.previous = np.empty(count, dtype=np.int64)
        self.previous[self.following] = np.arange(count)

        edge = points[self.following] - points
        normal = np.column_stack([-edge[:, 1], edge[:, 0]]) / np.maximum(np.hypot(*edge.T), 1e-9)[:, None]
        moves = np.where(_on_frame(points) & _on_frame(points[self.following]) & _axis_aligned(edge), 0.0, 1.0)
        self.mitre = _mitre(normal[self.previous], moves[self.previous], normal, moves)

        after, mitre_after = points[self.following], self.mitre[self.following]
        self.constant = _cross(points, after).sum() / 2
        self.linear = (_cross(points, mitre_after) + _cross(self.mitre, after)).sum() / 2
        self.square = _cross(self.mitre, mitre_after).sum() / 2

    def area(self, points: Points) -> float:
        return float(_cross(points, points[self.following]).sum() / 2)

    def nudged(self, points: Points, area: float) -> Points:
        """Whole-number points with a few of them moved by one unit, 0.01 mm, to make up for rounding (greedy)."""
        points = points.copy()
        free = np.flatnonzero(~_on_frame(points))
        for _ in range(6):
            error = self.area(points) - area
            if abs(error) < AREA_TOLERANCE or len(free) == 0:
                break
            span = points[self.following] - points[self.previous]
            gain = np.column_stack([span[free, 1], -span[free, 0]]) / 2  # by a step of one unit in x, in y
            step, axis = np.unravel_index(np.abs(np.abs(gain) - abs(error)).argmin(), gain.shape)
            points[free[step], axis] -= np.sign(error * gain[step, axis])
        return points

    def distance(self, area: float) -> float:
        """The inward distance at which the area is this (the smaller root, in the form that does not cancel)."""
        rest = self.constant - area
        inside = self.linear**2 - 4 * self.square * rest
        if inside < 0 or self.linear >= 0:
            raise AreaOutOfReach
        distance = 2 * rest / (-self.linear + np.sqrt(inside))
        if not -MAX_OUTWARD <= distance <= MAX_INWARD:
            raise AreaOutOfReach
        return float(distance)


def _cross(a: Points, b: Points) -> Points:
    return a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]


def _on_frame(points: Points) -> NDArray[np.bool_]:
    x, y = points.T
    near = 0.5
    on_frame: NDArray[np.bool_] = (x < LEFT + near) | (x > RIGHT - near) | (y < TOP + near) | (y > BOTTOM - near)
    return on_frame


def _axis_aligned(edge: Points) -> NDArray[np.bool_]:
    aligned: NDArray[np.bool_] = np.abs(edge).min(axis=1) < 1
    return aligned


def _mitre(before: Points, moves_before: Points, after: Points, moves_after: Points) -> Points:
    """The step of a vertex that moves each of its two edges by one unit, or by none if the edge lies on the frame."""
    turn = _cross(before, after)
    straight = np.abs(turn) < 0.05
    safe = np.where(straight, 1.0, turn)
    x = (moves_before * after[:, 1] - moves_after * before[:, 1]) / safe
    y = (moves_after * before[:, 0] - moves_before * after[:, 0]) / safe
    corner = np.column_stack([x, y])
    along = (moves_before + moves_after)[:, None] / 2 * (before + after) / 2
    step = np.where(straight[:, None], along, corner)
    length = np.hypot(*step.T)
    mitre: Points = step * np.minimum(1, MAX_MITRE / np.maximum(length, 1e-9))[:, None]
    return mitre
