"""R3 to R5: the row, a turn, and a doubt."""

import pickle

import pytest

from illusion.rules import (
    ArrowAwarded,
    CardPlaced,
    Colour,
    Culprit,
    Doubt,
    IllegalMove,
    Legal,
    Move,
    Place,
    RoundStarted,
    RowDoubted,
    RuleCode,
    TurnedCard,
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
from illusion.rules.row import culprit
from tests.rules.games import RED_FIRST, arrows_from, reds, refused

DECK = reds(10, 30, 20, 40, 50, 60)
ARROWS = arrows_from(Colour.RED, Colour.BLUE)
RIGHT: list[Move] = [Place(1), Place(1), Doubt()]  # 10 20 30
WRONG: list[Move] = [Place(0), Place(0), Doubt()]  # 20 30 10


@pytest.mark.parametrize(
    ("shares", "fallen"),
    [
        ((5,), ()),
        ((5, 6, 7), ()),
        ((5, 5, 5), ()),  # equal neighbours are right
        ((6, 5), (1,)),
        ((9, 1, 2, 3), (1,)),
        ((5, 6, 6, 2, 1, 1, 9, 8), (3, 4, 7)),
    ],
)
def test_r3_1_every_card_lower_than_its_left_neighbour_is_a_fall(
    shares: tuple[int, ...], fallen: tuple[int, ...]
) -> None:
    assert falls(reds(*shares), Colour.RED) == fallen
    assert first_fall(reds(*shares), Colour.RED) == (fallen[0] if fallen else None)


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


@pytest.mark.parametrize(("moves", "fall", "taker"), [(WRONG, 2, 0), (RIGHT, None, 2)])
def test_r5_1_r5_2_r5_3_r5_4_who_takes_the_arrow_and_begins(moves: list[Move], fall: int | None, taker: int) -> None:
    """Seats 1 and 2 place, seat 0 doubts: right takes it themselves, wrong gives it to seat 2."""
    *placing, doubt = moves
    before = replay(start(3, ARROWS, DECK, 1), placing)
    game, (doubted, awarded, started) = apply(before, doubt)
    assert isinstance(doubted, RowDoubted)
    assert (doubted.seat, doubted.arrow, doubted.first_fall, doubted.taker) == (0, Colour.RED, fall, taker)
    assert doubted.row == tuple(
        TurnedCard(card.id, card.shares, by) for card, by in zip(before.row, before.placed_by, strict=True)
    )
    assert awarded == ArrowAwarded(taker, Colour.RED)
    assert started == RoundStarted(2, Colour.BLUE, first_card="c3", next_card="c4", to_play=taker)
    assert game.arrows_won == tuple((Colour.RED,) if seat == taker else () for seat in range(3))
    assert (game.round, game.arrow, game.to_play) == (2, Colour.BLUE, taker)
    assert (game.row, game.placed_by, game.next_card, game.cards_left) == ((DECK[3],), (None,), DECK[4], 2)
    assert view(before).last_doubt is None
    assert view(game).last_doubt == view(replay(game, [Place(0)])).last_doubt == doubted


def test_the_view_tells_what_lies_on_the_table() -> None:
    game = replay(start(3, ARROWS, DECK, 1), [*WRONG, Place(1)])
    seen = view(game)
    assert (seen.players, seen.variant, seen.round, seen.arrow) == (3, "first-to-three", 2, "blue")
    assert (seen.row, seen.placed_by, seen.laid, seen.next_card) == (("c3", "c4"), (None, 0), (0, 1), "c5")
    assert (seen.to_play, seen.arrows_won, seen.cards_left) == (1, ((Colour.RED,), (), ()), 1)
    assert (seen.over, seen.winners) == (False, ())
    last = view(replay(game, [Place(0)]))
    assert (last.row, last.laid, last.next_card) == (("c5", "c3", "c4"), (2, 0, 1), None)


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
def test_r5_1_r5_2_a_doubt_tells_every_fall_and_which_card_broke_the_row(
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
    taker = 0 if broke is None else 1  # seat 1 doubts, and takes the arrow also for a row that they broke
    assert len(game.arrows_won[taker]) == 1


def test_r3_1_nobody_broke_a_right_row() -> None:
    low, high, same = reds(1, 2, 2)
    assert culprit([low, high, same], Colour.RED, [0, None, 1], [high, low, same]) is None
    assert culprit([high, low, same], Colour.RED, [None, 0, 1], [high, low, same]) == Culprit(1, 0)


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


def test_an_error_reads_as_its_code_and_parameters_also_in_another_process() -> None:
    assert str(IllegalMove(RuleCode.NOTHING_TO_DOUBT)) == "nothing-to-doubt"
    error = IllegalMove(RuleCode.GAP_OUT_OF_RANGE, gap=7, gaps=2)
    for copy in (error, pickle.loads(pickle.dumps(error))):  # noqa: S301  (our own bytes)
        assert str(copy) == "gap-out-of-range (gap=7, gaps=2)"
        assert (type(copy), copy.code, copy.parameters) == (IllegalMove, error.code, {"gap": 7, "gaps": 2})
        assert copy.args == (copy.code,)
