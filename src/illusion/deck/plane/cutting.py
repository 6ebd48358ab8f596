"""Cutting a region, which may have holes, in two, one side with a given area."""

from math import sqrt
from typing import Final, NamedTuple

import numpy as np

from illusion.deck.picture import GAP
from illusion.deck.plane.exact import PI, turn
from illusion.deck.plane.necks import HALF_MIN_WIDTH
from illusion.deck.plane.rings import Numbers

HALF_MIN_CUT_WIDTH: Final = 3 * HALF_MIN_WIDTH
"""Half the least length of both sides of a cut, so that neither looks like waste."""
MIN_CUT_AREA: Final = 4.5 * HALF_MIN_CUT_WIDTH * HALF_MIN_CUT_WIDTH
MIN_CHORD: Final = 4 * HALF_MIN_WIDTH
"""The least length of a cut."""
MAX_TAIL_COSINE: Final = 0.88
"""A cut meets the outline at an angle of at least 28 degrees, so that neither side has a thin tail."""
CUT_TILT_RAD: Final = 0.08
"""Cuts are tilted a little, so that pieces along the frame get no level or upright edges."""
AREA_ERROR: Final = 600.0
_TRIED: Final = (0, 4, 8, 2, 10, 6)
"""Directions in the order in which they are tried, in steps from the longest."""
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
    reach = _COSINES * region[0][:, 0] + _SINES * region[0][:, 1]
    low, high = np.minimum.reduce(reach, axis=1), np.maximum.reduce(reach, axis=1)
    longest = int((high - low).argmax())
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
    edges = [
        (u, v, p, q, (u - p) * (v + q))
        for ring in turned
        for (u, v), (p, q) in zip(ring, ring[1:] + ring[:1], strict=True)
    ]
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


def _area_below(edges: list[tuple[float, float, float, float, float]], at: float) -> float:
    """The area on the side of the line x = `at` where x is smaller.

    Edges are given by their ends and twice the area between them and the line y = 0.
    """
    total = 0.0
    for u, v, p, q, all_of_it in edges:
        if u <= at:
            if p <= at:
                total += all_of_it
            else:
                total += (u - at) * (v + v + (q - v) * (at - u) / (p - u))
        elif p <= at:
            total += (at - p) * (q + q + (v - q) * (at - p) / (u - p))
    return total / 2


class _End(NamedTuple):
    """A crossing of an outline with the line: the place along it, and the outline's lean on the side that is kept."""

    place: float
    lean: float
    point: tuple[float, float]
    chain: int
    """The number of the chain of points that starts or ends here."""
    inward: bool
    """Whether the chain starts here."""


def _side(rings: Region, turned: Region, at: float, way: int) -> Region | None:
    """The part on one side of the line; None if it falls apart, has a thin tail, or is thin behind the line."""
    holes: Region = []
    chains: list[Ring] = []
    ends: list[_End] = []
    for ring, places in zip(rings, turned, strict=True):
        inside = [u >= at for u, _ in places] if way > 0 else [u <= at for u, _ in places]
        changes = [here for here in range(len(inside)) if inside[here] is not inside[here - 1]]
        if not changes:
            holes += [ring] if inside[0] else []
            continue
        if not inside[changes[0]]:
            changes = changes[1:] + changes[:1]  # begin where the ring enters
        for first, last in zip(changes[::2], changes[1::2], strict=True):
            start = _crossing(ring, places, first, at, len(chains), inward=True)
            end = _crossing(ring, places, last, at, len(chains), inward=False)
            ends += [start, end]
            between = ring[first:last] if first < last else ring[first:] + ring[:last]
            chains.append([start.point, *between, end.point])
    follows = _followed(ends)
    if not follows or _thin(ends, [place for ring in turned for place in _near_line(ring, at, way)]):
        return None
    outline, chain = chains[0], follows[0]
    while chain:
        outline += chains[chain]
        chain = follows.pop(chain)
    return [outline, *holes] if len(follows) == 1 else None


def _near_line(places: Ring, at: float, way: int) -> list[float]:
    """The places along the line of points that are too near to it, and of the middles of edges between two of them."""
    close = [here for here, (u, _) in enumerate(places) if 0 <= (u - at) * way < MIN_CHORD]
    near = [places[here][1] for here in close]
    for before, here in zip(close[-1:] + close[:-1], close, strict=True):
        if (here - before) % len(places) == 1:
            near.append((places[here][1] + places[before][1]) / 2)
    return near


def _followed(ends: list[_End]) -> dict[int, int]:
    """The chain that follows each along the line; none if a part of the cut would be too short, or a tail too thin.

    Sorts the ends along the line.
    """
    ends.sort(key=lambda end: end.place)
    follows: dict[int, int] = {}
    for one, other in zip(ends[::2], ends[1::2], strict=True):
        if one.place + MIN_CHORD > other.place or one.lean > MAX_TAIL_COSINE or -other.lean > MAX_TAIL_COSINE:
            return {}
        if one.inward == other.inward:
            return {}
        end, start = (other, one) if one.inward else (one, other)
        follows[end.chain] = start.chain
    return follows


def _thin(ends: list[_End], near: list[float]) -> bool:
    """Whether an outline is too near to the line between two ends that follow each other."""
    spans = [(one.place + MIN_CHORD, other.place - MIN_CHORD) for one, other in zip(ends[::2], ends[1::2], strict=True)]
    return any(low < v < high for v in near for low, high in spans)


def _crossing(ring: Ring, places: Ring, here: int, at: float, chain: int, *, inward: bool) -> _End:
    (u, v), (p, q) = places[here], places[here - 1]
    part = (at - p) / (u - p)
    (a, b), (c, d) = ring[here - 1], ring[here]
    lean = (v - q if inward else q - v) / sqrt((u - p) * (u - p) + (v - q) * (v - q))
    return _End(q + part * (v - q), lean, (a + part * (c - a), b + part * (d - b)), chain, inward)
