"""Every way in which decks have been drawn. A stored game names its generator and gets the same pictures back.

A generator that has dealt a game never changes: neither its list of families, nor a family in it, nor anything else its
pictures depend on. To change pictures, add a generator with the next number (docs/deck.md says how).
`tests/deck/test_stable.py` compares every generator's pictures with recorded hashes.

1. The first: families cut and joined by GEOS, the geometry library inside shapely. With another version of GEOS, 2 % of
   its cards come out differently.
2. The same families as mosaics, which need nothing but whole numbers and IEEE arithmetic: the same bytes everywhere,
   more than twice as fast, and the order of the colours in the file tells nothing about their shares.
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import Final, NamedTuple

from illusion.deck.mosaics import MOSAICS
from illusion.deck.painting.drawing import Wanted, draw
from illusion.deck.picture import Picture, Undrawable
from illusion.deck.plan import PlannedCard, planned
from illusion.deck.plane.dice import Dice
from illusion.deck.shares import ladder, quick_ladder

SeededCard = tuple[PlannedCard, str]


class Generator(NamedTuple):
    """How the decks of one generator are made. All randomness comes from the seeds, which are texts."""

    families: tuple[str, ...]
    """Their order matters: families are dealt to cards by it."""
    plan: Callable[[str], list[PlannedCard]]
    """The cards of the deck of a seed."""
    draw: Callable[[Sequence[SeededCard]], list[Picture | Undrawable]]
    """The pictures of some cards, each from its own seed."""


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


def _plan_of_1(seed: str) -> list[PlannedCard]:
    rng = Random(seed)
    return planned(ladder.shares(rng), FAMILIES_OF_1, rng)


def _draw_as_1(cards: Sequence[SeededCard]) -> list[Picture | Undrawable]:
    # Shapely is loaded only where pictures of this generator are drawn.
    from illusion.deck.drawing.picture import draw as draw_with_geos  # noqa: PLC0415
    from illusion.deck.families import FAMILIES  # noqa: PLC0415

    def drawn(card: PlannedCard, seed: str) -> Picture | Undrawable:
        try:
            return draw_with_geos(FAMILIES[card.family], card.shares, card.manners, Random(seed))
        except Undrawable as error:
            return error

    return [drawn(card, seed) for card, seed in cards]


def mosaics(families: tuple[str, ...]) -> Generator:
    """A generator that draws these mosaics."""

    def plan(seed: str) -> list[PlannedCard]:
        dice = Dice(seed)
        return planned(quick_ladder.shares(dice), families, dice)

    def draw_mosaics(cards: Sequence[SeededCard]) -> list[Picture | Undrawable]:
        return draw([Wanted(MOSAICS[card.family], card.shares, card.manners, Dice(seed)) for card, seed in cards])

    return Generator(families, plan, draw_mosaics)


GENERATORS: Final = {
    1: Generator(FAMILIES_OF_1, _plan_of_1, _draw_as_1),
    2: mosaics(FAMILIES_OF_1),
}
LATEST: Final = max(GENERATORS)
