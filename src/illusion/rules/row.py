"""A row that is turned over: where it falls, and which card broke it."""

from bisect import bisect
from collections.abc import Iterable, Sequence

from illusion.rules.cards import Colour, ColourCard
from illusion.rules.events import Culprit


def falls(row: Sequence[ColourCard], colour: Colour) -> tuple[int, ...]:
    """The index of every card that shows less of the colour than the card on its left; none in a right row.

    Equal neighbours are right (R3.1).
    """
    shares = [getattr(card.shares, colour) for card in row]  # quicker than by shares[colour]
    return tuple([at for at in range(1, len(shares)) if shares[at] < shares[at - 1]])


def first_fall(row: Sequence[ColourCard], colour: Colour) -> int | None:
    """The index of the first card that falls; None in a right row."""
    fallen = falls(row, colour)
    return fallen[0] if fallen else None


def culprit(
    row: Sequence[ColourCard], colour: Colour, placed_by: Sequence[int | None], as_laid: Iterable[ColourCard]
) -> Culprit | None:
    """The card whose laying made the row wrong, and who laid it; None in a right row.

    `as_laid` has the row's cards in the order of laying. The row is laid again, and the first card that does not fit
    between its neighbours broke it. No later card can mend it: two cards in the wrong order keep that order (R3.2), so
    the row falls somewhere between them.
    """
    places = {card.id: at for at, card in enumerate(row)}
    lying: list[int] = []
    for card in as_laid:
        at, share = places[card.id], card.shares[colour]
        gap = bisect(lying, at)
        falls_here = gap > 0 and share < row[lying[gap - 1]].shares[colour]
        falls_next = gap < len(lying) and share > row[lying[gap]].shares[colour]
        if falls_here or falls_next:
            seat = placed_by[at]
            return None if seat is None else Culprit(at, seat)
        lying.insert(gap, at)
    return None
