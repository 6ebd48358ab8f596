"""Scales: rows of overlapping fish scales with concentric arcs, growing from one side of the card to the other."""

from bisect import bisect_left
from math import ceil, floor, sqrt

import numpy as np

from illusion.deck.picture import CANVAS_AREA, CENTRE
from illusion.deck.plane.curves import CANVAS_DIAGONAL, MAX_SAG, Point, on_canvas, polar
from illusion.deck.plane.exact import TAU, Dice, exponential, exponentials, logarithm, turn
from illusion.deck.plane.mosaic import Mosaic, mosaic
from illusion.deck.plane.rings import Numbers


def pieces(dice: Dice, count: int) -> Mosaic:
    count = round(0.88 * count)
    rise = dice.uniform(0.52, 0.8)
    bands = dice.choice([2, 2, 3]) if count > 24 else 2
    radius = sqrt(CANVAS_AREA * bands / (1.45 * rise * count))
    growth = dice.uniform(1.4, 2.6)
    rims = [1.0, dice.uniform(0.58, 0.68)] if bands == 2 else [1.0, dice.uniform(0.68, 0.74), 0.4]
    template = _scale(rise, rims, radius)
    striped = dice.chance(0.5)

    # Rows lie on rings around a pole outside the card. The log-polar map from the plane to the rings is conformal, so
    # scales stay nearly round.
    distance = CANVAS_DIAGONAL * 0.4 * (growth + 1) / (growth - 1)
    towards, sign = dice.uniform(0, TAU), dice.sign()
    cosine, sine = turn(towards)
    pole = CENTRE[0] - distance * cosine, CENTRE[1] - distance * sine
    pace = radius / distance
    places, rows = _places(dice, rise, pace, distance, pole, towards)
    outlines: list[Numbers] = []
    layers: list[int] = []
    for band, ring in enumerate(template):
        u = np.array([x for x, _ in ring]) + places[:, :1]
        v = np.array([sign * y for _, y in ring]) + places[:, 1:]
        outlines += list(polar(pole, distance * exponentials(pace * v), towards + pace * u))
        layers += [(band + striped * row) % 2 for row in rows]
    return mosaic(outlines, layers)


def _places(
    dice: Dice, rise: float, pace: float, distance: float, pole: Point, towards: float
) -> tuple[Numbers, list[int]]:
    """Where scales are, in radii before the map, and the row of each."""
    half = CANVAS_DIAGONAL / 2
    low, high = logarithm(max(distance - half, 300) / distance) / pace, logarithm((distance + half) / distance) / pace
    side = min(half / max(distance - half, 1), 1.5) / pace
    shift = dice.random()
    places, rows = list[Point](), list[int]()
    ways = {u: turn(towards + pace * (u + shift)) for u in range(2 * floor(-side / 2) - 2, 2 * ceil(side / 2) + 4)}
    for row in range(floor(low / rise) - 2, ceil(high / rise) + 3):
        reach = distance * exponential(pace * row * rise)
        near = 1.6 * reach * pace
        for u, (cosine, sine) in ways.items():
            x, y = pole[0] + reach * cosine, pole[1] + reach * sine
            if (u + row) % 2 == 0 and on_canvas(x, y, -near):
                places.append((u + shift, row * rise))
                rows.append(row)
    return np.array(places), rows


def _scale(rise: float, rims: list[float], radius: float) -> list[list[Point]]:
    """The visible parts of a scale of radius 1, outermost first: bands between arcs, and the disc within them.

    The scales in front, at (1, rise), (-1, rise) and (0, 2 rise), cover the rest. Where an arc meets the rim of the one
    at (1, rise), that rim has a point, and by symmetry every rim has these points on both halves.
    """
    meets = [_meeting(rise, rim) for rim in rims]
    side = meets[0][0]
    marks = [1 - side, *(1 - x for x, _ in meets), side]
    rim = _rim(marks, radius)

    def between(start: float, end: float, x: float, y: float) -> list[Point]:
        """The rim from one place to another, both given by their first coordinate, of a scale at (x, y)."""
        first, last = (bisect_left(rim, (at - 1e-9,)) for at in (start, end))
        chosen = rim[first : last + 1] if first <= last else rim[last : first + 1][::-1]
        return [(u + x, v + y) for u, v in chosen]

    right = [meet[0] - 1 for meet in meets]  # on the rim of the scale at (1, rise)
    parts = []
    for at, (size, meet) in enumerate(zip(rims, meets, strict=True)):
        arc = between(-side, side, 0, 0) if at == 0 else _bow(meet, size, radius)
        if at + 1 < len(rims):
            down = between(right[at], right[at + 1], 1, rise)
            back = _bow(meets[at + 1], rims[at + 1], radius)[::-1]
            up = between(-right[at + 1], -right[at], -1, rise)
            parts.append([*arc, *down[1:], *back[1:], *up[1:-1]])
        else:
            down = between(right[at], -side, 1, rise)
            below = between(1 - side, side - 1, 0, 2 * rise)
            up = between(side, -right[at], -1, rise)
            parts.append([*arc, *down[1:], *below[1:], *up[1:-1]])
    return parts


def _meeting(rise: float, size: float) -> Point:
    """Where a circle of this size around the origin meets that of radius 1 around (1, rise), at its upper side."""
    square = 1 + rise * rise
    away = sqrt(square)
    ahead = (size * size - 1 + square) / (2 * away)
    beside = sqrt(max(size * size - ahead * ahead, 0))
    return (ahead + beside * rise) / away, (ahead * rise - beside) / away


def _rim(marks: list[float], radius: float) -> list[Point]:
    """The upper rim of a scale from left to right, as far as it is seen: points at these places, at their mirror
    images, and enough between to look round."""
    places = sorted({*marks, *(-mark for mark in marks)})
    points = [(x, -sqrt(1 - x * x)) for x in places]
    rounded = points[:1]
    for point in points[1:]:
        rounded += _halved(rounded[-1], point, 1, radius)[1:]
    return rounded


def _bow(end: Point, size: float, radius: float) -> list[Point]:
    """An arc around the origin from the mirror image of a point over the top to the point."""
    x, y = end
    return [*_halved((-x, y), (0.0, -size), size, radius), *_halved((0.0, -size), end, size, radius)[1:]]


def _halved(a: Point, b: Point, size: float, radius: float) -> list[Point]:
    """An arc around the origin, halved until its chords are near enough to it."""
    x, y = a[0] + b[0], a[1] + b[1]
    long = sqrt(x * x + y * y)
    if size - long / 2 < MAX_SAG / radius:
        return [a, b]
    middle = x / long * size, y / long * size
    return [*_halved(a, middle, size, radius), *_halved(middle, b, size, radius)[1:]]
