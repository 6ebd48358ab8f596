"""Every way decks have ever been drawn: a stored game names the number of its generator and gets its pictures back.

A generator that has dealt a game never changes. To change anything that a picture depends on, keep what is here and add
a generator with the next number; `tests/deck/test_stable.py` notices when a picture changes.
"""

from collections.abc import Callable, Mapping
from random import Random
from typing import Final, NamedTuple

from illusion.deck.drawing.colouring import Manner
from illusion.deck.drawing.picture import Picture, Pieces, draw
from illusion.deck.families import FAMILIES
from illusion.deck.shares import ladder
from illusion.rules import Colour, Shares


class Generator(NamedTuple):
    """The shares of a deck's cards, the families they are drawn in, and how."""

    shares: Callable[[Random], list[Shares]]
    families: Mapping[str, Pieces]
    draw: Callable[[Pieces, Shares, Mapping[Colour, Manner], Random], Picture]


GENERATORS: Final = {
    1: Generator(ladder.shares, FAMILIES, draw),
}
LATEST: Final = max(GENERATORS)
