"""Figures scattered over a ground: patches around them, whose borders run from figure to figure.

The patches are unions of the triangles of a Delaunay triangulation of the figures' centres. Where a border reaches a
figure, the patch follows the figure's outline. So nothing has to be subtracted, and no ground is narrower than the room
between two figures.
"""

from bisect import bisect_left
from math import floor
from typing import Final, NamedTuple

import numpy as np

from illusion.deck.picture import CANVAS_BOTTOM, CANVAS_LEFT, CANVAS_RIGHT, CANVAS_TOP
from illusion.deck.plane.curves import Point
from illusion.deck.plane.exact import Dice
from illusion.deck.plane.mosaic import Mosaic, mosaic_with_holes
from illusion.deck.plane.rings import Numbers
from illusion.deck.plane.triangulation import points_around, triangles, triangulated

BEYOND: Final = 900
MIN_PASS: Final = 90.0
"""A border that would come nearer to a figure at which it does not end is left out."""
SNAP: Final = 12.0
"""A border that would reach an outline this near to one of its points ends at that point."""

Edge = tuple[int, int]
Corners = tuple[int, int, int]


class Figure(NamedTuple):
    """An outline that is star-shaped around its centre, in the order of growing angles."""

    x: float
    y: float
    outline: list[Point]
    radius: float
    """The distance of its farthest point from the centre."""


class Rim:
    """A figure's outline with the points added at which borders of patches end."""

    def __init__(self, figure: Figure) -> None:
        self.figure = figure
        self.ends: dict[int, Point] = {}
        """The points at which borders end, by the figure at their other end."""
        angles = [_angle(x - figure.x, y - figure.y) for x, y in figure.outline]
        self._first = angles.index(min(angles))
        """The outline's point with the smallest angle."""
        self._own = figure.outline[self._first :] + figure.outline[: self._first]
        self._angles = angles[self._first :] + angles[: self._first]
        self._added: list[tuple[float, Point]] = []
        """Added points with their places; the outline's own have the places 0, 1, … from the smallest angle on."""

    def reach(self, towards: int, x: float, y: float) -> None:
        """Add the point at which a border towards another figure's centre leaves the outline."""
        figure, number = self.figure, len(self._own)
        dx, dy = x - figure.x, y - figure.y
        after = bisect_left(self._angles, _angle(dx, dy)) % number
        (ax, ay), (bx, by) = self._own[after - 1], self._own[after]
        ux, uy = ax - figure.x, ay - figure.y
        part = (uy * dx - ux * dy) / ((bx - ax) * dy - (by - ay) * dx)
        px, py = ax + part * (bx - ax), ay + part * (by - ay)
        for end_x, end_y in ((ax, ay), (bx, by)):
            if abs(px - end_x) + abs(py - end_y) < SNAP:
                self.ends[towards] = (end_x, end_y)
                return
        self.ends[towards] = (px, py)
        at_end = not after and _angle(px - figure.x, py - figure.y) > self._angles[0]
        self._added.append(((number if at_end else after) - 1 + part, (px, py)))

    def outline(self) -> list[Point]:
        """All points; if a border ends here, from the smallest angle on."""
        if not self.ends:
            return self.figure.outline
        points = self._own.copy()
        for place, point in sorted(self._added, reverse=True):
            points.insert(floor(place) + 1, point)
        return points

    def places(self) -> list[tuple[float, Point]]:
        """All points with their places, in order; a point added between two others has a fractional place."""
        number = len(self.figure.outline)
        added = [((place + self._first) % number, point) for place, point in self._added]
        return sorted([*((float(at), point) for at, point in enumerate(self.figure.outline)), *added])

    def between(self, first: int, last: int) -> list[Point]:
        """The points from where one border ends back to where another does, against the order of angles."""
        points = self.outline()
        start, end = points.index(self.ends[first]), points.index(self.ends[last])
        if start > end:
            return points[end : start + 1][::-1]
        return points[: start + 1][::-1] + points[end:][::-1]


class Mesh:
    """Triangles that share their edges: for each directed edge the triangle on its left."""

    def __init__(self, corners: list[Corners]) -> None:
        self.corners = corners
        self.of = {edge: at for at, (a, b, c) in enumerate(corners) for edge in ((a, b), (b, c), (c, a))}

    def apex(self, a: int, b: int) -> int:
        """The third corner of the triangle on the left of an edge."""
        u, v, w = self.corners[self.of[a, b]]
        return w if u == a else u if v == a else v


def ground(dice: Dice, figures: list[Figure], count: int) -> tuple[list[list[list[Point]]], list[Rim]]:
    """About `count` patches, each an outline and its holes, and the figures' rims."""
    points = [(round(figure.x), round(figure.y)) for figure in figures]
    around = points_around(BEYOND)
    mesh = Mesh(triangles(triangulated([*points, *around])))
    places: list[Point] = [*((figure.x, figure.y) for figure in figures), *around]
    where = np.array(places)[np.array(mesh.corners)]
    patch = nearest(dice, (where[:, 0] + where[:, 1] + where[:, 2]) / 3, count)
    _keep_clear(patch, figures, places, mesh)
    rims = {at: Rim(figure) for at, figure in enumerate(figures)}
    return patched(rims, places, mesh, patch), list(rims.values())


