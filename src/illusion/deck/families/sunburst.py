"""Sunburst: rays of varying width from a sun, cut by rings or waves, or every other ray at distances of its own."""

from bisect import bisect_left
from itertools import accumulate, chain, pairwise
from math import ceil, sqrt

import numpy as np

from illusion.deck.picture import BOTTOM, HALF_GAP, LEFT, RIGHT, TOP
from illusion.deck.plane.curves import MAX_SAG, Point, farthest_corner, on_canvas, polar
from illusion.deck.plane.exact import TAU, Dice, cos_sin, power, turn
from illusion.deck.plane.mosaic import Mosaic, mosaic


def pieces(dice: Dice, count: int) -> Mosaic:
    centre = LEFT + dice.uniform(0.1, 0.9) * (RIGHT - LEFT), TOP + dice.uniform(0.15, 0.85) * (BOTTOM - TOP)
    rays = _rays(dice, count)
    radii = _radii(dice, centre, rays, count)
    lobes, phase = 4 + dice.below(6), dice.uniform(0, TAU)
    swing = dice.choice([0, 0.4, 0.4]) * min(1 / lobes, *(1 - a / b for a, b in pairwise(radii)))
    apart = dice.chance(0.5)
    checked = not apart and dice.chance(0.4)

    def crossing(ray: int, ring: int) -> list[Point]:
        """The line that cuts a ray, from one side to the other, as (angle, distance before the swing) pairs."""
        start, end = rays[ray], rays[ray + 1]
        away = radii[ring]
        if apart and ray % 2 and 0 < ring < len(radii) - 1:
            away = sqrt(away * radii[ring + 1])
        steps = ceil((end - start) * sqrt(away * (1 + swing * lobes * lobes) / (8 * MAX_SAG)))
        return [*((start + (end - start) * step / steps, away) for step in range(steps)), (end, away)]

    crossings = [[crossing(ray, ring) for ring in range(len(radii))] for ray in range(len(rays) - 1)]
    shapes = [[point for ray in crossings for point in ray[0][:-1]]]
    layers = [dice.below(3)]
    for ray in range(len(crossings)):
        before, here, after = crossings[ray - 1], crossings[ray], crossings[(ray + 1) % len(crossings)]
        left = sorted(chain((line[0][1] for line in here), (line[-1][1] for line in before)))
        right = sorted(chain((line[-1][1] for line in here), (line[0][1] for line in after)))
        for ring in range(1, len(radii)):
            near, away = here[ring - 1], here[ring]
            up = [(rays[ray], between) for between in _between(left, near[0][1], away[0][1])]
            down = [(rays[ray + 1], between) for between in _between(right, near[-1][1], away[-1][1])]
            shapes.append([*up, *away[1:-1], *down[::-1], *near[-2:0:-1]])
            layers.append((ray + ring) % 2 if checked else ray % 2)
    # The last ray ends exactly where the first begins.
    points = np.array([point for shape in shapes for point in shape])
    angles = np.where(points[:, 0] == rays[-1], rays[0], points[:, 0])
    placed = polar(centre, points[:, 1] * (1 + swing * cos_sin(lobes * angles + phase)[0]), angles)
    ends = accumulate(map(len, shapes), initial=0)
    return mosaic([placed[start:end] for start, end in pairwise(ends)], layers)


def _rays(dice: Dice, count: int) -> list[float]:
    """The angles between an even number of rays, alternately wide and narrow; the first is repeated at the end."""
    pairs = min(max(5, round(1.1 * dice.uniform(0.85, 1.15) * sqrt(count))), 13)
    widths = [dice.uniform(*span) for _ in range(pairs) for span in ((0.9, 1.5), (0.7, 1))]
    ends = list(accumulate(widths))
    turns = [0, *(end * TAU / ends[-1] for end in ends)]
    starts = dice.uniforms(0, TAU, 6)
    start = max(starts, key=lambda start: float(np.abs(cos_sin(2 * (start + np.array(turns)))[1]).min()))
    return [start + angle for angle in turns]


def _radii(dice: Dice, centre: Point, rays: list[float], count: int) -> list[float]:
    """Distances that grow from the sun to beyond the canvas, enough of them for `count` pieces."""
    corner = farthest_corner(centre)
    sun = max(dice.uniform(450, 900), 170 / min(b - a for a, b in pairwise(rays)))
    radii: list[float] = []
    steps = dice.uniforms(0.7, 1.4, 6)
    ways = [turn(angle) for angle in rays[1:]]
    for rings in range(2, 7):
        heights = [0, *accumulate(steps[:rings])]
        radii = [sun * power(1.3 * corner / sun, height / heights[-1]) for height in heights]
        seen = 0
        for radius in radii[:-1]:
            places = ((centre[0] + radius * cosine, centre[1] + radius * sine) for cosine, sine in ways)
            seen += sum(on_canvas(x, y, HALF_GAP) for x, y in places)
        if seen > 0.8 * count:
            break
    return radii


def _between(marks: list[float], start: float, end: float) -> list[float]:
    return marks[bisect_left(marks, start) : bisect_left(marks, end) + 1]
