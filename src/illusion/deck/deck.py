"""A deck of ninety-eight cards, all of it decided by a seed; a card is drawn only when somebody looks at it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from random import Random
from typing import Final

from illusion.deck import families, ladder, svg
from illusion.deck.colouring import Manner
from illusion.deck.features import Features, measure
from illusion.deck.palettes import STANDARD, Palette
from illusion.deck.picture import Picture, draw
from illusion.rules import Colour, ColourCard, Shares, Variant

MOST_OF_A_FAMILY: Final = 9


class BadSeed(ValueError):
    """A seed is a whole number, 0 or above."""


class UnknownVersion(ValueError):
    """No generator of that number has ever dealt."""


@dataclass(frozen=True)
class Card:
    """A colour card: its number in the pile, its shares, and how its picture is to be drawn."""

    number: int
    family: str
    shares: Shares
    manners: Mapping[Colour, Manner] = field(repr=False, compare=False)
    origin: str = field(repr=False)
    """Names the generator's version, the seed and the card; the picture's randomness comes from it alone."""
    version: int

    @cached_property
    def picture(self) -> Picture:
        """Drawn when first asked for, the same in every process."""
        return draw(families.VERSIONS[self.version][self.family], self.shares, self.manners, Random(self.origin))

    @cached_property
    def features(self) -> dict[Colour, Features]:
        return measure(self.picture)

    @property
    def colour_card(self) -> ColourCard:
        """The card as the rules know it."""
        return ColourCard(self.number, self.shares)

    def svg(self, palette: Palette = STANDARD) -> str:
        return svg.front(self.picture, palette)

    def back_svg(self, palette: Palette = STANDARD) -> str:
        return svg.back(self.shares, self.number, palette)


@dataclass(frozen=True)
class Deck:
    """Ninety-eight cards. A stored game names the seed and the version, and gets the same pictures back."""

    seed: int
    version: int
    cards: tuple[Card, ...] = field(repr=False)


def make_deck(seed: int, version: int = families.LATEST) -> Deck:
    """The deck of a seed, its cards numbered from 1; nothing is drawn yet."""
    return Deck(seed, version, _cards(seed, version, first_number=1))


def make_pile(seed: int, variant: Variant, version: int = families.LATEST) -> tuple[Card, ...]:
    """The cards for a game: one deck, or two for the twelve rounds, the second numbered on (R6.6)."""
    cards = make_deck(seed, version).cards
    if variant is Variant.TWELVE_ROUNDS:
        second = Random(f"illusion second deck {seed}").getrandbits(256)
        cards += _cards(second, version, first_number=len(cards) + 1)
    return cards


def _cards(seed: int, version: int, first_number: int) -> tuple[Card, ...]:
    if type(seed) is not int or seed < 0:
        raise BadSeed(seed)
    if version not in families.VERSIONS:
        raise UnknownVersion(version)
    rng = Random(f"illusion deck {version} {seed}")
    all_shares = ladder.shares(rng)
    manners = _manners(all_shares, rng)
    names = _families(version, rng)
    return tuple(
        Card(number, name, shares, manner, f"illusion card {version} {seed} {number}", version)
        for number, (name, shares, manner) in enumerate(zip(names, all_shares, manners, strict=True), first_number)
    )


def _families(version: int, rng: Random) -> list[str]:
    """A family for each card, all about equally often and none more than nine times."""
    names = list(families.VERSIONS[version])
    chosen: list[str] = []
    while len(chosen) < ladder.CARDS:
        chosen += rng.sample(names, min(len(names), ladder.CARDS - len(chosen)))
    rng.shuffle(chosen)
    return chosen


def _manners(all_shares: list[Shares], rng: Random) -> list[dict[Colour, Manner]]:
    """Deception on purpose: on every rung of every colour some cards are dust and some a block, some lie at the centre
    and some at the rim. Dust needs white between its parts, so the cards with the most white are the dust.
    """
    manners: list[dict[Colour, Manner]] = [{} for _ in all_shares]
    for colour in Colour:
        order = sorted(
            range(len(all_shares)), key=lambda card: (all_shares[card][colour], _total(all_shares[card]), card)
        )
        for _, group in groupby(order, key=lambda card: all_shares[card][colour]):
            rung = list(group)
            dusty = rung[: len(rung) // 2]
            for kind in (dusty, rung[len(rung) // 2 :]):
                rng.shuffle(kind)
                for at, card in enumerate(kind):
                    manners[card][colour] = Manner(dust=kind is dusty, central=at % 2 == 0)
    return manners


def _total(shares: Shares) -> int:
    return sum(shares[colour] for colour in Colour)
