"""What the player whose turn it is may do: for a page as `Legal`, for a program as a list of moves."""

from dataclasses import dataclass
from functools import cache
from typing import Final

from illusion.rules.game import Game
from illusion.rules.moves import Doubt, Move, Place


@dataclass(frozen=True, slots=True)
class Legal:
    """The gaps that take the next card, from the arrow's tip onward, and whether the row can be doubted.

    It depends on the length of the row and on whether the deck is empty, so it tells nothing that is hidden.
    """

    gaps: tuple[int, ...]
    doubt: bool


NOTHING: Final = Legal((), doubt=False)
"""What is legal once the game is over."""


def legal(game: Game) -> Legal:
    return NOTHING if game.over else _legal(len(game.row), deck_empty=game.next_card is None)


def legal_moves(game: Game) -> tuple[Move, ...]:
    """Every move `apply` accepts: the placements from the arrow's tip onward, then the doubt; none after the end."""
    return () if game.over else _moves(len(game.row), deck_empty=game.next_card is None)


@cache
def _legal(cards_in_row: int, *, deck_empty: bool) -> Legal:
    """R4.2 and R4.3 by the row's length; with an empty deck only the doubt is left (R6.4)."""
    return Legal(() if deck_empty else tuple(range(cards_in_row + 1)), doubt=cards_in_row > 1)


@cache
def _moves(cards_in_row: int, *, deck_empty: bool) -> tuple[Move, ...]:
    may = _legal(cards_in_row, deck_empty=deck_empty)
    return (*map(Place, may.gaps), *([Doubt()] if may.doubt else []))
