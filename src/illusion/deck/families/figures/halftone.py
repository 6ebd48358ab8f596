"""Halftone: dots on a tilted grid that swell and shrink across the card, on a ground in patches."""

from math import cos, hypot, radians, sin, tau
from random import Random
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray

from illusion.deck.drawing.card_face import CANVAS, CENTRE, Piece
from illusion.deck.drawing.curves import canvas_diagonal
from illusion.deck.drawing.scattering import disc_polygons

Grid = NDArray[np.float64]

MIN_RADIUS: Final = 110.0
MIN_GROUND_WIDTH: Final = 130.0
"""The ground between two dots is at least this wide."""


def pieces(rng: Random, count: int) -> list[Piece]:
    patches = 4 + count // 13
    step = (CANVAS.area / max(7, 0.85 * (count - patches))) ** 0.5
    nodes = _grid(rng, step)
    places = nodes.reshape(-1, 2)
    left, top, right, bottom = CANVAS.bounds
    inside = np.minimum(places - (left, top), (right, bottom) - places).min(axis=1)
    smallest, largest = max(MIN_RADIUS, 0.15 * step), 0.5 * step - max(MIN_GROUND_WIDTH / 2, 0.05 * step)
    radii = smallest + (largest - smallest) * _swell(rng, places)
    seen = inside > -0.35 * radii
    dots = disc_polygons([(x, y, radius) for (x, y), radius in zip(places[seen], radii[seen], strict=True)])

    ground = shapely.difference(_patches(rng, nodes, patches), shapely.multipolygons(dots))
    return [
        *(Piece(part) for part in shapely.get_parts(ground) if part.area > MIN_GROUND_WIDTH**2),
        *(Piece(dot, 1) for dot in np.asarray(shapely.clip_by_rect(dots, *CANVAS.bounds))),
    ]


def _grid(rng: Random, step: float) -> Grid:
    """The places of the dots, row by row: in columns, or with every other row shifted by half a step."""
    offset = rng.choice([0.0, 0.5])
    row = step * (0.93 if offset else 1.0)
    reach = int(canvas_diagonal() / 2 / row) + 2
    j, i = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    u, v = (i + offset * (j % 2) + rng.random()) * step * step / row, (j + rng.random()) * row
    tilt = radians(rng.choice([-1, 1]) * rng.uniform(8, 37))
    x, y = u * cos(tilt) - v * sin(tilt), u * sin(tilt) + v * cos(tilt)
    return np.stack([CENTRE[0] + x, CENTRE[1] + y], axis=-1)


def _swell(rng: Random, places: Grid) -> Grid:
    """The size of the dot at each place, 0 to 1: rings around a point, or bent waves across the card."""
    x, y = places[:, 0] - CENTRE[0] - rng.uniform(-1800, 1800), places[:, 1] - CENTRE[1] - rng.uniform(-2600, 2600)
    length, phase = rng.uniform(5000, 9000), rng.uniform(0, tau)
    if rng.random() < 0.5:
        wave = np.cos(phase + tau * np.hypot(x, y) / length)
    else:
        turn = rng.uniform(0, tau)
        u, v = x * cos(turn) + y * sin(turn), y * cos(turn) - x * sin(turn)
        wave = np.cos(phase + tau * u / length + 0.9 * np.sin(tau * v / rng.uniform(6000, 9000)))
    return np.asarray((0.5 + 0.5 * wave) ** 0.75)


def _patches(rng: Random, nodes: Grid, count: int) -> list[shapely.Geometry]:
    """The cells of the grid, each joined to the nearest of `count` points, so that borders run from dot to dot."""
    corners = np.stack([nodes[:-1, :-1], nodes[:-1, 1:], nodes[1:, 1:], nodes[1:, :-1]], axis=2).reshape(-1, 4, 2)
    near = hypot(*(corners[0, 0] - corners[0, 2]))
    left, top, right, bottom = CANVAS.bounds
    middles = corners.mean(axis=1)
    kept = np.minimum(middles - (left, top), (right, bottom) - middles).min(axis=1) > -near
    cells = np.asarray(shapely.polygons(corners[kept]))
    seeds = np.array([(rng.uniform(left, right), rng.uniform(top, bottom)) for _ in range(count)])
    away = middles[kept][:, None] - seeds
    nearest = np.argmin(np.hypot(away[..., 0], away[..., 1]), axis=1)
    joined = [shapely.coverage_union_all(cells[nearest == seed]) for seed in range(count)]
    return list(shapely.get_parts(shapely.clip_by_rect(joined, *CANVAS.bounds)))
