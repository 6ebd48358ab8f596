"""Figures scattered over a ground: patches around them, whose borders run from figure to figure.

The patches are unions of the triangles of a Delaunay triangulation of the figures' centres. Where a border reaches a
figure, the patch follows the figure's outline. So nothing has to be subtracted, and no ground is narrower than the room
between two figures.
"""

from bisect import bisect
from typing import Final, NamedTuple

import numpy as np

from illusion.deck.card_face import CANVAS_BOTTOM, CANVAS_LEFT, CANVAS_RIGHT, CANVAS_TOP
from illusion.deck.mosaics.shapes.curves import Point
from illusion.deck.mosaics.shapes.triangulation import points_around, triangles, triangulated
from illusion.deck.plane.dice import Dice

BEYOND: Final = 900
MIN_PASS: Final = 90.0
"""A border keeps at least this distance from figures it does not end at, or there is no border."""
SNAP: Final = 12.0
"""A border that would reach an outline this near to one of its points ends at that point."""

Edge = tuple[int, int]
Corners = tuple[int, int, int]


class Figure(NamedTuple):
    """An outline that can be seen whole from its centre, in the order of growing angles."""

    x: float
    y: float
    outline: list[Point]
    radius: float
    """The distance of its farthest point from the centre."""


RimPoint = tuple[float, float, float, float]
"""The angle, x and y, and the place: a whole number for the outline's own points."""


class Rim:
    """A figure's outline with the points added at which borders of patches end."""

    def __init__(self, figure: Figure) -> None:
        self.figure = figure
        self.own: list[RimPoint] = []
        self.points: list[RimPoint] = []
        self.ends: dict[int, Point] = {}
        """The points at which borders end, by the figure at their other end."""

    def reach(self, towards: int, x: float, y: float) -> None:
        """Add the point at which a border towards another figure's centre leaves the outline."""
        figure = self.figure
        if not self.own:
            placed = ((_angle(u - figure.x, v - figure.y), u, v, float(at)) for at, (u, v) in enumerate(figure.outline))
            self.own = self.points = sorted(placed)
        own, dx, dy = self.own, x - figure.x, y - figure.y
        after = bisect(own, (_angle(dx, dy),)) % len(own)
        (_, ax, ay, place), (_, bx, by, _) = own[after - 1], own[after]
        ux, uy = ax - figure.x, ay - figure.y
        part = (uy * dx - ux * dy) / ((bx - ax) * dy - (by - ay) * dx)
        px, py = ax + part * (bx - ax), ay + part * (by - ay)
        for end_x, end_y in ((ax, ay), (bx, by)):
            if abs(px - end_x) + abs(py - end_y) < SNAP:
                self.ends[towards] = (end_x, end_y)
                return
        self.ends[towards] = (px, py)
        self.points = sorted([*self.points, (_angle(px - figure.x, py - figure.y), px, py, place + part)])

    def outline(self) -> list[Point]:
        return [(x, y) for _, x, y, _ in self.points] if self.points else self.figure.outline

    def places(self) -> list[tuple[float, Point]]:
        """The points in the order of the figure's outline; a point added between two of its own has a place between."""
        if self.points:
            return sorted((place, (x, y)) for _, x, y, place in self.points)
        return [(float(at), point) for at, point in enumerate(self.figure.outline)]

    def between(self, first: int, last: int) -> list[Point]:
        """The points from where one border ends back to where another does, against the order of angles."""
        points = self.outline()
        start, end = points.index(self.ends[first]), points.index(self.ends[last])
        if start > end:
            return points[end : start + 1][::-1]
        return points[: start + 1][::-1] + points[end:][::-1]


def ground(dice: Dice, figures: list[Figure], count: int) -> tuple[list[list[list[Point]]], list[Rim]]:
    """About `count` patches, each an outline and its holes, and the figures' rims."""
    points = [(round(figure.x), round(figure.y)) for figure in figures]
    around = points_around(BEYOND)
    apex = triangulated([*points, *around])
    places: list[Point] = [*((figure.x, figure.y) for figure in figures), *around]
    corners = triangles(apex)
    patch = _nearest(dice, places, corners, count)
    _keep_clear(patch, figures, places, apex, corners)
    rims = {at: Rim(figure) for at, figure in enumerate(figures)}
    return patched(rims, places, corners, patch), list(rims.values())


