"""A player's guesses at cards beside the truth: how far off they are, and whether a colour looks larger than it is.

A guess tells what no placement can: whether somebody sees too much of a colour on all cards. It tells less of how
finely somebody compares, for naming a share is two to three times as unsure as comparing two (docs/review.md). So
guesses stand beside the figure of `own_eyes` and are no part of it.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec

from illusion.review.own_eyes import Estimate
from illusion.rules import Colour

ENOUGH: Final = 12
"""Guesses without which nothing is said of what looks larger."""
_NORMAL_95: Final = 1.96


class Compared(NamedTuple):
    """A guess at a card that was turned over, both in percent."""

    arrow: Colour
    share: int
    guess: int


class GuessedColour(msgspec.Struct, frozen=True):
    """By which part more of a colour was named than was there (below 0: less)."""

    of: Colour
    guesses: int
    larger: Estimate


class OwnGuesses(msgspec.Struct, frozen=True):
    """What the guesses of a player tell."""

    count: int
    off: float | None
    """By how many points, on average."""
    larger: Estimate | None
    """By which part of all that was there they named more (below 0: less); from twelve guesses on."""
    colours: list[GuessedColour]
    """The same by colour, from twelve guesses at it on."""


def own_guesses(guesses: Sequence[Compared]) -> OwnGuesses:
    """Over all games."""
    by_colour = {colour: [each for each in guesses if each.arrow == colour] for colour in Colour}
    off = sum(abs(guess - share) for _, share, guess in guesses) / len(guesses) if guesses else None
    larger = {colour: _larger(some) for colour, some in by_colour.items()}
    return OwnGuesses(
        len(guesses),
        None if off is None else round(off, 1),
        _larger(guesses),
        [GuessedColour(colour, len(by_colour[colour]), each) for colour, each in larger.items() if each is not None],
    )


def _larger(guesses: Sequence[Compared]) -> Estimate | None:
    """The ratio estimator and its interval of 95 % (Cochran, Sampling Techniques, 1977): sums are not thrown off by
    cards that show next to nothing, as a mean of ratios would be."""
    count, shown = len(guesses), sum(each.share for each in guesses)
    if count < ENOUGH or not shown:
        return None
    ratio = sum(each.guess for each in guesses) / shown
    squares = sum((each.guess - ratio * each.share) ** 2 for each in guesses)
    half = _NORMAL_95 * (squares * count / (count - 1)) ** 0.5 / shown
    return Estimate(*(round(each - 1, 4) for each in (ratio, ratio - half, ratio + half)))
