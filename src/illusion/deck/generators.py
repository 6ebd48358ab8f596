"""Every way in which decks have been drawn. A stored game names its generator and gets the same pictures back.

A generator that has dealt a game never changes: neither its list of families, nor a family in it, nor anything else its
pictures depend on. To change pictures, add a generator with the next number (docs/deck.md says how).
`tests/deck/test_stable.py` compares every generator's pictures with recorded hashes.
"""

from collections.abc import Callable, Mapping
from random import Random
from typing import Final, NamedTuple

from illusion.deck.drawing.colouring import Manner
from illusion.deck.drawing.picture import Picture, Pieces, draw
from illusion.deck.shares import ladder
from illusion.rules import Colour, Shares


class Generator(NamedTuple):
    """How the decks of one generator are made."""

    shares: Callable[[Random], list[Shares]]
    """The shares of a deck's cards."""
    families: tuple[str, ...]
    """Names in `illusion.deck.families.FAMILIES`. Their order matters: families are dealt to cards by it."""
    draw: Callable[[Pieces, Shares, Mapping[Colour, Manner], Random], Picture]


FAMILIES_OF_1: Final = (
    "broken-rings",
    "brush-ribbons",
    "camouflage",
    "chevrons",
    "circle-packing",
    "confetti",
    "fish",
    "halftone",
    "herringbone",
    "hexagons",
    "munker-stripes",
    "nested-squares",
    "petals",
    "pinwheels",
    "scales",
    "spiral",
    "stained-glass",
    "sunburst",
    "triangle-mesh",
    "truchet",
    "tumbling-blocks",
    "warped-checkerboard",
    "wavy-bands",
    "woven-ribbons",
)

GENERATORS: Final = {
    1: Generator(ladder.shares, FAMILIES_OF_1, draw),
}
LATEST: Final = max(GENERATORS)
