"""Nested squares: squares within squares, each turned a little more; the rings between them are cut into segments."""

from bisect import bisect
from itertools import accumulate, pairwise
from math import sqrt

from illusion.deck.picture import BOTTOM, CANVAS_AREA, LEFT, RIGHT, TOP
from illusion.deck.plane.curves import Point, point_inside
from illusion.deck.plane.exact import PI, Dice, turn
from illusion.deck.plane.mosaic import Mosaic, mosaic_with_holes


class _Square:
    """A square around the origin. A place on its outline is a number of sides from its first corner, 0 to 8.

    Points are mirrored in the first axis where `way` is -1, and moved to the middle.
    """

    def __init__(self, half: float, tilt: float, middle: Point, way: int) -> None:
        self.half, self.tilt, self.middle, self.way = half, tilt, middle, way
        self.cosine, self.sine = turn(tilt)
        self.marks = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]

    def point(self, place: float) -> Point:
        """The point at a place."""
        side, along = int(place) % 4, self.half * (place % 1 * 2 - 1)
        x, y = ((self.half, along), (-along, self.half), (-self.half, -along), (along, -self.half))[side]
        across, down = x * self.cosine - y * self.sine, x * self.sine + y * self.cosine
        return self.middle[0] + across, self.middle[1] + self.way * down

    def mark(self, places: list[float]) -> None:
        self.marks.extend(place % 4 + again for again in (0, 4) for place in places)
        self.marks.sort()

    def outline(self, start: float, end: float) -> list[Point]:
        between = self.marks[bisect(self.marks, start + 1e-6) : bisect(self.marks, end - 1e-6)]
        return [self.point(place) for place in (start, *between, end)]

    def holds(self, x: float, y: float) -> bool:
        c, s = self.cosine, self.sine
        return max(abs(c * x + s * y), abs(c * y - s * x)) <= self.half


def pieces(dice: Dice, count: int) -> Mosaic:
    x, y = point_inside(dice, 0.2)
    way = dice.sign()
    corners = [(u - x, way * (v - y)) for u in (LEFT, RIGHT) for v in (TOP, BOTTOM)]
    size = 1.2 * sqrt(CANVAS_AREA / count)
    stretch = dice.uniform(1.1, 1.4)
    whirl = dice.choice([0, 0, dice.uniform(0.25, 0.4) if count > 40 else dice.uniform(0.45, 0.7)])
    mitred = not whirl and dice.chance(0.5)

    squares = [_Square(size * dice.uniform(0.35, 0.6), dice.uniform(0, PI / 2), (x, y), way)]
    rings: list[list[Point]] = []
    while not all(squares[-1].holds(*corner) for corner in corners):
        squares.append(_around(dice, squares[-1], size / stretch, whirl))
        inner, outer = squares[-2:]
        parts = max(1, round((inner.half + outer.half) / (size * stretch)))
        cuts = [place for side in range(4) for place in _cuts(dice, parts, side, inner, outer, mitred=mitred)]
        inner.mark([near for near, _ in cuts])
        outer.mark([away for _, away in cuts])
        rings.append([*cuts, (4, 4 + cuts[0][1])])

    shapes, layers = [squares[0].outline(0, 4)[:-1]], [0]
    for ring, cuts in enumerate(rings):
        for (a, b), (c, d) in pairwise(cuts):
            shapes.append([*squares[ring + 1].outline(b, d), *squares[ring].outline(a, c)[::-1]])
            layers.append(1 - ring % 2)
    return mosaic_with_holes([[shape] for shape in shapes], layers)


def _around(dice: Dice, inner: _Square, width: float, whirl: float) -> _Square:
    """The next square: turned so that no side is level; with `whirl` its sides touch the inner square's corners."""
    by = whirl or min(0.3, 0.5 * width / inner.half)
    while abs(turn(2 * (inner.tilt - by))[1]) < 0.06:
        by += 0.02
    clear = 0 if whirl else max(200, width * dice.choice([0.4, 0.6, 0.8, 1.2]))
    cosine, sine = turn(by)
    return _Square(inner.half * (cosine + sine) + clear, inner.tilt - by, inner.middle, inner.way)


def _cuts(dice: Dice, parts: int, side: int, inner: _Square, outer: _Square, *, mitred: bool) -> list[Point]:
    """Cuts through the ring along one side, as places on both squares: at the corner, then at uneven distances."""
    lengths = list(accumulate(dice.uniforms(0.6, 1.5, parts)))
    cosine, sine = turn(inner.tilt - outer.tilt)
    cuts = []
    for along in [0.0, *(length / lengths[-1] for length in lengths[:-1])]:
        across = (1 + inner.half * (sine + (2 * along - 1) * cosine) / outer.half) / 2
        cuts.append((side + along, side if mitred and not along else side + across))
    return cuts
