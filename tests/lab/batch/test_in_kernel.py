"""The kernel of an accelerator plays the games that every other backend plays; here Pallas interprets it."""

from random import Random

import numpy as np
import pytest

from illusion.lab.batch import Engine
from illusion.lab.batch.in_kernel import play_randomly
from illusion.lab.batch.lanes import LANES_OF_A_BLOCK
from illusion.rules import Colour, ColourCard, Penalty

LANES, STEPS = 2 * LANES_OF_A_BLOCK, 60


@pytest.mark.parametrize(("players", "pile", "penalty"), [(2, 13, Penalty.ARROW), (5, 98, Penalty.NOTHING)])
def test_a_kernel_plays_the_same_games(players: int, pile: int, penalty: Penalty) -> None:
    rng = Random(players)
    cards = [ColourCard(number, {colour: rng.randrange(30) for colour in Colour}) for number in range(pile)]
    plain, kernel = (Engine(players, [cards], penalty=penalty, name=name) for name in ("numpy", "jax"))
    expected, games = plain.play_randomly(plain.init(5, LANES), STEPS)
    played, counted = play_randomly(kernel.init(5, LANES), STEPS, kernel.terms, kernel.shares, interpret=True)
    assert int(counted) == games > LANES // 4
    for name in expected.turn._fields:
        assert np.array_equal(getattr(played.turn, name), getattr(expected.turn, name)), name
    for name in ("deck", "arrows", "stacks"):
        assert np.array_equal(getattr(played.cards, name), getattr(expected.cards, name)), name
    there = np.arange(pile) < np.asarray(expected.turn.length)[:, None]
    assert np.array_equal(np.where(there, played.cards.row, 0), np.where(there, expected.cards.row, 0))
