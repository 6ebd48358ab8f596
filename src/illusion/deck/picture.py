"""What a picture is, and a card's measures: poker size, with a grey frame around the white area that counts (R1.3).

In all of the deck, lengths are in hundredths of a millimetre and areas in the squares of that, unless a name says
otherwise; x runs to the right and y downward. Angles are in radians.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from illusion.rules import Colour

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

HALF_GAP: Final = 22
CANVAS_LEFT, CANVAS_TOP, CANVAS_RIGHT, CANVAS_BOTTOM = (
    LEFT - HALF_GAP,
    TOP - HALF_GAP,
    RIGHT + HALF_GAP,
    BOTTOM + HALF_GAP,
)
"""What a family divides into pieces: the white area and half a gap around it, so that colours touch the frame."""
CANVAS_AREA: Final = (CANVAS_RIGHT - CANVAS_LEFT) * (CANVAS_BOTTOM - CANVAS_TOP)


Ring = NDArray[np.int64]
Region = list[Ring]
"""An outline and its holes, which run the other way round."""
Picture = dict[Colour, list[Region]]


class Manner(NamedTuple):
    """How a colour is spread: as dust or as a block; around the centre or along the rim."""

    dust: bool
    central: bool


class Undrawable(ValueError):
    """These shares leave too little white for a picture."""
