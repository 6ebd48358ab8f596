"""A deck from a seed: shares, families, manners, and the pile for each variant."""

from collections import Counter, defaultdict
from itertools import pairwise
from random import Random

import numpy as np
import pytest
from harness.sweeps import sweep

from illusion.deck import BadSeed, Card, Deck, make_deck, make_pile, pile_seeds
from illusion.deck.picture import CENTRE, Manner, Undrawable
from illusion.rules import Colour, Shares, Variant, deal
from tests.deck.svg_reader import area


@pytest.fixture(scope="module", params=range(sweep(20, 60)))
def deck(request: pytest.FixtureRequest) -> Deck:
    return make_deck(request.param)


def test_there_are_ninety_eight_different_cards_of_at_least_eighteen_families(deck: Deck) -> None:
    assert [card.number for card in deck] == list(range(1, 99))
    assert len({card.shares for card in deck}) == 98
    families = Counter(card.family for card in deck)
    assert len(families) >= 18
    assert max(families.values()) <= 9


def test_shares_lie_on_rungs_two_points_apart_and_about_12_percent_above_16(deck: Deck) -> None:
    for colour in Colour:
        cards = Counter(card.shares[colour] for card in deck)
        for low, high in pairwise(sorted(cards)):
            assert high - low >= 2
            assert high - low == 2 if low < 16 else high / low == pytest.approx(1.12, abs=0.05)
        assert min(cards) in (2, 3)
        assert 50 <= max(cards) <= 57
        assert set(cards.values()) <= {4, 5, 6, 7}


def test_the_four_of_a_card_add_up_to_45_to_95_and_colours_are_nearly_independent(deck: Deck) -> None:
    shares = np.array([[card.shares[colour] for colour in Colour] for card in deck])
    totals = shares.sum(axis=1)
    assert (totals >= 45).all()
    assert (totals <= 95).all()
    assert np.abs(np.corrcoef(shares.T) - np.eye(4)).max() < 0.25


def test_every_share_comes_as_dust_and_as_a_block_at_the_centre_and_at_the_rim(deck: Deck) -> None:
    manners: dict[tuple[Colour, int], set[Manner]] = defaultdict(set)
    for card in deck:
        for colour in Colour:
            manners[colour, card.shares[colour]].add(card.manners[colour])
    for shown in manners.values():
        assert {manner.dust for manner in shown} == {manner.central for manner in shown} == {True, False}


def test_ladders_differ_from_seed_to_seed_and_from_colour_to_colour() -> None:
    decks = [make_deck(seed) for seed in range(10)]
    ladders = {tuple(sorted({card.shares[colour] for card in deck})) for deck in decks for colour in Colour}
    assert len(ladders) > 5


def test_r6_6_twelve_rounds_get_two_decks_each_of_which_can_be_made_alone() -> None:
    short, long = make_pile(7, Variant.FIRST_TO_THREE), make_pile(7, Variant.TWELVE_ROUNDS)
    first, second = pile_seeds(7, decks=2)
    assert short == long[:98] == make_deck(7).cards
    assert long[98:] == make_deck(second, first_number=99).cards
    assert [card.number for card in long] == list(range(1, 197))
    assert [card.seed for card in (long[0], long[98])] == [first, second]
    assert first == 7
    assert len(set(pile_seeds(7, decks=3))) == 3
    assert long[98].svg() != long[0].svg()
    assert deal(4, [card.colour_card for card in long], Random(1), Variant.TWELVE_ROUNDS).cards_left == 195


def test_manners_show_in_the_pictures() -> None:
    """Over a deck, dust has more and smaller regions than blocks, and central colours lie nearer to the centre."""
    regions, largest = defaultdict[bool, list[int]](list), defaultdict[bool, list[float]](list)
    distance = defaultdict[bool, list[float]](list)
    for card in make_deck(7)[::2]:
        for colour, shapes in card.picture.items():
            dust, central = card.manners[colour]
            areas = np.array([area(rings) for rings in shapes])
            middles = np.array([(outline.min(axis=0) + outline.max(axis=0)) / 2 for outline, *_ in shapes])
            regions[dust].append(len(shapes))
            largest[dust].append(areas.max() / areas.sum())
            distance[central].append(np.average(np.hypot(*(middles - CENTRE).T), weights=areas))
    assert np.mean(regions[True]) > 1.5 * np.mean(regions[False])
    assert np.mean(largest[True]) < 0.8 * np.mean(largest[False])
    assert np.mean(distance[True]) < 0.95 * np.mean(distance[False])


@pytest.mark.parametrize("seed", [-1, 1.5, "7", None, True])
def test_a_seed_is_a_whole_number_from_0_up(seed: int) -> None:
    with pytest.raises(BadSeed):
        make_deck(seed)


def test_shares_that_leave_no_white_cannot_be_drawn() -> None:
    manners = dict.fromkeys(Colour, Manner(dust=False, central=True))
    hopeless = Card(1, "stained-glass", Shares(25, 25, 25, 25), manners, seed=1)
    with pytest.raises(Undrawable):
        _ = hopeless.picture
