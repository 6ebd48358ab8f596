"""A deck from a seed: families, manners, features, and the pile for each variant."""

from collections import Counter, defaultdict
from random import Random

import numpy as np
import pytest

from illusion.deck import BadSeed, Deck, Features, UnknownVersion, make_deck, make_pile, pile_seeds
from illusion.deck.generators import GENERATORS
from illusion.deck.picture import Manner, Undrawable
from illusion.deck.plan import PlannedCard
from illusion.rules import Colour, Shares, Variant, deal


@pytest.fixture(scope="module", params=GENERATORS)
def deck(request: pytest.FixtureRequest) -> Deck:
    return make_deck(7, request.param)


def test_a_deck_is_a_sequence_of_ninety_eight_numbered_cards(deck: Deck) -> None:
    assert [card.number for card in deck] == list(range(1, 99))
    assert deck[0].number == 1
    assert len(deck[:10]) == 10


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("version", GENERATORS)
def test_no_family_has_more_than_nine_cards(seed: int, version: int) -> None:
    families = Counter(card.family for card in make_deck(seed, version))
    assert max(families.values()) <= 9
    assert len(families) >= 18


def test_the_same_seed_gives_the_same_deck_and_another_seed_another(deck: Deck) -> None:
    assert make_deck(7, deck.version) == deck
    assert make_deck(8, deck.version) != deck


def test_a_picture_can_be_drawn_alone(deck: Deck) -> None:
    """Drawing others first, or none, changes nothing."""
    alone = make_deck(7, deck.version)[60].svg()
    assert [card.svg() for card in deck[50:61]][-1] == alone


def test_r6_6_twelve_rounds_get_two_decks() -> None:
    short, long = make_pile(7, Variant.FIRST_TO_THREE), make_pile(7, Variant.TWELVE_ROUNDS)
    assert short == long[:98] == make_deck(7).cards
    assert [card.number for card in long] == list(range(1, 197))
    assert long[98].svg() != long[0].svg()
    assert [card.seed for card in (long[0], long[98])] == list(pile_seeds(7, decks=2))
    game = deal(4, [card.colour_card for card in long], Random(1), Variant.TWELVE_ROUNDS)
    assert game.cards_left == 195


def test_any_deck_of_a_pile_can_be_made_alone() -> None:
    for version in GENERATORS:
        second = make_deck(pile_seeds(7, decks=2)[1], version, first_number=99)
        assert second.cards == make_pile(7, Variant.TWELVE_ROUNDS, version)[98:]
    assert pile_seeds(7, decks=1) == (7,)
    assert len(set(pile_seeds(7, decks=3))) == 3


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("version", GENERATORS)
def test_every_share_level_comes_as_dust_and_as_a_block_at_the_centre_and_at_the_rim(seed: int, version: int) -> None:
    levels: dict[tuple[Colour, int], list[Manner]] = defaultdict(list)
    for card in make_deck(seed, version):
        for colour in Colour:
            levels[colour, card.shares[colour]].append(card.manners[colour])
    for manners in levels.values():
        assert {manner.dust for manner in manners} == {True, False}
        assert {manner.central for manner in manners} == {True, False}


def test_manners_show_in_the_measured_features(deck: Deck) -> None:
    """Over a deck, dust has more and smaller regions than blocks, and central colours are nearer to the centre."""
    dust, block, centre, rim = list[Features](), list[Features](), list[Features](), list[Features]()
    for card in deck:
        for colour in Colour:
            features, manner = card.features[colour], card.manners[colour]
            (dust if manner.dust else block).append(features)
            (centre if manner.central else rim).append(features)

    def mean(values: list[float]) -> float:
        return sum(values) / len(values)

    assert mean([each.regions for each in dust]) > 1.5 * mean([each.regions for each in block])
    assert mean([each.largest for each in dust]) < 0.8 * mean([each.largest for each in block])
    assert mean([each.perimeter for each in dust]) > 1.2 * mean([each.perimeter for each in block])
    assert mean([each.distance for each in centre]) < 0.95 * mean([each.distance for each in rim])


def test_features_have_their_meaning(deck: Deck) -> None:
    for card in deck[:20]:
        for colour in Colour:
            features = card.features[colour]
            area = card.shares[colour] / 100 * 56.70 * 81.70
            assert features.regions == len(card.picture[colour])
            assert 1 / features.regions - 1e-9 <= features.largest <= 1
            assert features.perimeter**2 >= 4 * 3.14 * area / features.regions  # the disc has the shortest outline
            assert features.sides >= 2 * (area / features.regions) ** 0.5
            assert 0 <= features.distance <= 50


def test_features_of_generators_agree() -> None:
    """What fools the eye is spread alike, so what bots have learned of one generator's decks holds for the next."""
    measured = [
        np.array(
            [
                [features.regions, features.sides, features.perimeter, features.distance, features.largest]
                for seed in (7, 8)
                for card in make_deck(seed, version)
                for features in card.features.values()
            ]
        )
        for version in GENERATORS
    ]
    for later in measured[1:]:
        assert later.mean(axis=0) == pytest.approx(measured[0].mean(axis=0), rel=0.15)
        assert np.median(later, axis=0) == pytest.approx(np.median(measured[0], axis=0), rel=0.2)


@pytest.mark.parametrize("seed", [-1, 1.5, "7", None, True])
def test_a_seed_is_a_whole_number_from_0_up(seed: int) -> None:
    with pytest.raises(BadSeed):
        make_deck(seed)


def test_a_generator_that_never_was_is_refused() -> None:
    with pytest.raises(UnknownVersion):
        make_deck(7, version=99)


@pytest.mark.parametrize("version", GENERATORS)
def test_shares_that_leave_no_white_cannot_be_drawn(version: int) -> None:
    manners = dict.fromkeys(Colour, Manner(dust=False, central=True))
    planned = PlannedCard("stained-glass", Shares(25, 25, 25, 25), manners)
    (drawn,) = GENERATORS[version].draw([(planned, "1")])
    assert isinstance(drawn, Undrawable)
