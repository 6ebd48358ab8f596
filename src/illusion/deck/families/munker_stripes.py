"""Munker stripes, after the Munker illusion: large discs that show on every other stripe, as if behind the others."""

from bisect import bisect_left, bisect_right
from itertools import pairwise
from math import sqrt
from typing import NamedTuple

from illusion.deck.picture import CANVAS_AREA, CANVAS_BOTTOM, CANVAS_LEFT, CANVAS_RIGHT, CANVAS_TOP, CENTRE
from illusion.deck.plane.curves import CANVAS_DIAGONAL, MIN_TILT_RAD, Point, chords, length, on_canvas
from illusion.deck.plane.exact import PI, Dice, turn
from illusion.deck.plane.mosaic import Mosaic, mosaic_with_holes


class _Disc(NamedTuple):
    x: float
    y: float
    radius: float
    raised: int
    """What it adds to the layers of segments that it covers."""


class _Cut(NamedTuple):
    """A line across a stripe: its points from the inner arc to the outer, and their places along the stripe."""

    points: list[Point]
    along: list[float]
    disc: _Disc
    enters: bool


class _Stripes(NamedTuple):
    """Arcs around a pivot far away; a place on an arc is the tangent of its angle."""

    pivot: Point
    way: Point
    """From the pivot to the card's centre, a unit vector."""
    radii: list[float]

    def point(self, radius: float, along: float) -> Point:
        ahead = radius / sqrt(1 + along * along)
        x, y = self.way
        return self.pivot[0] + ahead * (x - along * y), self.pivot[1] + ahead * (y + along * x)

    def along(self, point: Point) -> float:
        u, v = point[0] - self.pivot[0], point[1] - self.pivot[1]
        x, y = self.way
        return (v * x - u * y) / (u * x + v * y)

    def crossing(self, radius: float, disc: _Disc, side: int) -> Point | None:
        """Where an arc crosses a disc's outline: the first (-1) or the second (1) time."""
        u, v = disc.x - self.pivot[0], disc.y - self.pivot[1]
        away = length(u, v)
        ahead = (radius * radius + away * away - disc.radius * disc.radius) / (2 * away)
        square = radius * radius - ahead * ahead
        if square <= 0:
            return None
        half = side * sqrt(square)
        return self.pivot[0] + (ahead * u - half * v) / away, self.pivot[1] + (ahead * v + half * u) / away


def pieces(dice: Dice, count: int) -> Mosaic:
    width = sqrt(CANVAS_AREA / count) / 1.65
    tilt = dice.uniform(MIN_TILT_RAD, PI / 2 - MIN_TILT_RAD) * dice.sign()
    stripes = _stripes(dice, width, tilt)
    discs = _discs(dice, 2 if count < 40 else 4)
    sides = [[_round_side(dice, tilt, side) for side in [-1, 1][: (count > 25) + (count > 90)]] for _ in range(2)]
    cuts = [_cuts(stripes, at, [*discs[at % 2 :: 2], *sides[at % 2]], width) for at in range(len(stripes.radii) - 1)]
    reach = 0.75 * CANVAS_DIAGONAL / stripes.radii[1]
    arcs = []
    for at, radius in enumerate(stripes.radii):
        steps = 2 * chords(reach, radius)
        marks = [cut.along[-1] for cut in cuts[at - 1]] if at else []
        marks += [cut.along[0] for cut in cuts[at]] if at < len(cuts) else []
        regular = [reach * (2 * step / steps - 1) for step in range(steps + 1)]
        clear = reach / steps / 2
        places = [place for place in regular if all(abs(place - mark) > clear for mark in marks)]
        ordered = sorted([*places, *marks])
        arcs.append((ordered, [stripes.point(radius, place) for place in ordered]))
    outlines, layers = [], []
    for at, (low, high) in enumerate(pairwise(stripes.radii)):
        ends = [(-reach, -reach), *((cut.along[0], cut.along[-1]) for cut in cuts[at]), (reach, reach)]
        lines = [[], *(cut.points[1:-1] for cut in cuts[at]), []]
        for number, ((a, b), (c, d)) in enumerate(pairwise(ends)):
            near, away = _between(*arcs[at], a, c), _between(*arcs[at + 1], b, d)
            outlines.append([[*near, *lines[number + 1], *away[::-1], *lines[number][::-1]]])
            left = cuts[at][number - 1] if number else None
            right = cuts[at][number] if number < len(cuts[at]) else None
            middle = stripes.point((low + high) / 2, 0.0)
            layers.append(at % 2 + _raised(left, right, middle, discs[at % 2 :: 2]))
    return mosaic_with_holes(outlines, layers)


