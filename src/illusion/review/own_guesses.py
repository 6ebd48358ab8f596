"""A player's guesses at cards, compared with the truth: how far off they are, and whether a colour looks larger.

Guesses show what placements cannot: whether somebody sees too much of a colour on all cards. They are no part of the
estimate of w in `own_eyes`, since naming a share is two to three times as noisy as comparing two (docs/review.md).
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec

from illusion.review.own_eyes import Estimate
from illusion.rules import Colour

ENOUGH: Final = 12
"""Guesses needed for an estimate of what looks larger."""
_NORMAL_95: Final = 1.96


class Compared(NamedTuple):
    """A guess at a revealed card and its true share, both in percent."""

    arrow: Colour
    share: int
    guess: int


class GuessedColour(msgspec.Struct, frozen=True):
    """The fraction by which guesses at a colour were too large (below 0: too small)."""

    of: Colour
    guesses: int
    larger: Estimate


class OwnGuesses(msgspec.Struct, frozen=True):
    """Estimates from a player's guesses."""

    count: int
    off: float | None
    """The mean error in percentage points."""
    larger: Estimate | None
    """The fraction by which guesses were too large (below 0: too small); from twelve guesses on."""
    colours: list[GuessedColour]
    """The same by colour, from twelve guesses at it on."""


def own_guesses(guesses: Sequence[Compared]) -> OwnGuesses:
    """Estimates over all games."""
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
    """The ratio estimator and its interval of 95 % (Cochran, Sampling Techniques, 1977): unlike a mean of ratios it is
    robust against cards that show next to nothing."""
    count, shown = len(guesses), sum(each.share for each in guesses)
    if count < ENOUGH or not shown:
        return None
    ratio = sum(each.guess for each in guesses) / shown
    squares = sum((each.guess - ratio * each.share) ** 2 for each in guesses)
    half = _NORMAL_95 * (squares * count / (count - 1)) ** 0.5 / shown
    return Estimate(*(round(each - 1, 4) for each in (ratio, ratio - half, ratio + half)))
