"""Choices from `random()` alone: in range, fair, and recorded once for ever."""

from collections import Counter

from illusion.deck.plane.exact import Dice

RECORDED = ([6, 4, 0, 5, 9, 1, 3, 8, 7, 2], [2, 6, 2, 6, 3, 3, 1, 4], ["a", "b", "c"])


def test_the_same_seed_gives_the_same_choices_for_ever() -> None:
    """`random()` is promised never to change (docs of Python's `random`); so nothing made of it does."""
    dice = Dice("illusion")
    cards = list(range(10))
    dice.shuffle(cards)
    drawn = [dice.below(6) + 1 for _ in range(8)]
    assert (cards, drawn, dice.sample("abcdef", 3)) == RECORDED


def test_choices_are_fair() -> None:
    dice = Dice("fair")
    orders = Counter("".join(dice.sample("abc", 3)) for _ in range(6000))
    assert len(orders) == 6
    assert all(850 < count < 1150 for count in orders.values())
    assert {dice.below(3) for _ in range(100)} == {0, 1, 2}
    assert {dice.sign() for _ in range(50)} == {-1, 1}
    assert all(2 <= value < 5 for value in dice.uniforms(2, 5, 100))
