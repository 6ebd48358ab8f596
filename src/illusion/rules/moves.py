"""The two things a player can do (R4.3); there is no third (R4.4)."""

from dataclasses import dataclass
from typing import TypeAlias

from illusion.rules.errors import RuleCode, UnparsableMove


@dataclass(frozen=True, slots=True)
class Place:
    """Believe the row and lay the deck's top card into a gap: 0 is at the arrow's tip, the row's length far right."""

    gap: int

    def __post_init__(self) -> None:
        if type(self.gap) is not int:
            raise UnparsableMove(RuleCode.GAP_NOT_AN_INTEGER, gap=self.gap)


@dataclass(frozen=True, slots=True)
class Doubt:
    """Doubt the whole row (R5.1)."""


Move: TypeAlias = Place | Doubt
