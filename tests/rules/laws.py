"""Laws that hold in every game, however it is played; each can also be asked of an engine that breaks it."""

import pickle
from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

from illusion.rules import (
    ArrowAwarded,
    ArrowReturned,
    CardPlaced,
    Doubt,
    Game,
    GameEnded,
    Legal,
    Move,
    Place,
    RoundStarted,
    RowDoubted,
    RulesError,
    View,
    apply,
    first_fall,
    legal,
    legal_moves,
    view,
)
from tests.rules.games import Apply, Play, begun, steps


class Engine(NamedTuple):
    """The rules as a program meets them."""

    apply: Apply = apply
    legal_moves: Callable[[Game], tuple[Move, ...]] = legal_moves
    legal: Callable[[Game], Legal] = legal
    view: Callable[[Game], View] = view


Law = Callable[[Play, Engine], None]


def cards_are_conserved(play: Play, engine: Engine) -> None:
    """R5.4: every card lies in the deck or in the row, or has been turned over and has left the game."""
    setup, moves = play
    gone: list[object] = []
    for game, _, events in steps(setup, moves, engine.apply):
        gone += [turned.card for event in events if isinstance(event, RowDoubted) for turned in event.row]
        in_deck = [card.id for card in setup.deck[len(setup.deck) - game.cards_left :]]
        in_row = [card.id for card in game.row]
        assert Counter([*gone, *in_row, *in_deck]) == Counter(card.id for card in setup.deck)
        assert game.next_card == (setup.deck[-game.cards_left] if game.cards_left else None)
        assert len(game.placed_by) == len(game.row)


def one_arrow_moves_a_round(play: Play, engine: Engine) -> None:
    """R5.2 to R5.5: a doubt moves the round's arrow to one player; only a wrong doubter pays, and only the penalty."""
    setup, moves = play
    before = begun(setup)
    for game, move, events in steps(setup, moves, engine.apply):
        awarded = [event for event in events if isinstance(event, ArrowAwarded)]
        returned = [event for event in events if isinstance(event, ArrowReturned)]
        assert len(awarded) == (move == Doubt())
        won = [list(arrows) for arrows in before.arrows_won]
        for award in awarded:
            assert award.arrow == before.arrow
            won[award.seat].append(award.arrow)
            doubter = before.to_play
            assert doubter is not None
            held = 0 if award.seat == doubter else len(before.arrows_won[doubter])
            assert len(returned) == setup.penalty.returned(held)
        for given_back in returned:
            assert given_back.seat == before.to_play
            assert won[given_back.seat].pop() == given_back.arrow  # the one won last
        assert game.arrows_won == tuple(map(tuple, won))
        before = game


def the_rounds_are_bounded(play: Play, engine: Engine) -> None:
    """R6.1, R6.2: a game ends with the arrow that is enough, or after the last round, and never goes on after it."""
    setup, moves = play
    to_win = setup.end.arrows_to_win
    for game, _, _ in steps(setup, moves, engine.apply):
        most = max(len(arrows) for arrows in game.arrows_won)
        assert game.round <= setup.end.rounds
        if to_win is not None:
            assert most <= to_win
            assert game.over or most < to_win
        if game.over:
            assert most == to_win or game.round == setup.end.rounds or game.cards_left < 2
            assert game.winners == tuple(seat for seat, won in enumerate(game.arrows_won) if len(won) == most)


def legal_moves_and_apply_agree(play: Play, engine: Engine) -> None:
    """R4: what is listed is accepted, and any other move is refused and changes nothing."""
    for game, _, _ in steps(*play):
        listed = engine.legal_moves(game)
        may = engine.legal(game)
        assert listed == (*map(Place, may.gaps), *([Doubt()] if may.doubt else []))
        assert engine.view(game).legal == may
        conceivable: list[Move] = [Doubt(), *(Place(gap) for gap in range(-3, len(game.row) + 4))]
        assert set(listed) <= set(conceivable)
        for move in conceivable:
            try:
                engine.apply(game, move)
            except RulesError:
                accepted = False
            else:
                accepted = True
            assert accepted == (move in listed)
        assert bool(listed) != game.over


