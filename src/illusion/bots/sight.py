"""What eyes can measure on a picture. The numbers on the card's back are not part of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import log, pi, sqrt
from typing import Final, NamedTuple

import shapely

from illusion.deck import Card
from illusion.deck.drawing.card_face import WHITE_AREA
from illusion.deck.drawing.picture import Picture, Region
from illusion.deck.picture_cache import PictureCache
from illusion.rules import Colour

SIGHTS_KEPT: Final = 20_000


class Patch(NamedTuple):
    """One colour of a picture."""

    share: float
    """The part of the white area that its regions cover, in percent."""
    broken: float
    """How fragmented the colour is: ln(length of its outline / circumference of a disc of the same area). 0 for a disc,
    0.35 for two equal discs, 1.2 for a colour of an ordinary card, above 2 for dust."""


@dataclass(frozen=True, slots=True)
class Sight:
    """A picture: the family of its pattern and a patch for each colour."""

    family: str
    patches: Mapping[Colour, Patch]


def sight_of(card: Card) -> Sight:
    """Measured on the card's picture, with nothing taken from its back."""
    return _SIGHTS.get(card)


def remember_sight(card: Card, sight: Sight) -> None:
    """What another process has measured on the same picture."""
    _SIGHTS.put(card, sight)


def _measured(card: Card) -> Sight:
    return Sight(card.family, _patches(card.picture))


_SIGHTS: Final = PictureCache(_measured, SIGHTS_KEPT)


def _patches(picture: Picture) -> dict[Colour, Patch]:
    return {colour: _patch(picture.get(colour, [])) for colour in Colour}


def _patch(regions: list[Region]) -> Patch:
    shapes = [shapely.Polygon(outline, holes) for outline, *holes in regions]
    area = float(shapely.area(shapes).sum())
    if not area:
        return Patch(0.0, 0.0)
    return Patch(100 * area / WHITE_AREA, log(float(shapely.length(shapes).sum()) / (2 * sqrt(pi * area))))
