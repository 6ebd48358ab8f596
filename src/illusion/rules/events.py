"""Everything that happens at the table, as public values.

An event tells only what everybody at the table sees at that moment: cards appear by their ids, and their shares only
once a doubt has turned them over (R2.5).
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from illusion.rules.cards import CardId, Colour, Shares


class Ending(StrEnum):
    """Why a game is over."""

    THIRD_ARROW = "third-arrow"  # R6.1: the arrow card that was enough to win
    TWELFTH_ROUND = "twelfth-round"  # R6.2: the last round
    DECK_TOO_SMALL = "deck-too-small"  # R6.5


@dataclass(frozen=True, slots=True)
class RoundStarted:
    """An arrow was turned up and the row's first card laid beside its tip (R2.2, R2.3)."""

    round: int
    arrow: Colour
    first_card: CardId
    next_card: CardId
    to_play: int


@dataclass(frozen=True, slots=True)
class CardPlaced:
    """A player believed the row and laid the deck's top card; the one below it is now seen (R4.3, R2.4)."""

    seat: int
    card: CardId
    gap: int
    next_card: CardId | None
    to_play: int


@dataclass(frozen=True, slots=True)
class TurnedCard:
    """A card of a doubted row, its back up; `placed_by` is None for the card that began the row."""

    card: CardId
    shares: Shares
    placed_by: int | None


@dataclass(frozen=True, slots=True)
class Culprit:
    """The card whose laying made a row wrong, as its index in the turned row, and who laid it.

    The card that began the row is never one: a row of one card is right.
    """

    at: int
    seat: int


@dataclass(frozen=True, slots=True)
class RowDoubted:
    """A player doubted and the row was turned over (R5.1)."""

    seat: int
    arrow: Colour
    row: tuple[TurnedCard, ...]
    falls: tuple[int, ...]
    """The index of every card with a smaller share than the card on its left; empty when the row was right (R3.1)."""
    culprit: Culprit | None
    """Which card made the row wrong, in the order of laying; None when the row was right."""
    taker: int
    """Who took the arrow card (R5.2, R5.3)."""

    @property
    def first_fall(self) -> int | None:
        return self.falls[0] if self.falls else None


@dataclass(frozen=True, slots=True)
class ArrowAwarded:
    """The round's arrow card went to a player (R5.2, R5.3)."""

    seat: int
    arrow: Colour


@dataclass(frozen=True, slots=True)
class ArrowReturned:
    """A player who doubted a right row put an arrow card back, which leaves the game (R5.5)."""

    seat: int
    arrow: Colour


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The game is over; several can win together (R6.3)."""

    winners: tuple[int, ...]
    ending: Ending


Event: TypeAlias = RoundStarted | CardPlaced | RowDoubted | ArrowAwarded | ArrowReturned | GameEnded
