"""Sunburst: rays of varying width from a sun, cut by rings or waves, or every other ray at distances of its own."""

from bisect import bisect_left
from itertools import accumulate, chain, pairwise
from math import ceil, cos, fsum, hypot, sin, sqrt, tau
from random import Random

import shapely
from shapely.geometry import Polygon

from illusion.deck.drawing.card_face import BOTTOM, CANVAS, LEFT, RIGHT, TOP, Piece
from illusion.deck.drawing.curves import MAX_SAG, Point


def pieces(rng: Random, count: int) -> list[Piece]:
    centre = LEFT + rng.uniform(0.1, 0.9) * (RIGHT - LEFT), TOP + rng.uniform(0.15, 0.85) * (BOTTOM - TOP)
    rays = _rays(rng, count)
    radii = _radii(rng, centre, rays, count)
    lobes, phase = rng.randint(4, 9), rng.uniform(0, tau)
    swing = rng.choice([0, 0.4, 0.4]) * min(1 / lobes, *(1 - a / b for a, b in pairwise(radii)))
    apart = rng.random() < 0.5
    checked = not apart and rng.random() < 0.4

    def crossing(ray: int, ring: int) -> list[Point]:
        """The line that cuts a ray, from one side to the other, as (angle, distance) pairs."""
        start, end = rays[ray], rays[ray + 1]
        away = radii[ring]
        if apart and ray % 2 and 0 < ring < len(radii) - 1:
            away = sqrt(away * radii[ring + 1])
        steps = ceil((end - start) * sqrt(away * (1 + swing * lobes**2) / (8 * MAX_SAG)))
        turns = [*(start + (end - start) * step / steps for step in range(steps)), end]
        return [(turn, away * (1 + swing * cos(lobes * turn + phase))) for turn in turns]

    crossings = [[crossing(ray, ring) for ring in range(len(radii))] for ray in range(len(rays) - 1)]
    shapes = [[point for ray in crossings for point in ray[0][1:]]]
    layers = [rng.randrange(3)]
    for ray in range(len(crossings)):
        before, here, after = crossings[ray - 1], crossings[ray], crossings[(ray + 1) % len(crossings)]
        left = sorted(chain((line[0][1] for line in here), (line[-1][1] for line in before)))
        right = sorted(chain((line[-1][1] for line in here), (line[0][1] for line in after)))
        for ring in range(1, len(radii)):
            near, away = here[ring - 1], here[ring]
            up = [(rays[ray], between) for between in _between(left, near[0][1], away[0][1])]
            down = [(rays[ray + 1], between) for between in _between(right, near[-1][1], away[-1][1])]
            shapes.append([*up, *away, *down[::-1], *near[::-1]])
            layers.append((ray + ring) % 2 if checked else ray % 2)
    polygons = [Polygon([_point(centre, turn, away) for turn, away in shape]) for shape in shapes]
    parts, of = shapely.get_parts(shapely.clip_by_rect(polygons, *CANVAS.bounds), return_index=True)
    return [Piece(part, layers[at]) for part, at in zip(parts, of, strict=True) if part.area > 0]


def _rays(rng: Random, count: int) -> list[float]:
    """The angles between an even number of rays, alternately wide and narrow; the first is repeated at the end."""
    pairs = min(max(5, round(1.1 * rng.uniform(0.85, 1.15) * sqrt(count))), 13)
    widths = [rng.uniform(*span) for _ in range(pairs) for span in ((0.9, 1.5), (0.7, 1))]
    turns = [0, *(turn * tau / fsum(widths) for turn in accumulate(widths))]
    starts = [rng.uniform(0, tau) for _ in range(12)]
    start = max(starts, key=lambda start: min(abs(sin(2 * (start + turn))) for turn in turns))
    return [start + turn for turn in turns]


def _radii(rng: Random, centre: Point, rays: list[float], count: int) -> list[float]:
    """Distances that grow from the sun to beyond the canvas, enough of them for `count` pieces."""
    corner = max(hypot(x - centre[0], y - centre[1]) for x in (LEFT, RIGHT) for y in (TOP, BOTTOM))
    sun = max(rng.uniform(450, 900), 170 / min(b - a for a, b in pairwise(rays)))
    radii: list[float] = []
    steps = [rng.uniform(0.7, 1.4) for _ in range(6)]
    for rings in range(2, 7):
        heights = [0, *accumulate(steps[:rings])]
        radii = [sun * (1.3 * corner / sun) ** (height / heights[-1]) for height in heights]
        seen = sum(_inside(_point(centre, turn, radius)) for radius in radii[:-1] for turn in rays[1:])
        if seen > 0.8 * count:
            break
    return radii


def _inside(point: Point) -> bool:
    return LEFT < point[0] < RIGHT and TOP < point[1] < BOTTOM


def _between(marks: list[float], start: float, end: float) -> list[float]:
    return marks[bisect_left(marks, start) : bisect_left(marks, end) + 1]


def _point(centre: Point, turn: float, away: float) -> Point:
    """Rounded, so that a point is exactly the same after a full turn."""
    return round(centre[0] + away * cos(turn), 3), round(centre[1] + away * sin(turn), 3)
