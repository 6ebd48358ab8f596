"""The shares of a deck: on rungs, nearly independent, with white left over."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from illusion.deck import make_deck
from illusion.rules import Colour, Shares

SEEDS = range(60)


@pytest.fixture(scope="module", params=SEEDS)
def shares(request: pytest.FixtureRequest) -> list[Shares]:
    return [card.shares for card in make_deck(request.param).cards]


def test_there_are_ninety_eight_different_cards(shares: list[Shares]) -> None:
    assert len(shares) == len(set(shares)) == 98


def test_rungs_are_two_points_apart_and_about_12_percent_above_16(shares: list[Shares]) -> None:
    for colour in Colour:
        rungs = sorted({card[colour] for card in shares})
        steps = list(pairwise(rungs))
        assert min(high - low for low, high in steps) == 2
        assert all(high - low == 2 for low, high in steps if low < 16)
        assert all(high / low == pytest.approx(1.12, abs=0.05) for low, high in steps if low >= 16)


def test_rungs_reach_from_about_2_to_about_55_with_four_to_seven_cards_each(shares: list[Shares]) -> None:
    for colour in Colour:
        cards = Counter(card[colour] for card in shares)
        assert min(cards) in (2, 3)
        assert 50 <= max(cards) <= 57
        assert set(cards.values()) <= {4, 5, 6, 7}


def test_the_four_of_a_card_add_up_to_45_to_95(shares: list[Shares]) -> None:
    assert all(45 <= card.red + card.yellow + card.green + card.blue <= 95 for card in shares)


def test_colours_are_nearly_independent(shares: list[Shares]) -> None:
    correlation = np.corrcoef([[card[colour] for card in shares] for colour in Colour])
    assert np.abs(correlation - np.eye(4)).max() < 0.25


def test_ladders_differ_from_seed_to_seed_and_from_colour_to_colour() -> None:
    decks = [make_deck(seed) for seed in range(10)]
    ladders = {tuple(sorted({card.shares[colour] for card in deck})) for deck in decks for colour in Colour}
    assert len(ladders) > 5
