"""What eyes can measure on a picture. The numbers on the card's back are not part of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import log, pi, sqrt
from typing import NamedTuple

import numpy as np

from illusion.deck import Card
from illusion.deck.card_face import WHITE_AREA
from illusion.deck.picture import Picture
from illusion.rules import Colour


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
    return sight_in(card.picture, card.family)


def sight_in(picture: Picture, family: str) -> Sight:
    """Measured on a picture of a family that is at hand."""
    return Sight(family, _patches(picture))


def _patches(picture: Picture) -> dict[Colour, Patch]:
    """Areas by the shoelace formula, in whole numbers; a hole's ring runs the other way round and counts negative."""
    rings = [ring for regions in picture.values() for region in regions for ring in region]
    ends = np.array([len(ring) for ring in rings]).cumsum()
    x, y = np.concatenate(rings).T
    after = np.arange(1, len(x) + 1)
    after[ends - 1] = [0, *ends[:-1].tolist()]
    far_x, far_y = x[after], y[after]
    turned, lengths = x * far_y - y * far_x, np.hypot(far_x - x, far_y - y)
    patches = dict.fromkeys(Colour, Patch(0.0, 0.0))
    start = number = 0
    for colour, regions in picture.items():
        number += sum(map(len, regions))
        end = int(ends[number - 1])
        area, length = int(turned[start:end].sum()) / 2, float(lengths[start:end].sum())
        patches[colour] = Patch(100 * area / WHITE_AREA, log(length / (2 * sqrt(pi * area))))
        start = end
    return patches
