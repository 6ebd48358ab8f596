"""From a mosaic to a picture whose areas are exactly those on the back.

Each colour is spread in its manner: as a block or as dust, at the centre or the rim. It takes pieces until it has the
area it needs; the last piece is cut in two. Then every colour covers nearly its share, and `fit_areas` makes it exact.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from math import sqrt
from typing import Final

import numpy as np

from illusion.deck.picture import (
    BOTTOM,
    CANVAS_AREA,
    CENTRE,
    GAP,
    HEIGHT,
    LEFT,
    RIGHT,
    TOP,
    WHITE_AREA,
    WIDTH,
    Manner,
    Picture,
    Undrawable,
)
from illusion.deck.plane.curves import length
from illusion.deck.plane.cutting import MIN_CUT_AREA, Ring, cut
from illusion.deck.plane.exact import TAU, Dice, turn
from illusion.deck.plane.fitting import MAX_OUTWARD, CannotFit, fit_areas
from illusion.deck.plane.inset import MIN_REGION_AREA, Part, Region, parts_of
from illusion.deck.plane.mosaic import Mosaic
from illusion.deck.plane.necks import SHALLOW
from illusion.deck.plane.rings import FINE
from illusion.rules import Colour, Shares

Divide = Callable[[Dice, int], Mosaic]
"""A family: divides the canvas into about the given number of pieces."""

MAX_ATTEMPTS: Final = 200
"""Cards need one or two attempts, rarely five."""
MIN_PIECES: Final = 12
MAX_PIECES: Final = 100
ISLAND_CHANCE: Final = 0.1
"""The chance that a block leaves out a piece it could have taken, so that blocks have holes."""
MIN_SPECKS: Final = 5
"""Dust consists of at least this many parts, where that is possible."""
_SLACK: Final = 0.6 * MAX_OUTWARD
"""The area that fitting can still add to regions, for each unit of their outlines' length."""
_REACH: Final = length(*CENTRE)
"""From the centre to a corner of the card."""


class CannotPaint(Exception):
    """No way was found to give each colour its share of these pieces."""


def draw(divide: Divide, shares: Shares, manners: Mapping[Colour, Manner], dice: Dice) -> Picture:
    """Divide the canvas, colour the pieces, fit the areas; if a step fails, try again with fewer pieces.

    The colours come in their fixed order, which tells nothing about their shares.

    :raises Undrawable: if the shares leave too little white.
    """
    needs = {colour: shares[colour] * WHITE_AREA / 100 for colour in Colour if shares[colour]}
    white = 1 - sum(shares[colour] for colour in Colour) / 100
    count = _count(white) * dice.uniform(0.6, 1)
    for _ in range(MAX_ATTEMPTS):
        try:
            mosaic = divide(dice, max(MIN_PIECES, round(count)))
            painted = _Colouring(mosaic, dice).painted(needs, manners)
            fitted = fit_areas([painted[colour] for colour in needs], list(needs.values()))
            return dict(zip(needs, fitted, strict=True))
        except (CannotPaint, CannotFit):
            count *= 0.85
    raise Undrawable(shares)


def _count(white: float) -> float:
    """The number of pieces whose gaps take most of the white (given as a part of the white area, 0 to 1).

    N compact pieces that cover an area A have borders of length 2 √(A N) in all, and each border is a gap wide.
    """
    borders = 0.7 * white * CANVAS_AREA / (2 * GAP)
    return min(max(borders * borders / CANVAS_AREA, MIN_PIECES), MAX_PIECES)


