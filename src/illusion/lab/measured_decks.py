"""Piles of cards with the measurements of their pictures, cached on disk, so that simulations need not draw them.

A pile holds the cards that a table would deal from the same seed. A deck's file is named after the pictures' version
and the deck's seed: drawing and measuring takes seconds, reading the file milliseconds.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Final

import msgspec
from platformdirs import user_cache_path

from illusion.bots import Sight, sight_of
from illusion.bots.eyes import Patch
from illusion.deck import PICTURES_VERSION, Card, make_pile
from illusion.rules import CardId, Colour, ColourCard, Variant

DECKS: Final = (0, 1, 2, 3)
"""Seeds of the arena's decks."""
TRAINING_DECKS: Final = tuple(range(8))
"""Seeds of the environments' decks."""


@dataclass(frozen=True, eq=False)
class MeasuredPile:
    """The cards for the rules, and what eyes can see of each."""

    cards: tuple[ColourCard, ...]
    sights: dict[CardId, Sight]


class _DeckFile(msgspec.Struct, frozen=True):
    """A deck's patches by card number, in the order of the colours."""

    seed: str  # of up to 256 bits, too many for a JSON number
    cards: dict[int, tuple[Patch, Patch, Patch, Patch]]


@lru_cache(maxsize=64)
def measured_pile(seed: int, variant: Variant = Variant.FIRST_TO_THREE, *, folder: Path | None = None) -> MeasuredPile:
    """The measured pile of a seed. Measurements are cached in `folder`, by default the user's cache folder."""
    pile = make_pile(seed, variant)
    sights: dict[CardId, Sight] = {}
    for deck_seed, cards in groupby(pile, key=lambda card: card.seed):
        sights |= _measured_deck(tuple(cards), deck_seed, folder or user_cache_path("illusion"))
    return MeasuredPile(tuple(card.colour_card for card in pile), sights)


def _measured_deck(cards: Sequence[Card], seed: int, folder: Path) -> dict[CardId, Sight]:
    path = folder / f"deck-measurements-{PICTURES_VERSION}-{seed}.json"
    deck = _read(path)
    if deck is None or (deck.seed, list(deck.cards)) != (str(seed), [card.number for card in cards]):
        deck = _DeckFile(str(seed), {card.number: _patches(card) for card in cards})
        _write(path, deck)
    return {card.number: Sight(card.family, dict(zip(Colour, deck.cards[card.number], strict=True))) for card in cards}


def _patches(card: Card) -> tuple[Patch, Patch, Patch, Patch]:
    patches = sight_of(card).patches
    red, yellow, green, blue = (patches[colour] for colour in Colour)
    return red, yellow, green, blue


def _read(path: Path) -> _DeckFile | None:
    try:
        return msgspec.json.decode(path.read_bytes(), type=_DeckFile)
    except (OSError, msgspec.DecodeError):
        return None


def _write(path: Path, deck: _DeckFile) -> None:
    """Replace the file atomically. Failing to write it is no error: it is only a cache."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=path.parent, delete=False) as part:
            part.write(msgspec.json.encode(deck))
        Path(part.name).replace(path)
    except OSError:
        return
