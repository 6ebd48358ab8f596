"""What can be measured on a picture: all that eyes have to go by. The numbers on the card's back are not here."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import log, pi, sqrt

import shapely

from illusion.deck import Card
from illusion.deck.drawing.card_face import WHITE_AREA
from illusion.deck.drawing.picture import Picture, Region
from illusion.rules import Colour


@dataclass(frozen=True, slots=True)
class Patch:
    """One colour of a picture."""

    share: float
    """The part of the white area that its regions cover, in percent."""
    broken: float
    """ln of how many times longer its outline is than that of one disc of the same area: 0 for a disc, 0.35 for two
    discs, 1.2 for a colour of an ordinary card, above 2 for dust."""


@dataclass(frozen=True, slots=True)
class Sight:
    """A picture as it lies on the table."""

    family: str
    patches: Mapping[Colour, Patch]


@lru_cache(maxsize=20_000)
def sight_of(card: Card) -> Sight:
    """Measured on the card's picture, with nothing taken from its back."""
    return sight(card.family, card.picture)


def sight(family: str, picture: Picture) -> Sight:
    return Sight(family, {colour: _patch(picture.get(colour, [])) for colour in Colour})


def _patch(regions: list[Region]) -> Patch:
    shapes = [shapely.Polygon(outline, holes) for outline, *holes in regions]
    area = float(shapely.area(shapes).sum())
    if not area:
        return Patch(0.0, 0.0)
    return Patch(100 * area / WHITE_AREA, log(float(shapely.length(shapes).sum()) / (2 * sqrt(pi * area))))
