"""R5: a doubt."""

import pytest

from illusion.rules import (
    ArrowAwarded,
    Colour,
    Culprit,
    Doubt,
    Move,
    Place,
    RoundStarted,
    RowDoubted,
    TurnedCard,
    apply,
    replay,
    start,
    view,
)
from illusion.rules.row import culprit
from tests.rules.games import arrows_from, card, reds

ARROWS = arrows_from(Colour.RED, Colour.BLUE)
RIGHT: list[Move] = [Place(1), Place(1), Doubt()]  # 10 20 30
WRONG: list[Move] = [Place(0), Place(0), Doubt()]  # 20 30 10
DECK = reds(10, 30, 20, 40, 50, 60)


@pytest.mark.parametrize(("moves", "fall", "taker"), [(WRONG, 2, 0), (RIGHT, None, 2)])
def test_r5_1_r5_2_r5_3_who_takes_the_arrow(moves: list[Move], fall: int | None, taker: int) -> None:
    """Seats 1 and 2 place, seat 0 doubts: right takes it themselves, wrong gives it to seat 2."""
    *placing, doubt = moves
    before = replay(start(3, ARROWS, DECK, 1), placing)
    game, (doubted, awarded, started) = apply(before, doubt)
    assert isinstance(doubted, RowDoubted)
    assert (doubted.seat, doubted.arrow, doubted.first_fall) == (0, Colour.RED, fall)
    assert doubted.row == tuple(
        TurnedCard(card.id, card.shares, by) for card, by in zip(before.row, before.placed_by, strict=True)
    )
    assert awarded == ArrowAwarded(taker, Colour.RED)
    assert started == RoundStarted(2, Colour.BLUE, first_card="c3", next_card="c4", to_play=taker)
    assert game.arrows_won == tuple((Colour.RED,) if seat == taker else () for seat in range(3))


def test_r5_2_it_does_not_matter_who_caused_the_fall() -> None:
    """Seat 0 laid the card that falls; seat 0 doubts and takes the arrow all the same."""
    game = replay(start(2, ARROWS, reds(10, 20, 30, 40, 50), 0), [Place(0), Place(2), Doubt()])
    assert game.last_doubt is not None
    assert [turned.placed_by for turned in game.last_doubt.row] == [0, None, 1]
    assert game.arrows_won == ((Colour.RED,), ())


def test_r5_3_a_row_of_equals_is_right() -> None:
    game = replay(start(2, ARROWS, reds(20, 20, 20, 0, 0), 0), [Place(0), Place(1), Doubt()])
    assert game.arrows_won == ((), (Colour.RED,))


def test_r5_3_with_two_players_the_one_before_seat_0_is_seat_1() -> None:
    game = replay(start(2, ARROWS, reds(10, 20, 30, 0, 0), 1), [Place(1), Doubt()])
    assert game.arrows_won == ((), (Colour.RED,))


def test_r5_4_the_row_leaves_the_game_and_the_taker_begins() -> None:
    game = replay(start(3, ARROWS, DECK, 1), WRONG)
    assert (game.round, game.arrow, game.to_play) == (2, Colour.BLUE, 0)
    assert (game.row, game.placed_by) == ((DECK[3],), (None,))
    assert (game.next_card, game.cards_left) == (DECK[4], 2)


def test_r2_5_a_view_holds_no_share_before_a_doubt_and_the_whole_row_after_it() -> None:
    deck = [card(number, 17 + number, 13, 19, 23) for number in range(6)]
    game = start(2, ARROWS, deck, 0)
    for _ in range(3):
        assert view(game).last_doubt is None
        assert not {"17", "18", "19", "23"} & set(repr(view(game)).replace("=", " ").split())
        game, _ = apply(game, Place(0))
    game, (doubted, *_) = apply(game, Doubt())
    assert view(game).last_doubt == doubted == game.last_doubt
    game, _ = apply(game, Place(0))
    assert view(game).last_doubt == doubted


def test_the_view_tells_what_lies_on_the_table() -> None:
    game = replay(start(3, ARROWS, DECK, 1), [*WRONG, Place(1)])
    seen = view(game)
    assert (seen.players, seen.variant, seen.round, seen.arrow) == (3, "first-to-three", 2, "blue")
    assert (seen.row, seen.placed_by, seen.next_card) == (("c3", "c4"), (None, 0), "c5")
    assert (seen.to_play, seen.arrows_won, seen.cards_left) == (1, ((Colour.RED,), (), ()), 1)
    assert (seen.over, seen.winners) == (False, ())
    assert view(replay(game, [Place(0)])).next_card is None


@pytest.mark.parametrize(
    ("shares", "moves", "row", "falls", "broke"),
    [
        # Three cards in order, then seat 0 lays 5 on the far right: the card that falls is the culprit.
        ((10, 20, 30, 5), [1, 2, 3], [10, 20, 30, 5], (3,), Culprit(3, 0)),
        # Seat 0 lays 40 too far to the left: the card that falls is the first one, which nobody laid.
        ((10, 40, 50, 60), [0, 2, 3], [40, 10, 50, 60], (1,), Culprit(0, 0)),
        # Seat 1 breaks the row with 50; seat 0 later lays 30 behind it, and that is the card that falls now.
        ((10, 20, 50, 30), [1, 1, 2], [10, 50, 30, 20], (2, 3), Culprit(1, 1)),
        # Two players err; the one who did so first is named, though the other's fall stands further left.
        ((10, 20, 15, 5), [1, 2, 0], [5, 10, 20, 15], (3,), Culprit(3, 1)),
        ((10, 20, 15, 12), [1, 2, 0], [12, 10, 20, 15], (1, 3), Culprit(3, 1)),
        ((10, 20, 15, 12), [1, 1, 1], [10, 12, 15, 20], (), None),
    ],
)
def test_r5_1_a_doubt_tells_every_fall_and_which_card_broke_the_row(
    shares: tuple[int, ...], moves: list[int], row: list[int], falls: tuple[int, ...], broke: Culprit | None
) -> None:
    game = replay(start(2, ARROWS, reds(*shares, 0, 0), 0), [*map(Place, moves), Doubt()])
    doubted = game.last_doubt
    assert doubted is not None
    assert [turned.shares.red for turned in doubted.row] == row
    assert doubted.falls == falls
    assert doubted.first_fall == (falls[0] if falls else None)
    assert doubted.culprit == broke
    assert broke is None or doubted.row[broke.at].placed_by == broke.seat


def test_r3_1_nobody_broke_a_right_row() -> None:
    low, high, same = reds(1, 2, 2)
    assert culprit([low, high, same], Colour.RED, [0, None, 1], [high, low, same]) is None
    assert culprit([high, low, same], Colour.RED, [None, 0, 1], [high, low, same]) == Culprit(1, 0)
