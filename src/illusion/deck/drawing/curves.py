"""Curves as points, for the families."""

from collections.abc import Sequence
from math import ceil, cos, hypot, pi, sin, sqrt
from typing import Final

from illusion.deck.drawing.card_face import CANVAS

MAX_SAG: Final = 4.0
"""The sagitta: how far a chord may be from the arc it replaces, 0.04 mm."""

Point = tuple[float, float]


def arc(centre: Point, radius: float, start: float, end: float) -> list[Point]:
    """Points along an arc, close enough together to look round; `end` may be below `start`."""
    steps = max(2, ceil(abs(end - start) * sqrt(radius / (8 * MAX_SAG))))
    turns = (start + (end - start) * step / steps for step in range(steps + 1))
    return [(centre[0] + radius * cos(turn), centre[1] + radius * sin(turn)) for turn in turns]


def circle(centre: Point, radius: float) -> list[Point]:
    """A closed ring of points."""
    ring = arc(centre, radius, 0, 2 * pi)
    return [*ring[:-1], ring[0]]


def catmull_rom(points: Sequence[Point], steps: int = 8) -> list[Point]:
    """A Catmull-Rom spline through the points, with `steps` chords from each to the next."""
    curve: list[Point] = []
    padded = [points[0], *points, points[-1]]
    for a, b, c, d in zip(padded, padded[1:], padded[2:], padded[3:], strict=False):
        for step in range(steps):
            t = step / steps
            curve.append(
                (_spline(a[0], b[0], c[0], d[0], t), _spline(a[1], b[1], c[1], d[1], t)),
            )
    return [*curve, points[-1]]


def _spline(a: float, b: float, c: float, d: float, t: float) -> float:
    return b + t * ((c - a) + t * ((2 * a - 5 * b + 4 * c - d) + t * (3 * (b - c) + d - a))) / 2


def canvas_diagonal() -> float:
    """The longest distance between two points of the canvas."""
    left, top, right, bottom = CANVAS.bounds
    return hypot(right - left, bottom - top)
