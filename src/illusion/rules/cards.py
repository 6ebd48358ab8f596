"""The contents of the box (R1), and the errors of the rules."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeAlias


class RuleCode(StrEnum):
    """Codes of all refusals by the rules, stable for clients."""

    # A setup that is no game of Illusion.
    PLAYERS_OUT_OF_RANGE = "players-out-of-range"
    FIRST_OUT_OF_RANGE = "first-out-of-range"
    UNKNOWN_VARIANT = "unknown-variant"
    UNKNOWN_PENALTY = "unknown-penalty"
    NOT_AN_END = "not-an-end"
    END_OUT_OF_RANGE = "end-out-of-range"
    ARROWS_NOT_THREE_OF_EACH = "arrows-not-three-of-each"
    NOT_A_COLOUR_CARD = "not-a-colour-card"
    DECK_TOO_SMALL = "deck-too-small"
    DUPLICATE_CARD_ID = "duplicate-card-id"
    SHARES_NOT_FOUR_COLOURS = "shares-not-four-colours"
    SHARE_NOT_AN_INTEGER = "share-not-an-integer"
    SHARE_OUT_OF_RANGE = "share-out-of-range"
    SHARES_OVER_100 = "shares-over-100"

    # A move that is well formed but not allowed now.
    GAME_OVER = "game-over"
    GAP_OUT_OF_RANGE = "gap-out-of-range"
    DECK_EMPTY = "deck-empty"
    NOTHING_TO_DOUBT = "nothing-to-doubt"

    # Something that is no move at all.
    NOT_A_MOVE = "not-a-move"
    GAP_NOT_AN_INTEGER = "gap-not-an-integer"


class RulesError(ValueError):
    """A refusal by the rules: a `code`, and `parameters` for a sentence about it."""

    def __init__(self, code: RuleCode, **parameters: object) -> None:
        super().__init__(code)
        self.code = code
        self.parameters = parameters

    def __str__(self) -> str:
        parameters = ", ".join(f"{name}={value!r}" for name, value in self.parameters.items())
        return f"{self.code} ({parameters})" if parameters else str(self.code)


class InvalidSetup(RulesError):
    """The cards, the players or the variant do not make a game."""


class IllegalMove(RulesError):
    """A move that the rules do not allow in this state; the state is unchanged."""


class UnparsableMove(RulesError):
    """Not a move in any state."""


CardId: TypeAlias = str | int


class Colour(StrEnum):
    """The four colours; an arrow card is one of them (R1.2)."""

    RED = "red"
    YELLOW = "yellow"
    GREEN = "green"
    BLUE = "blue"


ARROWS_OF_EACH: Final = 3
ARROWS: Final = tuple(colour for colour in Colour for _ in range(ARROWS_OF_EACH))
"""The twelve arrow cards in a fixed order, to be shuffled (R1.2)."""


@dataclass(frozen=True, slots=True)
class Shares:
    """A card's back (R1.3): the percentage of the white area that each colour covers; the rest stays white."""

    red: int
    yellow: int
    green: int
    blue: int

    def __post_init__(self) -> None:
        total = 0
        for colour in Colour:
            share = self[colour]
            if type(share) is not int:
                raise InvalidSetup(RuleCode.SHARE_NOT_AN_INTEGER, colour=colour, share=share)
            if not 0 <= share <= 100:
                raise InvalidSetup(RuleCode.SHARE_OUT_OF_RANGE, colour=colour, share=share)
            total += share
        if total > 100:
            raise InvalidSetup(RuleCode.SHARES_OVER_100, total=total)

    def __getitem__(self, colour: Colour) -> int:
        share: int = getattr(self, colour)
        return share


@dataclass(frozen=True, slots=True, init=False)
class ColourCard:
    """A picture known by its `id`, and the shares on its back (R1.3)."""

    id: CardId
    shares: Shares

    def __init__(self, id: CardId, shares: Shares | Mapping[Colour, int]) -> None:
        if not isinstance(shares, Shares):
            if set(shares) != set(Colour):
                raise InvalidSetup(RuleCode.SHARES_NOT_FOUR_COLOURS, given=tuple(shares))
            shares = Shares(*(shares[colour] for colour in Colour))
        object.__setattr__(self, "id", id)
        object.__setattr__(self, "shares", shares)
