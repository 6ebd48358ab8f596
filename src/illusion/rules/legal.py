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
    return NOTHING if game.over else _legal(len(game.row), _gaps(game))


def legal_moves(game: Game) -> tuple[Move, ...]:
    """Every move `apply` accepts: the placements from the arrow's tip onward, then the doubt; none after the end."""
    return () if game.to_play is None else _moves(len(game.row), _gaps(game))


def _gaps(game: Game) -> int:
    """One more than the row has cards (R4.3); with an empty deck only the doubt is left (R6.4)."""
    return len(game.row) + 1 if game.drawn < len(game.setup.deck) else 0


@cache
def _legal(cards_in_row: int, gaps: int) -> Legal:
    """A single card cannot be doubted yet (R4.2)."""
    return Legal(tuple(range(gaps)), doubt=cards_in_row > 1)


@cache
def _moves(cards_in_row: int, gaps: int) -> tuple[Move, ...]:
    may = _legal(cards_in_row, gaps)
    return (*map(Place, may.gaps), *([Doubt()] if may.doubt else []))
