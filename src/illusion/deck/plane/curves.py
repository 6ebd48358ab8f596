"""Curves, bands between two lines of points, and scattered discs, for the families."""

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from math import ceil, sqrt
from typing import Final

import numpy as np

from illusion.deck.picture import BOTTOM, CANVAS_BOTTOM, CANVAS_LEFT, CANVAS_RIGHT, CANVAS_TOP, CENTRE, LEFT, RIGHT, TOP
from illusion.deck.plane.clipping import clipped
from illusion.deck.plane.exact import PI, TAU, Dice, cos_sin
from illusion.deck.plane.rings import FINE, Mask, Numbers, rings_of

MAX_SAG: Final = 5.5
"""The largest sagitta, the distance of a chord from its arc: 0.055 mm."""
_WIDE, _HIGH = CANVAS_RIGHT - CANVAS_LEFT, CANVAS_BOTTOM - CANVAS_TOP
CANVAS_DIAGONAL: Final = sqrt(_WIDE * _WIDE + _HIGH * _HIGH)
CENTRE_POINT: Final = np.array(CENTRE)
MIN_TILT_RAD: Final = 0.06
"""No edge of a grid is closer than this to the horizontal or the vertical."""

Point = tuple[float, float]


def length(x: float, y: float) -> float:
    return sqrt(x * x + y * y)


def point_inside(dice: Dice, margin: float) -> Point:
    """A random point of the white area without a margin, given as a fraction of width and height."""
    return (
        LEFT + dice.uniform(margin, 1 - margin) * (RIGHT - LEFT),
        TOP + dice.uniform(margin, 1 - margin) * (BOTTOM - TOP),
    )


def on_canvas(x: float, y: float, margin: float) -> bool:
    """Whether a point is this far inside the canvas; with a negative margin, at most so far outside."""
    return CANVAS_LEFT + margin < x < CANVAS_RIGHT - margin and CANVAS_TOP + margin < y < CANVAS_BOTTOM - margin


def inside(x: Numbers, y: Numbers) -> Numbers:
    """The distance of points from the canvas's sides, negative outside."""
    return np.minimum(np.minimum(x - CANVAS_LEFT, CANVAS_RIGHT - x), np.minimum(y - CANVAS_TOP, CANVAS_BOTTOM - y))


def farthest_corner(point: Point) -> float:
    """The distance of the farthest corner of the white area."""
    return max(length(x - point[0], y - point[1]) for x in (LEFT, RIGHT) for y in (TOP, BOTTOM))


def counted(number: int) -> Numbers:
    """The numbers from 0 to `number - 1`."""
    return np.arange(number, dtype=np.float64)


def chords(angle: float, radius: float) -> int:
    """The number of chords that make an arc look round."""
    return max(1, ceil(abs(angle) * sqrt(radius / (8 * MAX_SAG))))


def polar(centre: Point, away: Numbers | float, angles: Numbers) -> Numbers:
    """Points at these distances and angles from a centre."""
    cosines, sines = cos_sin(angles)
    return np.stack([centre[0] + away * cosines, centre[1] + away * sines], axis=-1)


def swollen(points: Numbers, focus: Point, swell: float, breadth: float) -> Numbers:
    """Points moved away from a focus, or towards it, as by a lens; those far away stay."""
    x, y = points[..., 0] - focus[0], points[..., 1] - focus[1]
    far = 1 + (x * x + y * y) / (2 * breadth * breadth)
    grown = 1 + swell / (far * far)
    return np.stack([focus[0] + x * grown, focus[1] + y * grown], axis=-1)


def rotated(along: Numbers, across: Numbers, cosine: float, sine: float) -> Numbers:
    """Points around the card's centre, given along and across a direction."""
    x, y = CENTRE[0] + along * cosine - across * sine, CENTRE[1] + along * sine + across * cosine
    return np.stack([x, y], axis=-1)


def grid_directions(dice: Dice, lean: float) -> tuple[float, float]:
    """The directions of a grid's two axes, at right angles give or take `lean`."""
    tilt = dice.uniform(MIN_TILT_RAD, PI / 2 - MIN_TILT_RAD)
    other = tilt + PI / 2
    while (other + MIN_TILT_RAD) % (PI / 2) < 2 * MIN_TILT_RAD or other == tilt + PI / 2:
        other = tilt + PI / 2 + dice.uniform(-lean, lean)
    return tilt, other


def band_lines(width: float, end: float, ratio: float, growth: float) -> list[float]:
    """The places of the lines between bands, from `-end` to `end`: alternately wide and narrow, and wider to one end.

    `growth` is the relative growth of the width over half the canvas's diagonal.
    """
    lines = [-end]
    while lines[-1] < end:
        even = ratio if len(lines) % 2 else 2 - ratio
        lines.append(lines[-1] + width * even * (1 + growth * lines[-1] / (CANVAS_DIAGONAL / 2)))
    return lines


def uneven_cuts(dice: Dice, first: int, last: int, number: int) -> list[int]:
    """Places to cut a band between two of its points, into `number` segments of about the same length."""
    jitter = dice.uniforms(-0.3, 0.3, number - 1)
    return [first + round((last - first) * (k + by) / number) for k, by in enumerate(jitter, 1)]


