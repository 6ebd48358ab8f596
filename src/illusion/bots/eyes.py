"""Eyes: measurements of a picture, and a model of how much of a colour people see in it. Card backs are never used.

The model, with what is known about people:

- Only the order within one colour matters, so a bias that is the same for all cards cancels out. Mistakes come from
  noise, and from bias that depends on the pattern.
- Noise is proportional: ln seen = ln true + bias + N(0, w). Comparing plain discs, people reach a w of 0.10 to 0.19
  (Solomon, Morgan & Chubb 2011); the total area of many pieces is judged clearly worse (Raidvee, Toom, Averin & Allik
  2020). So `w` is the noise for one disc, and it grows with the length of the colour's outline (`FRAGMENTS`).
- People add the sides of a shape rather than multiply them (Yousif & Keil 2019): a colour in many or long pieces looks
  like more (`SWAY`).
- Everybody has a taste of their own: a small fixed bias for each family of patterns (`TASTE`).
- Only when naming a percentage: saturated red looks larger than green (Cleveland & McGill 1983), small shares are
  overestimated and large ones underestimated (Hollands & Dyre 2000). Neither changes the order within a colour.

The sizes of FRAGMENTS, SWAY and TASTE are assumed, not measured on people; they are arguments and can be changed.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import exp, hypot, log, pi, sqrt
from random import Random
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from illusion.deck import Card
from illusion.deck.picture import WHITE_AREA, Picture
from illusion.deck.plane.rings import RingLayout
from illusion.rules import CardId, Colour, View


class Patch(NamedTuple):
    """The measurements of one colour of a picture."""

    share: float
    """The area of its regions, in percent of the white area."""
    broken: float
    """How fragmented the colour is: ln(length of its outline / circumference of a disc of the same area). 0 for a disc,
    0.35 for two equal discs, 1.2 for a colour of an ordinary card, above 2 for dust."""


@dataclass(frozen=True, slots=True)
class Sight:
    """The measurements of a picture: the family of its pattern and a patch for each colour."""

    family: str
    patches: Mapping[Colour, Patch]


def sight_of(card: Card) -> Sight:
    """Measure a card's picture."""
    return sight_in(card.picture, card.family)


def sight_in(picture: Picture, family: str) -> Sight:
    """Measure a picture."""
    return Sight(family, _patches(picture))


def _patches(picture: Picture) -> dict[Colour, Patch]:
    """Areas by the shoelace formula, in whole numbers; a hole's ring runs the other way round and counts negative."""
    patches = dict.fromkeys(Colour, Patch(0.0, 0.0))
    for colour, regions in picture.items():
        rings = [ring for region in regions for ring in region]
        x, y = np.concatenate(rings).T
        after = RingLayout(np.array([len(ring) for ring in rings])).after
        dx, dy = x[after] - x, y[after] - y
        area, length = int((x * dy - y * dx).sum()) / 2, float(np.hypot(dx, dy).sum())
        patches[colour] = Patch(100 * area / WHITE_AREA, log(length / (2 * sqrt(pi * area))))
    return patches


FRAGMENTS: Final = 0.5
SWAY: Final = 1.0
TASTE: Final = 0.4
ORDINARY_BROKEN: Final = 1.24
"""`Patch.broken` of an ordinary card: the mean over decks."""
LEAST_SHARE_PERCENT: Final = 0.25
"""Smaller shares count as this, so that they have a logarithm."""

_SAID_POWER: Final = 0.85
_LOOKS_LARGER: Final = {Colour.RED: 1.04, Colour.YELLOW: 1.0, Colour.GREEN: 0.96, Colour.BLUE: 1.0}


class Impression(NamedTuple):
    """What somebody saw of a colour: ln of the share in percent, and the standard deviation that they assume for it."""

    seen: float
    spread: float

    @classmethod
    def rounded(cls, seen: float, spread: float) -> "Impression":
        """Rounded, finer than any eye, so that minds can cache by impression."""
        return cls(round(seen, 2), _rounded_spread(spread))


class Eyes(NamedTuple):
    """`w` is the noise of ln(seen / true) for one disc; the others are the effects of patterns, in units of w."""

    w: float
    fragments: float = FRAGMENTS
    sway: float = SWAY
    taste: float = TASTE

    def see(self, sight: Sight, colour: Colour, who: str, noise: float) -> Impression:
        """The impression that `who` gets of a colour; `noise` is standard normal."""
        mean, deviation, spread = self.perception(sight, colour, who)
        return Impression(round(mean + deviation * noise, 2), spread)

    def perception(self, sight: Sight, colour: Colour, who: str) -> tuple[float, float, float]:
        """Mean and standard deviation of what `who` sees of a colour, and the deviation that they assume."""
        return _perception(self, who, sight.family, sight.patches[colour])


def repeatable_noise(sitting: str, card: CardId, colour: Colour) -> float:
    """Standard normal noise, a function of the sitting (one player in one game), the card and the colour."""
    return Random(f"{sitting} {card} {colour}").gauss(0, 1)


def named_percentage(seen: float, colour: Colour) -> int:
    """The percentage that somebody would name for what they saw."""
    part = min(exp(seen) / 100, 0.99)
    odds: float = (part / (1 - part)) ** _SAID_POWER * _LOOKS_LARGER[colour]
    return max(1, round(100 * odds / (1 + odds)))


@lru_cache(maxsize=50_000)
def _perception(eyes: Eyes, who: str, family: str, patch: Patch) -> tuple[float, float, float]:
    """As `Eyes.perception`; cached for simulations."""
    deviation = eyes.w * (1 + eyes.fragments * patch.broken)
    bias = eyes.w * (eyes.sway * (patch.broken - ORDINARY_BROKEN) + eyes.taste * _liking(who, family))
    patterns = eyes.w * hypot(0.35 * eyes.sway, eyes.taste)  # players know that patterns fool them
    return (
        log(max(patch.share, LEAST_SHARE_PERCENT)) + bias,
        deviation,
        _rounded_spread(hypot(deviation, patterns)),
    )


def _rounded_spread(spread: float) -> float:
    return round(2 * spread, 2) / 2


@lru_cache(maxsize=10_000)
def _liking(who: str, family: str) -> float:
    return Random(f"{who} looks at {family}").gauss(0, 1)


Look: TypeAlias = Callable[[CardId], Sight]
"""Measures the picture of a card that lies on the table."""
Noise: TypeAlias = Callable[[CardId, Colour], float]
"""Standard normal noise for a card and a colour. An observer calls it once for each."""


class Observer:
    """Looks at each card once per colour and remembers what it saw. `who` determines its taste in patterns."""

    def __init__(self, eyes: Eyes, who: str, noise: Noise) -> None:
        self._eyes, self._who, self._noise = eyes, who, noise
        self._seen: dict[Colour, dict[CardId, Impression]] = {colour: {} for colour in Colour}

    def see(self, card: CardId, colour: Colour, look: Look) -> Impression:
        seen = self._seen[colour]
        if card not in seen:
            seen[card] = self._eyes.see(look(card), colour, self._who, self._noise(card, colour))
        return seen[card]

    def survey(self, view: View, look: Look) -> tuple[list[Impression], Impression | None]:
        """Impressions of the row and of the next card in the arrow's colour; none once the game is over."""
        arrow = view.arrow
        if arrow is None:
            return [], None
        row = [self.see(card, arrow, look) for card in view.row]
        return row, None if view.next_card is None else self.see(view.next_card, arrow, look)
