"""Broken rings: rings of varying width around a point off the centre, each broken into arcs of varying length."""

from bisect import bisect_left
from itertools import pairwise
from math import ceil, cos, fsum, hypot, sin, sqrt, tau
from random import Random

import shapely
from shapely.geometry import Polygon

from illusion.deck.drawing.card_face import BOTTOM, CANVAS, LEFT, RIGHT, TOP, Piece
from illusion.deck.drawing.curves import MAX_SAG, Point


def pieces(rng: Random, count: int) -> list[Piece]:
    centre = LEFT + rng.uniform(0.1, 0.9) * (RIGHT - LEFT), TOP + rng.uniform(0.1, 0.9) * (BOTTOM - TOP)
    size = 1.15 * (CANVAS.area / count) ** 0.5
    stretch = rng.uniform(1.1, 1.5)
    slant = rng.choice([0, 0, -1, 1]) * rng.uniform(0.4, 0.9)
    radii = _radii(rng, centre, size / stretch)
    starts: list[list[float]] = [[]]
    ends: list[list[float]] = [[]]
    for inner, outer in pairwise(radii[1:]):
        starts.append(_cuts(rng, max(3, round(tau * (inner + outer) / 2 / (size * stretch)))))
        ends.append([(cut + slant * (1 - inner / outer)) % tau for cut in starts[-1]])
    rims = [_rim(radius, a + b) for radius, a, b in zip(radii[1:], ends, [*starts[1:], []], strict=True)]
    points = [_points(centre, radius, rim) for radius, rim in zip(radii[1:], rims, strict=True)]

    shapes = [Polygon(points[0])]
    layers = [0]
    for ring in range(1, len(starts)):
        for at in range(len(starts[ring])):
            near = _between(rims[ring - 1], points[ring - 1], starts[ring][at - 1], starts[ring][at])
            away = _between(rims[ring], points[ring], ends[ring][at - 1], ends[ring][at])
            shapes.append(Polygon(away + near[::-1]))
            layers.append(ring % 2)
    parts, of = shapely.get_parts(shapely.clip_by_rect(shapes, *CANVAS.bounds), return_index=True)
    return [Piece(part, layers[at]) for part, at in zip(parts, of, strict=True) if part.area > 0]


def _radii(rng: Random, centre: Point, width: float) -> list[float]:
    """From 0 to beyond the farthest corner; the last ring is wide, so that it leaves no sliver in the corner."""
    corner = max(hypot(x - centre[0], y - centre[1]) for x in (LEFT, RIGHT) for y in (TOP, BOTTOM))
    radii = [0.0, width * rng.uniform(0.6, 0.9)]
    while radii[-1] < corner - width / 2:
        radii.append(radii[-1] + max(200, width * rng.choice([0.6, 0.8, 1, 1.3, 1.6])))
    return [*radii[:-1], max(radii[-1], corner + width)]


def _cuts(rng: Random, parts: int) -> list[float]:
    """Angles around the circle, at uneven distances."""
    lengths = [rng.uniform(0.5, 1.6) for _ in range(parts)]
    start = rng.uniform(0, tau)
    return [(start + tau * fsum(lengths[:at]) / fsum(lengths)) % tau for at in range(parts)]


def _rim(radius: float, marks: list[float]) -> list[float]:
    """The angles of a circle's vertices in order: the marks, where a ring is cut, and enough between to look round."""
    marks = sorted(marks)
    rim = []
    for start, end in pairwise([*marks, marks[0] + tau]):
        steps = ceil((end - start) * sqrt(radius / (8 * MAX_SAG)))
        rim += [(start + (end - start) * step / steps) % tau for step in range(steps)]
    return sorted(rim)


def _between(rim: list[float], points: list[Point], start: float, end: float) -> list[Point]:
    first, last = bisect_left(rim, start), bisect_left(rim, end)
    return points[first : last + 1] if first < last else points[first:] + points[: last + 1]


def _points(centre: Point, radius: float, turns: list[float]) -> list[Point]:
    return [(centre[0] + radius * cos(turn), centre[1] + radius * sin(turn)) for turn in turns]
