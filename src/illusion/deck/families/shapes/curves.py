"""Curves and places, for the families."""

from collections.abc import Sequence
from math import ceil, sqrt
from typing import Final

import numpy as np

from illusion.deck.card_face import (
    BOTTOM,
    CANVAS_BOTTOM,
    CANVAS_LEFT,
    CANVAS_RIGHT,
    CANVAS_TOP,
    CENTRE,
    LEFT,
    RIGHT,
    TOP,
)
from illusion.deck.plane.exact import Dice, cos_sin
from illusion.deck.plane.rings import Mask, Numbers

MAX_SAG: Final = 5.5
"""The sagitta: how far a chord may be from the arc it replaces, 0.055 mm."""
_WIDE, _HIGH = CANVAS_RIGHT - CANVAS_LEFT, CANVAS_BOTTOM - CANVAS_TOP
CANVAS_DIAGONAL: Final = sqrt(_WIDE * _WIDE + _HIGH * _HIGH)
CENTRE_POINT: Final = np.array(CENTRE)

Point = tuple[float, float]


def length(x: float, y: float) -> float:
    return sqrt(x * x + y * y)


def point_inside(dice: Dice, margin: float) -> Point:
    """A random point of the white area, not in the margin, given as a part of its width and height."""
    return (
        LEFT + dice.uniform(margin, 1 - margin) * (RIGHT - LEFT),
        TOP + dice.uniform(margin, 1 - margin) * (BOTTOM - TOP),
    )


def farthest_corner(point: Point) -> float:
    """The distance of the farthest corner of the white area."""
    return max(length(x - point[0], y - point[1]) for x in (LEFT, RIGHT) for y in (TOP, BOTTOM))


def counted(number: int) -> Numbers:
    """The numbers from 0 up, as many."""
    return np.arange(number, dtype=np.float64)


def chords(angle: float, radius: float) -> int:
    """How many chords make an arc look round."""
    return max(1, ceil(abs(angle) * sqrt(radius / (8 * MAX_SAG))))


def polar(centre: Point, away: Numbers | float, angles: Numbers) -> Numbers:
    """Points at these distances and angles from a centre."""
    cosines, sines = cos_sin(angles)
    return np.stack([centre[0] + away * cosines, centre[1] + away * sines], axis=-1)


def swollen(points: Numbers, focus: Point, swell: float, breadth: float) -> Numbers:
    """Points moved away from a focus, or towards it, as by a lens; far away nothing moves."""
    x, y = points[..., 0] - focus[0], points[..., 1] - focus[1]
    far = 1 + (x * x + y * y) / (2 * breadth * breadth)
    grown = 1 + swell / (far * far)
    return np.stack([focus[0] + x * grown, focus[1] + y * grown], axis=-1)


def rotated(along: Numbers, across: Numbers, cosine: float, sine: float) -> Numbers:
    """Points around the card's centre, given along and across a direction."""
    x, y = CENTRE[0] + along * cosine - across * sine, CENTRE[1] + along * sine + across * cosine
    return np.stack([x, y], axis=-1)


def catmull_rom(points: Sequence[Point], steps: int = 8) -> list[Point]:
    """A Catmull-Rom spline through the points, with `steps` chords from each to the next."""
    curve: list[Point] = []
    padded = [points[0], *points, points[-1]]
    for a, b, c, d in zip(padded, padded[1:], padded[2:], padded[3:], strict=False):
        for step in range(steps):
            t = step / steps
            curve.append((_spline(a[0], b[0], c[0], d[0], t), _spline(a[1], b[1], c[1], d[1], t)))
    return [*curve, points[-1]]


def _spline(a: float, b: float, c: float, d: float, t: float) -> float:
    return b + t * ((c - a) + t * ((2 * a - 5 * b + 4 * c - d) + t * (3 * (b - c) + d - a))) / 2


def near_canvas(outlines: Numbers) -> Mask:
    """Which of these outlines, all with the same number of points, reach the canvas with their box."""
    x, y = outlines[..., 0], outlines[..., 1]
    seen: Mask = (x.max(axis=1) > CANVAS_LEFT) & (x.min(axis=1) < CANVAS_RIGHT)
    seen &= (y.max(axis=1) > CANVAS_TOP) & (y.min(axis=1) < CANVAS_BOTTOM)
    return seen
