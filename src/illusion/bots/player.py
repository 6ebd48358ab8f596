"""A simple player: it looks at each picture once, places where the card seems to belong, and doubts a clear fall.

It knows the public view and the pictures in it, nothing else: shares are measured on the picture's regions, with an
error that is the bot's own and the same whenever it looks again.
"""

from collections.abc import Callable
from itertools import pairwise
from math import exp, log
from random import Random

import shapely

from illusion.bots.levels import Level
from illusion.deck.picture import Picture
from illusion.rules import CardId, Colour, Doubt, Move, Place, View

Look = Callable[[CardId], Picture]
"""Shows the picture of a card that lies on the table."""


def choose(view: View, look: Look, level: Level, eyes: str) -> Move:
    """The move of the player at turn; `eyes` names the bot, so that it sees a card the same whenever it looks."""
    assert view.arrow is not None
    colour = view.arrow
    row = [_seen(look(card), colour, level, f"{eyes} {card}") for card in view.row]
    steepest = max((log(left / right) for left, right in pairwise(row)), default=0.0)
    if len(row) > 1 and (view.next_card is None or steepest > level.doubts_at * level.blur):
        return Doubt()
    assert view.next_card is not None
    card = _seen(look(view.next_card), colour, level, f"{eyes} {view.next_card}")
    return Place(min(range(len(row) + 1), key=lambda gap: _trouble(row, gap, card)))


def _trouble(row: list[float], gap: int, card: float) -> float:
    """How far the card is out of place in a gap: the falls it makes with all cards left and right of it."""
    return sum(max(0.0, log(left / card)) for left in row[:gap]) + sum(
        max(0.0, log(card / right)) for right in row[gap:]
    )


def _seen(picture: Picture, colour: Colour, level: Level, glance: str) -> float:
    regions = picture.get(colour, [])
    area = float(sum(shapely.Polygon(outline, holes).area for outline, *holes in regions))
    return max(area, 1.0) * exp(Random(f"{glance} {colour}").gauss(0, level.blur))
