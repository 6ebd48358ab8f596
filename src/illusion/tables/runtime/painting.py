"""What a card's picture comes to: the front as it is sent, and what eyes measure on it. Both from one drawing."""

import gzip
from collections.abc import Sequence
from typing import Final, NamedTuple

from illusion.bots.sight import Sight, sight_in
from illusion.deck import STANDARD, Card
from illusion.deck.card import draw_together
from illusion.deck.palettes import Palette, palette_named
from illusion.deck.picture import Undrawable
from illusion.deck.svg import front, style

COMPRESSION_LEVEL: Final = 6
"""Higher levels take twice the time and save one percent."""


class Painting(NamedTuple):
    """A drawn card."""

    front: bytes
    """The front in the standard palette: SVG, compressed by gzip."""
    sight: Sight


def paint(card: Card) -> Painting:
    """Takes milliseconds. Raises Undrawable."""
    picture = card.picture
    return Painting(_compressed(front(picture, STANDARD)), sight_in(picture, card.family))


def paint_together(cards: Sequence[Card]) -> list[Painting | None]:
    """Their paintings, None where a card cannot be drawn. Several take less time than one by one; none is kept here."""
    paintings = list[Painting | None]()
    for card, picture in zip(cards, draw_together(cards), strict=True):
        if isinstance(picture, Undrawable):
            paintings.append(None)
        else:
            paintings.append(Painting(_compressed(front(picture, STANDARD)), sight_in(picture, card.family)))
    return paintings


def in_palette(compressed: bytes, palette: str) -> bytes:
    """A front in a palette, compressed. Only the style sheet differs."""
    wanted = palette_named(palette)
    if wanted is STANDARD:
        return compressed
    return _compressed(_restyled(gzip.decompress(compressed).decode(), wanted))


def _restyled(svg: str, palette: Palette) -> str:
    return svg.replace(style(STANDARD), style(palette), 1)


def _compressed(svg: str) -> bytes:
    return gzip.compress(svg.encode(), COMPRESSION_LEVEL, mtime=0)
