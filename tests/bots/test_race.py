"""What an arrow is worth: the race to three, by hand and by playing it out; and what a wrong doubt costs (R5.5)."""

from dataclasses import replace
from itertools import product
from random import Random

import pytest

from illusion.bots import levels
from illusion.bots.minds import Threshold, Value, Weighed
from illusion.bots.race import Experience, chances_to_win, experiences, worth, worth_of_wrong_doubt
from illusion.rules import Colour, Doubt, End, Penalty, Place, Variant, View, deal, replay, view
from tests.rules.games import reds

EVEN = (0.5, 0.5)


def test_two_equal_players_by_hand() -> None:
    assert chances_to_win((0, 0), 0, EVEN) == (0.5, 0.5)
    assert chances_to_win((2, 2), 1, EVEN) == (0.5, 0.5)
    assert chances_to_win((2, 1), 0, EVEN) == (0.75, 0.25)
    assert chances_to_win((2, 0), 0, EVEN) == (0.875, 0.125)
    assert chances_to_win((1, 0), 0, EVEN) == (0.6875, 0.3125)
    assert chances_to_win((3, 1), 0, EVEN) == (1, 0)
    assert chances_to_win((1, 0), 0, EVEN, 2) == (0.75, 0.25)


def test_the_taker_of_an_arrow_starts_the_next_round() -> None:
    """If the starter always takes the arrow, the first starter wins everything."""
    assert chances_to_win((0, 0, 0), 1, (1.0, 0.0, 0.0)) == (0, 1, 0)
    assert chances_to_win((0, 2, 0), 2, (0.0, 1.0, 0.0)) == pytest.approx((0.0, 1.0, 0.0))


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_chances_of_all_players_add_up(players: int) -> None:
    for experience in experiences().values():
        starts = tuple(experience.starts[str(players)])
        for arrows in product(range(3), repeat=players):
            for starter in range(players):
                assert sum(chances_to_win(arrows, starter, starts)) == pytest.approx(1, abs=1e-3)


def test_worth_counts_seats_from_the_player_whose_turn_it_is() -> None:
    begun = {each: view(deal(3, reds(*range(2, 60)), Random(1), each)) for each in Variant}
    values = worth(begun[Variant.FIRST_TO_THREE], 1, Experience({}, {}, {"3": [0.3, 0.3, 0.4]}))
    assert values[0] == chances_to_win((1, 0, 0), 0, (0.3, 0.3, 0.4))[0]
    assert values[2] == chances_to_win((0, 0, 1), 2, (0.3, 0.3, 0.4))[0]
    assert values[0] > max(values[1:])
    assert worth(begun[Variant.TWELVE_ROUNDS], 2, Experience({}, {}, {})) == (1, 0, 0)  # an arrow is an arrow


@pytest.mark.parametrize("level", ["sharp", "eagle-eye"])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_experience_says_what_one_would_expect(level: str, players: int) -> None:
    """Chances add up to 1; the likelier a long row is right, the more often its last player takes the arrow."""
    experience = experiences()[level]
    for cards in range(2, 12):
        takers = [experience.takers(players, cards, right / 20) for right in range(21)]
        assert all(sum(each) == pytest.approx(1, abs=2e-3) for each in takers)
        if cards > 3:
            assert takers[18][0] > takers[4][0] + 0.05
    wrong = [experience.wrong(players, believed / 20, 5) for believed in range(21)]
    assert wrong == sorted(wrong)
    assert wrong[0] < 0.05


EXPERIENCE = experiences()["sharp"]
STARTS = tuple(EXPERIENCE.starts["3"])


def with_arrows(mine: int, penalty: Penalty, variant: Variant = Variant.FIRST_TO_THREE) -> View:
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
    assert lost_by_a_wrong_doubt(with_arrows(mine, Penalty.NOTHING, variant)) == 0


def test_with_one_it_costs_the_chances_that_an_arrow_gives() -> None:
    seen = with_arrows(2, Penalty.ARROW)
    assert seen.to_play is not None
    value = worth_of_wrong_doubt(seen, seen.to_play, EXPERIENCE)
    assert value == chances_to_win((1, 1, 1), 2, STARTS)[0]
    assert value < worth(seen, seen.to_play, EXPERIENCE)[-1] == chances_to_win((2, 1, 1), 2, STARTS)[0]
    assert lost_by_a_wrong_doubt(with_arrows(0, Penalty.ARROW)) == 0  # nothing to put back
    assert lost_by_a_wrong_doubt(with_arrows(2, Penalty.ARROW, Variant.TWELVE_ROUNDS)) == 1


def test_the_number_of_arrows_to_win_decides_the_race() -> None:
    seen = replace(with_arrows(1, Penalty.NOTHING), end=End(arrows_to_win=2))
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

    usual = doubts_from(with_arrows(2, Penalty.NOTHING))
    assert doubts_from(with_arrows(2, Penalty.ARROW)) > usual
    assert doubts_from(with_arrows(0, Penalty.ARROW)) == doubts_from(with_arrows(0, Penalty.NOTHING))


def test_a_threshold_rises_by_the_arrow_at_stake() -> None:
    """At 60 % a wrong doubt costs 6 where a right one wins 4; with an arrow at stake it costs 6 + 4: 10 to 4."""
    mind = Threshold({3: 0.6})
    assert mind.threshold(with_arrows(2, Penalty.NOTHING)) == 0.6
    assert mind.threshold(with_arrows(0, Penalty.ARROW)) == 0.6
    assert mind.threshold(with_arrows(1, Penalty.ARROW)) == pytest.approx(10 / 14)
