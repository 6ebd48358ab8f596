"""Polygon offsetting to an exact area: a colour's outlines move in or out until it covers its share.

Every vertex moves along its mitre, so that all edges move in parallel by the same distance d; edges on the frame stay.
The area is a quadratic function of d, so d has a closed form. Rounding to the file's whole numbers changes the area a
little, which moving a few points by one unit corrects. All colours are fitted at once.
"""

from collections.abc import Sequence
from itertools import accumulate
from math import sqrt
from typing import Final

import numpy as np

from illusion.deck.picture import BOTTOM, GAP, LEFT, MIN_WIDTH, RIGHT, TOP, WHITE_AREA
from illusion.deck.plane.necks import crossing_pieces
from illusion.deck.plane.rings import Mask, Numbers, RingLayout, Rings, Whole, straight_points

AREA_TOLERANCE: Final = WHITE_AREA // 100_000
MAX_MITRE: Final = 2.0
"""The mitre limit: a sharp corner moves at most this many times as far as its edges."""
MAX_OUTWARD: Final = ((GAP - MIN_WIDTH) / 2 - 0.8) / MAX_MITRE
"""The largest outward distance that keeps outlines apart; 0.8 is for rounding."""
MAX_INWARD: Final = 1.5
STRAIGHT: Final = 0.5
"""Points closer than this to the line between their neighbours are dropped: tiny edges have no clear direction."""
SHORT: Final = 3.0
"""Points closer than this to the next are dropped: rounding might reverse the edge between them."""
_SCALE: Final = 64.0
"""Products are rounded to this fraction of a square unit before summing."""

Region = list[Numbers]
"""An outline and its holes."""


class CannotFit(Exception):
    """No small offset gives this area."""


def fit_areas(colours: Sequence[Sequence[Region]], areas: Sequence[float]) -> list[list[list[Whole]]]:
    """The regions of each colour offset so that together they have its area: their rings, in whole numbers.

    :raises CannotFit: if that would take more than a small offset, or an outline would cross itself.
    """
    rings = [ring for regions in colours for region in regions for ring in region]
    points = np.concatenate(rings)
    sizes = np.fromiter(map(len, rings), np.int64, len(rings))
    numbers = [sum(map(len, regions)) for regions in colours]
    x, y, layout = _plain(points[:, 0].copy(), points[:, 1].copy(), RingLayout(sizes))
    first_rings = list(accumulate(numbers[:-1], initial=0))
    fit = _Fit(x, y, layout, layout.starts[first_rings])
    whole_x, whole_y = fit.fitted(areas)
    of_region = np.arange(sum(map(len, colours))).repeat([len(region) for regions in colours for region in regions])
    if _cross_themselves(Rings(whole_x, whole_y, layout, of_region)):
        raise CannotFit
    split = iter(layout.split(np.stack([whole_x, whole_y], axis=1)))
    return [[[next(split) for _ in region] for region in regions] for regions in colours]


def _plain(x: Numbers, y: Numbers, layout: RingLayout) -> tuple[Numbers, Numbers, RingLayout]:
    """The rings without points that hardly matter; no two in a row are dropped."""
    straight, squares = straight_points(x, y, layout, STRAIGHT)
    straight |= squares[layout.after] < SHORT * SHORT
    straight &= ~_on_frame(x, y)
    straight &= ~straight[layout.before]
    left = layout.sizes - layout.count(straight)
    keep = (~straight | (left < 3).repeat(layout.sizes)).nonzero()[0]
    return x[keep], y[keep], RingLayout(np.where(left > 2, left, layout.sizes))


def _cross_themselves(rings: Rings) -> bool:
    """Whether any region's rings cross; those of a convex region cannot."""
    before, after = rings.layout.before, rings.layout.after
    dx, dy = rings.x[after] - rings.x, rings.y[after] - rings.y
    inward = dx[before] * dy < dy[before] * dx
    bent = np.zeros(int(rings.piece[-1]) + 1, bool)
    bent[rings.piece[np.logical_or.reduceat(inward, rings.layout.starts)]] = True
    return bool(len(bent.nonzero()[0])) and bool(len(crossing_pieces(rings.select(bent[rings.piece]))))


