"""When a row is right (R3.1)."""

from collections.abc import Sequence

from illusion.rules.cards import Colour, ColourCard


def first_fall(row: Sequence[ColourCard], colour: Colour) -> int | None:
    """The place of the first card that shows less of the colour than the card on its left; None in a right row.

    Equal neighbours are right (R3.1).
    """
    before = 0
    for at, card in enumerate(row):
        share = card.shares[colour]
        if share < before:
            return at
        before = share
    return None
