"""R3 and R4: the row and a turn."""

import pytest

from illusion.rules import (
    CardPlaced,
    Colour,
    Doubt,
    IllegalMove,
    Legal,
    Place,
    UnparsableMove,
    apply,
    falls,
    first_fall,
    legal,
    legal_moves,
    replay,
    start,
    view,
)
from tests.rules.games import RED_FIRST, card, reds, refused

DECK = reds(30, 10, 20, 40, 50, 60)


@pytest.mark.parametrize(
    ("shares", "fall"),
    [
        ((5,), None),
        ((5, 6, 7), None),
        ((5, 5, 5), None),  # equal neighbours are right
        ((0, 0, 1, 1, 2), None),
        ((6, 5), 1),
        ((5, 6, 6, 2, 1), 3),
        ((9, 1, 2, 3), 1),
    ],
)
def test_r3_1_a_row_is_right_when_it_never_falls(shares: tuple[int, ...], fall: int | None) -> None:
    row = reds(*shares)
    assert first_fall(row, Colour.RED) == fall
    assert first_fall(row, Colour.RED) == next(iter(falls(row, Colour.RED)), None)


def test_r3_1_every_card_lower_than_its_left_neighbour_is_a_fall() -> None:
    assert falls(reds(5, 6, 6, 2, 1, 1, 9, 8), Colour.RED) == (3, 4, 7)
    assert falls(reds(5, 6, 6), Colour.RED) == ()


def test_r3_1_only_the_colour_of_the_round_counts() -> None:
    row = [card("a", red=3, blue=9), card("b", red=4, blue=8)]
    assert first_fall(row, Colour.RED) is None
    assert first_fall(row, Colour.BLUE) == 1


def test_r4_2_the_first_player_must_place_left_or_right() -> None:
    game = start(3, RED_FIRST, DECK, 2)
    assert legal_moves(game) == (Place(0), Place(1))
    assert view(game).legal == legal(game) == Legal(gaps=(0, 1), doubt=False)
    with refused(IllegalMove, "nothing-to-doubt"):
        apply(game, Doubt())


def test_r4_3_later_players_place_anywhere_or_doubt() -> None:
    game = replay(start(3, RED_FIRST, DECK, 2), [Place(0)])
    assert legal_moves(game) == (Place(0), Place(1), Place(2), Doubt())
    assert view(game).legal == Legal(gaps=(0, 1, 2), doubt=True)
    game = replay(game, [Place(1)])
    assert legal_moves(game) == (Place(0), Place(1), Place(2), Place(3), Doubt())


@pytest.mark.parametrize(
    ("gap", "row", "placed_by"),
    [
        (0, ["c3", "c1", "c2", "c0"], (1, 2, 0, None)),
        (1, ["c1", "c3", "c2", "c0"], (2, 1, 0, None)),
        (2, ["c1", "c2", "c3", "c0"], (2, 0, 1, None)),
        (3, ["c1", "c2", "c0", "c3"], (2, 0, None, 1)),
    ],
)
def test_r4_3_r3_2_a_card_goes_into_its_gap_and_the_others_keep_their_order(
    gap: int, row: list[str], placed_by: tuple[int | None, ...]
) -> None:
    before = replay(start(3, RED_FIRST, DECK, 2), [Place(0), Place(1)])
    game, events = apply(before, Place(gap))
    assert [card.id for card in game.row] == row
    assert game.placed_by == placed_by
    assert events == (CardPlaced(seat=1, card="c3", gap=gap, next_card="c4", to_play=2),)
    assert (game.next_card, game.cards_left) == (DECK[4], 2)
    assert [card.id for card in before.row] == ["c1", "c2", "c0"]


def test_r4_1_play_goes_clockwise() -> None:
    game, seats = start(3, RED_FIRST, DECK, 1), []
    for _ in range(5):
        seats.append(game.to_play)
        game, _ = apply(game, Place(0))
    assert seats == [1, 2, 0, 1, 2]


@pytest.mark.parametrize("gap", [-1, 2, 99])
def test_a_gap_lies_in_the_row(gap: int) -> None:
    with refused(IllegalMove, "gap-out-of-range", gap=gap, gaps=2):
        apply(start(2, RED_FIRST, DECK, 0), Place(gap))


@pytest.mark.parametrize("gap", ["0", 1.0, None, True])
def test_a_gap_is_an_integer(gap: int) -> None:
    with refused(UnparsableMove, "gap-not-an-integer", gap=gap):
        Place(gap)


@pytest.mark.parametrize("move", ["pass", None, 0, ("place", 0), Place])
def test_r4_4_there_is_no_third_choice(move: Place) -> None:
    with refused(UnparsableMove, "not-a-move", move=move):
        apply(start(2, RED_FIRST, DECK, 0), move)


def test_replay_stops_at_the_first_move_that_does_not_fit() -> None:
    game = start(2, RED_FIRST, DECK, 0)
    assert replay(game, []) == game
    with pytest.raises(IllegalMove):
        replay(game, [Place(0), Place(7), Place(0)])


def test_an_error_reads_as_its_code_and_parameters() -> None:
    with pytest.raises(IllegalMove, match=r"^gap-out-of-range \(gap=7, gaps=2\)$"):
        apply(start(2, RED_FIRST, DECK, 0), Place(7))
    with pytest.raises(IllegalMove, match=r"^nothing-to-doubt$"):
        apply(start(2, RED_FIRST, DECK, 0), Doubt())
