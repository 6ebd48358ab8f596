"""A deck of ninety-eight cards, all of it decided by a seed; a card is drawn only when somebody looks at it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import groupby
from random import Random
from threading import Lock
from typing import Final, overload

from illusion.deck import svg
from illusion.deck.colouring import Manner
from illusion.deck.features import Features, measure
from illusion.deck.generators import GENERATORS, LATEST
from illusion.deck.palettes import STANDARD, Palette, palette_named
from illusion.deck.picture import Picture
from illusion.rules import Colour, ColourCard, Shares, Variant


class BadSeed(ValueError):
    """A seed is a whole number, 0 or above."""


class UnknownVersion(ValueError):
    """No generator of that number has ever dealt."""


@dataclass(frozen=True, slots=True)
class Card:
    """A colour card: its number in the pile, its shares, and how its picture is to be drawn.

    A card is small, and cards of many decks can be kept; pictures are large, and only those looked at lately are.
    """

    number: int
    family: str
    shares: Shares
    manners: Mapping[Colour, Manner] = field(repr=False, compare=False)
    seed: int = field(repr=False)
    version: int

    @property
    def picture(self) -> Picture:
        """Drawn when first asked for, the same in every process."""
        with _drawing:
            return _picture(self)

    @property
    def features(self) -> dict[Colour, Features]:
        return _features(self)

    @property
    def colour_card(self) -> ColourCard:
        """The card as the rules know it."""
        return ColourCard(self.number, self.shares)

    def svg(self, palette: Palette | str = STANDARD) -> str:
        return svg.front(self.picture, palette_named(palette))

    def back_svg(self, palette: Palette | str = STANDARD) -> str:
        return svg.back(self.shares, self.number, palette_named(palette))


_drawing: Final = Lock()
"""One picture at a time: four players who turn to a new card at once get one drawing, not four."""


@lru_cache(maxsize=1024)
def _picture(card: Card) -> Picture:
    generator = GENERATORS[card.version]
    rng = Random(f"illusion card {card.version} {card.seed} {card.number}")
    return generator.draw(generator.families[card.family], card.shares, card.manners, rng)


@lru_cache(maxsize=4096)
def _features(card: Card) -> dict[Colour, Features]:
    return measure(card.picture)


@dataclass(frozen=True)
class Deck(Sequence[Card]):
    """Ninety-eight cards. A stored game names the seed and the version, and gets the same pictures back."""

    seed: int
    version: int
    cards: tuple[Card, ...] = field(repr=False)

    def __len__(self) -> int:
        return len(self.cards)

    @overload
    def __getitem__(self, at: int) -> Card: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Card, ...]: ...
    def __getitem__(self, at: int | slice) -> Card | tuple[Card, ...]:
        return self.cards[at]


def make_deck(seed: int, version: int = LATEST) -> Deck:
    """The deck of a seed, its cards numbered from 1; nothing is drawn yet."""
    return Deck(seed, version, _cards(seed, version, first_number=1))


def make_pile(seed: int, variant: Variant, version: int = LATEST) -> tuple[Card, ...]:
    """The cards for a game: as many decks as the variant takes, numbered on from one to the next (R6.6)."""
    cards = make_deck(seed, version).cards
    for _ in range(1, variant.end.decks):
        seed = Random(f"illusion second deck {seed}").getrandbits(256)
        cards += _cards(seed, version, first_number=len(cards) + 1)
    return cards


def _cards(seed: int, version: int, first_number: int) -> tuple[Card, ...]:
    if type(seed) is not int or seed < 0:
        raise BadSeed(seed)
    if version not in GENERATORS:
        raise UnknownVersion(version)
    rng = Random(f"illusion deck {version} {seed}")
    all_shares = GENERATORS[version].shares(rng)
    manners = _manners(all_shares, rng)
    names = _families(list(GENERATORS[version].families), len(all_shares), rng)
    return tuple(
        Card(number, name, shares, manner, seed, version)
        for number, (name, shares, manner) in enumerate(zip(names, all_shares, manners, strict=True), first_number)
    )


def _families(names: list[str], cards: int, rng: Random) -> list[str]:
    """A family for each card, all of them equally often or once more than others."""
    chosen: list[str] = []
    while len(chosen) < cards:
        chosen += rng.sample(names, min(len(names), cards - len(chosen)))
    rng.shuffle(chosen)
    return chosen


def _manners(all_shares: list[Shares], rng: Random) -> list[Mapping[Colour, Manner]]:
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
    return [_shared(tuple(manner[colour] for colour in Colour)) for manner in manners]


@cache
def _shared(manners: tuple[Manner, ...]) -> Mapping[Colour, Manner]:
    """There are 256 ways in all, so that the cards of all decks can share them."""
    return dict(zip(Colour, manners, strict=True))


def _total(shares: Shares) -> int:
    return sum(shares[colour] for colour in Colour)
