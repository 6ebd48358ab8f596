"""Circle packing: discs of very different sizes, packed closely on a ground of a few patches."""

from math import sqrt
from typing import Final

from illusion.deck.picture import CANVAS_AREA
from illusion.deck.plane.curves import disc_outline, pack_discs
from illusion.deck.plane.exact import Dice, power
from illusion.deck.plane.ground import Figure, on_ground
from illusion.deck.plane.mosaic import Mosaic

MIN_GROUND_WIDTH: Final = 140.0
"""The ground between two discs is at least this wide."""
MIN_RADIUS: Final = 130.0


def pieces(dice: Dice, count: int) -> Mosaic:
    count = round(0.8 * count)
    grounds = 3 + count // 12
    wanted = max(8, count - grounds)
    size = sqrt(CANVAS_AREA / wanted)
    fade = power(dice.uniform(0.95, 0.98), 40 / wanted)
    apart = max(MIN_GROUND_WIDTH, size * 0.13)
    discs = pack_discs(dice, wanted, size * dice.uniform(0.75, 1.2), MIN_RADIUS, apart, fade)
    figures = [Figure(disc[0], disc[1], disc_outline(disc), disc[2]) for disc in discs]
    return on_ground(dice, figures, grounds)
