"""What a card's picture comes to: the front as it is sent, and what eyes measure on it. Both from one drawing."""

import gzip
from typing import Final, NamedTuple

from illusion.bots.sight import Sight, sight_of
from illusion.deck import STANDARD, Card
from illusion.deck.rendering.palettes import Palette, palette_named
from illusion.deck.rendering.svg import style

COMPRESSION_LEVEL: Final = 6
"""Higher levels take twice the time and save one percent."""


class Painting(NamedTuple):
    """A drawn card."""

    front: bytes
    """The front in the standard palette: SVG, compressed by gzip."""
    sight: Sight


def paint(card: Card) -> Painting:
    """Takes milliseconds."""
    return Painting(_compressed(card.svg(STANDARD)), sight_of(card))


def in_palette(front: bytes, palette: str) -> bytes:
    """A front in a palette, compressed. Only the style sheet differs."""
    wanted = palette_named(palette)
    if wanted is STANDARD:
        return front
    return _compressed(_restyled(gzip.decompress(front).decode(), wanted))


def _restyled(front: str, palette: Palette) -> str:
    return front.replace(style(STANDARD), style(palette), 1)


def _compressed(front: str) -> bytes:
    return gzip.compress(front.encode(), COMPRESSION_LEVEL, mtime=0)