class _Colouring:
    """Gives the parts of a mosaic to the colours; `pool` holds those that are left."""

    def __init__(self, mosaic: Mosaic, dice: Dice) -> None:
        self.mosaic, self.dice = mosaic, dice
        self.pool = list(parts_of(mosaic.rings, mosaic.layers).values())
        rings = mosaic.rings
        areas, lengths = np.zeros(mosaic.count, np.int64), np.zeros(mosaic.count, np.int64)
        np.add.at(areas, rings.piece, rings.double_areas())
        np.add.at(lengths, rings.piece, np.add.reduceat(mosaic.lengths, rings.layout.starts))
        self.areas = [area / (2 * FINE * FINE) for area in areas.tolist()]
        self.lengths = [length / FINE for length in lengths.tolist()]
        self.neighbours, self.narrow = mosaic.borders()

    def painted(self, needs: Mapping[Colour, float], manners: Mapping[Colour, Manner]) -> dict[Colour, list[Region]]:
        layers = self._layers(needs)
        painted = {}
        for colour in sorted(needs, key=lambda colour: (manners[colour].dust, -needs[colour])):
            need, layer, (dust, central) = needs[colour], layers[colour], manners[colour]
            painted[colour] = (self._dust if dust else self._block)(need, layer, central=central)
        return painted

    def _layers(self, needs: Mapping[Colour, float]) -> dict[Colour, int]:
        """A layer for each colour: the colour that needs most gets the layer with the most room (greedy)."""
        room: dict[int, float] = {}
        for part in self.pool:
            room[part.layer] = room.get(part.layer, 0) + part.area
        if not room:
            raise CannotPaint
        chosen = {}
        for colour in sorted(needs, key=lambda colour: -needs[colour]):
            layer = max(room, key=lambda layer: room[layer])
            chosen[colour] = layer
            room[layer] -= needs[colour]
        return chosen

    def _block(self, need: float, layer: int, *, central: bool) -> list[Region]:
        """Pieces around one point, joined into one region; then single ones nearby until the area is reached."""
        x, y = _point_near_centre(self.dice) if central else _point_on_rim(self.dice)
        self.pool.sort(key=lambda part: length(part.x - x, part.y - y) + (part.layer != layer) * WIDTH)
        random = self.dice.random
        self.pool.sort(key=lambda _: random() < ISLAND_CHANCE)  # islands last
        together = self._how_many(need)
        taken = list[Part]()
        while together > 1:
            taken = self._joined(self.pool[:together])
            if _total(taken) <= need:
                break
            together -= 1
        else:
            together, taken = 0, []
        del self.pool[:together]
        return self._fill(need, taken)

    def _how_many(self, need: float) -> int:
        """The number of pieces from the pool's start that, joined, cover little more than is needed.

        Insetting removes an area of the outlines' length times its depth, a little less at corners.
        """
        area = length = 0.0
        inside = set[int]()
        for number, part in enumerate(self.pool):
            piece = part.piece
            if piece < 0:
                return number
            borders = 0
            for other, long in self.neighbours.of(piece):
                if other in inside:
                    borders += long
            area += self.areas[piece]
            length += self.lengths[piece] - 2 * borders / FINE
            inside.add(piece)
            if area - SHALLOW * length > need:
                return number
        return len(self.pool)

    def _joined(self, parts: Sequence[Part]) -> list[Part]:
        """The parts as regions: touching pieces are joined, unless that would make a narrow neck."""
        single = {part.piece: part for part in parts}
        labels = [-1] * self.mosaic.count
        members: dict[int, list[Part]] = {}
        for start in single:
            if labels[start] >= 0:
                continue
            labels[start], reached, members[start] = start, [start], []
            while reached:
                piece = reached.pop()
                members[start].append(single[piece])
                for other, _ in self.neighbours.of(piece):
                    if other in single and labels[other] < 0:
                        labels[other] = start
                        reached.append(other)
        if len(members) == len(single):
            return list(parts)
        for start, group in members.items():
            if len(group) == 1:
                labels[start] = -1
        joined = parts_of(self.mosaic.joined(np.array(labels), self.narrow), self.mosaic.layers)
        regions = list[Part]()
        for start, group in members.items():
            regions += [joined[start]] if start in joined else group
        return regions

    def _dust(self, need: float, layer: int, *, central: bool) -> list[Region]:
        """Single pieces all over the card, more near the centre or the rim; cut up if the colour needs little."""
        lean = 1.2 if central else -1.2
        x, y, random = *CENTRE, self.dice.random
        self.pool.sort(
            key=lambda part: random() + lean * (length(part.x - x, part.y - y) / _REACH) + 3 * (part.layer != layer)
        )
        speck = max(need / MIN_SPECKS, 3 * MIN_REGION_AREA)
        for at in range(min(len(self.pool), MIN_SPECKS)):
            if self.pool[at].area > 1.6 * speck and len(self.pool[at].region) == 1:
                self._cut(at, speck * self.dice.uniform(0.8, 1.5), tries=1)
        return self._fill(need, [])

    def _fill(self, need: float, taken: list[Part]) -> list[Region]:
        """Add whole pieces in the pool's order while they fit, then one that is cut to size."""
        rest, length = need - _total(taken), 0.0
        for part in taken:
            length += part.length
        left: list[Part] = []
        for part in self.pool:
            over = rest - part.area
            if over > MIN_CUT_AREA or -1 < over < _SLACK * (length + part.length):
                taken.append(part)
                rest, length = over, length + part.length
            else:
                left.append(part)
        self.pool = left
        if rest > _SLACK * length:
            # Parts without holes first, which are quick to cut and seldom fall apart.
            simple = [at for at, part in enumerate(self.pool) if len(part.region) == 1]
            rest_of_pool = [at for at, part in enumerate(self.pool) if len(part.region) > 1]
            for tries, at in [*((1, at) for at in simple), *((6, at) for at in [*simple, *rest_of_pool])]:
                if self._cut(at, rest, tries):
                    taken.append(self.pool.pop(at))
                    break
            else:
                raise CannotPaint
        return [part.region for part in taken]

    def _cut(self, at: int, area: float, tries: int) -> bool:
        """Cut a part down to the area; the rest goes to the pool's end. False if a side would be too thin."""
        part = self.pool[at]
        sides = cut(part.region, part.area, area, tries)
        if sides is None:
            return False
        one, other = (_part(side, part.layer) for side in sides)
        self.pool[at] = one
        self.pool.append(other)
        return True


def _part(rings: list[Ring], layer: int) -> Part:
    """A part of a piece that has been cut."""
    area = length = 0.0
    for ring in rings:
        x, y = ring[-1]
        for u, v in ring:
            area += x * v - y * u
            length += sqrt((u - x) * (u - x) + (v - y) * (v - y))
            x, y = u, v
    across, down = [x for x, _ in rings[0]], [y for _, y in rings[0]]
    middle = (min(across) + max(across)) / 2, (min(down) + max(down)) / 2
    points = [np.fromiter(chain.from_iterable(ring), np.float64).reshape(-1, 2) for ring in rings]
    return Part(points, layer, area / 2, length, *middle, -1)


def _total(parts: Sequence[Part]) -> float:
    total = 0.0
    for part in parts:
        total += part.area
    return total


def _point_near_centre(dice: Dice) -> tuple[float, float]:
    cosine, sine = turn(dice.uniform(0, TAU))
    far = dice.uniform(0, 0.16)
    return CENTRE[0] + far * WIDTH * cosine, CENTRE[1] + far * HEIGHT * sine


def _point_on_rim(dice: Dice) -> tuple[float, float]:
    if dice.random() < (BOTTOM - TOP) / (BOTTOM - TOP + RIGHT - LEFT):
        return dice.choice([LEFT, RIGHT]), dice.uniform(TOP, BOTTOM)
    return dice.uniform(LEFT, RIGHT), dice.choice([TOP, BOTTOM])
