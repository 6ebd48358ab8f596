"""R1: what is in the box."""

from collections import Counter

import pytest

from illusion.rules import ARROWS, Colour, ColourCard, InvalidSetup, Shares
from tests.rules.games import refused

FOUR = {Colour.RED: 12, Colour.YELLOW: 3, Colour.GREEN: 30, Colour.BLUE: 7}


def test_r1_2_there_are_three_arrows_of_each_colour() -> None:
    assert Counter(ARROWS) == {Colour.RED: 3, Colour.YELLOW: 3, Colour.GREEN: 3, Colour.BLUE: 3}
    assert [colour.value for colour in Colour] == ["red", "yellow", "green", "blue"]


def test_r1_3_a_card_states_a_share_for_each_colour() -> None:
    card = ColourCard("a", FOUR)
    assert {colour: card.shares[colour] for colour in Colour} == FOUR
    assert card.shares == Shares(red=12, yellow=3, green=30, blue=7)


def test_a_card_is_a_value_however_its_shares_were_given() -> None:
    by_mapping, by_shares = ColourCard("a", FOUR), ColourCard("a", Shares(12, 3, 30, 7))
    assert by_mapping == by_shares
    assert hash(by_mapping) == hash(by_shares)
    assert by_mapping != ColourCard("b", FOUR)


@pytest.mark.parametrize("given", [(100, 0, 0, 0), (0, 0, 0, 0), (25, 25, 25, 25), (0, 0, 0, 100)])
def test_r1_3_shares_up_to_the_whole_area_are_fine(given: tuple[int, int, int, int]) -> None:
    assert tuple(Shares(*given)[colour] for colour in Colour) == given


@pytest.mark.parametrize("colour", Colour)
@pytest.mark.parametrize("share", [-1, 101])
def test_a_share_lies_between_0_and_100(colour: Colour, share: int) -> None:
    with refused(InvalidSetup, "share-out-of-range", colour=colour, share=share):
        ColourCard("a", {**dict.fromkeys(Colour, 0), colour: share})


@pytest.mark.parametrize("share", [1.0, "1", None, True])
def test_a_share_is_an_integer(share: object) -> None:
    with refused(InvalidSetup, "share-not-an-integer", colour=Colour.YELLOW, share=share):
        Shares(0, share, 0, 0)  # type: ignore[arg-type]


@pytest.mark.parametrize("given", [(26, 25, 25, 25), (100, 0, 0, 1), (100, 100, 100, 100)])
def test_the_four_shares_are_at_most_the_whole_area(given: tuple[int, int, int, int]) -> None:
    with refused(InvalidSetup, "shares-over-100", total=sum(given)):
        Shares(*given)


@pytest.mark.parametrize("given", [{}, {"red": 1}, {"red": 1, "yellow": 1, "green": 1, "blue": 1, "pink": 1}])
def test_shares_name_exactly_the_four_colours(given: dict[Colour, int]) -> None:
    with refused(InvalidSetup, "shares-not-four-colours", given=tuple(given)):
        ColourCard("a", given)
