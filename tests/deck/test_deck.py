"""A deck from a seed: families, manners, and the pile for each variant."""

from collections import Counter, defaultdict
from random import Random

import numpy as np
import pytest

from illusion.deck import BadSeed, Card, Deck, make_deck, make_pile, pile_seeds
from illusion.deck.picture import CENTRE, Manner, Undrawable
from illusion.rules import Colour, Shares, Variant, deal
from tests.deck.svg_reader import area


@pytest.fixture(scope="module")
def deck() -> Deck:
    return make_deck(7)


def test_a_deck_is_a_sequence_of_ninety_eight_numbered_cards(deck: Deck) -> None:
    assert [card.number for card in deck] == list(range(1, 99))
    assert deck[0].number == 1
    assert len(deck[:10]) == 10


@pytest.mark.parametrize("seed", range(20))
def test_no_family_has_more_than_nine_cards(seed: int) -> None:
    families = Counter(card.family for card in make_deck(seed))
    assert max(families.values()) <= 9
    assert len(families) >= 18


def test_the_same_seed_gives_the_same_deck_and_another_seed_another(deck: Deck) -> None:
    assert make_deck(7) == deck
    assert make_deck(8) != deck


def test_r6_6_twelve_rounds_get_two_decks() -> None:
    short, long = make_pile(7, Variant.FIRST_TO_THREE), make_pile(7, Variant.TWELVE_ROUNDS)
    assert short == long[:98] == make_deck(7).cards
    assert [card.number for card in long] == list(range(1, 197))
    assert long[98].svg() != long[0].svg()
    assert [card.seed for card in (long[0], long[98])] == list(pile_seeds(7, decks=2))
    game = deal(4, [card.colour_card for card in long], Random(1), Variant.TWELVE_ROUNDS)
    assert game.cards_left == 195


def test_any_deck_of_a_pile_can_be_made_alone() -> None:
    second = make_deck(pile_seeds(7, decks=2)[1], first_number=99)
    assert second.cards == make_pile(7, Variant.TWELVE_ROUNDS)[98:]
    assert pile_seeds(7, decks=1) == (7,)
    assert len(set(pile_seeds(7, decks=3))) == 3


@pytest.mark.parametrize("seed", range(5))
def test_every_share_level_comes_as_dust_and_as_a_block_at_the_centre_and_at_the_rim(seed: int) -> None:
    levels: dict[tuple[Colour, int], list[Manner]] = defaultdict(list)
    for card in make_deck(seed):
        for colour in Colour:
            levels[colour, card.shares[colour]].append(card.manners[colour])
    for manners in levels.values():
        assert {manner.dust for manner in manners} == {True, False}
        assert {manner.central for manner in manners} == {True, False}


def test_manners_show_in_the_pictures(deck: Deck) -> None:
    """Over a deck, dust has more and smaller regions than blocks, and central colours lie nearer to the centre."""
    regions, largest = defaultdict[bool, list[int]](list), defaultdict[bool, list[float]](list)
    distance = defaultdict[bool, list[float]](list)
    for card in deck:
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
