"""Ninety-eight pictures that nobody has seen, each covering exactly what its back says."""

from illusion.deck.deck import BadSeed, Card, Deck, UnknownVersion, make_deck, make_pile
from illusion.deck.features import Features
from illusion.deck.palettes import PALETTES, STANDARD, Palette, UnknownPalette

__all__ = [
    "PALETTES",
    "STANDARD",
    "BadSeed",
    "Card",
    "Deck",
    "Features",
    "Palette",
    "UnknownPalette",
    "UnknownVersion",
    "make_deck",
    "make_pile",
]
