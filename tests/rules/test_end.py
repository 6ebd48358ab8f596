"""R6: the end."""

import pytest

from illusion.rules import (
    ARROWS,
    Doubt,
    Ending,
    Game,
    GameEnded,
    IllegalMove,
    Legal,
    Place,
    Variant,
    apply,
    legal_moves,
    replay,
    start,
    view,
)
from tests.rules.games import RED_FIRST, card, reds, refused

LIKE = [card(number) for number in range(98)]
"""Cards with no colour at all: every row is right, so every doubt gives the arrow to the player before."""


def won_by(*takers: int, players: int = 2, variant: Variant = Variant.FIRST_TO_THREE, cards: int = 40) -> Game:
    """A game of right rows in which these seats take the arrows, one round each; the taker's neighbour doubts."""
    game = start(players, ARROWS, LIKE[:cards], 0, variant)
    for taker in takers:
        while len(game.row) == 1 or game.to_play != (taker + 1) % players:
            game, _ = apply(game, Place(0))
        game, _ = apply(game, Doubt())
    return game


def test_r6_1_the_third_arrow_wins_at_once() -> None:
    game = won_by(0, 1, 1, 0)
    assert not game.over
    game, _ = apply(game, Place(0))
    game, events = apply(game, Doubt())
    assert (game.over, game.winners) == (True, (0,))
    assert events[-1] == GameEnded((0,), Ending.THIRD_ARROW)
    assert [len(arrows) for arrows in game.arrows_won] == [3, 2]


def test_r6_1_three_arrows_end_only_the_standard_game() -> None:
    assert won_by(0, 0, 0).over
    assert not won_by(0, 0, 0, variant=Variant.TWELVE_ROUNDS).over


def test_r6_1_with_five_players_the_eleventh_round_is_the_latest_end() -> None:
    game = won_by(*range(5), *range(5), players=5, cards=98)
    assert (game.over, game.round) == (False, 11)
    game = replay(game, [Place(0), Doubt()])
    assert (game.over, game.round, game.winners) == (True, 11, (4,))


def test_r6_2_after_twelve_rounds_the_most_arrows_win() -> None:
    game = won_by(*[0, 1] * 5, 1, variant=Variant.TWELVE_ROUNDS)
    assert (game.over, game.round) == (False, 12)
    game, _ = apply(game, Place(0))
    game, events = apply(game, Doubt())
    assert (game.over, game.round, game.winners) == (True, 12, (1,))
    assert [len(arrows) for arrows in game.arrows_won] == [5, 7]
    assert events[-1] == GameEnded((1,), Ending.TWELFTH_ROUND)


def test_r6_3_several_with_the_most_arrows_win_together() -> None:
    assert won_by(*[0, 1] * 6, variant=Variant.TWELVE_ROUNDS).winners == (0, 1)


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
    game = replay(start(2, RED_FIRST, LIKE[:cards], 0, variant), [Place(0)])
    game, events = apply(game, Doubt())
    assert game.over is over
    if over:
        assert game.winners == (0,)
        assert events[-1] == GameEnded((0,), Ending.DECK_TOO_SMALL)
        assert game.cards_left == cards - 2


def test_r6_5_r6_3_when_the_deck_ends_the_game_several_can_win() -> None:
    game = won_by(0, 1, 2, players=4, cards=8)
    assert (game.over, game.round, game.winners) == (True, 3, (0, 1, 2))


def test_the_third_arrow_explains_the_end_before_the_deck_does() -> None:
    game = replay(start(2, RED_FIRST, LIKE[:6], 0), [Place(0), Doubt(), Place(0), Doubt(), Place(0)])
    _, events = apply(game, Doubt())
    assert events[-1] == GameEnded((0,), Ending.THIRD_ARROW)


def test_r6_2_the_twelfth_round_explains_the_end_before_the_deck_does() -> None:
    game = won_by(*[0, 0, 1, 1] * 2, 0, 0, 1, variant=Variant.TWELVE_ROUNDS)
    game = replay(game, [Place(0)] * (game.cards_left - 1))
    _, events = apply(game, Doubt())
    assert isinstance(events[-1], GameEnded)
    assert events[-1].ending is Ending.TWELFTH_ROUND


def test_r6_6_two_decks_are_one_long_pile() -> None:
    """With 196 cards, twelve rounds of up to sixteen cards each come to their end."""
    game = start(3, ARROWS, [card(number) for number in range(196)], 0, Variant.TWELVE_ROUNDS)
    for _ in range(12):
        game = replay(game, [*[Place(0)] * 15, Doubt()])
    assert (game.over, game.round, game.cards_left) == (True, 12, 4)


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
