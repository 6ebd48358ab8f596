"""Which game is played: when it ends, and what a wrong doubt costs. The two are independent of each other."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from illusion.rules.cards import ARROWS
from illusion.rules.errors import InvalidSetup, RuleCode


@dataclass(frozen=True, slots=True)
class End:
    """When a game ends."""

    arrows_to_win: int | None = None
    """The first player with this many arrow cards wins at once (R6.1); with None only the rounds count."""
    rounds: int = len(ARROWS)
    """After this many rounds the most arrow cards win (R6.2)."""
    decks: int = 1
    """How many decks of colour cards lie in the pile (R6.6)."""

    def __post_init__(self) -> None:
        """No game has more rounds than there are arrow cards, nor needs more decks than rounds."""
        to_win = 1 if self.arrows_to_win is None else self.arrows_to_win
        for number in (to_win, self.rounds, self.decks):
            if type(number) is not int or not 1 <= number <= len(ARROWS):
                raise InvalidSetup(
                    RuleCode.END_OUT_OF_RANGE, arrows_to_win=self.arrows_to_win, rounds=self.rounds, decks=self.decks
                )


class Penalty(StrEnum):
    """What a wrong doubt costs the doubter, beside the arrow that goes to another player (R5.3)."""

    NOTHING = "nothing"
    ARROW = "arrow"

    def returned(self, held: int) -> int:
        """How many arrow cards a wrong doubter who holds this many puts back."""
        return min(held, _ARROWS_RETURNED[self])


_ARROWS_RETURNED: Final = {
    Penalty.NOTHING: 0,
    Penalty.ARROW: 1,  # R5.5
}


class Variant(StrEnum):
    """The published games, by the names that logs and programs know them by."""

    FIRST_TO_THREE = "first-to-three"
    TWELVE_ROUNDS = "twelve-rounds"

    @property
    def end(self) -> End:
        return _PARTS[self][0]

    @property
    def penalty(self) -> Penalty:
        return _PARTS[self][1]


_PARTS: Final = {
    Variant.FIRST_TO_THREE: (End(arrows_to_win=3), Penalty.NOTHING),  # R6.1
    Variant.TWELVE_ROUNDS: (End(rounds=12, decks=2), Penalty.NOTHING),  # R6.2, R6.6
}
