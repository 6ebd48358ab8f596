"""Munker stripes, after the Munker illusion: large discs that show on every other stripe, as if behind the others."""

from itertools import pairwise
from math import cos, hypot, pi, sin
from random import Random
from typing import Final

import numpy as np
import shapely
from shapely.geometry import Point, Polygon

from illusion.deck.drawing.card_face import CANVAS, CENTRE, Piece
from illusion.deck.drawing.curves import arc, canvas_diagonal, circle

MIN_TILT_RAD: Final = 0.06


def pieces(rng: Random, count: int) -> list[Piece]:
    width = (CANVAS.area / count) ** 0.5 / 1.65
    turn = rng.uniform(MIN_TILT_RAD, pi / 2 - MIN_TILT_RAD) * rng.choice([-1, 1])
    stripes = _stripes(rng, width, turn)
    discs = _discs(rng, 2 if count < 40 else 4)
    found = []
    for parity in (0, 1):
        own = [Piece(part, parity) for part in shapely.get_parts(stripes[parity::2])]
        for disc in discs[parity::2]:
            own = _cut(own, disc, 2, width)
        for side in [-1, 1][: (count > 25) + (count > 90)]:
            own = _cut(own, _round_side(rng, turn, side), 0, width)
        found += own
    return found


def _stripes(rng: Random, width: float, turn: float) -> list[Polygon]:
    """The canvas in slightly bent stripes, without those that would only cover a corner."""
    away = canvas_diagonal() * rng.uniform(1.2, 3)
    pivot = (CENTRE[0] + away * sin(turn), CENTRE[1] - away * cos(turn))
    near = shapely.distance(Point(pivot), CANVAS)
    wide = max(hypot(x - pivot[0], y - pivot[1]) for x, y in CANVAS.exterior.coords)
    ratio, growth = rng.uniform(0.8, 1.2), rng.uniform(-0.25, 0.25)
    radii = [near + width * rng.uniform(1, 1.7)]
    while radii[-1] < wide - 2 * width:
        even = ratio if len(radii) % 2 else 2 - ratio
        radii.append(radii[-1] + width * even * (1 + 2 * growth * (radii[-1] - away) / canvas_diagonal()))
    middle, half = turn + pi / 2, 0.6 * canvas_diagonal() / near
    edges = [arc(pivot, radius, middle - half, middle + half) for radius in [near / 2, *radii, 1.5 * wide]]
    return list(shapely.intersection([Polygon(np.array([*low, *high[::-1]])) for low, high in pairwise(edges)], CANVAS))


def _discs(rng: Random, number: int) -> list[Polygon]:
    """Large discs placed by dart throwing: the distance they must keep shrinks a little with every throw."""
    left, top, right, bottom = CANVAS.bounds
    radius = (right - left) * (0.36 if number == 2 else 0.28)
    places: list[tuple[float, float]] = []
    apart = 2.6 * radius
    while len(places) < number:
        x, y = rng.uniform(left + radius / 2, right - radius / 2), rng.uniform(top + radius / 2, bottom - radius / 2)
        if all(hypot(x - u, y - v) > apart for u, v in places):
            places.append((x, y))
        apart *= 0.98
    return [Polygon(np.array(circle(place, radius * rng.uniform(0.75, 1.2)))) for place in places]


def _round_side(rng: Random, turn: float, side: int) -> Polygon:
    """A very large disc whose edge crosses the stripes near one of their ends (`side` is -1 or 1)."""
    radius = canvas_diagonal() * rng.uniform(0.8, 1.4)
    away = side * (radius + canvas_diagonal() * rng.uniform(0.08, 0.22))
    course = turn + rng.uniform(-0.4, 0.4)
    return Polygon(np.array(circle((CENTRE[0] + away * cos(course), CENTRE[1] + away * sin(course)), radius)))


def _cut(stripes: list[Piece], figure: Polygon, raised: int, width: float) -> list[Piece]:
    """The stripes cut along the figure's outline, except where the cut-off part would be too small."""
    polygons = np.array([stripe.polygon for stripe in stripes])
    shapely.prepare([figure, figure.exterior])
    crossed = shapely.intersects(figure.exterior, polygons)
    covered = shapely.contains(figure, polygons)
    halves = zip(
        shapely.intersection(polygons[crossed], figure), shapely.difference(polygons[crossed], figure), strict=True
    )
    cut = []
    for (polygon, layer), across, inside in zip(stripes, crossed, covered, strict=True):
        raise_all = bool(inside)
        if across:
            within, without = next(halves)
            inner, outer = list(shapely.get_parts(within)), list(shapely.get_parts(without))
            if min(part.area for part in inner + outer) > 0.4 * width**2:
                cut += [Piece(part, layer + raised) for part in inner] + [Piece(part, layer) for part in outer]
                continue
            raise_all = within.area > without.area
        cut.append(Piece(polygon, layer + raised * raise_all))
    return cut