def patched(
    rims: dict[int, Rim], places: list[Point], corners: list[Corners], patch: list[int]
) -> list[list[list[Point]]]:
    """The union of the triangles of each patch, without the figures at some of their corners."""
    apex = {edge: c for a, b, c in corners for edge, c in (((a, b), c), ((b, c), a), ((c, a), b))}
    labels = _connected(corners, patch)
    borders = [edge for edge in labels if labels[edge] != labels.get((edge[1], edge[0]))]
    for a, b in borders:
        if (b, a) in labels:
            for one, other in ((a, b), (b, a)):
                if one in rims and other not in rims[one].ends:
                    rims[one].reach(other, *places[other])
    patches: dict[int, list[list[Point]]] = {}
    for ring in _rings(borders, apex, labels):
        outline: list[Point] = []
        for at, (a, b) in enumerate(ring):
            before = ring[at - 1][0]
            bare = a not in rims or before not in rims[a].ends or b not in rims[a].ends
            outline += [places[a]] if bare else rims[a].between(before, b)
        patches.setdefault(labels[ring[0]], []).append(outline)
    inside = {a: label for (a, _), label in labels.items() if a in rims and not rims[a].ends}
    for a, label in inside.items():
        patches[label].append(rims[a].outline()[::-1])
    return list(patches.values())


def _nearest(dice: Dice, places: list[Point], corners: list[Corners], count: int) -> list[int]:
    """For each triangle the nearest of `count` random points."""
    where = np.array(places)[np.array(corners)]
    x, y = ((where[:, 0, axis] + where[:, 1, axis] + where[:, 2, axis]) / 3 for axis in (0, 1))
    dx = x[:, None] - np.array(dice.uniforms(CANVAS_LEFT, CANVAS_RIGHT, count))
    dy = y[:, None] - np.array(dice.uniforms(CANVAS_TOP, CANVAS_BOTTOM, count))
    nearest: list[int] = np.argmin(dx * dx + dy * dy, axis=1).tolist()
    return nearest


def _keep_clear(
    patch: list[int], figures: list[Figure], places: list[Point], apex: dict[Edge, int], corners: list[Corners]
) -> None:
    """Give two triangles one patch if their common edge would pass through a third figure, or too near it."""
    of = {edge: at for at, (a, b, c) in enumerate(corners) for edge in ((a, b), (b, c), (c, a))}
    for (a, b), at in of.items():
        other = of.get((b, a), at)
        if a < b and patch[at] != patch[other]:
            opposite = (apex[a, b], apex[b, a])
            if any(c < len(figures) and _passes(places[a], places[b], figures[c]) for c in opposite):
                old = patch[other]
                patch[:] = [patch[at] if each == old else each for each in patch]


def _connected(corners: list[Corners], patch: list[int]) -> dict[Edge, int]:
    """A label for the triangle on the left of each edge; triangles of a patch that are connected have the same."""
    of = {edge: at for at, (a, b, c) in enumerate(corners) for edge in ((a, b), (b, c), (c, a))}
    labels: dict[Edge, int] = {}
    for start, (a, b, _) in enumerate(corners):
        reached = [] if (a, b) in labels else [start]
        while reached:
            at = reached.pop()
            u, v, w = corners[at]
            if (u, v) in labels:
                continue
            for edge in ((u, v), (v, w), (w, u)):
                labels[edge] = start
                other = of.get((edge[1], edge[0]))
                if other is not None and patch[other] == patch[at]:
                    reached.append(other)
    return labels


def _passes(a: Point, b: Point, figure: Figure) -> bool:
    """Whether the line between two points passes through a figure or too near it."""
    ex, ey, dx, dy = b[0] - a[0], b[1] - a[1], figure.x - a[0], figure.y - a[1]
    along = min(max((dx * ex + dy * ey) / (ex * ex + ey * ey), 0.0), 1.0)
    off_x, off_y, near = dx - along * ex, dy - along * ey, figure.radius + MIN_PASS
    return off_x * off_x + off_y * off_y < near * near


def _rings(borders: list[Edge], apex: dict[Edge, int], labels: dict[Edge, int]) -> list[list[Edge]]:
    """The borders of each patch in order, with the patch on the left."""
    left = dict.fromkeys(borders)
    rings = []
    while left:
        start = next(iter(left))
        ring, edge = [], start
        while edge in left:
            del left[edge]
            ring.append(edge)
            a, b = edge
            edge = (b, apex[a, b])
            while labels[edge] == labels.get((edge[1], edge[0])):
                edge = (b, apex[edge[1], b])
        rings.append(ring)
    return rings


def _angle(x: float, y: float) -> float:
    """A number from 0 to 4 that grows with the angle (the diamond angle)."""
    size = abs(x) + abs(y)
    if y >= 0:
        return y / size if x >= 0 else 1 - x / size
    return 2 - y / size if x < 0 else 3 + x / size
