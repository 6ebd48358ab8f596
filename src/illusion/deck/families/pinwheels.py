"""Pinwheels: tilted tiles of uneven size, each divided into vanes that curve around its centre."""

from itertools import accumulate
from math import ceil, sqrt

import numpy as np

from illusion.deck.picture import CANVAS_AREA
from illusion.deck.plane.curves import CANVAS_DIAGONAL, MAX_SAG, near_canvas, point_inside, rotated, swollen
from illusion.deck.plane.exact import PI, Dice, cos_sin, turn
from illusion.deck.plane.mosaic import Mosaic, mosaic
from illusion.deck.plane.rings import Numbers


def pieces(dice: Dice, count: int) -> Mosaic:
    vanes = dice.choice([4, 8]) if count > 40 else 4
    side = 1.1 * sqrt(vanes * CANVAS_AREA / count)
    net = _net(dice, side)
    share = dice.uniform(0.35, 0.5)
    whirl = dice.sign() * (dice.uniform(1.3, 2.2) if vanes == 4 else dice.choice([0, dice.uniform(0.7, 1.2)]))
    opposed = vanes == 8 or dice.chance(0.5)
    bends = ceil(sqrt(abs(whirl) * side / (8 * MAX_SAG))) + 1

    corners = np.stack([net[:-1, :-1], net[:-1, 1:], net[1:, 1:], net[1:, :-1]], axis=2)
    rows, columns = np.indices(corners.shape[:2])
    corners, hands = corners.reshape(-1, 4, 2), (1.0 - 2.0 * ((rows + columns) % 2 * opposed)).ravel()
    seen = near_canvas(corners)
    corners, hands = corners[seen], hands[seen]
    centres = (corners[:, 0] + corners[:, 1] + corners[:, 2] + corners[:, 3]) / 4
    rim = corners if vanes == 4 else _rim(corners, np.where(hands > 0, share, 1 - share))
    spokes = _spokes(centres, rim, hands, whirl, bends)
    shapes = np.concatenate([spokes, np.roll(spokes, -1, axis=1)[:, :, ::-1]], axis=2)
    return mosaic(shapes.reshape(-1, shapes.shape[2], 2), [vane % 2 for _ in corners for vane in range(vanes)])


def _net(dice: Dice, side: float) -> Numbers:
    """The tiles' corners: uneven rows and columns, tilted, enlarged or shrunk around a point."""
    tiles = 2 * ceil((CANVAS_DIAGONAL / 2 + 400) / side) + 1
    lines = [np.array([0, *accumulate(dice.uniforms(0.85 * side, 1.2 * side, tiles))]) for _ in range(2)]
    x, y = np.meshgrid(*(line - line[-1] / 2 for line in lines))
    tilt = dice.choice([0, PI / 4]) + dice.uniform(0.06, PI / 4 - 0.06)
    return swollen(rotated(x, y, *turn(tilt)), point_inside(dice, 0.1), dice.choice([-0.3, 0.3, 0.6]), 1800)


def _rim(corners: Numbers, share: Numbers) -> Numbers:
    """Each tile's corners and, after each, a point on the side that follows.

    Two neighbours measure their common side from opposite ends, with shares that add up to 1.
    """
    sides = np.roll(corners, -1, axis=1) - corners
    return np.stack([corners, corners + share[:, None, None] * sides], axis=2).reshape(-1, 8, 2)


def _spokes(centres: Numbers, rim: Numbers, hands: Numbers, whirl: float, bends: int) -> Numbers:
    """Lines from each centre to the rim, bent more the nearer they are to the centre."""
    steps = np.arange(bends + 1) / bends if whirl else np.array([0.0, 1.0])
    cosines, sines = cos_sin(whirl * (1 - steps) * (1 - steps))
    sines = hands[:, None] * sines
    away = rim - centres[:, None]
    x, y = away[..., 0, None] * steps, away[..., 1, None] * steps
    bent = np.stack([x * cosines - y * sines[:, None], x * sines[:, None] + y * cosines], axis=-1)
    spokes: Numbers = centres[:, None, None] + bent
    spokes[:, :, -1] = rim
    spokes[:, :, 0] = centres[:, None]
    return spokes
