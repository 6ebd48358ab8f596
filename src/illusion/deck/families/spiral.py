"""Spiral: two to four arms around a point, often widening outward, each cut into segments."""

from bisect import bisect_left
from itertools import pairwise
from math import ceil, sqrt
from typing import NamedTuple

import numpy as np

from illusion.deck.picture import CANVAS_AREA
from illusion.deck.plane.curves import MAX_SAG, Point, farthest_corner, point_inside, polar
from illusion.deck.plane.exact import TAU, Dice, power
from illusion.deck.plane.mosaic import Mosaic, mosaic
from illusion.deck.plane.rings import Numbers


def pieces(dice: Dice, count: int) -> Mosaic:
    centre = point_inside(dice, 0.2)
    corner = farthest_corner(centre)
    size = 1.2 * sqrt(CANVAS_AREA / count)
    stretch = dice.uniform(1.1, 1.4)
    arms = dice.choice([2, 2, 3, 4])
    curve = _curve(dice, size / stretch, arms, 0.6 * corner, centre)
    slant = dice.choice([0, 0, 0.5, 0.8])

    cuts = [_cuts(dice, curve, size * stretch, slant, corner) for _ in range(arms)]
    edges = []
    for arm in range(arms):
        inside = [inner for inner, _ in cuts[arm - 1]]
        turns = _edge(curve, [0, *inside, *(outer for _, outer in cuts[arm])])
        edges.append((turns, curve.points(arm, turns)))
    outlines, layers = [], []
    for arm in range(arms):
        for (a, b), (c, d) in pairwise([(0.0, 0.0), *cuts[arm]]):
            near = _between(*edges[(arm + 1) % arms], a, c)
            outlines.append(np.concatenate([_between(*edges[arm], b, d), near[::-1]]))
            layers.append(arm % 2 if arms != 3 else arm)
    return mosaic(outlines, layers)


class _Curve(NamedTuple):
    """The curves between the arms: generalised Archimedean spirals, radius = scale * turn ** (1 + quarters / 4)."""

    centre: Point
    scale: float
    quarters: int
    arms: int
    start: float
    way: int

    def radius(self, turn: float) -> float:
        return self.scale * turn * (1.0, sqrt(sqrt(turn)), sqrt(turn))[self.quarters]

    def width(self, turn: float) -> float:
        """The width of an arm where its inner edge has reached this turn."""
        return self.radius(turn + TAU / self.arms) - self.radius(turn)

    def points(self, arm: int, turns: list[float]) -> Numbers:
        turned = np.array(turns)
        angles = self.way * (turned + arm * TAU / self.arms) + self.start
        root = np.sqrt(turned)
        away = self.scale * turned * (1.0, np.sqrt(root), root)[self.quarters]
        return polar(self.centre, away, angles)


def _curve(dice: Dice, width: float, arms: int, away: float, centre: Point) -> _Curve:
    """The curve of arms that have this width at the distance `away` from the centre."""
    quarters = dice.choice([0, 0, 1, 2])
    raised = 1 + quarters / 4
    scale = power(width * arms / (raised * TAU * power(away, 1 - 1 / raised)), raised)
    return _Curve(centre, scale, quarters, arms, dice.uniform(0, TAU), dice.sign())


def _cuts(dice: Dice, curve: _Curve, length: float, slant: float, corner: float) -> list[tuple[float, float]]:
    """The turns of the inner and the outer edge at each cut of an arm, until the arm has left the canvas."""
    step = TAU / curve.arms
    inner, cuts = 0.0, [(0.0, step)]
    while curve.radius(inner) < corner:
        middle = curve.radius(inner + step / 2)
        inner += dice.uniform(0.5, 1.6) * min(length / middle, 1.3)
        lean = slant * min(1, inner / TAU) * curve.width(inner) / curve.radius(inner + step)
        cuts.append((inner, inner + step + lean))
    return cuts


def _edge(curve: _Curve, marks: list[float]) -> list[float]:
    """The turns of a curve's vertices: the marks, and enough between them to look round."""
    edge = []
    for start, end in pairwise(sorted(marks)):
        steps = ceil((end - start) * sqrt(curve.radius(end) / (8 * MAX_SAG)))
        edge += [start + (end - start) * step / steps for step in range(steps)]
    return [*edge, max(marks)]


def _between(turns: list[float], points: Numbers, start: float, end: float) -> Numbers:
    return points[bisect_left(turns, start) : bisect_left(turns, end) + 1]
