"""Recursive rectangles: the card divided again and again, lengthwise and across, along two tilted directions."""

from itertools import pairwise
from math import cos, fsum, sin
from random import Random
from typing import Final

from shapely.geometry import Polygon

from illusion.deck.curves import Point
from illusion.deck.face import CANVAS, Piece

TILT: Final = 0.05
NARROWEST: Final = 300.0
FRAME: Final = -1

Ring = list[tuple[Point, int]]
"""Corners, each with the number of the line that runs from it to the next."""


def pieces(rng: Random, count: int) -> list[Piece]:
    turn = rng.choice([-1, 1]) * rng.uniform(TILT, 0.5)
    lean = turn
    while lean == turn or abs(lean) < TILT:
        lean = turn + rng.uniform(-0.2, 0.2)
    normals = ((-sin(turn), cos(turn)), (cos(lean), sin(lean)))
    rings: list[Ring] = [[((x, y), FRAME) for x, y in CANVAS.exterior.coords[:-1]]]
    sizes = [CANVAS.area]
    sides = [0]
    touching: list[list[Point]] = []
    uneven = rng.uniform(1.1, 1.7)
    for _ in range(3 * count):
        at = rng.choices(range(len(rings)), [size**uneven for size in sizes])[0]
        halves = _halves(rng, rings[at], normals, touching)
        areas = [_area(half) for half in halves]
        if min(areas) > 0.2 * CANVAS.area / count:
            rings[at : at + 1], sizes[at : at + 1], sides[at : at + 1] = halves, areas, [0, 1]
        if len(rings) >= count:
            break
    half, large = fsum(sizes) / 2, 0.0
    for size in sorted(sizes):
        half, large = (half - size, size) if half > 0 else (half, large)
    polygons = [Polygon(_with_touching_points(ring, touching)) for ring in rings]
    return [
        Piece(polygon, side + 2 * (size > large)) for polygon, size, side in zip(polygons, sizes, sides, strict=True)
    ]


def _halves(rng: Random, ring: Ring, normals: tuple[Point, Point], touching: list[list[Point]]) -> list[Ring]:
    """The ring cut across its length somewhere near the middle; notes the points where the cut meets other lines."""
    heights = [[x * u + y * v for (x, y), _ in ring] for u, v in normals]
    extents = [max(of) - min(of) for of in heights]
    height = heights[0] if extents[0] * rng.uniform(0.7, 1.4) > extents[1] else heights[1]
    low, high = min(height), max(height)
    if high - low < 2 * NARROWEST:
        return [ring, []]
    level = rng.uniform(max(low + NARROWEST, 0.7 * low + 0.3 * high), min(high - NARROWEST, 0.3 * low + 0.7 * high))
    return _split(ring, [at - level for at in height], touching)


def _split(ring: Ring, above: list[float], touching: list[list[Point]]) -> list[Ring]:
    cut = len(touching)
    touching.append([])
    upper: Ring = []
    lower: Ring = []
    for at, (point, line) in enumerate(ring):
        after = (at + 1) % len(ring)
        own, other = (upper, lower) if above[at] > 0 else (lower, upper)
        own.append((point, line))
        if (above[at] > 0) != (above[after] > 0):
            t = above[at] / (above[at] - above[after])
            (x, y), (u, v) = point, ring[after][0]
            meeting = (x + t * (u - x), y + t * (v - y))
            own.append((meeting, cut))
            other.append((meeting, line))
            if line != FRAME:
                touching[line].append(meeting)
    return [upper, lower]


def _area(ring: Ring) -> float:
    points = [point for point, _ in ring]
    return abs(fsum(a[0] * b[1] - a[1] * b[0] for a, b in zip(points, points[1:] + points[:1], strict=True))) / 2


def _with_touching_points(ring: Ring, touching: list[list[Point]]) -> list[Point]:
    """The corners, and the points where neighbours' corners touch the sides, so that all fit without a crack."""
    points: list[Point] = []
    for (point, line), (after, _) in pairwise([*ring, ring[0]]):
        points.append(point)
        if line != FRAME:
            (x, y), (u, v) = point, (after[0] - point[0], after[1] - point[1])
            along = sorted((((p - x) * u + (q - y) * v) / (u * u + v * v), (p, q)) for p, q in touching[line])
            points += [touch for t, touch in along if 1e-6 < t < 1 - 1e-6]
    return points
