"""The tree of all moves, counted (as chess engines do): by the engine, by hand, and by a second, naive engine."""

from collections import Counter

import pytest
from harness.sweeps import sweep

from illusion.rules import Game, Penalty, Variant, apply, legal_moves, start
from tests.rules.games import RED_FIRST, card, reds

Ends = Counter[tuple[int, ...]]


def paths(game: Game, depth: int) -> int:
    """How many games of this many moves there are."""
    if depth == 0:
        return 1
    return sum(paths(apply(game, move)[0], depth - 1) for move in legal_moves(game))


def ends(game: Game) -> Ends:
    """All games to their end, counted by their winners."""
    if game.over:
        return Counter([game.winners])
    return sum((ends(apply(game, move)[0]) for move in legal_moves(game)), Ends())


@pytest.mark.parametrize("players", [2, 5])
@pytest.mark.parametrize(("depth", "by_hand"), [(0, 1), (1, 2), (2, 8), (3, 34), (4, 172), (5, 1004)])
def test_paths_by_hand(players: int, depth: int, by_hand: int) -> None:
    """A row of n cards has n + 1 gaps and, from n = 2 on, can be doubted, after which the row is of one card again.

    Ways to each length of row, {length: ways}, from {1: 1}:
    {2: 2}, then {3: 6, 1: 2}, then {4: 24, 2: 4, 1: 6}, then {5: 120, 3: 12, 2: 12, 1: 28}, then
    {6: 720, 4: 48, 3: 36, 2: 56, 1: 144}. Five moves are too few for a third arrow.
    """
    assert paths(start(players, RED_FIRST, reds(*range(20)), 0), depth) == by_hand


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
