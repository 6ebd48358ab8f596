"""A card drawn and measured: what pages show, and what bots' eyes see. A worker process imports no more than this."""

import gzip
from collections.abc import Sequence
from typing import Final, NamedTuple

from illusion.bots.eyes import Sight, sight_in
from illusion.deck import STANDARD, Card
from illusion.deck.svg import front

COMPRESSION_LEVEL: Final = 6
"""Higher levels take twice the time and save one percent."""


class Drawing(NamedTuple):
    """A drawn card."""

    front: bytes
    """SVG in the standard palette, compressed by gzip."""
    sight: Sight
    """The measurements for bots' eyes."""


def draw(card: Card) -> Drawing:
    """Draw and measure a card, in some milliseconds. Raises Undrawable."""
    picture = card.picture
    return Drawing(compressed(front(picture, STANDARD)), sight_in(picture, card.family))


def draw_some(cards: Sequence[Card]) -> list[Drawing]:
    return list(map(draw, cards))


def compressed(svg: str) -> bytes:
    return gzip.compress(svg.encode(), COMPRESSION_LEVEL, mtime=0)
