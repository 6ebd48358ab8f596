"""Laws that hold in every game, however it is played."""

import pickle
from collections import Counter

import pytest
from hypothesis import given

from illusion.rules import (
    ArrowAwarded,
    CardPlaced,
    Doubt,
    GameEnded,
    Move,
    Place,
    RoundStarted,
    RowDoubted,
    RulesError,
    Setup,
    UnparsableMove,
    Variant,
    apply,
    first_fall,
    legal_moves,
    replay,
    view,
)
from tests.rules.games import begun, playthroughs, steps


@given(playthroughs())
def test_r5_4_cards_are_conserved_at_every_step(play: tuple[Setup, list[Move]]) -> None:
    """Every card lies in the deck or in the row, or has been turned over and has left the game."""
    setup, moves = play
    gone: list[object] = []
    for game, _, events in steps(setup, moves):
        gone += [turned.card for event in events if isinstance(event, RowDoubted) for turned in event.row]
        in_deck = [card.id for card in setup.deck[len(setup.deck) - game.cards_left :]]
        in_row = [card.id for card in game.row]
        assert Counter([*gone, *in_row, *in_deck]) == Counter(card.id for card in setup.deck)
        assert game.next_card == (setup.deck[-game.cards_left] if game.cards_left else None)
        assert len(game.placed_by) == len(game.row)


@given(playthroughs())
def test_one_arrow_moves_per_round_and_the_rounds_are_bounded(play: tuple[Setup, list[Move]]) -> None:
    """R5: one arrow per doubt, the round's own. R6.1: at most eleven rounds; R6.2: at most twelve."""
    setup, moves = play
    for game, move, events in steps(setup, moves):
        arrows = [arrow for seat in game.arrows_won for arrow in seat]
        finished = game.round if game.over else game.round - 1
        assert Counter(arrows) == Counter(setup.arrows[:finished])
        assert len([event for event in events if isinstance(event, ArrowAwarded)]) == (move == Doubt())
        assert game.round <= (11 if setup.variant is Variant.FIRST_TO_THREE else 12)


@given(playthroughs())
def test_legal_moves_and_apply_agree_for_every_conceivable_move(play: tuple[Setup, list[Move]]) -> None:
    """R4: what is listed is accepted, and whatever else one could try is refused and changes nothing."""
    for game, _, _ in steps(*play):
        legal = legal_moves(game)
        may = view(game).legal
        assert legal == (*map(Place, may.gaps), *([Doubt()] if may.doubt else []))
        assert len(set(legal)) == len(legal)
        conceivable: list[Move] = [Doubt(), *(Place(gap) for gap in range(-3, len(game.row) + 4))]
        assert set(legal) <= set(conceivable)
        for move in conceivable:
            try:
                apply(game, move)
            except RulesError:
                accepted = False
            else:
                accepted = True
            assert accepted == (move in legal)
        assert bool(legal) != game.over


@given(playthroughs())
def test_r5_2_r5_3_a_doubt_is_right_exactly_when_the_row_is_out_of_order(play: tuple[Setup, list[Move]]) -> None:
    setup, moves = play
    before = begun(setup)
    for game, move, events in steps(setup, moves):
        if move == Doubt():
            assert before.arrow is not None
            assert before.to_play is not None
            shares = [card.shares[before.arrow] for card in before.row]
            out_of_order = shares != sorted(shares)
            taker = before.to_play if out_of_order else (before.to_play - 1) % setup.players
            assert events[1] == ArrowAwarded(taker, before.arrow)
        before = game


@given(playthroughs())
def test_the_culprit_is_the_first_card_after_which_the_row_fell(play: tuple[Setup, list[Move]]) -> None:
    """R3.2: a row that has a fall keeps one, whatever is laid into it; so one card made it wrong, and one player."""
    setup, moves = play
    broke: CardPlaced | None = None
    before = begun(setup)
    for game, _, events in steps(setup, moves):
        for event in events:
            match event:
                case RoundStarted():
                    broke = None
                case CardPlaced():
                    assert before.arrow is not None
                    if first_fall(before.row, before.arrow) is not None:
                        assert first_fall(game.row, before.arrow) is not None
                    elif first_fall(game.row, before.arrow) is not None:
                        broke = event
                case RowDoubted():
                    assert event.falls == tuple(
                        at
                        for at in range(1, len(event.row))
                        if event.row[at].shares[event.arrow] < event.row[at - 1].shares[event.arrow]
                    )
                    culprit = event.culprit
                    assert (culprit is None) == (broke is None) == (not event.falls)
                    if culprit is not None and broke is not None:
                        assert (event.row[culprit.at].card, culprit.seat) == (broke.card, broke.seat)
                case _:
                    pass
        before = game


@given(playthroughs())
def test_replaying_the_moves_gives_the_same_game(play: tuple[Setup, list[Move]]) -> None:
    setup, moves = play
    *_, (game, _, _) = steps(setup, moves)
    assert replay(begun(setup), moves) == game
    assert hash(replay(begun(setup), moves)) == hash(game)
    assert pickle.loads(pickle.dumps(game)) == game  # noqa: S301  (our own bytes)


@given(playthroughs())
def test_the_events_tell_everything_the_view_shows(play: tuple[Setup, list[Move]]) -> None:
    """Somebody who heard every event knows the row, the turn, the next card and the arrows won."""
    setup, moves = play
    row: list[object] = []
    won: list[list[object]] = [[] for _ in range(setup.players)]
    over, winners, to_play, next_card, round = False, tuple[int, ...](), None, None, 0
    for game, _, events in steps(setup, moves):
        for event in events:
            match event:
                case RoundStarted():
                    row, next_card, to_play, round = [event.first_card], event.next_card, event.to_play, event.round
                case RowDoubted():
                    assert [turned.card for turned in event.row] == row
                    row = []
                case ArrowAwarded():
                    won[event.seat].append(event.arrow)
                case GameEnded():
                    over, winners, to_play = True, event.winners, None
                case placed:
                    row.insert(placed.gap, placed.card)
                    next_card, to_play = placed.next_card, placed.to_play
        seen = view(game)
        assert (seen.row, seen.next_card, seen.to_play, seen.round) == (tuple(row), next_card, to_play, round)
        assert (seen.over, seen.winners) == (over, winners)
        assert seen.arrows_won == tuple(map(tuple, won))


def test_an_error_survives_the_way_to_another_process() -> None:
    with pytest.raises(RulesError) as caught:
        Place("here")  # type: ignore[arg-type]
    copy = pickle.loads(pickle.dumps(caught.value))  # noqa: S301  (our own bytes)
    assert (type(copy), copy.code, copy.parameters) == (UnparsableMove, "gap-not-an-integer", {"gap": "here"})
    assert str(copy) == str(caught.value)
    assert copy.args == (copy.code,)
