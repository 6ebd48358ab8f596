"""Cutting a region, which may have holes, in two, one side with a given area."""

from math import sqrt
from typing import Final, NamedTuple

import numpy as np

from illusion.deck.card_face import GAP
from illusion.deck.plane.necks import HALF_MIN_WIDTH
from illusion.deck.plane.rings import Numbers
from illusion.deck.plane.trigonometry import PI, turn

HALF_MIN_CUT_WIDTH: Final = 3 * HALF_MIN_WIDTH
"""Half the length that both sides of a cut must have at least, so that neither looks like waste."""
MIN_CUT_AREA: Final = 4.5 * HALF_MIN_CUT_WIDTH * HALF_MIN_CUT_WIDTH
MIN_CHORD: Final = 4 * HALF_MIN_WIDTH
"""The length of a cut, at least."""
MAX_TAIL_COSINE: Final = 0.88
"""A cut meets the outline at an angle of at least 28 degrees, so that neither side has a thin tail."""
CUT_TILT_RAD: Final = 0.08
"""Cuts are tilted a little, so that pieces along the frame get no level or upright edges."""
AREA_ERROR: Final = 600.0
_TRIED: Final = (0, 4, 8, 2, 10, 6)
"""Directions tried after each other, in steps from the longest."""
_DIRECTIONS: Final = [turn(step * PI / 12 + CUT_TILT_RAD) for step in range(12)]
_COSINES: Final = np.array([[cosine] for cosine, _ in _DIRECTIONS])
_SINES: Final = np.array([[sine] for _, sine in _DIRECTIONS])

Ring = list[tuple[float, float]]
Region = list[Ring]
"""An outline and its holes."""


def cut(region: list[Numbers], whole: float, area: float, tries: int = 6) -> tuple[Region, Region] | None:
    """Cut a region, which has the area `whole`, across its length, leaving a gap; the first side has the area.

    If a side would be too thin, other directions are tried, up to six in all; None if none does.
    """
    if min(area, whole - area) < MIN_CUT_AREA:
        return None
    x, y = region[0][:, 0], region[0][:, 1]
    reach = _COSINES * x + _SINES * y
    low, high = reach.min(axis=1), reach.max(axis=1)
    longest = int(np.argmax(high - low))
    rings: list[Ring] = [list(map(tuple, ring.tolist())) for ring in region]
    for turned_by in _TRIED[:tries]:
        direction = (longest + turned_by) % len(_DIRECTIONS)
        sides = _cut_across(rings, direction, float(low[direction]), float(high[direction]), whole, area)
        if sides is not None:
            return sides
    return None


def _cut_across(
    rings: Region, direction: int, left: float, right: float, whole: float, area: float
) -> tuple[Region, Region] | None:
    """Cut across one direction. The place is found by regula falsi (false position), kept away from the ends."""
    cosine, sine = _DIRECTIONS[direction]
    turned = [[(x * cosine + y * sine, y * cosine - x * sine) for x, y in ring] for ring in rings]
    edges = [(*start, *end) for ring in turned for start, end in zip(ring, [*ring[1:], ring[0]], strict=True)]
    low, high, less, more, at = left, right, 0.0, whole, right
    for _ in range(10):
        at = low + (high - low) * min(max((area - less) / (more - less), 0.1), 0.9)
        covered = _area_below(edges, at)
        if abs(covered - area) < AREA_ERROR:
            break
        if covered < area:
            low, less = at, covered
        else:
            high, more = at, covered
    if at - left < 2 * HALF_MIN_CUT_WIDTH or right - at - GAP < 2 * HALF_MIN_CUT_WIDTH:
        return None
    one = _side(rings, turned, at, -1)
    other = _side(rings, turned, at + GAP, 1) if one else None
    return None if one is None or other is None else (one, other)


def _area_below(edges: list[tuple[float, float, float, float]], at: float) -> float:
    """The area of what lies before the line at which the first coordinate is `at`; edges are given by their ends."""
    total = 0.0
    for u, v, p, q in edges:
        if u <= at:
            if p <= at:
                total += (u - p) * (v + q)
            else:
                total += (u - at) * (v + v + (q - v) * (at - u) / (p - u))
        elif p <= at:
            total += (at - p) * (q + q + (v - q) * (at - p) / (u - p))
    return total / 2


class _End(NamedTuple):
    """Where an outline crosses the line: how far along it, and how much it leans that way on the side that is kept."""

    place: float
    lean: float
    point: tuple[float, float]
    chain: int
    """The number of the chain of points that starts or ends here."""


def _side(rings: Region, turned: Region, at: float, way: int) -> Region | None:
    """What lies on one side of the line; None if it falls apart, has a thin tail, or is thin behind the line."""
    holes: Region = []
    chains: list[Ring] = []
    starts: list[_End] = []
    ends: list[_End] = []
    near: list[float] = []
    for ring, places in zip(rings, turned, strict=True):
        inside = [(u - at) * way >= 0 for u, _ in places]
        near += _near_line(places, at, way)
        if all(inside):
            holes.append(ring)
        elif any(inside):
            # Begin where the ring comes in.
            first = next(here for here in range(len(ring)) if inside[here] and not inside[here - 1])
            for step in range(first, first + len(ring)):
                here, before = step % len(ring), step % len(ring) - 1
                if inside[here] and not inside[before]:
                    starts.append(_crossing(ring, places, here, at, len(chains), inward=True))
                    chains.append([starts[-1].point])
                elif inside[before] and not inside[here]:
                    ends.append(_crossing(ring, places, here, at, len(chains) - 1, inward=False))
                    chains[-1].append(ends[-1].point)
                if inside[here]:
                    chains[-1].append(ring[here])
    follows = _followed(starts, ends, near)
    if not follows:
        return None
    outline, chain = chains[0][:], follows[0]
    while chain:
        outline += chains[chain]
        chain = follows.pop(chain)
    return [outline, *holes] if len(follows) == 1 else None


def _near_line(places: Ring, at: float, way: int) -> list[float]:
    """How far along the line the points lie that are too near to it, and the middles of edges between two of them."""
    close = [0 <= (u - at) * way < MIN_CHORD for u, _ in places]
    near = []
    for here, (_, v) in enumerate(places):
        if close[here]:
            near.append(v)
            if close[here - 1]:
                near.append((v + places[here - 1][1]) / 2)
    return near


def _followed(starts: list[_End], ends: list[_End], near: list[float]) -> dict[int, int]:
    """Which chain follows each along the line; none if a part of the cut would be too short, or something thin."""
    crossings = sorted([*starts, *ends], key=lambda end: end.place)
    follows: dict[int, int] = {}
    for one, other in zip(crossings[::2], crossings[1::2], strict=True):
        if one.place + MIN_CHORD > other.place or one.lean > MAX_TAIL_COSINE or -other.lean > MAX_TAIL_COSINE:
            return {}
        if any(one.place + MIN_CHORD < v < other.place - MIN_CHORD for v in near) or (one in ends) == (other in ends):
            return {}
        end, start = (one, other) if one in ends else (other, one)
        follows[end.chain] = start.chain
    return follows


def _crossing(ring: Ring, places: Ring, here: int, at: float, chain: int, *, inward: bool) -> _End:
    (u, v), (p, q) = places[here], places[here - 1]
    part = (at - p) / (u - p)
    (a, b), (c, d) = ring[here - 1], ring[here]
    lean = (v - q if inward else q - v) / sqrt((u - p) * (u - p) + (v - q) * (v - q))
    return _End(q + part * (v - q), lean, (a + part * (c - a), b + part * (d - b)), chain)
