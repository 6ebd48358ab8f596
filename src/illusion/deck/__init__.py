"""Ninety-eight pictures from a seed, each covering exactly the percentages on its back."""

from illusion.deck.deck import PICTURES_VERSION, BadSeed, Card, Deck, make_deck, make_pile, pile_seeds
from illusion.deck.palettes import PALETTES, STANDARD, Palette

__all__ = [
    "PALETTES",
    "PICTURES_VERSION",
    "STANDARD",
    "BadSeed",
    "Card",
    "Deck",
    "Palette",
    "make_deck",
    "make_pile",
    "pile_seeds",
]
