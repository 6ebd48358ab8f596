"""A colour card. It is small; its picture is drawn when it is asked for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from illusion.deck import svg
from illusion.deck.families import FAMILIES
from illusion.deck.painting import Wanted, draw
from illusion.deck.palettes import STANDARD, Palette, palette_named
from illusion.deck.picture import Manner, Picture, Undrawable
from illusion.deck.plane.exact import Dice
from illusion.rules import Colour, ColourCard, Shares


@dataclass(frozen=True, slots=True)
class Card:
    """A colour card: its number in the pile, its shares, and everything its picture depends on.

    Thousands of cards can be held in memory. Pictures are large: whoever needs one again keeps it.
    """

    number: int
    family: str
    shares: Shares
    manners: Mapping[Colour, Manner] = field(repr=False, compare=False)
    seed: int = field(repr=False)

    def __hash__(self) -> int:
        """Of what tells two cards apart, and no more: cards are looked up several times a move."""
        return hash((self.seed, self.number))

    @property
    def picture(self) -> Picture:
        """Drawn now, the same everywhere and each time; takes some 3 ms."""
        return picture_of(self)

    @property
    def colour_card(self) -> ColourCard:
        """The card as the rules know it."""
        return ColourCard(self.number, self.shares)

    def svg(self, palette: Palette | str = STANDARD) -> str:
        """The front."""
        return svg.front(self.picture, palette_named(palette))

    def back_svg(self, palette: Palette | str = STANDARD) -> str:
        """The back, with the percentages."""
        return svg.back(self.shares, self.number, palette_named(palette))


def picture_of(card: Card) -> Picture:
    """The card's picture. Raises Undrawable."""
    (drawn,) = draw_together([card])
    if isinstance(drawn, Undrawable):
        raise drawn
    return drawn


def draw_together(cards: Sequence[Card]) -> list[Picture | Undrawable]:
    """The cards' pictures. Several together take less time than one after another."""
    return draw([Wanted(FAMILIES[card.family], card.shares, card.manners, _dice(card)) for card in cards])


def _dice(card: Card) -> Dice:
    return Dice(f"illusion card 2 {card.seed} {card.number}")
