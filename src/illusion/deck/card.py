"""A colour card. It is small; its picture is drawn when first needed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from illusion.deck.generators import GENERATORS
from illusion.deck.picture import Manner, Picture, Undrawable
from illusion.deck.picture_cache import PictureCache
from illusion.deck.picture_features import Features, measure
from illusion.deck.plan import PlannedCard
from illusion.deck.rendering import svg
from illusion.deck.rendering.palettes import STANDARD, Palette, palette_named
from illusion.rules import Colour, ColourCard, Shares

PICTURES_KEPT: Final = 1024
FEATURES_KEPT: Final = 4096


@dataclass(frozen=True, slots=True)
class Card:
    """A colour card: its number in the pile, its shares, and everything its picture depends on.

    Thousands of cards can be held in memory. Pictures are large: the process keeps the `PICTURES_KEPT` used last.
    """

    number: int
    family: str
    shares: Shares
    manners: Mapping[Colour, Manner] = field(repr=False, compare=False)
    seed: int = field(repr=False)
    version: int
    """The number of the generator that draws it."""

    def __hash__(self) -> int:
        """Of what tells two cards apart, and no more: cards are looked up several times a move."""
        return hash((self.seed, self.number))

    @property
    def picture(self) -> Picture:
        """The same in every process. Drawing takes some 5 ms and blocks; a kept picture is returned at once."""
        return picture_of(self)

    @property
    def features(self) -> dict[Colour, Features]:
        """What makes a colour look larger or smaller than it is, measured on the picture."""
        return _features(self)

    @property
    def colour_card(self) -> ColourCard:
        """The card as the rules know it."""
        return ColourCard(self.number, self.shares)

    @property
    def planned(self) -> PlannedCard:
        """What its picture depends on, besides the seed."""
        return PlannedCard(self.family, self.shares, self.manners)

    @property
    def picture_seed(self) -> str:
        return f"illusion card {self.version} {self.seed} {self.number}"

    def svg(self, palette: Palette | str = STANDARD) -> str:
        """The front."""
        return svg.front(self.picture, palette_named(palette))

    def back_svg(self, palette: Palette | str = STANDARD) -> str:
        """The back, with the percentages."""
        return svg.back(self.shares, self.number, palette_named(palette))


def picture_of(card: Card) -> Picture:
    """The card's picture, from the cache or drawn now."""
    return _PICTURES.get(card)


def draw_together(cards: Sequence[Card]) -> list[Picture | Undrawable]:
    """The cards' pictures, drawn now and not kept. Several together take less time than one after another."""
    drawn: dict[Card, Picture | Undrawable] = {}
    for version in {card.version for card in cards}:
        some = [card for card in cards if card.version == version]
        drawn |= zip(some, GENERATORS[version].draw([(card.planned, card.picture_seed) for card in some]), strict=True)
    return [drawn[card] for card in cards]


def _draw(card: Card) -> Picture:
    (drawn,) = draw_together([card])
    if isinstance(drawn, Undrawable):
        raise drawn
    return drawn


_PICTURES: Final = PictureCache(_draw, PICTURES_KEPT)


@lru_cache(FEATURES_KEPT)
def _features(card: Card) -> dict[Colour, Features]:
    return measure(card.picture)
