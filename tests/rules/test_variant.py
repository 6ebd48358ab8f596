"""R6 and R5.5: how a game ends, and what a wrong doubt costs; two independent parts of a game."""

from collections import Counter
from itertools import product
from typing import Any

import pytest
from harness.sweeps import sweep

from illusion.rules import (
    ArrowAwarded,
    ArrowReturned,
    Colour,
    Doubt,
    End,
    Ending,
    Game,
    GameEnded,
    IllegalMove,
    InvalidSetup,
    Legal,
    Move,
    Penalty,
    Place,
    Variant,
    apply,
    legal_moves,
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


@pytest.mark.parametrize(
    ("variant", "end"),
    [
        (Variant.FIRST_TO_THREE, End(arrows_to_win=3, rounds=12, decks=1)),
        (Variant.TWELVE_ROUNDS, End(arrows_to_win=None, rounds=12, decks=2)),
    ],
)
def test_r6_1_r6_2_r6_6_the_published_games(variant: Variant, end: End) -> None:
    setup = start(2, ARROWS, ALIKE, 0, variant).setup
    assert (setup.variant, setup.end, setup.penalty) == (variant, end, Penalty.NOTHING)  # R5.5 is off in both


def won_by(*takers: int, players: int = 2, variant: Variant = Variant.FIRST_TO_THREE, cards: int = 40) -> Game:
    """A game of right rows in which these seats take the arrows, one round each; the taker's neighbour doubts."""
    game = start(players, ARROWS, ALIKE[:cards], 0, variant)
    for taker in takers:
        while len(game.row) == 1 or game.to_play != (taker + 1) % players:
            game, _ = apply(game, Place(0))
        game, _ = apply(game, Doubt())
    return game


def test_r6_1_the_third_arrow_wins_at_once() -> None:
    game = won_by(0, 1, 1, 0)
    assert not game.over
    game, events = apply(replay(game, [Place(0)]), Doubt())
    assert (game.over, game.winners) == (True, (0,))
    assert events[-1] == GameEnded((0,), Ending.THIRD_ARROW)
    assert [len(arrows) for arrows in game.arrows_won] == [3, 2]


@pytest.mark.parametrize(("to_win", "rounds"), list(product((1, 2, 4, None), (1, 3, 12))))
def test_r6_1_r6_2_any_number_of_arrows_or_rounds_can_end_a_game(to_win: int | None, rounds: int) -> None:
    game = start(2, ARROWS, ALIKE, 0, end=End(to_win, rounds))
    while not game.over:
        game = replay(game, WRONG_BY_SEAT_1)
    assert game.round == min(rounds, to_win or 12)
    assert game.winners == (0,)


def test_r6_4_with_an_empty_deck_only_the_doubt_is_left() -> None:
    game = replay(start(2, RED_FIRST, reds(10, 20, 30), 0), [Place(1), Place(2)])
    assert (game.next_card, game.cards_left) == (None, 0)
    assert legal_moves(game) == (Doubt(),)
    assert view(game).legal == Legal(gaps=(), doubt=True)
    with refused(IllegalMove, "deck-empty"):
        apply(game, Place(0))


@pytest.mark.parametrize(("cards", "over"), [(2, True), (3, True), (4, False)])
@pytest.mark.parametrize("variant", Variant)
def test_r6_5_a_round_needs_two_cards_to_begin(cards: int, over: bool, variant: Variant) -> None:  # noqa: FBT001
    game, events = apply(replay(start(2, RED_FIRST, ALIKE[:cards], 0, variant), [Place(0)]), Doubt())
    assert (game.over, game.cards_left) == (over, cards - 2 if over else cards - 3)
    if over:
        assert game.winners == (0,)
        assert events[-1] == GameEnded((0,), Ending.DECK_TOO_SMALL)


def test_r6_5_r6_3_when_the_deck_ends_the_game_several_can_win() -> None:
    game = won_by(0, 1, 2, players=4, cards=8)
    assert (game.over, game.round, game.winners) == (True, 3, (0, 1, 2))


@pytest.mark.parametrize(
    ("variant", "takers", "ending"),
    [
        (Variant.FIRST_TO_THREE, [0, 0], Ending.THIRD_ARROW),
        (Variant.TWELVE_ROUNDS, [0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1], Ending.TWELFTH_ROUND),
    ],
)
def test_r6_1_r6_2_arrows_and_rounds_explain_the_end_before_the_deck_does(
    variant: Variant, takers: list[int], ending: Ending
) -> None:
    game = won_by(*takers, variant=variant, cards=39)
    _, events = apply(replay(game, [Place(0)] * (game.cards_left - 1)), Doubt())
    assert isinstance(events[-1], GameEnded)
    assert events[-1].ending is ending


def test_after_the_end_the_table_is_cleared_and_nobody_moves() -> None:
    game = won_by(0, 0, 0)
    assert (game.row, game.placed_by, game.arrow, game.to_play) == ((), (), None, None)
    assert legal_moves(game) == ()
    seen = view(game)
    assert seen.legal == Legal(gaps=(), doubt=False)
    assert seen.last_doubt is not None  # the row that decided the game can still be read
    assert (seen.over, seen.winners, seen.arrow, seen.to_play) == (True, (0,), None, None)
    for move in (Place(0), Doubt()):
        with refused(IllegalMove, "game-over"):
            apply(game, move)


@pytest.mark.parametrize("wrong", [0, -1, 13, 1.0, "3", True])
@pytest.mark.parametrize("part", ["arrows_to_win", "rounds", "decks"])
def test_an_end_that_never_comes_is_refused(part: str, wrong: object) -> None:
    given: Any = {"arrows_to_win": 3, "rounds": 12, "decks": 1, part: wrong}
    with refused(InvalidSetup, "end-out-of-range", **given):
        End(**given)


def test_r5_5_a_wrong_doubt_can_cost_the_arrow_won_last() -> None:
    game = start(2, ARROWS, ALIKE, 1, penalty=Penalty.ARROW)
    game = replay(game, [Place(0), Doubt(), Place(0), Doubt()])  # seat 1 takes red and blue
    assert game.arrows_won == ((), (Colour.RED, Colour.BLUE))
    game = replay(game, [Place(0), Place(0)])  # seats 1 and 0 lay; now seat 1 doubts a right row
    game, events = apply(game, Doubt())
    assert events[1:3] == (ArrowAwarded(0, Colour.GREEN), ArrowReturned(1, Colour.BLUE))
    assert (game.arrows_won, game.to_play) == (((Colour.GREEN,), (Colour.RED,)), 0)  # R5.4


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


Ends = Counter[tuple[int, ...]]


def ends(game: Game) -> Ends:
    """All games to their end, counted by their winners."""
    if game.over:
        return Counter([game.winners])
    return sum((ends(apply(game, move)[0]) for move in legal_moves(game)), Ends())


DECKS = [[1, 2], [2, 1, 3], [3, 1, 2, 2], [5, 5, 1, 2, 3], [4, 2, 2, 6, 1, 9], [3, 3, 8, 1, 4, 2, 7]]


def naive_ends(players: int, deck: list[int], arrows_to_win: int) -> Ends:
    """The rules once more, in plain lists and for a single colour, written without a look at the engine."""
    found = Ends()

    def turn(row: list[int], at: int, seat: int, won: list[int]) -> None:
        if at < len(deck):
            for gap in range(len(row) + 1):
                longer = list(row)
                longer.insert(gap, deck[at])
                turn(longer, at + 1, (seat + 1) % players, won)
        if len(row) == 1:
            return
        taker = (seat - 1) % players if sorted(row) == row else seat
        score = [arrows + (at_seat == taker) for at_seat, arrows in enumerate(won)]
        if max(score) == arrows_to_win or sum(score) == 12 or len(deck) - at < 2:
            found[tuple(seat for seat in range(players) if score[seat] == max(score))] += 1
        else:
            turn([deck[at]], at + 1, taker, score)

    turn([deck[0]], 1, 0, [0] * players)
    return found


@pytest.mark.parametrize("variant", Variant)
@pytest.mark.parametrize("players", [2, 3, 5])
@pytest.mark.parametrize("deck", sweep(DECKS[:-1], DECKS))
def test_ends_by_a_second_engine(players: int, deck: list[int], variant: Variant) -> None:
    """R6: all games on a small deck end for both engines with the same winners, equally often."""
    arrows_to_win = variant.end.arrows_to_win or 12
    cards = [card(at, share, share, share, share) for at, share in enumerate(deck)]  # so any arrow will do
    assert ends(start(players, RED_FIRST, cards, 0, variant, penalty=Penalty.NOTHING)) == naive_ends(
        players, deck, arrows_to_win
    )
