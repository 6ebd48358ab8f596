"""Pictures with exactly the areas that the backs say, drawn the same everywhere; several at a time take less."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from illusion.deck.card_face import CANVAS_AREA, GAP, WHITE_AREA
from illusion.deck.painting.colouring import CannotPaint, Parts, Shrinking, colour_pieces, shrunk
from illusion.deck.picture import Manner, Picture, Undrawable
from illusion.deck.plane.dice import Dice
from illusion.deck.plane.fitting import CannotFit, fit_areas
from illusion.deck.plane.mosaic import Mosaic
from illusion.rules import Colour, Shares

Divide = Callable[[Dice, int], Mosaic]
"""A family: divides the canvas into about the given number of pieces."""

MAX_ATTEMPTS: Final = 200
"""Cards of a deck need one or two, rarely five."""
MIN_PIECES: Final = 12
MAX_PIECES: Final = 100


class Wanted(NamedTuple):
    """What a picture is drawn from."""

    divide: Divide
    shares: Shares
    manners: Mapping[Colour, Manner]
    dice: Dice


def draw(wanted: Sequence[Wanted]) -> list[Picture | Undrawable]:
    """Each picture, or that its shares leave too little white. It does not depend on what else is drawn."""
    drawn = list[Picture | Undrawable | None]([None] * len(wanted))
    under_way = list(enumerate(map(_drawing, wanted)))
    answers: Sequence[Parts | None] = [None] * len(wanted)
    while under_way:
        asking, asked = [], []
        for (at, drawing), answer in zip(under_way, answers, strict=True):
            try:
                asked.append(next(drawing) if answer is None else drawing.send(answer))
                asking.append((at, drawing))
            except StopIteration as ended:
                drawn[at] = ended.value
        under_way, answers = asking, shrunk(asked) if asked else []
    return [each for each in drawn if each is not None]


def _drawing(wanted: Wanted) -> Shrinking[Picture | Undrawable]:
    """Divide the canvas, colour the pieces, fit the areas; if a step fails, try again with fewer pieces.

    The colours come in their fixed order, which tells nothing about their shares.
    """
    divide, shares, manners, dice = wanted
    needs = {colour: shares[colour] * WHITE_AREA / 100 for colour in Colour if shares[colour]}
    white = 1 - sum(shares[colour] for colour in Colour) / 100
    count = _count(white) * dice.uniform(0.6, 1)
    for _ in range(MAX_ATTEMPTS):
        try:
            mosaic = divide(dice, max(MIN_PIECES, round(count)))
            painted = yield from colour_pieces(mosaic, needs, manners, dice)
            fitted = fit_areas([painted[colour] for colour in needs], list(needs.values()))
            return dict(zip(needs, fitted, strict=True))
        except (CannotPaint, CannotFit):
            count *= 0.85
    return Undrawable(shares)


def _count(white: float) -> float:
    """The number of pieces whose gaps take most of the white (given as a part of the white area, 0 to 1).

    N compact pieces that cover an area A have borders of length 2 √(A N) in all, and each border is a gap wide.
    """
    borders = 0.7 * white * CANVAS_AREA / (2 * GAP)
    return min(max(borders * borders / CANVAS_AREA, MIN_PIECES), MAX_PIECES)
