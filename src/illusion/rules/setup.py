"""What is fixed before the first turn: the variant, the players, the two piles in order, and who begins."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from illusion.rules.cards import ARROWS, ARROWS_OF_EACH, Colour, ColourCard, InvalidSetup, RuleCode


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
        """Rounds are limited by the number of arrow cards, decks by that of rounds."""
        to_win = 1 if self.arrows_to_win is None else self.arrows_to_win
        for number in (to_win, self.rounds, self.decks):
            if type(number) is not int or not 1 <= number <= len(ARROWS):
                raise InvalidSetup(
                    RuleCode.END_OUT_OF_RANGE, arrows_to_win=self.arrows_to_win, rounds=self.rounds, decks=self.decks
                )


class Penalty(StrEnum):
    """The cost of a wrong doubt, besides the arrow that goes to another player (R5.3)."""

    NOTHING = "nothing"
    ARROW = "arrow"

    def returned(self, held: int) -> int:
        """The number of arrow cards that a wrong doubter with `held` puts back."""
        return min(held, _ARROWS_RETURNED[self])


_ARROWS_RETURNED: Final = {
    Penalty.NOTHING: 0,
    Penalty.ARROW: 1,  # R5.5
}


class Variant(StrEnum):
    """The published games, by their names in logs and programs. In both a wrong doubt costs nothing."""

    FIRST_TO_THREE = "first-to-three", End(arrows_to_win=3)  # R6.1
    TWELVE_ROUNDS = "twelve-rounds", End(rounds=12, decks=2)  # R6.2, R6.6

    end: End

    def __new__(cls, name: str, end: End | None = None) -> "Variant":
        variant = str.__new__(cls, name)
        variant._value_, variant.end = name, end or End()
        return variant


FEWEST_PLAYERS: Final = 2
MOST_PLAYERS: Final = 5
CARDS_TO_BEGIN: Final = 2
"""A round needs a first card and one to place (R6.5)."""


@dataclass(frozen=True, slots=True, init=False)
class Setup:
    """A valid beginning. Both piles are top first; several decks make one longer pile (R6.6).

    `end` is that of the `variant` unless given.
    """

    players: int
    arrows: tuple[Colour, ...] = field(repr=False)
    deck: tuple[ColourCard, ...] = field(repr=False)
    first: int
    variant: Variant
    end: End
    penalty: Penalty

    def __init__(
        self,
        players: int,
        arrows: Iterable[Colour],
        deck: Iterable[ColourCard],
        first: int,
        variant: Variant = Variant.FIRST_TO_THREE,
        end: End | None = None,
        penalty: Penalty = Penalty.NOTHING,
    ) -> None:
        variant = _checked_variant(variant)
        check_players(players)
        if type(first) is not int or not 0 <= first < players:
            raise InvalidSetup(RuleCode.FIRST_OUT_OF_RANGE, first=first, players=players)
        object.__setattr__(self, "players", players)
        object.__setattr__(self, "arrows", _checked_arrows(arrows))
        object.__setattr__(self, "deck", _checked_deck(deck))
        object.__setattr__(self, "first", first)
        object.__setattr__(self, "variant", variant)
        object.__setattr__(self, "end", variant.end if end is None else _checked_end(end))
        object.__setattr__(self, "penalty", _checked_penalty(penalty))


def check_players(players: int) -> None:
    """R1.1."""
    if type(players) is not int or not FEWEST_PLAYERS <= players <= MOST_PLAYERS:
        raise InvalidSetup(RuleCode.PLAYERS_OUT_OF_RANGE, players=players)


def _checked_arrows(arrows: Iterable[Colour]) -> tuple[Colour, ...]:
    """R1.2: twelve arrow cards, three of each colour."""
    pile = tuple(arrows)
    if Counter(pile) != dict.fromkeys(Colour, ARROWS_OF_EACH):
        raise InvalidSetup(RuleCode.ARROWS_NOT_THREE_OF_EACH, arrows=pile)
    return tuple(Colour(arrow) for arrow in pile)


def _checked_deck(deck: Iterable[ColourCard]) -> tuple[ColourCard, ...]:
    """R1.3, R6.6: any pile of different colour cards that is enough for one round."""
    pile = tuple(deck)
    for card in pile:
        if not isinstance(card, ColourCard):
            raise InvalidSetup(RuleCode.NOT_A_COLOUR_CARD, card=card)
    if len({card.id for card in pile}) < len(pile):
        id, _ = Counter(card.id for card in pile).most_common(1)[0]
        raise InvalidSetup(RuleCode.DUPLICATE_CARD_ID, id=id)
    if len(pile) < CARDS_TO_BEGIN:
        raise InvalidSetup(RuleCode.DECK_TOO_SMALL, cards=len(pile))
    return pile


def _checked_variant(variant: Variant) -> Variant:
    try:
        return Variant(variant)
    except ValueError:
        raise InvalidSetup(RuleCode.UNKNOWN_VARIANT, variant=variant) from None


def _checked_end(end: End) -> End:
    if not isinstance(end, End):
        raise InvalidSetup(RuleCode.NOT_AN_END, end=end)
    return end


def _checked_penalty(penalty: Penalty) -> Penalty:
    try:
        return Penalty(penalty)
    except ValueError:
        raise InvalidSetup(RuleCode.UNKNOWN_PENALTY, penalty=penalty) from None
