"""Confetti: squares, triangles, discs and bars scattered at all angles on a ground of large patches."""

from math import sqrt
from typing import Final

from illusion.deck.picture import CANVAS_AREA
from illusion.deck.plane.curves import Disc, Point, disc_outline, pack_discs
from illusion.deck.plane.exact import PI, TAU, Dice, power, turn
from illusion.deck.plane.ground import Figure, on_ground
from illusion.deck.plane.mosaic import Mosaic

MIN_GROUND_WIDTH: Final = 100.0
MIN_RADIUS: Final = 190.0
MIN_BAR_HALF_WIDTH: Final = 85.0
"""Half the width of a bar, at least."""
KINDS: Final = ("square", "triangle", "disc", "bar")


def pieces(dice: Dice, count: int) -> Mosaic:
    count = round(0.78 * count)
    grounds = 4 + count // 9
    wanted = max(8, count - grounds)
    size = sqrt(CANVAS_AREA / wanted)
    fade = power(dice.uniform(0.94, 0.98), 40 / wanted)
    spots = pack_discs(dice, wanted, size * dice.uniform(0.55, 0.8), MIN_RADIUS, MIN_GROUND_WIDTH, fade)
    weights = dice.uniforms(0.4, 2, len(KINDS))
    slim = dice.uniform(0.3, 0.42)
    figures = [Figure(*spot[:2], _outline(dice, _kind(dice, weights), spot, slim), spot[2]) for spot in spots]
    return on_ground(dice, figures, grounds)


def _kind(dice: Dice, weights: list[float]) -> str:
    at = dice.random() * (weights[0] + weights[1] + weights[2] + weights[3])
    for kind, weight in zip(KINDS, weights, strict=True):
        at -= weight
        if at < 0:
            return kind
    return KINDS[-1]


def _outline(dice: Dice, kind: str, spot: Disc, slim: float) -> list[Point]:
    """A figure that fits the disc; its edges are never level or upright."""
    x, y, radius = spot
    tilt = dice.below(12) * PI / 6 + dice.uniform(0.09, 0.43)
    if kind == "disc":
        return disc_outline((x, y, 0.82 * radius))
    if kind == "triangle":
        corners = [turn(tilt + corner * TAU / 3) for corner in range(3)]
        return [(x + radius * cosine, y + radius * sine) for cosine, sine in corners]
    cosine, sine = turn(tilt)
    half = max(MIN_BAR_HALF_WIDTH, radius * slim) if kind == "bar" else radius * 0.7
    long = sqrt(radius * radius - half * half) if kind == "bar" else half
    corners = [(long, half), (-long, half), (-long, -half), (long, -half)]
    return [(x + u * cosine - v * sine, y + u * sine + v * cosine) for u, v in corners]
