"""Forward-backward over a row against plain enumeration of all rungs the cards can have."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from illusion.bots.belief import RUNGS, Chances, Factor, believe, others_evidence
from illusion.rules import Colour, ColourCard, Place, Shares, apply, start, view
from illusion.rules.cards import ARROWS
from tests.bots.situations import enumerated

POSSIBLE = [2, 5, 9, 14]
chances = st.lists(st.integers(0, 9), min_size=4, max_size=4).filter(any)
"""Weights of four possible rungs: enough to be wrong in every way, few enough to enumerate."""


def spread_out(weights: list[int]) -> Chances:
    made = np.zeros(len(RUNGS))
    made[POSSIBLE] = weights
    return np.asarray(made / made.sum())


@given(st.lists(chances, min_size=1, max_size=4), chances, st.data())
def test_chances_are_those_of_enumeration(row: list[list[int]], card: list[int], data: st.DataObject) -> None:
    numbers = np.random.default_rng(data.draw(st.integers(0, 1000)))
    evidence: list[Factor | None] = [
        numbers.uniform(0.1, 1, (len(RUNGS), len(RUNGS))) if data.draw(st.booleans()) else None for _ in row[1:]
    ]
    cards, next_card = [spread_out(each) for each in row], spread_out(card)
    right, stays = enumerated(cards, next_card, evidence, POSSIBLE)
    belief = believe(cards, next_card, evidence)
    assert belief.right == pytest.approx(right, abs=1e-12)
    assert belief.stays == pytest.approx(stays, abs=1e-12)


def test_each_other_player_counts_once_for_two_neighbours() -> None:
    """Three players lay to the right end in turn; then it is seat 0's turn with four cards in the row."""
    cards = [ColourCard(number, Shares(5 * number, 10, 10, 10)) for number in range(1, 10)]
    game = start(3, ARROWS, cards, first=0)
    assert game.arrow is Colour.RED
    for gap in (1, 2, 3):
        game, _ = apply(game, Place(gap))
    seen = view(game)
    assert seen.laid == (0, 1, 2, 3)
    assert seen.placed_by == (None, 0, 1, 2)
    first, second, third = others_evidence(seen, 0)
    assert first is not None  # laid by me, not doubted by the two others
    assert second is not None  # laid by seat 1, not doubted by seat 2
    assert third is not None  # laid by seat 2
    lower, higher = 3, 9
    for factor in (first, second, third):
        assert factor[lower, higher] > factor[higher, lower]
    assert others_evidence(seen, 2)[2] is None  # seat 2 alone has seen the last two side by side
