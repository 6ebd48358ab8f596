"""Nested squares: squares within squares, each turned a little more; the rings between them are cut into segments."""

from bisect import bisect
from itertools import accumulate, pairwise
from math import cos, fsum, pi, sin
from random import Random
from typing import NamedTuple

import shapely
from shapely.geometry import Polygon

from illusion.deck.drawing.card_face import BOTTOM, CANVAS, LEFT, RIGHT, TOP, Piece
from illusion.deck.drawing.curves import Point


class _Square(NamedTuple):
    """A square around the origin. A place on its outline is a number of sides from its first corner, 0 to 8."""

    half: float
    turn: float
    marks: list[float]

    def point(self, place: float) -> Point:
        """The point at a place, rounded so that squares that touch share it exactly."""
        turn, along = self.turn + int(place) * pi / 2, self.half * (place % 1 * 2 - 1)
        return round(self.half * cos(turn) - along * sin(turn), 3), round(self.half * sin(turn) + along * cos(turn), 3)

    def mark(self, places: list[float]) -> None:
        self.marks.extend(place % 4 + again for again in (0, 4) for place in places)
        self.marks.sort()

    def outline(self, start: float, end: float) -> list[Point]:
        between = self.marks[bisect(self.marks, start + 1e-6) : bisect(self.marks, end - 1e-6)]
        return [self.point(place) for place in (start, *between, end)]

    def holds(self, x: float, y: float) -> bool:
        c, s = cos(self.turn), sin(self.turn)
        return max(abs(c * x + s * y), abs(c * y - s * x)) <= self.half


def pieces(rng: Random, count: int) -> list[Piece]:
    x, y = rng.uniform(0.2, 0.8) * (RIGHT - LEFT) + LEFT, rng.uniform(0.2, 0.8) * (BOTTOM - TOP) + TOP
    way = rng.choice([-1, 1])
    corners = [(u - x, way * (v - y)) for u in (LEFT, RIGHT) for v in (TOP, BOTTOM)]
    size = 1.2 * (CANVAS.area / count) ** 0.5
    stretch = rng.uniform(1.1, 1.4)
    whirl = rng.choice([0, 0, rng.uniform(0.25, 0.4) if count > 40 else rng.uniform(0.45, 0.7)])
    mitred = not whirl and rng.random() < 0.5

    squares = [_Square(size * rng.uniform(0.35, 0.6), rng.uniform(0, pi / 2), [0, 1, 2, 3, 4, 5, 6, 7])]
    rings: list[list[Point]] = []
    while not all(squares[-1].holds(*corner) for corner in corners):
        squares.append(_around(rng, squares[-1], size / stretch, whirl))
        inner, outer = squares[-2:]
        parts = max(1, round((inner.half + outer.half) / (size * stretch)))
        cuts = [place for side in range(4) for place in _cuts(rng, parts, side, inner, outer, mitred=mitred)]
        inner.mark([near for near, _ in cuts])
        outer.mark([away for _, away in cuts])
        rings.append([*cuts, (4, 4 + cuts[0][1])])

    shapes, layers = [squares[0].outline(0, 4)], [0]
    for ring, cuts in enumerate(rings):
        for (a, b), (c, d) in pairwise(cuts):
            shapes.append([*squares[ring + 1].outline(b, d), *squares[ring].outline(a, c)[::-1]])
            layers.append(1 - ring % 2)
    polygons = [Polygon([(x + u, y + way * v) for u, v in shape]) for shape in shapes]
    clipped, of = shapely.get_parts(shapely.clip_by_rect(polygons, *CANVAS.bounds), return_index=True)
    return [Piece(part, layers[at]) for part, at in zip(clipped, of, strict=True) if part.area > 0]


def _around(rng: Random, inner: _Square, width: float, whirl: float) -> _Square:
    """The next square: turned so that no side is level; with `whirl` its sides touch the inner square's corners."""
    turn = whirl or min(0.3, 0.5 * width / inner.half)
    while abs(sin(2 * (inner.turn - turn))) < 0.06:
        turn += 0.02
    clear = 0 if whirl else max(200, width * rng.choice([0.4, 0.6, 0.8, 1.2]))
    return _Square(inner.half * (cos(turn) + sin(turn)) + clear, inner.turn - turn, [0, 1, 2, 3, 4, 5, 6, 7])


def _cuts(rng: Random, parts: int, side: int, inner: _Square, outer: _Square, *, mitred: bool) -> list[Point]:
    """Cuts through the ring along one side, as places on both squares: at the corner, then at uneven distances."""
    lengths = [rng.uniform(0.6, 1.5) for _ in range(parts)]
    turn = inner.turn - outer.turn
    cuts = []
    for along in [0, *(length / fsum(lengths) for length in accumulate(lengths[:-1]))]:
        across = (1 + inner.half * (sin(turn) + (2 * along - 1) * cos(turn)) / outer.half) / 2
        cuts.append((side + along, side if mitred and not along else side + across))
    return cuts
