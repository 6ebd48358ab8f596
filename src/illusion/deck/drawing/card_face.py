"""The card's face, in hundredths of a millimetre: poker size, a grey frame around the white area that counts (R1.3)."""

from typing import Final, NamedTuple

import shapely
from shapely.geometry import Polygon

WIDTH: Final = 6300
HEIGHT: Final = 8800
FRAME: Final = 315
LEFT, TOP, RIGHT, BOTTOM = FRAME, FRAME, WIDTH - FRAME, HEIGHT - FRAME
WHITE_AREA: Final = (RIGHT - LEFT) * (BOTTOM - TOP)
CENTRE: Final = (WIDTH / 2, HEIGHT / 2)

THINNEST: Final = 0.006 * WIDTH
"""Nothing on a card is narrower than this, be it colour or the white between two colours."""
GAP: Final = 44.0
"""The white line between neighbours as it is first drawn; exactness moves each side of it a little."""

CANVAS: Final = shapely.box(LEFT - GAP / 2, TOP - GAP / 2, RIGHT + GAP / 2, BOTTOM + GAP / 2)
"""What a family divides into pieces: the white area and half a gap around it, so that colours reach the frame."""


class Piece(NamedTuple):
    """A part of the canvas that takes one colour or stays white.

    `layer` tells pieces apart that should look different, such as a figure (1) from its ground (0) or the odd bands
    from the even ones: a colour keeps to one layer as long as it can.
    """

    polygon: Polygon
    layer: int = 0
