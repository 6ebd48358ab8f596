"""Eyes: what they see comes from the picture, is the same at a second look, and is wrong as often as the model says."""

from math import erf, hypot, log, sqrt
from random import Random

import pytest

from illusion.bots.eyes import Eyes, Patch, Sight, named_percentage, repeatable_noise, sight_of
from illusion.deck import Deck, make_deck
from illusion.rules import Colour

PLAIN = Eyes(0.15, fragments=0, sway=0, taste=0)


def a_sight(share: float, broken: float = 0.0, family: str = "spiral") -> Sight:
    return Sight(family, dict.fromkeys(Colour, Patch(share, broken)))


@pytest.fixture(scope="module")
def deck() -> Deck:
    return make_deck(3)


def test_what_is_measured_on_a_picture_is_what_its_back_says(deck: Deck) -> None:
    for card in deck[:12]:
        patches = sight_of(card).patches
        for colour in Colour:
            assert patches[colour].share == pytest.approx(card.shares[colour], abs=0.01)
            assert patches[colour].broken >= 0  # no outline is shorter than a disc's


def test_a_card_looked_at_twice_looks_the_same(deck: Deck) -> None:
    sight = sight_of(deck[0])
    for colour in Colour:
        looks = {Eyes(0.2).see(sight, colour, "Iris", repeatable_noise("a game", 1, colour)) for _ in range(2)}
        assert len(looks) == 1
        assert repeatable_noise("a game", 1, colour) != repeatable_noise("another game", 1, colour)


@pytest.mark.parametrize(
    ("low", "high", "spread"),
    [
        (Patch(10, 0), Patch(12, 0), 0.1 * sqrt(2)),
        (Patch(30, 0), Patch(38, 0), 0.1 * sqrt(2)),
        (Patch(4, 0), Patch(6, 0), 0.1 * sqrt(2)),
        (Patch(20, 0.2), Patch(23, 2.0), hypot(0.1 * 1.1, 0.1 * 2.0)),
    ],
)
def test_order_mistakes_follow_the_formula(low: Patch, high: Patch, spread: float) -> None:
    """ln seen = ln true + N(0, w): the larger share looks smaller with a chance of Phi(-ln(high / low) / spread)."""
    broken = Eyes(0.1, sway=0, taste=0) if high.broken else Eyes(0.1, fragments=0, sway=0, taste=0)
    rng, looks = Random(f"{low} {high}"), 20_000

    def seen(patch: Patch) -> float:
        return broken.see(a_sight(*patch), Colour.RED, "Iris", rng.gauss(0, 1)).seen

    mistakes = sum(seen(low) > seen(high) for _ in range(looks))
    expected = (1 - erf(log(high.share / low.share) / spread / sqrt(2))) / 2
    assert mistakes / looks == pytest.approx(expected, abs=4 * sqrt(expected * (1 - expected) / looks) + 0.004)


def test_a_colour_in_many_pieces_looks_like_more_and_a_missing_one_like_next_to_nothing() -> None:
    def seen(eyes: Eyes, share: float, broken: float = 0.0) -> float:
        return eyes.see(a_sight(share, broken), Colour.RED, "Iris", 0).seen

    eyes = Eyes(0.12, taste=0)
    assert seen(eyes, 20, 2.0) > seen(eyes, 20, 0.5)
    assert seen(PLAIN, 0) < seen(PLAIN, 1)


def test_everybody_has_a_taste_of_their_own() -> None:
    eyes = Eyes(0.12, sway=0, fragments=0)
    seen = {
        (who, family): eyes.see(a_sight(20, family=family), Colour.RED, who, 0).seen
        for who in ("Iris", "Hugo", "Vera", "Otto")
        for family in ("spiral", "fish", "petals", "truchet")
    }
    assert len(set(seen.values())) > 8
    assert seen == {  # and keeps it
        (who, family): eyes.see(a_sight(20, family=family), Colour.YELLOW, who, 0).seen for who, family in seen
    }


def test_a_number_said_aloud_is_too_large_for_little_and_too_small_for_much() -> None:
    assert named_percentage(log(4), Colour.BLUE) > 4
    assert named_percentage(log(70), Colour.BLUE) < 70
    assert named_percentage(log(20), Colour.RED) > named_percentage(log(20), Colour.GREEN)
    named = [named_percentage(log(share), Colour.GREEN) for share in range(1, 99)]
    assert named == sorted(named)  # the order within a colour stays
