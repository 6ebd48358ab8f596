"""End and penalty are two independent parts of a game (R5.5, R6.1, R6.2, R6.6)."""

import random
from itertools import product
from typing import Any

import pytest

from illusion.rules import (
    ArrowAwarded,
    ArrowReturned,
    Colour,
    Doubt,
    End,
    Ending,
    GameEnded,
    InvalidSetup,
    Move,
    Penalty,
    Place,
    Variant,
    apply,
    deal,
    replay,
    start,
    view,
)
from tests.rules.games import RED_FIRST, arrows_from, card, reds, refused

ALIKE = [card(number) for number in range(40)]
"""Cards without colour: every row is right, and every doubt wrong."""
ARROWS = arrows_from(Colour.RED, Colour.BLUE, Colour.GREEN)
WRONG_BY_SEAT_1: list[Move] = [Place(0), Doubt()]
"""Seat 0 lays a card and takes the arrow when seat 1 doubts."""


def test_r6_1_r6_2_r6_6_the_published_games() -> None:
    assert Variant.FIRST_TO_THREE.end == End(arrows_to_win=3, rounds=12, decks=1)
    assert Variant.TWELVE_ROUNDS.end == End(arrows_to_win=None, rounds=12, decks=2)


@pytest.mark.parametrize("variant", Variant)
def test_a_game_has_the_end_of_its_variant_and_no_penalty_unless_others_are_given(variant: Variant) -> None:
    setup = start(2, ARROWS, ALIKE, 0, variant).setup
    assert (setup.variant, setup.end, setup.penalty) == (variant, variant.end, Penalty.NOTHING)  # R5.5 is off in both
    end = End(arrows_to_win=2, rounds=5)
    game = start(2, ARROWS, ALIKE, 0, variant, end, Penalty.ARROW)
    assert (game.variant, game.setup.end, game.setup.penalty) == (variant, end, Penalty.ARROW)
    assert (view(game).variant, view(game).end, view(game).penalty) == (variant, end, Penalty.ARROW)


@pytest.mark.parametrize(("penalty", "returned"), [(Penalty.NOTHING, []), (Penalty.ARROW, [Colour.BLUE])])
def test_r5_5_a_wrong_doubt_can_cost_the_arrow_won_last(penalty: Penalty, returned: list[Colour]) -> None:
    game = start(2, ARROWS, ALIKE, 1, penalty=penalty)
    game = replay(game, [Place(0), Doubt(), Place(0), Doubt()])  # seat 1 takes red and blue
    assert game.arrows_won == ((), (Colour.RED, Colour.BLUE))
    game = replay(game, [Place(0), Place(0)])  # seats 1 and 0 lay; now seat 1 doubts a right row
    game, (_, awarded, *paid, _) = apply(game, Doubt())
    assert awarded == ArrowAwarded(0, Colour.GREEN)
    assert paid == [ArrowReturned(1, arrow) for arrow in returned]
    kept = [arrow for arrow in (Colour.RED, Colour.BLUE) if arrow not in returned]
    assert game.arrows_won == ((Colour.GREEN,), tuple(kept))
    assert game.to_play == 0  # R5.4


def test_r5_5_a_right_doubt_costs_nothing_and_nobody_puts_back_what_they_do_not_have() -> None:
    """A deck of falling shares, and each card laid on the far right: every doubt is right; else every one is wrong."""
    falling = start(2, RED_FIRST, reds(*range(20, 0, -1)), 0, penalty=Penalty.ARROW)
    falling = replay(falling, [Place(1), Doubt(), Place(1), Place(2), Doubt()])
    assert falling.arrows_won == ((), (Colour.RED, Colour.RED))
    _, events = apply(replay(start(2, ARROWS, ALIKE, 0, penalty=Penalty.ARROW), [Place(0)]), Doubt())
    assert not [event for event in events if isinstance(event, ArrowReturned)]


def test_r5_5_the_penalty_is_paid_before_the_end_is_judged() -> None:
    """After two rounds both hold one arrow, but the wrong doubter of the last round has put theirs back."""
    end = End(rounds=2)
    game = start(2, ARROWS, ALIKE, 1, end=end, penalty=Penalty.ARROW)
    game = replay(game, [Place(0), Doubt(), Place(0), Place(0)])
    game, events = apply(game, Doubt())
    assert game.arrows_won == ((Colour.BLUE,), ())
    assert events[1:] == (
        ArrowAwarded(0, Colour.BLUE),
        ArrowReturned(1, Colour.RED),
        GameEnded((0,), Ending.TWELFTH_ROUND),
    )


def test_r6_2_with_a_penalty_the_twelfth_round_ends_even_the_first_to_three() -> None:
    """Seats 0 and 1 win in turn, and each doubts wrongly next: nobody ever holds three arrows."""
    game = start(2, ARROWS, ALIKE, 0, penalty=Penalty.ARROW)
    for _ in range(12):
        game = replay(game, [Place(0), Place(0), Doubt()])
    assert (game.over, game.round) == (True, 12)
    assert max(len(arrows) for arrows in game.arrows_won) == 1


@pytest.mark.parametrize(("to_win", "rounds"), list(product((1, 2, 4, None), (1, 3, 12))))
def test_r6_1_r6_2_any_number_of_arrows_or_rounds_can_end_a_game(to_win: int | None, rounds: int) -> None:
    game = start(2, ARROWS, ALIKE, 0, end=End(to_win, rounds))
    while not game.over:
        game = replay(game, WRONG_BY_SEAT_1)
    assert game.round == min(rounds, to_win or 12)
    assert game.winners == (0,)


@pytest.mark.parametrize("wrong", [0, -1, 13, 1.0, "3", True])
@pytest.mark.parametrize("part", ["arrows_to_win", "rounds", "decks"])
def test_an_end_that_never_comes_is_refused(part: str, wrong: object) -> None:
    given: Any = {"arrows_to_win": 3, "rounds": 12, "decks": 1, part: wrong}
    with refused(InvalidSetup, "end-out-of-range", **given):
        End(**given)


@pytest.mark.parametrize("penalty", ["two", 1, ()])
def test_an_unknown_penalty_is_refused(penalty: Any) -> None:
    with refused(InvalidSetup, "unknown-penalty", penalty=penalty):
        start(2, ARROWS, ALIKE, 0, penalty=penalty)


def test_a_deal_takes_an_end_and_a_penalty_by_its_name() -> None:
    name: Any = "arrow"
    setup = deal(2, ALIKE, random.Random(1), end=End(arrows_to_win=5), penalty=name).setup
    assert (setup.end, setup.penalty) == (End(arrows_to_win=5), Penalty.ARROW)
    assert isinstance(setup.penalty, Penalty)


@pytest.mark.parametrize("end", ["twelve-rounds", 12])
def test_what_is_no_end_is_refused(end: Any) -> None:
    with refused(InvalidSetup, "not-an-end", end=end):
        start(2, ARROWS, ALIKE, 0, end=end)