def _between(places: list[float], points: list[Point], start: float, end: float) -> list[Point]:
    return points[bisect_left(places, start) : bisect_right(places, end)]


def _stripes(dice: Dice, width: float, tilt: float) -> _Stripes:
    """Slightly bent stripes over the canvas, without those that would only cover a corner."""
    away = CANVAS_DIAGONAL * dice.uniform(1.2, 3)
    cosine, sine = turn(tilt)
    pivot = CENTRE[0] + away * sine, CENTRE[1] - away * cosine
    near_x = min(max(pivot[0], CANVAS_LEFT), CANVAS_RIGHT)
    near_y = min(max(pivot[1], CANVAS_TOP), CANVAS_BOTTOM)
    near = length(near_x - pivot[0], near_y - pivot[1])
    corners = [(x, y) for x in (CANVAS_LEFT, CANVAS_RIGHT) for y in (CANVAS_TOP, CANVAS_BOTTOM)]
    wide = max(length(x - pivot[0], y - pivot[1]) for x, y in corners)
    ratio, growth = dice.uniform(0.8, 1.2), dice.uniform(-0.25, 0.25)
    radii = [near + width * dice.uniform(1, 1.7)]
    while radii[-1] < wide - 2 * width:
        even = ratio if len(radii) % 2 else 2 - ratio
        radii.append(radii[-1] + width * even * (1 + 2 * growth * (radii[-1] - away) / CANVAS_DIAGONAL))
    return _Stripes(pivot, (-sine, cosine), [near / 2, *radii, 1.5 * wide])


def _discs(dice: Dice, number: int) -> list[_Disc]:
    """Large discs placed by dart throwing: the distance they must keep shrinks a little with every throw."""
    radius = (CANVAS_RIGHT - CANVAS_LEFT) * (0.36 if number == 2 else 0.28)
    places: list[Point] = []
    apart = 2.6 * radius
    while len(places) < number:
        x = dice.uniform(CANVAS_LEFT + radius / 2, CANVAS_RIGHT - radius / 2)
        y = dice.uniform(CANVAS_TOP + radius / 2, CANVAS_BOTTOM - radius / 2)
        if all(length(x - u, y - v) > apart for u, v in places):
            places.append((x, y))
        apart *= 0.98
    return [_Disc(x, y, radius * dice.uniform(0.75, 1.2), 2) for x, y in places]


def _round_side(dice: Dice, tilt: float, side: int) -> _Disc:
    """A very large disc whose edge crosses the stripes near one of their ends (`side` is -1 or 1)."""
    radius = CANVAS_DIAGONAL * dice.uniform(0.8, 1.4)
    away = side * (radius + CANVAS_DIAGONAL * dice.uniform(0.08, 0.22))
    cosine, sine = turn(tilt + dice.uniform(-0.4, 0.4))
    return _Disc(CENTRE[0] + away * cosine, CENTRE[1] + away * sine, radius, 0)


def _cuts(stripes: _Stripes, at: int, discs: list[_Disc], width: float) -> list[_Cut]:
    """Where the outlines of discs cut a stripe, in order; not near the canvas's sides or near another cut."""
    low, high = stripes.radii[at], stripes.radii[at + 1]
    found: list[_Cut] = []
    for disc in discs:
        for side in (-1, 1):
            steps = chords((high - low) / disc.radius, disc.radius) + 1
            inside: list[Point] = []
            for step in range(steps + 1):
                point = stripes.crossing(low + (high - low) * step / steps, disc, side)
                if point is None:
                    break
                inside.append(point)
            if len(inside) == steps + 1 and on_canvas(*inside[len(inside) // 2], 0.5 * width):
                found.append(_Cut(inside, [stripes.along(point) for point in inside], disc, side < 0))
    found.sort(key=lambda cut: cut.along[0] + cut.along[-1])
    kept: list[_Cut] = []
    clear = 0.6 * width / low
    for cut in found:
        if not kept or all(b - a > clear for a, b in zip(_ends(kept[-1]), _ends(cut), strict=True)):
            kept.append(cut)
    return kept


def _ends(cut: _Cut) -> Point:
    return cut.along[0], cut.along[-1]


def _raised(left: _Cut | None, right: _Cut | None, middle: Point, discs: list[_Disc]) -> int:
    """What discs add to the layer of the segment between two cuts; `middle` is a point of a stripe without cuts."""
    if left is None and right is None:
        return max(
            (disc.raised for disc in discs if length(middle[0] - disc.x, middle[1] - disc.y) < disc.radius), default=0
        )
    inside = [cut.disc.raised for cut, enters in ((left, True), (right, False)) if cut and cut.enters == enters]
    return max(inside, default=0)
