"""Every picture covers exactly what its back says (R1.3), and nothing on it is too small to see."""

from functools import cache

import pytest
import shapely
from harness.sweeps import sweep

from illusion.deck import Card, make_deck
from illusion.rules import Colour
from tests.deck.svg_reader import CARD_WIDTH, WHITE_AREA, area, paths, regions

SEEDS = [7, 20180221, 2**255 + 1, *range(sweep(0, 20))]
SMALLEST = 0.006 * CARD_WIDTH


@cache
def drawn(card: Card) -> str:
    return card.svg()


@pytest.fixture(scope="module", params=SEEDS)
def cards(request: pytest.FixtureRequest) -> tuple[Card, ...]:
    return make_deck(request.param).cards


def test_r1_3_areas_in_the_file_are_the_printed_percentages(cards: tuple[Card, ...]) -> None:
    for card in cards:
        covered = {colour: area(outlines) / WHITE_AREA * 100 for colour, outlines in paths(drawn(card)).items()}
        for colour in Colour:
            assert covered[colour] == pytest.approx(card.shares[colour], abs=0.02), (card, colour)


def test_colours_lie_in_the_white_area_and_keep_apart(cards: tuple[Card, ...]) -> None:
    """No overlap, no hairline seam: any two regions of a card have at least 0.6 % of its width between them."""
    white = shapely.box(315, 315, 5985, 8485)
    for card in cards[::4]:
        shapes = [shape for outlines in paths(drawn(card)).values() for shape in regions(outlines)]
        assert all(white.covers(shape) for shape in shapes)
        tree = shapely.STRtree(shapes)
        one, other = tree.query(shapes, predicate="dwithin", distance=SMALLEST - 1)
        assert list(one) == list(other), card  # each is near itself and nothing else


def test_there_are_no_crumbs_and_no_slivers(cards: tuple[Card, ...]) -> None:
    """Every region holds a disc as wide as 0.6 % of the card, and such a disc reaches nearly all of it."""
    for card in cards[::4]:
        shapes = [shape for outlines in paths(drawn(card)).values() for shape in regions(outlines)]
        shrunk = shapely.buffer(shapes, -SMALLEST / 2)
        assert not shapely.is_empty(shrunk).any(), card
        unreached = shapely.difference(shapes, shapely.buffer(shrunk, SMALLEST / 2 + 2))
        tails = shapely.area(shapely.get_parts(unreached))
        assert max(tails, default=0) < 4000, card  # less than a quarter of a square millimetre at any corner


def test_the_even_odd_rule_and_the_direction_of_rings_agree(cards: tuple[Card, ...]) -> None:
    for card in cards[:20]:
        for outlines in paths(drawn(card)).values():
            assert sum(shape.area for shape in regions(outlines)) == pytest.approx(area(outlines))


def test_the_order_of_the_colours_in_the_file_tells_nothing(cards: tuple[Card, ...]) -> None:
    assert {tuple(paths(drawn(card))) for card in cards} == {tuple(Colour)}


def test_all_pictures_of_a_deck_are_different(cards: tuple[Card, ...]) -> None:
    assert len(set(map(drawn, cards))) == len(cards)
