"""Halftone: dots on a tilted grid that swell and shrink across the card, on a ground in patches."""

from math import sqrt
from typing import Final

import numpy as np

from illusion.deck.picture import CANVAS_AREA, CENTRE
from illusion.deck.plane.curves import CANVAS_DIAGONAL, disc_outline, inside, rotated
from illusion.deck.plane.exact import TAU, Dice, cos_sin, turn
from illusion.deck.plane.ground import Corners, Figure, Mesh, Rim, nearest, patched
from illusion.deck.plane.mosaic import Mosaic, mosaic_with_holes
from illusion.deck.plane.rings import Numbers

MIN_RADIUS: Final = 110.0
MIN_GROUND_WIDTH: Final = 130.0
"""The ground between two dots is at least this wide."""
MIN_FRAME_GROUND: Final = 95.0
FRAME_OVERLAP: Final = 60.0
"""The least distance by which a dot that reaches the frame goes beyond it."""


def pieces(dice: Dice, count: int) -> Mosaic:
    count = round(0.78 * count)
    patches = 4 + count // 13
    step = sqrt(CANVAS_AREA / max(7, 0.85 * (count - patches)))
    nodes = _grid(dice, step)
    places = nodes.reshape(-1, 2)
    far_in = inside(*places.T)
    smallest, largest = max(MIN_RADIUS, 0.15 * step), 0.5 * step - max(MIN_GROUND_WIDTH / 2, 0.05 * step)
    radii = smallest + (largest - smallest) * _swell(dice, places)
    rims = {}
    points = [(x, y) for x, y in places.tolist()]
    for at in np.flatnonzero(far_in > -0.35 * radii).tolist():
        radius = _clear_of_frame(float(radii[at]), float(far_in[at]), largest)
        if radius:
            x, y = points[at]
            rims[at] = Rim(Figure(x, y, disc_outline((x, y, radius)), radius))
    corners, patch = _cells(dice, nodes, patches, step)
    grounds = patched(rims, points, Mesh(corners), patch)
    dots = [[rim.outline()] for rim in rims.values()]
    return mosaic_with_holes([*grounds, *dots], [0] * len(grounds) + [1] * len(dots))


def _clear_of_frame(radius: float, far_in: float, largest: float) -> float:
    """A radius at which a dot whose centre is this far inside leaves no narrow ground between it and the frame."""
    if radius > far_in + FRAME_OVERLAP or radius < far_in - MIN_FRAME_GROUND:
        return radius
    if far_in - MIN_FRAME_GROUND > 0.8 * MIN_RADIUS:
        return far_in - MIN_FRAME_GROUND
    return far_in + FRAME_OVERLAP if far_in + FRAME_OVERLAP < largest else 0.0


def _grid(dice: Dice, step: float) -> Numbers:
    """The places of the dots, row by row: in columns, or with every other row shifted by half a step."""
    offset = dice.choice([0.0, 0.5])
    row = step * (0.93 if offset else 1.0)
    reach = int(CANVAS_DIAGONAL / 2 / row) + 2
    j, i = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    u, v = (i + offset * (j % 2) + dice.random()) * step * step / row, (j + dice.random()) * row
    return rotated(u, v, *turn(dice.sign() * dice.uniform(0.14, 0.645)))


def _swell(dice: Dice, places: Numbers) -> Numbers:
    """The size of the dot at each place, 0 to 1: rings around a point, or bent waves across the card."""
    x = places[:, 0] - CENTRE[0] - dice.uniform(-1800, 1800)
    y = places[:, 1] - CENTRE[1] - dice.uniform(-2600, 2600)
    pace, phase = TAU / dice.uniform(5000, 9000), dice.uniform(0, TAU)
    if dice.chance(0.5):
        wave, _ = cos_sin(phase + pace * np.sqrt(x * x + y * y))
    else:
        cosine, sine = turn(dice.uniform(0, TAU))
        bend = cos_sin((y * cosine - x * sine) * (TAU / dice.uniform(6000, 9000)))[1]
        wave, _ = cos_sin(phase + pace * (x * cosine + y * sine) + 0.9 * bend)
    root = np.sqrt(np.maximum(0.5 + 0.5 * wave, 0))
    swell: Numbers = root * np.sqrt(root)
    return swell


def _cells(dice: Dice, nodes: Numbers, count: int, step: float) -> tuple[list[Corners], list[int]]:
    """The grid's cells as two triangles each, and for each triangle the nearest of `count` points to its cell."""
    middles = (nodes[:-1, :-1] + nodes[:-1, 1:] + nodes[1:, 1:] + nodes[1:, :-1]) / 4
    kept = inside(middles[..., 0], middles[..., 1]) > -1.5 * step
    number = np.arange(nodes.shape[0] * nodes.shape[1]).reshape(nodes.shape[:2])
    a, b, c, d = number[:-1, :-1][kept], number[:-1, 1:][kept], number[1:, 1:][kept], number[1:, :-1][kept]
    patch = nearest(dice, middles[kept], count)
    corners = np.stack([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)], axis=1).reshape(-1, 3)
    return [(a, b, c) for a, b, c in corners.tolist()], np.repeat(patch, 2).tolist()
