"""Scattering figures over the canvas, for the families."""

from functools import cache

import numpy as np

from illusion.deck.card_face import CANVAS_BOTTOM, CANVAS_LEFT, CANVAS_RIGHT, CANVAS_TOP
from illusion.deck.families.shapes.curves import Point, chords
from illusion.deck.plane.exact import TAU, Dice, turn

Disc = tuple[float, float, float]
"""x, y and radius."""


def pack_discs(dice: Dice, count: int, largest: float, smallest: float, apart: float, fade: float) -> list[Disc]:
    """Greedy circle packing: up to `count` discs that keep a distance of `apart`, largest first.

    Of some hundred random centres, the one with the most room is taken each time. The largest radius allowed shrinks
    by the factor `fade` from each disc to the next.
    """
    spots = 250 + 4 * count
    x = np.array(dice.uniforms(CANVAS_LEFT, CANVAS_RIGHT, spots))
    y = np.array(dice.uniforms(CANVAS_TOP, CANVAS_BOTTOM, spots))
    edge = np.minimum(np.minimum(x - CANVAS_LEFT, CANVAS_RIGHT - x), np.minimum(y - CANVAS_TOP, CANVAS_BOTTOM - y))
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
        if len(discs) % 8 == 0:  # where there is no room any more, nothing is looked for
            left = (room >= smallest).nonzero()[0]
            if not len(left):
                break
            x, y, beyond, within, room = x[left], y[left], beyond[left], within[left], room[left]
        largest = max(largest * fade, 2 * smallest)
    return discs


def disc_outline(disc: Disc) -> list[Point]:
    """Points around a disc."""
    x, y, radius = disc
    return [(x + radius * cosine, y + radius * sine) for cosine, sine in _unit_circle(max(8, chords(TAU, radius)))]


@cache
def _unit_circle(steps: int) -> list[Point]:
    return [turn((step + 0.5) * TAU / steps) for step in range(steps)]
