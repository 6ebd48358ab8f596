"""Scattering figures over the canvas, for the families."""

from collections.abc import Sequence
from random import Random

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry import MultiPoint, Polygon

from illusion.deck.drawing.card_face import CANVAS
from illusion.deck.drawing.curves import Point, circle

Disc = tuple[float, float, float]
"""x, y and radius."""


def pack_discs(rng: Random, count: int, largest: float, smallest: float, apart: float, fade: float) -> list[Disc]:
    """Greedy circle packing: up to `count` discs that keep a distance of `apart`, largest first.

    Of some hundred random centres, the one with the most room is taken each time. The largest radius allowed shrinks
    by the factor `fade` from each disc to the next.
    """
    left, top, right, bottom = CANVAS.bounds
    spots = np.array([(rng.uniform(left, right), rng.uniform(top, bottom)) for _ in range(250 + 4 * count)])
    x, y = spots.T
    edge = np.minimum(np.minimum(x - left, right - x), np.minimum(y - top, bottom - y))
    room = np.full(len(spots), np.inf)
    discs: list[Disc] = []
    while len(discs) < count:
        radius = np.minimum(room, largest)
        radius = np.where((radius > 1.5 * edge) | (radius < edge - apart), radius, edge - apart)
        at = int(np.argmax(radius))
        if radius[at] < smallest:
            break
        discs.append((float(x[at]), float(y[at]), float(radius[at])))
        room = np.minimum(room, np.hypot(x - x[at], y - y[at]) - radius[at] - apart)
        largest = max(largest * fade, 2 * smallest)
    return discs


def delaunay_cells(rng: Random, centres: Sequence[Point], count: int) -> list[Polygon]:
    """The canvas in about `count` cells whose borders run from centre to centre.

    Made of the triangles of a Delaunay triangulation, each joined to the nearest of `count` random points. Figures cut
    out around the centres leave no narrow ground.
    """
    left, top, right, bottom = CANVAS.bounds
    beyond = 900.0
    heights = np.linspace(top - beyond, bottom + beyond, 5).tolist()
    around = [(x, y) for x in (left - beyond, right + beyond) for y in heights]
    around += [(x, y) for x in (left + right / 4, right * 3 / 4) for y in (top - beyond, bottom + beyond)]
    triangles = shapely.get_parts(shapely.delaunay_triangles(MultiPoint([*centres, *around])))
    middles = shapely.get_coordinates(shapely.centroid(triangles))
    seeds = np.array([(rng.uniform(left, right), rng.uniform(top, bottom)) for _ in range(count)])
    nearest = np.argmin(np.hypot(*(middles[:, None] - seeds[None]).transpose(2, 0, 1)), axis=1)
    cells = [shapely.coverage_union_all(triangles[nearest == seed]) for seed in range(count)]
    return [part for cell in shapely.clip_by_rect(cells, *CANVAS.bounds) for part in shapely.get_parts(cell)]


def disc_polygons(discs: Sequence[Disc]) -> NDArray[np.object_]:
    """The discs as polygons."""
    rings = [circle((x, y), radius) for x, y, radius in discs]
    points = np.array([point for ring in rings for point in ring])
    of_ring = np.repeat(np.arange(len(rings)), [len(ring) for ring in rings])
    return np.asarray(shapely.polygons(shapely.linearrings(points, indices=of_ring)))