def a_doubt_is_right_exactly_when_the_row_is_out_of_order(play: Play, engine: Engine) -> None:
    """R5.2, R5.3."""
    setup, moves = play
    before = begun(setup)
    for game, move, events in steps(setup, moves, engine.apply):
        if move == Doubt():
            assert before.arrow is not None
            assert before.to_play is not None
            shares = [card.shares[before.arrow] for card in before.row]
            out_of_order = shares != sorted(shares)
            taker = before.to_play if out_of_order else (before.to_play - 1) % setup.players
            assert events[1] == ArrowAwarded(taker, before.arrow)
            assert game.over or game.to_play == taker  # R5.4
        before = game


def one_card_broke_a_wrong_row(play: Play, engine: Engine) -> None:
    """R3.2: a row that has a fall keeps one, whatever is laid into it; so one card made it wrong, and one player."""
    setup, moves = play
    broke: CardPlaced | None = None
    before = begun(setup)
    for game, _, events in steps(setup, moves, engine.apply):
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
                    shares = [turned.shares[event.arrow] for turned in event.row]
                    assert event.falls == tuple(at for at in range(1, len(shares)) if shares[at] < shares[at - 1])
                    culprit = event.culprit
                    assert (culprit is None) == (broke is None) == (not event.falls)
                    if culprit is not None and broke is not None:
                        assert (event.row[culprit.at].card, culprit.seat) == (broke.card, broke.seat)
                case _:
                    pass
        before = game


def replaying_gives_the_same_game(play: Play, engine: Engine) -> None:
    setup, moves = play
    *_, (game, _, _) = steps(setup, moves, engine.apply)
    *_, (again, _, _) = steps(setup, moves, engine.apply)
    assert again == game
    assert hash(again) == hash(game)
    assert pickle.loads(pickle.dumps(game)) == game  # noqa: S301  (our own bytes)


def the_events_tell_everything_the_view_shows(play: Play, engine: Engine) -> None:
    """Somebody who heard every event knows the row, the turn, the next card and the arrows won."""
    setup, moves = play
    row: list[object] = []
    won: list[list[object]] = [[] for _ in range(setup.players)]
    over, winners, to_play, next_card, round = False, tuple[int, ...](), None, None, 0
    for game, _, events in steps(setup, moves, engine.apply):
        for event in events:
            match event:
                case RoundStarted():
                    row, next_card, to_play, round = [event.first_card], event.next_card, event.to_play, event.round
                case RowDoubted():
                    assert [turned.card for turned in event.row] == row
                    row = []
                case ArrowAwarded():
                    won[event.seat].append(event.arrow)
                case ArrowReturned():
                    assert won[event.seat].pop() == event.arrow
                case GameEnded():
                    over, winners, to_play = True, event.winners, None
                case placed:
                    row.insert(placed.gap, placed.card)
                    next_card, to_play = placed.next_card, placed.to_play
        seen = engine.view(game)
        assert (seen.row, seen.next_card, seen.to_play, seen.round) == (tuple(row), next_card, to_play, round)
        assert (seen.over, seen.winners) == (over, winners)
        assert seen.arrows_won == tuple(map(tuple, won))
        assert (seen.end, seen.penalty, seen.variant) == (setup.end, setup.penalty, setup.variant)


def kinds(play: Play) -> Counter[str]:
    """What happens in a play-through, counted, to see whether the laws meet it."""
    found: Counter[str] = Counter()
    setup, moves = play
    before = begun(setup)
    for game, move, _ in steps(setup, moves):
        found["moves"] += move is not None
        found["rounds"] = game.round
        found["turns with an empty deck"] += game.next_card is None and not game.over
        if isinstance(move, Doubt) and game.last_doubt is not None and before.to_play is not None:
            right = bool(game.last_doubt.falls)
            found["right doubts"] += right
            found["wrong doubts"] += not right
            found["wrong doubts by a player with an arrow"] += not right and bool(before.arrows_won[before.to_play])
        before = game
    return found


LAWS: tuple[Law, ...] = (
    cards_are_conserved,
    one_arrow_moves_a_round,
    the_rounds_are_bounded,
    legal_moves_and_apply_agree,
    a_doubt_is_right_exactly_when_the_row_is_out_of_order,
    one_card_broke_a_wrong_row,
    replaying_gives_the_same_game,
    the_events_tell_everything_the_view_shows,
)
