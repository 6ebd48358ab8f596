"""Fish: striped fish of different sizes that swim over wavy bands of water."""

from itertools import pairwise
from math import cos, hypot, radians, sin, tau
from random import Random
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry import Polygon

from illusion.deck.drawing.card_face import CANVAS, CENTRE, Piece
from illusion.deck.drawing.curves import canvas_diagonal, catmull_rom, circle

Array = NDArray[np.float64]

MIN_PIECE_AREA: Final = 30000.0
MIN_LENGTH: Final = 1050.0
MIN_WATER_WIDTH: Final = 90.0
BACK: Final = np.array(
    catmull_rom([(-0.3, 0.06), (-0.18, 0.13), (0, 0.2), (0.2, 0.22), (0.38, 0.15), (0.47, 0.07), (0.5, 0.0)])
)
"""Half the thickness of a fish of length 1 along its spine, from the tail to the mouth."""
TAIL: Final = np.array(catmull_rom([(-0.3, 0.06), (-0.42, 0.12), (-0.5, 0.2), (-0.47, 0.09), (-0.45, 0)], 3))


def pieces(rng: Random, count: int) -> list[Piece]:
    tilt = radians(rng.choice([-1, 1]) * rng.uniform(4, 28))
    frame = np.array([[cos(tilt), sin(tilt)], [-sin(tilt), cos(tilt)]])
    heading = rng.choice([-1, 1])
    plump, gill = rng.uniform(0.85, 1.3), rng.uniform(0.16, 0.24)
    shoal = max(2, round(count / 13))
    templates = [_fish(stripes, gill) for stripes in range(1, 5)]
    figures, outlines = list[Polygon](), list[shapely.Geometry]()
    for u, v, length in _places(rng, shoal, frame):
        stripes = (1 if count < 20 else 2) + (length > 2 * MIN_LENGTH) + (length > 3.2 * MIN_LENGTH and count > 40)
        size = length * np.array([heading if rng.random() < 0.85 else -heading, plump])
        turn, bend = radians(rng.uniform(-12, 12)), rng.uniform(-0.22, 0.22)
        swim = np.array([[cos(turn), sin(turn)], [-sin(turn), cos(turn)]])
        parts = [
            [(((ring + ring[:, :1] ** 2 * (0, bend)) * size) @ swim + (u, v)) @ frame + CENTRE for ring in rings]
            for rings in templates[stripes - 1]
        ]
        outline = shapely.coverage_union_all([Polygon(rings[0].round(2)) for rings in parts])
        if not shapely.dwithin(outlines, outline, MIN_WATER_WIDTH).any():
            outlines.append(outline)
            figures += [Polygon(rings[0].round(2), rings[1:]) for rings in parts]

    water = _water(rng, count - 4 * shoal, frame)
    waves = shapely.difference([wave for wave, _ in water], shapely.multipolygons(outlines))
    seen, of_wave = shapely.get_parts(shapely.clip_by_rect(waves, *CANVAS.bounds), return_index=True)
    shown = shapely.get_parts(shapely.clip_by_rect(figures, *CANVAS.bounds))
    return [
        *(Piece(part, water[at][1]) for part, at in zip(seen, of_wave, strict=True) if part.area > MIN_PIECE_AREA),
        *(Piece(part, 1) for part in shown if part.area > MIN_PIECE_AREA),
    ]


def _places(rng: Random, count: int, frame: Array) -> list[tuple[float, float, float]]:
    """Places along and across the swimming direction, and lengths, by dart throwing; large fish first."""
    left, top, right, bottom = CANVAS.bounds
    longest = min(1.12 * (CANVAS.area / count) ** 0.5, 0.8 * (right - left))
    places: list[tuple[float, float, float]] = []
    for trial in range(40 * count):
        length = max(longest * (1 - 0.6 * trial / (40 * count)), MIN_LENGTH)
        margin = 0.34 * length
        x, y = rng.uniform(left + margin, right - margin), rng.uniform(top + margin / 2, bottom - margin / 2)
        u = (x - CENTRE[0]) * frame[0, 0] + (y - CENTRE[1]) * frame[0, 1]
        v = (x - CENTRE[0]) * frame[1, 0] + (y - CENTRE[1]) * frame[1, 1]
        if all(hypot(u - a, 1.6 * (v - b)) > 0.53 * (length + other) for a, b, other in places):
            places.append((float(u), float(v), length))
        if len(places) == count:
            break
    return places


def _fish(stripes: int, gill: float) -> list[list[Array]]:
    """The parts of a fish of length 1 that faces along the first axis: tail, stripes, and the head with an eye."""
    cuts = [-0.3, *np.linspace(-0.3, gill, stripes + 1)[1:]]
    parts = []
    crossing = [_crossing(cut) for cut in cuts]
    parts.append([np.concatenate([TAIL[:-1], TAIL[::-1] * (1, -1), crossing[0][1:-1]])])
    for at, (start, end) in enumerate(pairwise(cuts)):
        back = _back(start, end)
        parts.append([np.concatenate([back, crossing[at + 1][::-1][1:-1], (back * (1, -1))[::-1], crossing[at][1:-1]])])
    back = _back(cuts[-1], 0.5)
    eye = np.array(circle((0, 0), 1000))[::-1][::3] / 1000 * 0.028 + (0.385, -0.05)
    parts.append([np.concatenate([back, (back * (1, -1))[::-1][1:], crossing[-1][1:-1]]), eye])
    return parts


def _back(start: float, end: float) -> Array:
    inside = BACK[(BACK[:, 0] > start + 0.004) & (BACK[:, 0] < end - 0.004)]
    ends = [(at, float(np.interp(at, BACK[:, 0], BACK[:, 1]))) for at in (start, end)]
    return np.concatenate([ends[:1], inside[::2], ends[1:]])


def _crossing(at: float) -> Array:
    """A bow across the fish, from below to above."""
    half = float(np.interp(at, BACK[:, 0], BACK[:, 1]))
    across = np.linspace(-1, 1, 9)
    return np.column_stack([at + 0.35 * half * (1 - across**2), half * across])


def _water(rng: Random, count: int, frame: Array) -> list[tuple[Polygon, int]]:
    """Wavy bands cut into segments, each with its layer."""
    bands = max(4, round(1.5 * max(count, 4) ** 0.5))
    length, height = rng.uniform(2200, 4200), rng.uniform(0.16, 0.3)
    span = canvas_diagonal() / bands
    reach = canvas_diagonal() / 2
    steps = np.linspace(-reach, reach, round(2 * reach / length * 12))
    middle = -reach - span
    heights = []
    while middle < reach + 2 * span:
        heights.append(middle + height * span * np.sin(tau * steps / length + rng.uniform(0, 0.9)))
        middle += span * rng.uniform(0.7, 1.3)
    lines = np.stack([np.broadcast_to(steps, (len(heights), len(steps))), heights], axis=-1) @ frame + CENTRE
    left, top, right, bottom = CANVAS.bounds
    water = []
    for at, (upper, lower) in enumerate(pairwise(lines)):
        start = 0
        while start < len(steps) - 1:
            end = start + max(5, round(len(steps) * bands / max(count, 4) * rng.uniform(0.6, 1.1)))
            end = len(steps) - 1 if end > len(steps) - 5 else end
            around = np.concatenate([upper[start : end + 1], lower[start : end + 1][::-1]])
            (low_x, low_y), (high_x, high_y) = around.min(axis=0), around.max(axis=0)
            if low_x < right and low_y < bottom and high_x > left and high_y > top:
                water.append((Polygon(around), 2 * (at % 2)))
            start = end
    return water
