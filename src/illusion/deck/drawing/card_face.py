"""The measures of a card: poker size, with a grey frame around the white area that counts (R1.3).

In all of the deck, lengths are in hundredths of a millimetre and areas in the squares of that, unless a name says
otherwise; x runs to the right and y downward. Angles are in radians.
"""

from typing import Final, NamedTuple

import shapely
from shapely.geometry import Polygon

WIDTH: Final = 6300
HEIGHT: Final = 8800
FRAME: Final = 315
LEFT, TOP, RIGHT, BOTTOM = FRAME, FRAME, WIDTH - FRAME, HEIGHT - FRAME
WHITE_AREA: Final = (RIGHT - LEFT) * (BOTTOM - TOP)
CENTRE: Final = (WIDTH / 2, HEIGHT / 2)

MIN_WIDTH: Final = 0.006 * WIDTH
"""No region, and no white line between two regions, is narrower than this."""
GAP: Final = 44.0
"""The width of the white line between neighbours before areas are fitted, which moves its sides a little."""

CANVAS: Final = shapely.box(LEFT - GAP / 2, TOP - GAP / 2, RIGHT + GAP / 2, BOTTOM + GAP / 2)
"""What a family divides into pieces: the white area and half a gap around it, so that colours touch the frame."""


class Piece(NamedTuple):
    """A part of the canvas that gets one colour or stays white.

    `layer` tells apart pieces that should look different, such as a figure (1) and its ground (0), or odd and even
    bands. A colour stays in one layer as long as it can.
    """

    polygon: Polygon
    layer: int = 0
