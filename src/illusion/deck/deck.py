"""Decks of ninety-eight cards, and the pile of cards for a game, both decided by a seed."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final, overload

from illusion.deck.card import Card
from illusion.deck.families import FAMILIES
from illusion.deck.plan import plan
from illusion.deck.plane.dice import Dice
from illusion.rules import Variant

PICTURES_VERSION: Final = 2
"""Raised whenever a change alters a picture. Logs and records name it as `generator`: those of another version are
refused, because their cards would show other pictures."""


class BadSeed(ValueError):
    """A seed is a whole number, 0 or above."""


@dataclass(frozen=True)
class Deck(Sequence[Card]):
    """Ninety-eight cards. The seed is enough to get the same deck again."""

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
    planned = plan(tuple(FAMILIES), Dice(f"illusion deck 2 {seed}"))
    return Deck(seed, tuple(Card(number, *card, seed) for number, card in enumerate(planned, first_number)))


def pile_seeds(seed: int, decks: int) -> tuple[int, ...]:
    """The seeds of the decks in a pile: the pile's own, then each derived from the one before.

    A pile numbers its cards through, and a picture depends on its card's number: deck `n` of a pile (from 0) is
    `make_deck(pile_seeds(seed, decks)[n], first_number=1 + 98 * n)`.
    """
    seeds = [seed]
    while len(seeds) < decks:
        seeds.append(Random(f"illusion second deck {seeds[-1]}").getrandbits(256))
    return tuple(seeds)


def make_pile(seed: int, variant: Variant) -> tuple[Card, ...]:
    """The cards for a game: as many decks as the variant takes, numbered through (R6.6)."""
    cards: tuple[Card, ...] = ()
    for deck_seed in pile_seeds(seed, variant.end.decks):
        cards += make_deck(deck_seed, first_number=len(cards) + 1).cards
    return cards
