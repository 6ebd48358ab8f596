"""Scales: rows of overlapping fish scales with concentric arcs, growing from one side of the card to the other."""

from math import atan2, ceil, cos, exp, floor, log, pi, radians, sin
from random import Random
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry import Polygon

from illusion.deck.drawing.card_face import CANVAS, CENTRE, Piece
from illusion.deck.drawing.curves import arc, canvas_diagonal

Array = NDArray[np.float64]

MIN_PIECE_AREA: Final = 30000.0


def pieces(rng: Random, count: int) -> list[Piece]:
    rise = rng.uniform(0.52, 0.8)
    bands = rng.choice([2, 2, 3]) if count > 24 else 2
    radius = (CANVAS.area * bands / (1.45 * rise * count)) ** 0.5
    growth = rng.uniform(1.4, 2.6)
    template = _scale(
        rise, [1.0, rng.uniform(0.58, 0.68)] if bands == 2 else [1.0, rng.uniform(0.68, 0.74), 0.4], radius
    )
    striped = rng.random() < 0.5

    # Rows lie on rings around a pole outside the card. The log-polar map from the plane to the rings is conformal, so
    # scales stay nearly round.
    distance = canvas_diagonal() * 0.4 * (growth + 1) / (growth - 1)
    towards, sign = radians(rng.uniform(0, 360)), rng.choice([-1, 1])
    pole = CENTRE[0] - distance * cos(towards), CENTRE[1] - distance * sin(towards)
    pace = radius / distance
    half = canvas_diagonal() / 2
    low, high = log(max(distance - half, 300) / distance) / pace, log((distance + half) / distance) / pace
    side = min(atan2(half, max(distance - half, 1)), 1.5) / pace
    shift = rng.random()
    places, rows = list[tuple[float, float]](), list[int]()
    left, top, right, bottom = CANVAS.bounds
    for row in range(floor(low / rise) - 2, ceil(high / rise) + 3):
        for column in range(floor(-side / 2) - 1, ceil(side / 2) + 2):
            u, v = 2 * column + row % 2 + shift, row * rise
            reach = distance * exp(pace * v)
            x, y = pole[0] + reach * cos(towards + pace * u), pole[1] + reach * sin(towards + pace * u)
            near = 1.6 * reach * pace
            if left - near < x < right + near and top - near < y < bottom + near:
                places.append((u, v))
                rows.append(row)
    figures, layers = list[Polygon](), list[int]()
    for band, ring in template:
        u, v = (ring[None] * (1, sign) + np.array(places)[:, None]).transpose(2, 0, 1)
        reach, turn = distance * np.exp(pace * v), towards + pace * u
        points = np.stack([pole[0] + reach * np.cos(turn), pole[1] + reach * np.sin(turn)], axis=-1)
        figures += list(np.asarray(shapely.polygons(points.round(2))))
        layers += [(band + striped * row) % 2 for row in rows]
    seen, of_figure = shapely.get_parts(shapely.clip_by_rect(figures, *CANVAS.bounds), return_index=True)
    return [Piece(part, layers[at]) for part, at in zip(seen, of_figure, strict=True) if part.area > MIN_PIECE_AREA]


def _scale(rise: float, rims: list[float], radius: float) -> list[tuple[int, Array]]:
    """The visible parts of a scale of radius 1, not covered by the rows in front, as (number of the band, outline)."""
    in_front = [(-1, 1), (1, 1), (-2, 2), (0, 2), (2, 2), (-1, 3), (1, 3)]
    cover = shapely.union_all([_arch(u, v * rise, 1, radius) for u, v in in_front])
    arches = [_arch(0, 0, rim, radius) for rim in rims]
    bands = shapely.difference([*shapely.difference(arches[:-1], arches[1:]), arches[-1]], cover)
    parts, of_band = shapely.get_parts(bands, return_index=True)
    whole = shapely.area(parts) > 0.01
    around = np.array([(0, 0), (-2, 0), (2, 0), *in_front, *((-u, -v) for u, v in in_front)]) * (1, rise)
    corners = (shapely.get_coordinates(parts) + around[:, None]).reshape(-1, 2)
    corners = corners[np.abs(corners).max(axis=1) < 1.01]
    rings = [shapely.get_coordinates(part) for part in parts[whole]]
    return [(int(band), _fitted(ring, corners)) for band, ring in zip(of_band[whole], rings, strict=True)]


def _fitted(ring: Array, corners: Array) -> Array:
    """The ring with points added where corners of neighbours touch it, so that they still fit after the map."""
    edge, away = np.diff(ring, axis=0)[:, None], corners - ring[:-1, None]
    length = np.hypot(edge[..., 0], edge[..., 1])
    along = (edge * away).sum(axis=-1) / length**2
    beside = np.abs(edge[..., 0] * away[..., 1] - edge[..., 1] * away[..., 0]) / length
    edges, at = np.nonzero((along > 1e-6) & (along < 1 - 1e-6) & (beside < 1e-6))
    places = np.concatenate([np.arange(len(ring)), edges + along[edges, at]]).round(5)
    return np.concatenate([ring, corners[at]])[np.unique(places, return_index=True)[1]]


def _arch(x: float, y: float, size: float, radius: float) -> Polygon:
    """A half disc on a rectangle that reaches down to where the rows in front cover it."""
    bow = [(x + u / radius, y + v / radius) for u, v in arc((0, 0), size * radius, pi, 2 * pi)]
    return Polygon([*bow, (x + size, y + 3), (x - size, y + 3)])
