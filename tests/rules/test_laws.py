"""Laws that hold in every game, however it is played; and the games they are tried on have enough in them."""

import os
import pickle
import subprocess
import sys
from collections import Counter

from hypothesis import Phase, given, settings

from illusion.rules import (
    ArrowAwarded,
    ArrowReturned,
    CardPlaced,
    Doubt,
    GameEnded,
    Move,
    Place,
    RoundStarted,
    RowDoubted,
    RulesError,
    Variant,
    apply,
    first_fall,
    legal,
    legal_moves,
    view,
)
from tests.rules.games import Play, begun, playthroughs, steps


@given(playthroughs())
def test_cards_are_conserved(play: Play) -> None:
    """R5.4: every card lies in the deck or in the row, or has been turned over and has left the game."""
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
def test_a_doubt_moves_one_arrow_to_whoever_was_right(play: Play) -> None:
    """R5.2 to R5.5: who takes it begins; only a wrong doubter pays, and only the penalty."""
    setup, moves = play
    before = begun(setup)
    for game, move, events in steps(setup, moves):
        awarded = [event for event in events if isinstance(event, ArrowAwarded)]
        returned = [event for event in events if isinstance(event, ArrowReturned)]
        won = [list(arrows) for arrows in before.arrows_won]
        if move == Doubt():
            doubter, arrow = before.to_play, before.arrow
            assert doubter is not None
            assert arrow is not None
            shares = [card.shares[arrow] for card in before.row]
            wrong = shares == sorted(shares)
            taker = (doubter - 1) % setup.players if wrong else doubter
            assert awarded == [events[1]] == [ArrowAwarded(taker, arrow)]
            assert game.over or game.to_play == taker
            assert len(returned) == (setup.penalty.returned(len(won[doubter])) if wrong else 0)
            won[taker].append(arrow)
        else:
            assert (awarded, returned) == ([], [])
        for given_back in returned:
            assert given_back.seat == before.to_play
            assert won[given_back.seat].pop() == given_back.arrow  # the one won last
        assert game.arrows_won == tuple(map(tuple, won))
        before = game


@given(playthroughs())
def test_the_rounds_are_bounded(play: Play) -> None:
    """R6.1, R6.2: a game ends with the arrow that is enough, or after the last round, and never goes on after it."""
    setup, moves = play
    to_win = setup.end.arrows_to_win
    for game, _, _ in steps(setup, moves):
        most = max(len(arrows) for arrows in game.arrows_won)
        assert game.round <= setup.end.rounds
        if to_win is not None:
            assert most <= to_win
            assert game.over or most < to_win
        if game.over:
            assert most == to_win or game.round == setup.end.rounds or game.cards_left < 2
            assert game.winners == tuple(seat for seat, won in enumerate(game.arrows_won) if len(won) == most)


@given(playthroughs())
def test_legal_moves_and_apply_agree(play: Play) -> None:
    """R4: what is listed is accepted, and any other move is refused and changes nothing."""
    for game, _, _ in steps(*play):
        listed = legal_moves(game)
        may = legal(game)
        assert listed == (*map(Place, may.gaps), *([Doubt()] if may.doubt else []))
        assert view(game).legal == may
        conceivable: list[Move] = [Doubt(), *(Place(gap) for gap in range(-3, len(game.row) + 4))]
        assert set(listed) <= set(conceivable)
        for move in conceivable:
            try:
                apply(game, move)
            except RulesError:
                accepted = False
            else:
                accepted = True
            assert accepted == (move in listed)
        assert bool(listed) != game.over


@given(playthroughs())
def test_one_card_broke_a_wrong_row(play: Play) -> None:
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
                    shares = [turned.shares[event.arrow] for turned in event.row]
                    assert event.falls == tuple(at for at in range(1, len(shares)) if shares[at] < shares[at - 1])
                    culprit = event.culprit
                    assert (culprit is None) == (broke is None) == (not event.falls)
                    if culprit is not None and broke is not None:
                        assert (event.row[culprit.at].card, culprit.seat) == (broke.card, broke.seat)
                case _:
                    pass
        before = game


@given(playthroughs())
def test_replaying_gives_the_same_game(play: Play) -> None:
    setup, moves = play
    *_, (game, _, _) = steps(setup, moves)
    *_, (again, _, _) = steps(setup, moves)
    assert again == game
    assert hash(again) == hash(game)
    assert pickle.loads(pickle.dumps(game)) == game  # noqa: S301  (our own bytes)


@given(playthroughs())
def test_the_events_tell_everything_the_view_shows(play: Play) -> None:
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
                case ArrowReturned():
                    assert won[event.seat].pop() == event.arrow
                case GameEnded():
                    over, winners, to_play = True, event.winners, None
                case placed:
                    row.insert(placed.gap, placed.card)
                    next_card, to_play = placed.next_card, placed.to_play
        seen = view(game)
        assert (seen.row, seen.next_card, seen.to_play, seen.round) == (tuple(row), next_card, to_play, round)
        assert (seen.over, seen.winners) == (over, winners)
        assert seen.arrows_won == tuple(map(tuple, won))
        assert (seen.end, seen.penalty, seen.variant) == (setup.end, setup.penalty, setup.variant)


def met(play: Play) -> set[str]:
    """What the laws meet in a play-through."""
    setup, moves = play
    found, before = set[str](), begun(setup)
    for made, (game, move, _) in enumerate(steps(setup, moves)):
        found |= {f"move {made}", f"round {game.round}"}
        if game.next_card is None and not game.over:
            found.add("an empty deck")
        if isinstance(move, Doubt) and game.last_doubt is not None and before.to_play is not None:
            found.add("a right doubt" if game.last_doubt.falls else "a wrong doubt")
            if not game.last_doubt.falls and before.arrows_won[before.to_play]:
                found.add("a wrong doubt by a player with an arrow")
        before = game
    return found


def test_most_games_tried_have_several_rounds_and_doubts_of_both_kinds() -> None:
    """A law says little if the games it is tried on are over before it could be broken."""
    games: list[set[str]] = []

    @settings(max_examples=200, derandomize=True, database=None, phases=[Phase.generate])
    @given(playthroughs())
    def collect(play: Play) -> None:
        games.append(met(play))

    collect()

    def share(*wanted: str) -> float:
        return sum(found.issuperset(wanted) for found in games) / len(games)

    assert len(games) >= 200
    assert share("round 2") > 0.95
    assert share("round 4") > 0.6
    assert share("move 11") > 0.6
    assert share("a right doubt", "a wrong doubt") > 0.7
    assert share("a wrong doubt by a player with an arrow") > 0.35
    assert share("an empty deck") > 0.02


WHOLE_GAMES = """
import random
from illusion.rules import Colour, ColourCard, Variant, apply, deal, legal_moves, opening, view
rng = random.Random(20180221)
cards = [ColourCard(f"c{n}", {colour: rng.randint(0, 25) for colour in Colour}) for n in range(98)]
for players in range(2, 6):
    for variant in Variant:
        game = deal(players, cards, rng, variant)
        print(opening(game.setup))
        while not game.over:
            game, events = apply(game, rng.choice(legal_moves(game)))
            print(events, view(game))
"""


def test_the_same_seed_gives_byte_identical_logs_in_two_processes_whatever_their_hash_seeds() -> None:
    one, other = (
        subprocess.check_output([sys.executable, "-c", WHOLE_GAMES], env={**os.environ, "PYTHONHASHSEED": hash_seed})
        for hash_seed in ("1", "2")
    )
    assert one == other
    assert one.count(b"GameEnded") == 4 * len(Variant)
