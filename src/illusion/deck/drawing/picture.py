"""A picture: for each colour the regions it covers, with exactly the area that the back says."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Final

import numpy as np
import shapely
from shapely.errors import GEOSException

from illusion.deck.drawing.area_fitting import AreaOutOfReach, fit_area
from illusion.deck.drawing.card_face import CANVAS, GAP, WHITE_AREA, Piece
from illusion.deck.drawing.colouring import CannotColour, colour_pieces
from illusion.deck.picture import Manner, Picture, Undrawable
from illusion.rules import Colour, Shares

Pieces = Callable[[Random, int], list[Piece]]
"""A family: divides the canvas into about the given number of pieces."""

MAX_ATTEMPTS: Final = 200
"""Cards of a deck need one or two, rarely five."""
GRID_STEPS_PER_UNIT: Final = 64
MIN_PIECES: Final = 12
MAX_PIECES: Final = 100


def draw(pieces: Pieces, shares: Shares, manners: Mapping[Colour, Manner], rng: Random) -> Picture:
    """Divide the canvas, colour the pieces, fit the areas; if a step fails, try again with fewer pieces.

    :raises Undrawable: if the shares leave too little white.
    """
    needs = {colour: shares[colour] / 100 * WHITE_AREA for colour in Colour if shares[colour]}
    count = _count(1 - sum(needs.values()) / WHITE_AREA) * rng.uniform(0.6, 1)
    for _ in range(MAX_ATTEMPTS):
        try:
            painted = colour_pieces(_on_grid(pieces(rng, max(MIN_PIECES, round(count)))), needs, manners, rng)
            return {colour: fit_area(regions, needs[colour]) for colour, regions in painted.items()}
        except (CannotColour, AreaOutOfReach, GEOSException):  # GEOS fails to join pieces of one card in 80,000
            count *= 0.85
    raise Undrawable(shares)


def _on_grid(pieces: list[Piece]) -> list[Piece]:
    """The pieces with their points rounded to a fine grid.

    The last digit of a sine differs between machines. Without rounding, it could change a picture.
    """
    shapes = np.array([piece.polygon for piece in pieces])
    rounded = np.round(shapely.get_coordinates(shapes) * GRID_STEPS_PER_UNIT) / GRID_STEPS_PER_UNIT
    shapes = shapely.set_coordinates(shapes, rounded)
    return [Piece(shape, piece.layer) for shape, piece in zip(shapes, pieces, strict=True)]


def _count(white: float) -> float:
    """The number of pieces whose gaps take most of the white (given as a part of the white area, 0 to 1).

    N compact pieces that cover an area A have borders of length 2 √(A N) in all, and each border is a gap wide.
    """
    pieces = (0.7 * white * CANVAS.area / (2 * GAP)) ** 2 / CANVAS.area
    return min(max(pieces, MIN_PIECES), MAX_PIECES)