def catmull_rom(points: Sequence[Point], steps: int = 8) -> list[Point]:
    """A Catmull-Rom spline through the points, with `steps` chords from each to the next."""
    curve: list[Point] = []
    padded = [points[0], *points, points[-1]]
    for a, b, c, d in zip(padded, padded[1:], padded[2:], padded[3:], strict=False):
        for step in range(steps):
            t = step / steps
            curve.append((_spline(a[0], b[0], c[0], d[0], t), _spline(a[1], b[1], c[1], d[1], t)))
    return [*curve, points[-1]]


def _spline(a: float, b: float, c: float, d: float, t: float) -> float:
    return b + t * ((c - a) + t * ((2 * a - 5 * b + 4 * c - d) + t * (3 * (b - c) + d - a))) / 2


def near_canvas(outlines: Numbers) -> Mask:
    """Whether the bounding box of each outline reaches the canvas; all have the same number of points."""
    x, y = outlines[..., 0], outlines[..., 1]
    seen: Mask = (x.max(axis=1) > CANVAS_LEFT) & (x.min(axis=1) < CANVAS_RIGHT)
    seen &= (y.max(axis=1) > CANVAS_TOP) & (y.min(axis=1) < CANVAS_BOTTOM)
    return seen


def without_corner_bands(edges: Numbers, width: float) -> Numbers:
    """The edges of the bands that are on the canvas, without a first or last band that only covers a corner."""
    seen = clipped(rings_of(np.concatenate([edges[:-1], edges[1:, ::-1]], axis=1)))
    shown = [0] * (len(edges) - 1)
    for band, area in zip(seen.piece.tolist(), seen.double_areas().tolist(), strict=True):
        shown[band] += area
    first, *inner, last = (band for band, area in enumerate(shown) if area > 0)
    inner = [*inner, last]
    least = 3 * width * width * FINE * FINE
    if shown[first] < least:
        del inner[0]
    if shown[last] < least:
        del inner[-1]
    return edges[[first, *inner, last + 1]]


def visible(lower: Numbers, upper: Numbers) -> Mask:
    """Whether each band is on the canvas, point by point."""
    points = np.stack([lower, (lower + upper) / 2, upper])
    x, y = points[..., 0], points[..., 1]
    on = (x > CANVAS_LEFT) & (x < CANVAS_RIGHT) & (y > CANVAS_TOP) & (y < CANVAS_BOTTOM)
    there: Mask = on[0] | on[1] | on[2]
    return there


def span(there: list[bool]) -> tuple[int, int]:
    """The indices of the first and the last true value."""
    return (there.index(True), len(there) - 1 - there[::-1].index(True)) if True in there else (0, 0)


def distances(lower: Numbers, upper: Numbers) -> Numbers:
    """The distance of the lines at each point."""
    x, y = upper[..., 0] - lower[..., 0], upper[..., 1] - lower[..., 1]
    away: Numbers = np.sqrt(x * x + y * y)
    return away


def mean(values: Numbers) -> float:
    """The mean, rounded to sixteenths before summing, so that the order does not matter."""
    return int(np.rint(values * FINE).astype(np.int64).sum()) / (FINE * len(values))


def segments(lower: Numbers, upper: Numbers, cuts: list[int], slant: int = 0) -> list[Numbers]:
    """The outlines of a band's parts between cuts at these points; the upper ends are `slant` points farther on."""
    return [
        np.concatenate([lower[start : end + 1], upper[start + slant : end + slant + 1][::-1]])
        for start, end in pairwise(cuts)
    ]


Disc = tuple[float, float, float]
"""x, y and radius."""


def pack_discs(dice: Dice, count: int, largest: float, smallest: float, apart: float, fade: float) -> list[Disc]:
    """Greedy circle packing: up to `count` discs that keep a distance of `apart`, largest first.

    Each time the one of a hundred or so random centres with the most room is taken. The largest allowed radius shrinks
    by the factor `fade` from disc to disc.
    """
    spots = 250 + 4 * count
    x = np.array(dice.uniforms(CANVAS_LEFT, CANVAS_RIGHT, spots))
    y = np.array(dice.uniforms(CANVAS_TOP, CANVAS_BOTTOM, spots))
    edge = inside(x, y)
    beyond, within = 1.5 * edge, edge - apart
    room = np.full(spots, np.inf)
    discs: list[Disc] = []
    while len(discs) < count:
        radius = np.minimum(room, largest)
        radius = np.where((radius > beyond) | (radius < within), radius, within)
        at = int(radius.argmax())
        u, v, size = float(x[at]), float(y[at]), float(radius[at])
        if size < smallest:
            break
        discs.append((u, v, size))
        dx, dy = x - u, y - v
        room = np.minimum(room, np.sqrt(dx * dx + dy * dy) - (size + apart))
        largest = max(largest * fade, 2 * smallest)
    return discs


def disc_outline(disc: Disc) -> list[Point]:
    """Points around a disc."""
    x, y, radius = disc
    return [(x + radius * cosine, y + radius * sine) for cosine, sine in _unit_circle(max(8, chords(TAU, radius)))]


@cache
def _unit_circle(steps: int) -> list[Point]:
    cosines, sines = cos_sin((counted(steps) + 0.5) * TAU / steps)
    return list(zip(cosines.tolist(), sines.tolist(), strict=True))
