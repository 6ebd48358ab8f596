"""Every picture covers exactly what its back says (R1.3), and nothing on it is too small to see."""

import io

import numpy as np
import pytest
import resvg_py
import shapely
from harness.sweeps import sweep
from PIL import Image

from illusion.deck import STANDARD, Card, make_deck
from illusion.rules import Colour
from tests.deck.svg_reader import CARD_WIDTH, WHITE_AREA, area, paths, regions

SEEDS = sweep([2**255 + 1], [7, 20180221, 2**255 + 1, *range(20)])
SMALLEST = 0.006 * CARD_WIDTH
WHITE = shapely.box(315, 315, 5985, 8485)
PIXELS_ACROSS = 1000
WHITE_PIXELS = WHITE_AREA * (PIXELS_ACROSS / CARD_WIDTH) ** 2

Outlines = dict[Colour, list[np.ndarray]]


@pytest.fixture(scope="module", params=SEEDS)
def cards(request: pytest.FixtureRequest) -> list[tuple[Card, Outlines]]:
    """The cards of a deck, and what is in their files."""
    return [(card, paths(card.svg())) for card in make_deck(request.param)]


def test_r1_3_areas_in_the_file_are_the_printed_percentages(cards: list[tuple[Card, Outlines]]) -> None:
    for card, outlines in cards:
        assert tuple(outlines) == tuple(Colour)  # an order that tells nothing
        for colour, rings in outlines.items():
            covered = area(rings) / WHITE_AREA * 100
            assert covered == pytest.approx(card.shares[colour], abs=0.02), (card, colour)


def test_regions_lie_in_the_white_area_keep_apart_and_are_no_crumbs(cards: list[tuple[Card, Outlines]]) -> None:
    """Any two regions have 0.6 % of the card's width between them: no overlap, no hairline seam. Each holds a disc as
    wide as that, and such a disc reaches nearly all of it: no crumb, no sliver."""
    for card, outlines in cards[::4]:
        shapes = []
        for rings in outlines.values():
            filled = regions(rings)
            assert sum(shape.area for shape in filled) == pytest.approx(area(rings))  # also by the direction of rings
            shapes += filled
        assert shapely.covered_by(shapes, WHITE).all()
        tree = shapely.STRtree(shapes)
        one, other = tree.query(shapes, predicate="dwithin", distance=SMALLEST - 1)
        assert list(one) == list(other), card  # each is near itself and nothing else
        shrunk = shapely.buffer(shapes, -SMALLEST / 2)
        assert not shapely.is_empty(shrunk).any(), card
        unreached = shapely.difference(shapes, shapely.buffer(shrunk, SMALLEST / 2 + 2))
        tails = shapely.area(shapely.get_parts(unreached))
        assert max(tails, default=0) < 4000, card  # less than a quarter of a square millimetre at any corner


def one_of_each_family() -> list[Card]:
    """From several seeds, so that the result does not depend on one deck."""
    found: dict[str, Card] = {}
    for seed in (31, 32, 33):
        for card in make_deck(seed).cards:
            found.setdefault(card.family, card)
    return [found[family] for family in sorted(found)]


@pytest.mark.parametrize("card", one_of_each_family(), ids=lambda card: card.family)
def test_r1_3_pixels_rendered_by_another_program_agree_with_the_back(card: Card) -> None:
    """Counted without anti-aliasing."""
    hard = card.svg().replace("<style>", "<style>*{shape-rendering:crispEdges}")
    png = bytes(resvg_py.svg_to_bytes(svg_string=hard, width=PIXELS_ACROSS))
    counted = Image.open(io.BytesIO(png)).convert("RGB").getcolors(PIXELS_ACROSS**2)
    pixels = {"#{:02x}{:02x}{:02x}".format(*colour): count for count, colour in counted or ()}  # type: ignore[misc]
    for colour in Colour:
        assert pixels[STANDARD[colour]] / WHITE_PIXELS * 100 == pytest.approx(card.shares[colour], abs=0.03)
    painted = {STANDARD[colour] for colour in Colour} | {"#ffffff", STANDARD.frame}
    assert {colour for colour, count in pixels.items() if count > 750} <= painted | {"#000000"}  # round corners
