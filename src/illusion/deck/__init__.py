"""Ninety-eight pictures from a seed, each covering exactly the percentages on its back."""

from illusion.deck.card import Card
from illusion.deck.deck import BadSeed, Deck, UnknownVersion, make_deck, make_pile, pile_seeds
from illusion.deck.generators import LATEST
from illusion.deck.picture_features import Features
from illusion.deck.rendering.palettes import PALETTES, STANDARD, Palette, UnknownPalette
from illusion.deck.self_check import PicturesDiffer, check_pictures

__all__ = [
    "LATEST",
    "PALETTES",
    "STANDARD",
    "BadSeed",
    "Card",
    "Deck",
    "Features",
    "Palette",
    "PicturesDiffer",
    "UnknownPalette",
    "UnknownVersion",
    "check_pictures",
    "make_deck",
    "make_pile",
    "pile_seeds",
]
