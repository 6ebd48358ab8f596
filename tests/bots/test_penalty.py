"""Bots that weigh a doubt count what a wrong one costs (R5.5)."""

from dataclasses import replace
from random import Random

import pytest

from illusion.bots import levels
from illusion.bots.minds import Threshold, Value, Weighed
from illusion.bots.race import chances_to_win, experiences, worth, worth_of_wrong_doubt
from illusion.rules import Colour, Doubt, End, Penalty, Place, Variant, View, deal, replay, view
from tests.rules.games import reds

EXPERIENCE = experiences()["sharp"]
STARTS = tuple(EXPERIENCE.starts["3"])


def a_view(mine: int, penalty: Penalty, variant: Variant = Variant.FIRST_TO_THREE) -> View:
    """A row of two cards; the player whose turn it is has this many arrows, the next one a single arrow."""
    seen = view(replay(deal(3, reds(*range(2, 60)), Random(1), variant, penalty=penalty), [Place(1)]))
    me = seen.to_play
    assert me is not None
    arrows = {me: (Colour.RED,) * mine, (me + 1) % 3: (Colour.BLUE,)}
    return replace(seen, arrows_won=tuple(arrows.get(seat, ()) for seat in range(3)))


def lost_by_a_wrong_doubt(seen: View) -> float:
    assert seen.to_play is not None
    return worth(seen, seen.to_play, EXPERIENCE)[-1] - worth_of_wrong_doubt(seen, seen.to_play, EXPERIENCE)


@pytest.mark.parametrize("variant", Variant)
@pytest.mark.parametrize("mine", [0, 1, 2])
def test_without_a_penalty_a_wrong_doubt_only_gives_the_arrow_away(mine: int, variant: Variant) -> None:
    assert lost_by_a_wrong_doubt(a_view(mine, Penalty.NOTHING, variant)) == 0


def test_with_one_it_costs_the_chances_that_an_arrow_gives() -> None:
    seen = a_view(2, Penalty.ARROW)
    assert seen.to_play is not None
    value = worth_of_wrong_doubt(seen, seen.to_play, EXPERIENCE)
    assert value == chances_to_win((1, 1, 1), 2, STARTS)[0]
    assert value < worth(seen, seen.to_play, EXPERIENCE)[-1] == chances_to_win((2, 1, 1), 2, STARTS)[0]
    assert lost_by_a_wrong_doubt(a_view(0, Penalty.ARROW)) == 0  # nothing to put back
    assert lost_by_a_wrong_doubt(a_view(2, Penalty.ARROW, Variant.TWELVE_ROUNDS)) == 1


def test_the_number_of_arrows_to_win_decides_the_race() -> None:
    assert chances_to_win((1, 0), 0, (0.5, 0.5), 2) == (0.75, 0.25)
    seen = replace(a_view(1, Penalty.NOTHING), end=End(arrows_to_win=2))
    assert seen.to_play is not None
    assert worth(seen, seen.to_play, EXPERIENCE)[0] == 1


@pytest.mark.parametrize("level", ["sharp", "eagle-eye"])
def test_a_value_mind_doubts_later_when_it_has_something_to_lose(level: str) -> None:
    mind = levels()[level].mind
    assert isinstance(mind, Value)

    def doubts_from(seen: View) -> int:
        """The least chance of a wrong row, in percent, at which the mind doubts."""
        return next(
            wrong
            for wrong in range(101)
            if mind.judge(seen, Weighed(wrong / 100, wrong / 100, [(1 - wrong / 100) / 2] * 3)) == Doubt()
        )

    usual = doubts_from(a_view(2, Penalty.NOTHING))
    assert doubts_from(a_view(2, Penalty.ARROW)) > usual
    assert doubts_from(a_view(0, Penalty.ARROW)) == doubts_from(a_view(0, Penalty.NOTHING))


def test_a_threshold_rises_by_the_arrow_at_stake() -> None:
    """At 60 % a wrong doubt costs 6 where a right one wins 4; with an arrow at stake it costs 6 + 4: 10 to 4."""
    mind = Threshold({3: 0.6})
    assert mind.threshold(a_view(2, Penalty.NOTHING)) == 0.6
    assert mind.threshold(a_view(0, Penalty.ARROW)) == 0.6
    assert mind.threshold(a_view(1, Penalty.ARROW)) == pytest.approx(10 / 14)
