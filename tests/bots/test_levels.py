"""Five levels, each better than the one below."""

from itertools import pairwise

import pytest

from illusion.bots import LEVEL_NAMES, levels
from illusion.lab.arena import compete


def test_there_are_five_from_the_easiest_to_the_hardest() -> None:
    assert tuple(levels()) == LEVEL_NAMES
    eyes = [level.eyes.w for level in levels().values()]
    assert eyes == sorted(eyes, reverse=True)


@pytest.mark.parametrize(("lower", "higher"), list(pairwise(LEVEL_NAMES)))
def test_each_level_beats_the_one_below(lower: str, higher: str) -> None:
    """At least 62 % in the long run (see docs/bots.md); here 400 games of a fixed seed, with an error of 2.3 %."""
    tally = compete([higher, lower], 400, seed=4)
    assert tally.wins[0] / tally.games > 0.62
