"""A bot's delay tells nothing: at rows of equal length, it does not tell whether the bot's card made the row wrong."""

from collections import defaultdict
from functools import partial
from random import Random
from typing import NamedTuple

import numpy as np
import pytest
from harness.sweeps import sweep

from illusion.bots import LEVEL_NAMES, Bot, levels
from illusion.bots.characters import of_level
from illusion.bots.eyes import repeatable_noise
from illusion.lab.measured_decks import measured_pile
from illusion.lab.simulation import play
from illusion.rules import Game, Move, Place, View, apply, first_fall
from illusion.tables import Pace
from illusion.tables.pace import turn_rng

PLACEMENTS = 16_000
TOLERANCE = 0.03
PACE = Pace()


class Timed(NamedTuple):
    """A placement as somebody at the table sees it, and what they would like to know."""

    cards_in_row: int
    delay_s: float
    wrong: bool
    """Whether the row was wrong afterwards."""


def placements(level: str) -> list[Timed]:
    """Of many games between two bots of a level, with what they see and how long they take drawn as at a table."""
    found: list[Timed] = []
    for number in range(PLACEMENTS):
        nonce, rng = f"{level} {number}", Random(f"{level} {number}")
        moves = 0

        def watch(game: Game, view: View, move: Move, nonce: str = nonce) -> None:
            nonlocal moves
            delay_s = PACE.thinking_s(len(view.row), turn_rng(nonce, moves))
            moves += 1
            if isinstance(move, Place):
                assert game.arrow is not None
                after, _ = apply(game, move)
                found.append(Timed(len(view.row), delay_s, first_fall(after.row, game.arrow) is not None))

        bots = [
            Bot(levels()[level], who.name, partial(repeatable_noise, f"{nonce} {seat}"), who.temper)
            for seat, who in enumerate(rng.sample(of_level(level), 2))
        ]
        play(bots, measured_pile(0), rng, watch=watch)
        if len(found) >= PLACEMENTS:
            break
    return found


def auc(timed: list[Timed]) -> tuple[float, float]:
    """The chance that of a wrong and a right row of equal length the wrong one's delay was longer (Mann-Whitney, ties
    count half), over all pairs of equal length; and its standard error if the delay tells nothing."""
    strata = defaultdict(list)
    for each in timed:
        strata[each.cards_in_row].append(each)
    longer, pairs, variance = 0.0, 0, 0.0
    for stratum in strata.values():
        wrong = np.array([each.delay_s for each in stratum if each.wrong])
        right = np.sort([each.delay_s for each in stratum if not each.wrong])
        longer += (np.searchsorted(right, wrong, "left") + np.searchsorted(right, wrong, "right")).sum() / 2
        pairs += wrong.size * right.size
        variance += wrong.size * right.size * (len(stratum) + 1) / 12
    return longer / pairs, variance**0.5 / pairs


@pytest.mark.parametrize("level", sweep(["keen"], LEVEL_NAMES))
def test_how_long_a_bot_takes_does_not_tell_whether_it_placed_a_wrong_card(level: str) -> None:
    """All levels take their time from one place, which does not know who asks."""
    timed = placements(level)
    assert len(timed) >= PLACEMENTS
    told, error = auc(timed)
    assert error < TOLERANCE / 4  # so many placements that chance alone does not reach the tolerance
    assert abs(told - 0.5) < TOLERANCE
    slower = [each._replace(delay_s=each.delay_s + PACE.step_s) if each.wrong else each for each in timed]
    assert auc(slower)[0] - 0.5 > 2 * TOLERANCE  # a single step more for wrong rows would be found
