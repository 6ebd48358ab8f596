"""Eyes: what somebody would see in a picture, once for each card and the same whenever they look again.

What is known about people, and what we make of it:

- Only the order within one colour decides, so a bias that is the same for all cards cancels. What makes mistakes is
  noise, and bias that depends on the pattern.
- Noise is proportional: ln seen = ln true + bias + N(0, w). Comparing clean discs, people reach a w of 0.10 to 0.19
  (Solomon, Morgan & Chubb 2011); the summed area of many pieces is judged clearly worse (Raidvee, Toom, Averin & Allik
  2020). So `w` is that of a disc, and it grows with the colour's outline (`FRAGMENTS`).
- People add a shape's sides rather than multiply them (Yousif & Keil 2019): a colour in many or long pieces looks like
  more (`SWAY`).
- Everybody has a taste of their own: a small fixed bias for each family of patterns (`TASTE`).
- Only for a number that is said aloud: saturated red looks larger than green (Cleveland & McGill 1983), small shares
  are over- and large ones underestimated (Hollands & Dyre 2000). Neither changes the order within a colour.

The sizes of FRAGMENTS, SWAY and TASTE are assumed, not measured on people: they are arguments and can be changed.
"""

from dataclasses import dataclass
from functools import lru_cache
from math import exp, hypot, log
from random import Random
from typing import Final, NamedTuple

from illusion.bots.sight import Patch, Sight
from illusion.rules import Colour

FRAGMENTS: Final = 0.5
SWAY: Final = 1.0
TASTE: Final = 0.4
ORDINARY: Final = 1.24
"""How broken a colour of an ordinary card is: the mean over decks."""
NOTHING: Final = 0.25
"""Less than this share is seen as this much: a logarithm needs something."""

_SAID_POWER: Final = 0.85
_LOOKS_LARGER: Final = {Colour.RED: 1.04, Colour.YELLOW: 1.0, Colour.GREEN: 0.96, Colour.BLUE: 1.0}


class Impression(NamedTuple):
    """A colour's share as somebody saw it: on the scale of logarithms, and how unsure they are of it."""

    seen: float
    spread: float


def impression(seen: float, spread: float) -> Impression:
    """Nobody sees finer than this; and impressions that hardly differ being the same, minds can know them again."""
    return Impression(round(seen, 2), round(2 * spread, 2) / 2)


@dataclass(frozen=True, slots=True)
class Eyes:
    """`w` is the spread of ln(seen / true) for a clean disc; the others say how much patterns matter, in units of w."""

    w: float
    fragments: float = FRAGMENTS
    sway: float = SWAY
    taste: float = TASTE

    def spread(self, patch: Patch) -> float:
        """The noise of one look."""
        return self.w * (1 + self.fragments * patch.broken)

    def bias(self, family: str, patch: Patch, who: str) -> float:
        """How much larger than it is somebody finds a colour of this pattern."""
        return self.w * (self.sway * (patch.broken - ORDINARY) + self.taste * _liking(who, family))

    def see(self, sight: Sight, colour: Colour, who: str, noise: float) -> Impression:
        """One look; `noise` is standard normal, and the same for the same card and looker."""
        patch = sight.patches[colour]
        true, spread = log(max(patch.share, NOTHING)), self.spread(patch)
        return impression(true + self.bias(sight.family, patch, who) + spread * noise, self.doubted(spread))

    def doubted(self, spread: float) -> float:
        """How unsure somebody is who knows that besides noise there are patterns that fool them."""
        return hypot(spread, self.w * hypot(0.35 * self.sway, self.taste))


def glance(who: str, card: object, colour: Colour) -> float:
    """The noise of one look, standard normal: it belongs to the looker and the card, so a second look is the same."""
    return Random(f"{who} {card} {colour}").gauss(0, 1)


def said(seen: float, colour: Colour) -> int:
    """The percentage that somebody would name."""
    part = min(exp(seen) / 100, 0.99)
    odds: float = (part / (1 - part)) ** _SAID_POWER * _LOOKS_LARGER[colour]
    return max(1, round(100 * odds / (1 + odds)))


@lru_cache(maxsize=10_000)
def _liking(who: str, family: str) -> float:
    return Random(f"{who} looks at {family}").gauss(0, 1)
