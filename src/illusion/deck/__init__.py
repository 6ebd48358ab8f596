"""Ninety-eight pictures that nobody has seen, each covering exactly what its back says."""

from illusion.deck.deck import BadSeed, Card, Deck, UnknownVersion, make_deck, make_pile
from illusion.deck.picture_features import Features
from illusion.deck.rendering.palettes import PALETTES, STANDARD, Palette, UnknownPalette

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
