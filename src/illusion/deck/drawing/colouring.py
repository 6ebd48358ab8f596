"""Which piece gets which colour. Each colour is spread in its manner: as a block or as dust, at the centre or the rim.

A colour takes pieces until it has the area it needs; the last piece is cut in two. After this step every colour covers
very nearly its share, and `fit_area` makes it exact.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import cos, fsum, hypot, pi, sin
from random import Random
from typing import Final

from shapely.geometry import Polygon

from illusion.deck.drawing.area_fitting import MAX_OUTWARD
from illusion.deck.drawing.card_face import BOTTOM, CENTRE, HEIGHT, LEFT, RIGHT, TOP, WIDTH, Piece
from illusion.deck.drawing.cutting import MIN_CUT_AREA, cut
from illusion.deck.drawing.spacing import MIN_REGION_AREA, joined, spaced_apart
from illusion.deck.picture import Manner
from illusion.rules import Colour

ISLAND_CHANCE: Final = 0.1
"""The chance that a block leaves out a piece it could have taken, so that blocks have holes."""
MIN_SPECKS: Final = 5
"""Dust consists of at least this many parts, where that is possible."""


class CannotColour(Exception):
    """These pieces cannot be given to the colours so that each gets its share."""


@dataclass(slots=True, eq=False)
class _Part:
    """A piece with the gaps taken off (`net`), and as it was before (`gross`; None if it was cut or fell apart)."""

    net: Polygon
    gross: Polygon | None
    layer: int
    area: float
    x: float
    y: float


def colour_pieces(
    pieces: Sequence[Piece], needs: Mapping[Colour, float], manners: Mapping[Colour, Manner], rng: Random
) -> dict[Colour, list[Polygon]]:
    """Regions for each colour that cover very nearly the areas needed.

    :raises CannotColour: if these pieces do not allow it.
    """
    pool = _parts([piece.polygon for piece in pieces], [piece.layer for piece in pieces])
    layers = _layers(pool, needs)
    painted: dict[Colour, list[Polygon]] = {}
    for colour in sorted(needs, key=lambda colour: (manners[colour].dust, -needs[colour])):
        take = _dust if manners[colour].dust else _block
        painted[colour] = take(pool, needs[colour], layers[colour], manners[colour], rng)
    return painted


def _parts(polygons: Sequence[Polygon], layers: Sequence[int]) -> list[_Part]:
    return [
        _part(net, polygon if len(nets) == 1 else None, layer)
        for polygon, layer, nets in zip(polygons, layers, spaced_apart(polygons), strict=True)
        for net in nets
    ]


def _part(net: Polygon, gross: Polygon | None, layer: int) -> _Part:
    centre = net.centroid
    return _Part(net, gross, layer, net.area, centre.x, centre.y)


def _layers(pool: Sequence[_Part], needs: Mapping[Colour, float]) -> dict[Colour, int]:
    """A layer for each colour: the colour that needs most gets the layer with the most room (greedy)."""
    room: dict[int, float] = {}
    for part in pool:
        room[part.layer] = room.get(part.layer, 0) + part.area
    chosen = {}
    for colour in sorted(needs, key=lambda colour: -needs[colour]):
        layer = max(room, key=lambda layer: room[layer])
        chosen[colour] = layer
        room[layer] -= needs[colour]
    return chosen


def _block(pool: list[_Part], need: float, layer: int, manner: Manner, rng: Random) -> list[Polygon]:
    """Pieces around one point, joined into one region; then single ones nearby until the area is reached."""
    x, y = _point_near_centre(rng) if manner.central else _point_on_rim(rng)
    pool.sort(key=lambda part: hypot(part.x - x, part.y - y) + (part.layer != layer) * WIDTH)
    islands = [part for part in pool if rng.random() < ISLAND_CHANCE]
    pool[:] = [*(part for part in pool if part not in islands), *islands]
    together, gross = 0, 0.0
    for part in pool:
        if part.gross is None or gross + part.gross.area > need * 1.06:
            break
        gross += part.gross.area
        together += 1
    regions: list[Polygon] = []
    while together > 1:
        (regions,) = spaced_apart([joined(part.gross for part in pool[:together])])
        if fsum(region.area for region in regions) <= need:
            break
        together -= 1
    else:
        together, regions = 0, []
    del pool[:together]
    return _fill(pool, need, regions)


def _dust(pool: list[_Part], need: float, layer: int, manner: Manner, rng: Random) -> list[Polygon]:
    """Single pieces all over the card, more of them near the centre or the rim; cut up if the colour needs little."""
    reach = hypot(*CENTRE)
    lean = 1.2 if manner.central else -1.2

    def rank(part: _Part) -> float:
        away = hypot(part.x - CENTRE[0], part.y - CENTRE[1]) / reach
        return rng.random() + lean * away + 3 * (part.layer != layer)

    ranked = sorted((rank(part), at) for at, part in enumerate(pool))
    pool[:] = [pool[at] for _, at in ranked]
    speck = max(need / MIN_SPECKS, 3 * MIN_REGION_AREA)
    for at in range(min(len(pool), MIN_SPECKS)):
        while pool[at].area > 1.6 * speck and _cut(pool, at, pool[at].area / 2):
            pass
    return _fill(pool, need, [])


def _fill(pool: list[_Part], need: float, regions: list[Polygon]) -> list[Polygon]:
    """Add whole pieces in the pool's order while they fit, then one that is cut to size."""
    rest = need - fsum(region.area for region in regions)
    left: list[_Part] = []
    for part in pool:
        if rest - part.area > MIN_CUT_AREA or -1 < rest - part.area < _slack([*regions, part.net]):
            regions.append(part.net)
            rest -= part.area
        else:
            left.append(part)
    pool[:] = left
    if rest <= _slack(regions):
        return regions
    for at in range(len(pool)):
        if _cut(pool, at, rest):
            return [*regions, pool.pop(at).net]
    raise CannotColour


def _cut(pool: list[_Part], at: int, area: float) -> bool:
    """Cut a part down to the area; the rest goes to the pool's end. False if a side would be too thin."""
    part = pool[at]
    sides = cut(part.net, area)
    if sides is None:
        return False
    pool[at], other = (_part(side, None, part.layer) for side in sides)
    pool.append(other)
    return True


def _slack(regions: Sequence[Polygon]) -> float:
    """The area that fitting can still add to these regions."""
    return 0.6 * MAX_OUTWARD * fsum(region.length for region in regions)


def _point_near_centre(rng: Random) -> tuple[float, float]:
    angle, far = rng.uniform(0, 2 * pi), rng.uniform(0, 0.16)
    return CENTRE[0] + far * WIDTH * cos(angle), CENTRE[1] + far * HEIGHT * sin(angle)


def _point_on_rim(rng: Random) -> tuple[float, float]:
    if rng.random() < (BOTTOM - TOP) / (BOTTOM - TOP + RIGHT - LEFT):
        return rng.choice([LEFT, RIGHT]), rng.uniform(TOP, BOTTOM)
    return rng.uniform(LEFT, RIGHT), rng.choice([TOP, BOTTOM])