class _Fit:
    """The direction in which each vertex moves, and each colour's area as a quadratic function of the distance."""

    def __init__(self, x: Numbers, y: Numbers, layout: RingLayout, first_points: Whole) -> None:
        self.x, self.y, self.first = x, y, first_points
        self.counts = np.concatenate([first_points[1:], [len(x)]]) - first_points
        self.after, self.before = layout.after, layout.before
        after, before = self.after, self.before
        dx, dy = x[after] - x, y[after] - y
        length = np.maximum(np.sqrt(dx * dx + dy * dy), 1e-9)
        nx, ny = -dy / length, dx / length
        framed = _on_frame(x, y)
        fixed = framed & framed[after] & ((np.abs(dx) < 1e-6) | (np.abs(dy) < 1e-6))
        moves = np.where(fixed, 0.0, 1.0)
        self.mx, self.my = _mitre(nx[before], ny[before], moves[before], nx, ny, moves)
        ux, uy, mx, my = x[after], y[after], self.mx, self.my
        lx, ly = mx[after], my[after]
        self.constant = self._sums(x * uy - y * ux)
        self.linear = self._sums(x * ly - y * lx + (mx * uy - my * ux))
        self.square = self._sums(mx * ly - my * lx)

    def _sums(self, products: Numbers) -> list[float]:
        """Half the sum for each colour, rounded before summing, so that the order does not matter."""
        sums = np.add.reduceat(np.rint(products * _SCALE).astype(np.int64), self.first)
        return [each / (2 * _SCALE) for each in sums.tolist()]

    def double_areas(self, x: Whole, y: Whole) -> list[int]:
        found: list[int] = np.add.reduceat(x * y[self.after] - y * x[self.after], self.first).tolist()
        return found

    def fitted(self, areas: Sequence[float]) -> tuple[Whole, Whole]:
        asked = list(areas)
        best_x, best_y = np.zeros(0, np.int64), np.zeros(0, np.int64)
        errors: list[float] = []
        for _ in range(3):
            distances = np.array([self._distance(at, area) for at, area in enumerate(asked)]).repeat(self.counts)
            x = np.minimum(np.maximum(np.rint(self.x + distances * self.mx), LEFT), RIGHT).astype(np.int64)
            y = np.minimum(np.maximum(np.rint(self.y + distances * self.my), TOP), BOTTOM).astype(np.int64)
            found = [double / 2 - area for double, area in zip(self.double_areas(x, y), areas, strict=True)]
            if not errors or max(map(abs, found)) < max(map(abs, errors)):
                best_x, best_y, errors = x, y, found
            if max(map(abs, errors)) < 2 * AREA_TOLERANCE:
                break
            asked = [want - error for want, error in zip(asked, found, strict=True)]
        self._nudge(best_x, best_y, areas)
        return best_x, best_y

    def _distance(self, colour: int, area: float) -> float:
        """The inward distance for this area (the smaller root, in the form without cancellation)."""
        rest = self.constant[colour] - area
        linear = self.linear[colour]
        inside = linear * linear - 4 * self.square[colour] * rest
        if inside < 0 or linear >= 0:
            raise CannotFit
        distance = 2 * rest / (-linear + sqrt(inside))
        if not -MAX_OUTWARD <= distance <= MAX_INWARD:
            raise CannotFit
        return distance

    def _nudge(self, x: Whole, y: Whole, areas: Sequence[float]) -> None:
        """Move up to six points of each colour by one unit, 0.01 mm, to make up for rounding (greedy)."""
        free = ~_on_frame(x, y)
        for colour, (double, area) in enumerate(zip(self.double_areas(x, y), areas, strict=True)):
            start = int(self.first[colour])
            end = start + int(self.counts[colour])
            error = double - round(2 * area)
            if abs(error) < 2 * AREA_TOLERANCE:
                continue
            movable = free[start:end].nonzero()[0] + start
            after, before = self.after[movable], self.before[movable]
            used: list[int] = []
            for _ in range(6):
                if abs(error) < 2 * AREA_TOLERANCE or len(used) == 2 * len(movable):
                    break
                # The change of twice the area by a step of one unit: in x, then in y.
                gains = np.concatenate([y[after] - y[before], x[before] - x[after]])
                wrong = np.abs(np.abs(gains) - abs(error))
                wrong[used] = np.iinfo(np.int64).max
                at = int(wrong.argmin())
                gain = int(gains[at])
                if gain == 0:
                    break
                used += [at, (at + len(movable)) % (2 * len(movable))]
                step = -1 if (gain > 0) == (error > 0) else 1
                (x if at < len(movable) else y)[movable[at % len(movable)]] += step
                error += step * gain


def _mitre(
    ax: Numbers, ay: Numbers, moves_before: Numbers, bx: Numbers, by: Numbers, moves_after: Numbers
) -> tuple[Numbers, Numbers]:
    """The step of a vertex that moves each of its two edges by one unit, or by none if the edge lies on the frame."""
    turn = ax * by - ay * bx
    straight = np.abs(turn) < 0.05
    safe = np.where(straight, 1.0, turn)
    mean = (moves_before + moves_after) / 4
    x = np.where(straight, mean * (ax + bx), (moves_before * by - moves_after * ay) / safe)
    y = np.where(straight, mean * (ay + by), (moves_after * ax - moves_before * bx) / safe)
    length = np.maximum(np.sqrt(x * x + y * y), 1e-9)
    limit = np.minimum(1.0, MAX_MITRE / length)
    return x * limit, y * limit


def _on_frame(x: Numbers | Whole, y: Numbers | Whole) -> Mask:
    """Whether points lie on the frame's inner edge."""
    on: Mask = (x < LEFT + 0.5) | (x > RIGHT - 0.5) | (y < TOP + 0.5) | (y > BOTTOM - 0.5)
    return on
