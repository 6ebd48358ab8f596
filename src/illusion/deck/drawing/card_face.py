"""The card's measures (`illusion.deck.card_face`), and the canvas and its pieces as GEOS knows them."""

from typing import Final, NamedTuple

import shapely
from shapely.geometry import Polygon

from illusion.deck.card_face import (
    BOTTOM,
    CENTRE,
    FRAME,
    GAP,
    HEIGHT,
    LEFT,
    MIN_WIDTH,
    RIGHT,
    TOP,
    WHITE_AREA,
    WIDTH,
)

__all__ = [
    "BOTTOM",
    "CANVAS",
    "CENTRE",
    "FRAME",
    "GAP",
    "HEIGHT",
    "LEFT",
    "MIN_WIDTH",
    "RIGHT",
    "TOP",
    "WHITE_AREA",
    "WIDTH",
    "Piece",
]

CANVAS: Final = shapely.box(LEFT - GAP / 2, TOP - GAP / 2, RIGHT + GAP / 2, BOTTOM + GAP / 2)
"""What a family divides into pieces: the white area and half a gap around it, so that colours touch the frame."""


class Piece(NamedTuple):
    """A part of the canvas that gets one colour or stays white.

    `layer` tells apart pieces that should look different, such as a figure (1) and its ground (0), or odd and even
    bands. A colour stays in one layer as long as it can.
    """

    polygon: Polygon
    layer: int = 0
