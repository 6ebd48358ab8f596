"""Spiral: two to four arms around a point, often widening outward, each cut into segments."""

from bisect import bisect_left
from itertools import pairwise
from math import ceil, cos, hypot, sin, sqrt, tau
from random import Random
from typing import NamedTuple

import shapely
from shapely.geometry import Polygon

from illusion.deck.drawing.card_face import BOTTOM, CANVAS, LEFT, RIGHT, TOP, Piece
from illusion.deck.drawing.curves import MAX_SAG, Point


def pieces(rng: Random, count: int) -> list[Piece]:
    centre = LEFT + rng.uniform(0.2, 0.8) * (RIGHT - LEFT), TOP + rng.uniform(0.2, 0.8) * (BOTTOM - TOP)
    corner = max(hypot(x - centre[0], y - centre[1]) for x in (LEFT, RIGHT) for y in (TOP, BOTTOM))
    size = 1.2 * (CANVAS.area / count) ** 0.5
    stretch = rng.uniform(1.1, 1.4)
    arms = rng.choice([2, 2, 3, 4])
    curve = _curve(rng, size / stretch, arms, 0.6 * corner, centre)
    slant = rng.choice([0, 0, 0.5, 0.8])

    cuts = [_cuts(rng, curve, size * stretch, slant, corner) for _ in range(arms)]
    edges = []
    for arm in range(arms):
        inside = [inner for inner, _ in cuts[arm - 1]]
        turns = _edge(curve, [0, *inside, *(outer for _, outer in cuts[arm])])
        edges.append((turns, curve.points(arm, turns)))
    shapes, layers = [], []
    for arm in range(arms):
        for (a, b), (c, d) in pairwise([(0.0, 0.0), *cuts[arm]]):
            near = _between(*edges[(arm + 1) % arms], a, c)
            shapes.append(Polygon(_between(*edges[arm], b, d) + near[::-1]))
            layers.append(arm % 2 if arms != 3 else arm)
    parts, of = shapely.get_parts(shapely.clip_by_rect(shapes, *CANVAS.bounds), return_index=True)
    return [Piece(part, layers[at]) for part, at in zip(parts, of, strict=True) if part.area > 0]


class _Curve(NamedTuple):
    """The curves between the arms: generalised Archimedean spirals, radius = scale * turn**power."""

    centre: Point
    scale: float
    power: float
    arms: int
    start: float
    way: int

    def radius(self, turn: float) -> float:
        return self.scale * float(turn**self.power)

    def width(self, turn: float) -> float:
        """The width of an arm where its inner edge has reached this turn."""
        return self.radius(turn + tau / self.arms) - self.radius(turn)

    def points(self, arm: int, turns: list[float]) -> list[Point]:
        placed = [(self.radius(turn), self.way * (turn + arm * tau / self.arms) + self.start) for turn in turns]
        return [(self.centre[0] + away * cos(angle), self.centre[1] + away * sin(angle)) for away, angle in placed]


def _curve(rng: Random, width: float, arms: int, away: float, centre: Point) -> _Curve:
    """The curve of arms that have this width at the distance `away` from the centre."""
    power = rng.choice([1, rng.uniform(1.2, 1.6)])
    scale = (width * arms / (power * tau * away ** (1 - 1 / power))) ** power
    return _Curve(centre, scale, power, arms, rng.uniform(0, tau), rng.choice([-1, 1]))


def _cuts(rng: Random, curve: _Curve, length: float, slant: float, corner: float) -> list[tuple[float, float]]:
    """The turns of the inner and the outer edge at each cut of an arm, until the arm has left the canvas."""
    step = tau / curve.arms
    inner, cuts = 0.0, [(0.0, step)]
    while curve.radius(inner) < corner:
        middle = curve.radius(inner + step / 2)
        inner += rng.uniform(0.5, 1.6) * min(length / middle, 1.3)
        lean = slant * min(1, inner / tau) * curve.width(inner) / curve.radius(inner + step)
        cuts.append((inner, inner + step + lean))
    return cuts


def _edge(curve: _Curve, marks: list[float]) -> list[float]:
    """The turns of a curve's vertices: the marks, and enough between them to look round."""
    edge = []
    for start, end in pairwise(sorted(marks)):
        steps = ceil((end - start) * sqrt(curve.radius(end) / (8 * MAX_SAG)))
        edge += [start + (end - start) * step / steps for step in range(steps)]
    return [*edge, max(marks)]


def _between(turns: list[float], points: list[Point], start: float, end: float) -> list[Point]:
    return points[bisect_left(turns, start) : bisect_left(turns, end) + 1]
