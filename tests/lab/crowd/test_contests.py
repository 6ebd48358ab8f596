"""Contests between any eyes and minds."""

import numpy as np

from illusion.bots import levels
from illusion.lab.crowd.contests import Contestant, contest
from illusion.rules import Variant


def test_several_winners_share_a_game() -> None:
    """In twelve rounds two have often as many arrows; to count both as winners would make everybody look strong."""
    casual = levels()["casual"]
    played = contest([Contestant(casual.eyes, casual.mind)] * 3, 60, "shares", variant=Variant.TWELVE_ROUNDS)
    several = played.won.sum(axis=1) > 1
    assert several.any()
    assert not several.all()
    assert np.allclose(played.shares.sum(axis=1), 1)
    assert np.array_equal(played.shares > 0, played.won)
    assert np.array_equal(played.shares[~several], played.won[~several])