def on_ground(dice: Dice, figures: list[Figure], count: int) -> Mosaic:
    """Figures in one piece each, and about `count` patches around them."""
    patches, rims = ground(dice, figures, count)
    return mosaic_with_holes([*patches, *([rim.outline()] for rim in rims)], [0] * len(patches) + [1] * len(rims))


def patched(rims: dict[int, Rim], places: list[Point], mesh: Mesh, patch: list[int]) -> list[list[list[Point]]]:
    """The union of the triangles of each patch, without the figures at some of their corners."""
    order, labels = _connected(mesh, patch)
    borders: dict[Edge, int] = {}
    for at in order:
        a, b, c = mesh.corners[at]
        for one, other in ((a, b), (b, c), (c, a)):
            beyond = mesh.of.get((other, one))
            if beyond is None or labels[beyond] != labels[at]:
                borders[one, other] = labels[at]
                if beyond is not None:
                    _reach(rims, places, one, other)
    patches: dict[int, list[list[Point]]] = {}
    for ring in _rings(borders, mesh):
        outline: list[Point] = []
        before = ring[-1][0]
        for a, b in ring:
            ends = rims[a].ends if a in rims else {}
            outline += rims[a].between(before, b) if before in ends and b in ends else [places[a]]
            before = a
        patches.setdefault(borders[ring[0]], []).append(outline)
    inside = {a: labels[at] for at in order for a in mesh.corners[at] if a in rims and not rims[a].ends}
    for a, label in inside.items():
        patches[label].append(rims[a].outline()[::-1])
    return list(patches.values())


def _reach(rims: dict[int, Rim], places: list[Point], a: int, b: int) -> None:
    """Let a border end at the figures at its two ends."""
    for one, other in ((a, b), (b, a)):
        if one in rims and other not in rims[one].ends:
            rims[one].reach(other, *places[other])


def nearest(dice: Dice, places: Numbers, count: int) -> list[int]:
    """For each place the nearest of `count` random points."""
    dx = places[:, :1] - np.array(dice.uniforms(CANVAS_LEFT, CANVAS_RIGHT, count))
    dy = places[:, 1:] - np.array(dice.uniforms(CANVAS_TOP, CANVAS_BOTTOM, count))
    found: list[int] = np.argmin(dx * dx + dy * dy, axis=1).tolist()
    return found


def _keep_clear(patch: list[int], figures: list[Figure], places: list[Point], mesh: Mesh) -> None:
    """Give two triangles one patch if their common edge would pass through a third figure, or too near it."""
    for (a, b), at in mesh.of.items():
        other = mesh.of.get((b, a), at)
        if a < b and patch[at] != patch[other]:
            opposite = (mesh.apex(a, b), mesh.apex(b, a))
            if any(c < len(figures) and _passes(places[a], places[b], figures[c]) for c in opposite):
                old = patch[other]
                patch[:] = [patch[at] if each == old else each for each in patch]


def _connected(mesh: Mesh, patch: list[int]) -> tuple[list[int], list[int]]:
    """The triangles in the order of a search, and a label for each: connected ones of a patch have the same."""
    order: list[int] = []
    labels = [-1] * len(patch)
    for start in range(len(patch)):
        reached = [start] if labels[start] < 0 else []
        while reached:
            at = reached.pop()
            if labels[at] >= 0:
                continue
            labels[at] = start
            order.append(at)
            a, b, c = mesh.corners[at]
            for edge in ((b, a), (c, b), (a, c)):
                other = mesh.of.get(edge)
                if other is not None and patch[other] == patch[at] and labels[other] < 0:
                    reached.append(other)
    return order, labels


def _passes(a: Point, b: Point, figure: Figure) -> bool:
    """Whether the line between two points passes through a figure or too near it."""
    ex, ey, dx, dy = b[0] - a[0], b[1] - a[1], figure.x - a[0], figure.y - a[1]
    along = min(max((dx * ex + dy * ey) / (ex * ex + ey * ey), 0.0), 1.0)
    off_x, off_y, near = dx - along * ex, dy - along * ey, figure.radius + MIN_PASS
    return off_x * off_x + off_y * off_y < near * near


def _rings(borders: dict[Edge, int], mesh: Mesh) -> list[list[Edge]]:
    """The borders of each patch in order, with the patch on the left."""
    left = dict.fromkeys(borders)
    rings = []
    while left:
        ring, edge = [], next(iter(left))
        while edge in left:
            del left[edge]
            ring.append(edge)
            a, b = edge
            edge = (b, mesh.apex(a, b))
            while edge not in borders:
                edge = (b, mesh.apex(edge[1], b))
        rings.append(ring)
    return rings


def _angle(x: float, y: float) -> float:
    """A number from 0 to 4 that grows with the angle (the diamond angle)."""
    size = abs(x) + abs(y)
    if y >= 0:
        return y / size if x >= 0 else 1 - x / size
    return 2 - y / size if x < 0 else 3 + x / size
