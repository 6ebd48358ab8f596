"""Colour cards, decks of ninety-eight, and the pile of a game, all determined by a seed. Pictures are drawn lazily."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import groupby
from random import Random
from typing import Final, overload

from illusion.deck import svg
from illusion.deck.families import FAMILIES
from illusion.deck.painting import draw
from illusion.deck.palettes import PALETTES, STANDARD, back
from illusion.deck.picture import Manner, Picture
from illusion.deck.plane.exact import Dice
from illusion.deck.shares import shares_of_deck
from illusion.rules import Colour, ColourCard, Shares, Variant


@dataclass(frozen=True, slots=True)
class Card:
    """A colour card: its number in the pile, its shares, and everything that its picture depends on.

    It is small. Its picture is large, so it is not cached here.
    """

    number: int
    family: str
    shares: Shares
    manners: Mapping[Colour, Manner] = field(repr=False, compare=False)
    seed: int = field(repr=False)

    def __hash__(self) -> int:
        """Fast, since cards are looked up several times a move."""
        return hash((self.seed, self.number))

    @property
    def picture(self) -> Picture:
        """Draw the picture, in some 4 ms; the same every time on every machine. Raises Undrawable."""
        dice = Dice(f"illusion card 2 {self.seed} {self.number}")
        return draw(FAMILIES[self.family], self.shares, self.manners, dice)

    @property
    def colour_card(self) -> ColourCard:
        """The card for the rules."""
        return ColourCard(self.number, self.shares)

    def svg(self, palette: str = STANDARD.name) -> str:
        """The front, in the palette of this name."""
        return svg.front(self.picture, PALETTES[palette])

    def back_svg(self, palette: str = STANDARD.name) -> str:
        """The back, with the percentages."""
        return svg.printed(back(self.shares, self.number, "{}%".format), PALETTES[palette])


PICTURES_VERSION: Final = 2
"""Raised whenever a change alters a picture. Logs and records hold it as `generator`: those of another version are
refused, because their cards would look different."""


class BadSeed(ValueError):
    """The seed is not a whole number from 0 up."""


@dataclass(frozen=True)
class Deck(Sequence[Card]):
    """Ninety-eight cards, determined by the seed."""

    seed: int
    cards: tuple[Card, ...] = field(repr=False)

    def __len__(self) -> int:
        return len(self.cards)

    @overload
    def __getitem__(self, at: int) -> Card: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Card, ...]: ...
    def __getitem__(self, at: int | slice) -> Card | tuple[Card, ...]:
        return self.cards[at]


def make_deck(seed: int, *, first_number: int = 1) -> Deck:
    """The deck of a seed. No picture is drawn yet.

    :raises BadSeed: if the seed is not a whole number from 0 up.
    """
    if type(seed) is not int or seed < 0:
        raise BadSeed(seed)
    dice = Dice(f"illusion deck 2 {seed}")
    shares = shares_of_deck(dice)
    manners = _manners(shares, dice)
    families = _families(list(FAMILIES), len(shares), dice)  # last, so that another family changes no shares
    numbers = range(first_number, first_number + len(shares))
    return Deck(seed, tuple(map(Card, numbers, families, shares, manners, [seed] * len(shares))))


def pile_seeds(seed: int, decks: int) -> tuple[int, ...]:
    """The seeds of the decks in a pile: the pile's own, then each derived from the one before.

    Cards are numbered across the pile, and pictures depend on the numbers: deck `n` of a pile (from 0) is
    `make_deck(pile_seeds(seed, decks)[n], first_number=1 + 98 * n)`.
    """
    seeds = [seed]
    while len(seeds) < decks:
        seeds.append(Random(f"illusion second deck {seeds[-1]}").getrandbits(256))
    return tuple(seeds)


def make_pile(seed: int, variant: Variant) -> tuple[Card, ...]:
    """The cards for a game: as many decks as the variant needs, numbered consecutively (R6.6)."""
    cards: tuple[Card, ...] = ()
    for deck_seed in pile_seeds(seed, variant.end.decks):
        cards += make_deck(deck_seed, first_number=len(cards) + 1).cards
    return cards


def _manners(all_shares: list[Shares], dice: Dice) -> list[Mapping[Colour, Manner]]:
    """How each colour is spread on each card, balanced so that looks do not give the share away.

    Of the cards with the same share of a colour half show it as dust and half as a block, and of either half every
    other card has it at the centre and the rest at the rim. Dust needs white between its parts, so it goes to the cards
    with the most white.
    """
    manners: list[dict[Colour, Manner]] = [{} for _ in all_shares]
    totals = [card.red + card.yellow + card.green + card.blue for card in all_shares]
    for colour in Colour:
        column = [card[colour] for card in all_shares]
        order = sorted(range(len(all_shares)), key=lambda card: (column[card], totals[card], card))
        for _, group in groupby(order, key=column.__getitem__):
            rung = list(group)
            dusty = rung[: len(rung) // 2]
            for kind in (dusty, rung[len(rung) // 2 :]):
                dice.shuffle(kind)
                for at, card in enumerate(kind):
                    manners[card][colour] = Manner(dust=kind is dusty, central=at % 2 == 0)
    return [_shared(tuple(manner[colour] for colour in Colour)) for manner in manners]


@cache
def _shared(manners: tuple[Manner, ...]) -> Mapping[Colour, Manner]:
    """One mapping for each of the 256 combinations, shared by all cards to save memory."""
    return dict(zip(Colour, manners, strict=True))


def _families(names: Sequence[str], cards: int, dice: Dice) -> list[str]:
    """A family for each card; the numbers of cards per family differ by one at most."""
    chosen: list[str] = []
    while len(chosen) < cards:
        chosen += dice.sample(names, min(len(names), cards - len(chosen)))
    dice.shuffle(chosen)
    return chosen
