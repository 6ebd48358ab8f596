"""What is in the box (R1): arrow cards, which are just colours, and colour cards with their shares."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeAlias

from illusion.rules.errors import InvalidSetup, RuleCode

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
