"""What an arrow is worth: the race to three, by hand and by playing it out."""

from itertools import product
from random import Random

import pytest

from illusion.bots.race import Experience, chances_to_win, experiences, worth
from illusion.rules import Variant, View, deal, view
from tests.rules.games import reds

EVEN = (0.5, 0.5)


def test_two_equal_players_by_hand() -> None:
    assert chances_to_win((0, 0), 0, EVEN) == (0.5, 0.5)
    assert chances_to_win((2, 2), 1, EVEN) == (0.5, 0.5)
    assert chances_to_win((2, 1), 0, EVEN) == (0.75, 0.25)
    assert chances_to_win((2, 0), 0, EVEN) == (0.875, 0.125)
    assert chances_to_win((1, 0), 0, EVEN) == (0.6875, 0.3125)
    assert chances_to_win((3, 1), 0, EVEN) == (1, 0)


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


def test_chances_are_those_of_playing_it_out() -> None:
    starts, rng, games = (0.2, 0.3, 0.5), Random(2), 20_000
    won = [0, 0, 0]
    for _ in range(games):
        arrows, starter = [1, 0, 2], 1
        while max(arrows) < 3:
            starter = (starter + rng.choices(range(3), starts)[0]) % 3
            arrows[starter] += 1
        won[starter] += 1
    assert chances_to_win((1, 0, 2), 1, starts) == pytest.approx([wins / games for wins in won], abs=0.015)


def a_view(players: int, variant: Variant) -> View:
    return view(deal(players, reds(*range(2, 60)), Random(1), variant))


def test_worth_counts_seats_from_the_player_whose_turn_it_is() -> None:
    seen = a_view(3, Variant.FIRST_TO_THREE)
    starts = Experience({}, {}, {"3": [0.3, 0.3, 0.4]})
    values = worth(seen, 1, starts)
    assert values[0] == chances_to_win((1, 0, 0), 0, (0.3, 0.3, 0.4))[0]
    assert values[2] == chances_to_win((0, 0, 1), 2, (0.3, 0.3, 0.4))[0]
    assert values[0] > max(values[1:])


def test_in_twelve_rounds_an_arrow_is_an_arrow() -> None:
    assert worth(a_view(4, Variant.TWELVE_ROUNDS), 2, Experience({}, {}, {})) == (1, 0, 0, 0)


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
