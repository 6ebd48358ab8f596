"""What guesses beside the truth tell."""

import pytest
from hypothesis import given
from hypothesis import strategies as some

from illusion.review.own_guesses import ENOUGH, Compared, own_guesses
from illusion.rules import Colour

COMPARED = some.builds(Compared, some.sampled_from(Colour), some.integers(1, 54), some.integers(0, 60))


def at(colour: Colour, shares: range, times: float) -> list[Compared]:
    return [Compared(colour, share, round(share * times)) for share in shares]


def test_nothing_is_said_of_no_guesses() -> None:
    told = own_guesses([])
    assert (told.count, told.off, told.larger, told.colours) == (0, None, None, [])


def test_who_names_the_truth_is_nothing_off() -> None:
    told = own_guesses(at(Colour.RED, range(2, 2 + ENOUGH), 1))
    assert told.off == 0
    assert told.larger is not None
    assert (told.larger.figure, told.larger.low, told.larger.high) == (0, 0, 0)


def test_a_colour_that_looks_larger_is_found_and_the_others_are_not_blamed() -> None:
    told = own_guesses([*at(Colour.RED, range(10, 50), 1.2), *at(Colour.BLUE, range(10, 50), 1)])
    larger = {each.of: each.larger for each in told.colours}
    assert larger.keys() == {Colour.RED, Colour.BLUE}
    assert larger[Colour.RED].figure == pytest.approx(0.2, abs=0.01)
    assert larger[Colour.BLUE].figure == 0
    assert told.larger is not None
    assert told.larger.figure == pytest.approx(0.1, abs=0.01)


@given(some.lists(COMPARED, max_size=60))
def test_the_interval_is_around_the_figure_and_few_guesses_say_nothing(guesses: list[Compared]) -> None:
    told = own_guesses(guesses)
    assert told.count == len(guesses)
    assert (told.larger is None) == (len(guesses) < ENOUGH)
    for each in (told.larger, *(colour.larger for colour in told.colours)):
        assert each is None or each.low <= each.figure <= each.high
    assert all(colour.guesses >= ENOUGH for colour in told.colours)
    assert own_guesses(guesses[::-1]) == told
