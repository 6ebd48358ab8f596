"""A picture: for each colour the regions it covers, exact to the share printed on the back."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.errors import GEOSException

from illusion.deck.drawing.area_fitting import AreaOutOfReach, fit_area
from illusion.deck.drawing.card_face import CANVAS, GAP, WHITE_AREA, Piece
from illusion.deck.drawing.colouring import CannotColour, Manner, colour_pieces
from illusion.rules import Colour, Shares

Pieces = Callable[[Random, int], list[Piece]]
"""A family: a way to divide the canvas into about so many pieces."""

Ring = NDArray[np.int64]
Region = list[Ring]
"""An outline and its holes."""
Picture = dict[Colour, list[Region]]

ATTEMPTS: Final = 200
"""Cards of a deck need one or two, rarely five."""
GRID: Final = 64
FEWEST: Final = 12
MOST: Final = 100


class Undrawable(ValueError):
    """Shares that leave too little white for a picture."""


def draw(pieces: Pieces, shares: Shares, manners: Mapping[Colour, Manner], rng: Random) -> Picture:
    """Divide, paint and settle; where the pieces do not come out even, try again with fewer of them."""
    needs = {colour: shares[colour] / 100 * WHITE_AREA for colour in Colour if shares[colour]}
    count = _count(1 - sum(needs.values()) / WHITE_AREA) * rng.uniform(0.6, 1)
    for _ in range(ATTEMPTS):
        try:
            painted = colour_pieces(_on_grid(pieces(rng, max(FEWEST, round(count)))), needs, manners, rng)
            return {colour: fit_area(regions, needs[colour]) for colour, regions in painted.items()}
        except (CannotColour, AreaOutOfReach, GEOSException):  # GEOS cannot join one card's pieces in 80,000
            count *= 0.85
    raise Undrawable(shares)


def _on_grid(pieces: list[Piece]) -> list[Piece]:
    """The pieces with their points on a fine grid.

    Machines differ in the last digit of a sine; without this, such a digit could change a picture.
    """
    shapes = np.array([piece.polygon for piece in pieces])
    shapes = shapely.set_coordinates(shapes, np.round(shapely.get_coordinates(shapes) * GRID) / GRID)
    return [Piece(shape, piece.layer) for shape, piece in zip(shapes, pieces, strict=True)]


def _count(white: float) -> float:
    """How many pieces leave room for the gaps between them, if gaps take most of the white.

    N compact pieces of an area A have borders of about 2 √(A N), each a gap wide.
    """
    pieces = (0.7 * white * CANVAS.area / (2 * GAP)) ** 2 / CANVAS.area
    return min(max(pieces, FEWEST), MOST)
