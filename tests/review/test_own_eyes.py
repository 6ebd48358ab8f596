"""A player's own eyes: the fit finds the eyes that bots are known to have, and says nothing without enough to go by.
And what guesses beside the truth tell."""

from functools import cache
from math import exp, log, sqrt
from random import Random
from statistics import NormalDist

import numpy as np
import pytest
from harness.sweeps import sweep
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from illusion.bots import levels
from illusion.bots.eyes import TASTE, Eyes
from illusion.bots.minds import Mind
from illusion.review import Moved, NotOver
from illusion.review.own_eyes import NEEDED, STRETCH, OwnEyes, own_eyes
from illusion.review.own_guesses import ENOUGH, Compared, own_guesses
from illusion.review.turn_chances import LAPSE, WIDTHS, Round, SeatLooks, SeatTurn, SeenCard, seat_looks, turn_chances
from illusion.rules import Colour, Doubt, Place, apply, deal, first_fall
from tests.review.games import CARDS, bot, look, played

RUNS = sweep(12, 100)
"""`tools/eyes_study.py` measured them."""
PLACEMENTS = 60
PEOPLE = (0.10, 0.19)
"""The eyes that people have been found to have (see `bots.eyes`)."""
MINDS: tuple[Mind, ...] = tuple(levels()[name].mind for name in ("keen", "casual", "first-timer"))


def widths(run: int) -> list[float]:
    """Three players' eyes, anywhere among those of people."""
    rng = Random(run)
    return [exp(rng.uniform(log(PEOPLE[0]), log(PEOPLE[1]))) for _ in range(3)]


def first_placements(games: list[SeatLooks], most: int) -> list[SeatLooks]:
    """As many games, the last one cut short, as have this many placements."""
    kept: list[SeatLooks] = []
    for game in games:
        rounds: list[Round] = []
        for each in game.rounds:
            turns = []
            for turn in each.turns:
                if most:
                    turns.append(turn)
                    most -= turn.gap is not None
            rounds.append(Round(each.arrow, each.cards, turns))
        kept.append(SeatLooks(rounds))
    return kept


def games_of(eyes: list[float], run: int, games: int) -> list[list[SeatLooks]]:
    """By player: their looks at some games against each other."""
    looks: list[list[SeatLooks]] = [[] for _ in eyes]
    for number in range(games):
        seed = 1000 * run + number
        bots = [bot(Eyes(w), MINDS[(run + seat) % 3], seed, seat, f"player {run % 500}") for seat, w in enumerate(eyes)]
        begun, moves = played(bots, seed)
        for seat, found in enumerate(looks):
            found.append(seat_looks(begun, moves, look, seat))
    return looks


def placements(looks: list[SeatLooks]) -> int:
    return sum(len(each.placements) for game in looks for each in game.rounds)


def at_least(chance: float) -> float:
    """How many of the runs have what has this chance, less two standard deviations, so that any deck will do."""
    return RUNS * chance - 2 * sqrt(RUNS * chance * (1 - chance))


def test_after_sixty_placements_the_eyes_of_bots_are_found_within_a_fifth() -> None:
    found = []
    for run in range((RUNS + 2) // 3):
        eyes = widths(run)
        looks = games_of(eyes, run, 7)
        while min(map(placements, looks)) < PLACEMENTS:
            more = games_of(eyes, run + 500, 2)
            looks = [[*before, *new] for before, new in zip(looks, more, strict=True)]
        for w, own in zip(eyes, looks, strict=True):
            fitted = own_eyes(first_placements(own, PLACEMENTS))
            assert fitted.placements == PLACEMENTS
            assert fitted.w is not None
            found.append((fitted.w.figure / w, fitted.w.low <= w <= fitted.w.high))
    within = sum(abs(ratio - 1) <= 0.2 for ratio, _ in found[:RUNS])
    covered = sum(covers for _, covers in found[:RUNS])
    assert within >= at_least(0.8)
    assert covered >= at_least(0.95)


def played_round(row: list[float], card: float, gap: int) -> Round:
    """One card among others, all of one unbroken patch each."""
    cards = [SeenCard(share, 0.0, f"family {at}") for at, share in enumerate((*row, card))]
    return Round(Colour.RED, cards, [SeatTurn(list(range(len(row))), len(row), gap, right=True, row_wrong=False)])


def test_the_chance_of_a_placement_is_that_of_a_normal_difference() -> None:
    """A card beside one other: both seen with noise, taste and the same sway, so the chance is known exactly."""
    larger = 1.3
    told = np.exp(np.logaddexp.reduce(turn_chances(played_round([20.0], 20 * larger, 1), 1), axis=0)) / 7
    for w, chance in zip(WIDTHS, told, strict=True):
        right = NormalDist().cdf(log(larger) / (w * (2 * (1 + TASTE**2)) ** 0.5))
        assert chance == pytest.approx(((1 - LAPSE) * right + LAPSE / 2 / 2), abs=0.02)


def test_a_long_round_that_hardly_any_simulated_player_would_take_is_still_told_apart() -> None:
    """Twenty cards, each beyond one that is a little smaller: drawn at random, no player would place them all so."""
    shares = [5 * 1.08**at for at in range(20)]
    cards = [SeenCard(share, 0.0, f"family {at}") for at, share in enumerate(shares)]
    turns = [SeatTurn(list(range(at)), at, at, right=True, row_wrong=False) for at in range(1, 20)]
    told = np.logaddexp.reduce(turn_chances(Round(Colour.RED, cards, turns), 1), axis=0)
    assert (np.diff(told[WIDTHS > 0.05]) < 0).all()  # the finer the eyes, the likelier


def of_all(w: float, run: int, games: int) -> list[SeatLooks]:
    """Three players with the same eyes, taken for one."""
    return [looks for own in games_of([w] * 3, run, games) for looks in own]


@cache
def many_games() -> list[SeatLooks]:
    return of_all(0.14, 1, 8)


def test_without_enough_placements_it_says_how_many_more() -> None:
    games = many_games()
    for few in (0, 1, NEEDED - 1):
        some = first_placements(games, few)
        told = own_eyes(some)
        assert (told.placements, told.needed) == (few, NEEDED - few)
        assert (told.w, told.like, told.change) == (None, None, None)
        assert not any((told.colours, told.families, told.trend))
        assert told.needed_for_trend == NEEDED - few + STRETCH
    assert own_eyes([]).needed == NEEDED
    enough = own_eyes(first_placements(games, NEEDED))
    assert enough.needed == 0
    assert enough.w is not None
    assert (enough.trend, enough.needed_for_trend) == ([], STRETCH)


def test_a_trend_has_a_figure_for_each_stretch_of_placements_and_says_how_many_are_missing() -> None:
    games = many_games()
    few = own_eyes(first_placements(games, 40))
    assert few == own_eyes(first_placements(games, 40))
    assert few.trend == []
    assert 20 <= few.needed_for_trend <= STRETCH
    enough = own_eyes(first_placements(games, 80))
    assert enough.needed_for_trend == 0
    assert len(enough.trend) == 2
    assert enough.w is not None
    for stretch in enough.trend:
        assert stretch.placements >= STRETCH
        assert stretch.w.low < stretch.w.figure < stretch.w.high
        assert log(stretch.w.high / stretch.w.low) > log(enough.w.high / enough.w.low)
    found = own_eyes(games)
    assert found.games == 24
    assert found.w is not None
    assert found.w.low < found.w.figure < found.w.high
    assert log(found.w.high / found.w.low) < log(enough.w.high / enough.w.low)
    assert found.like in ("first-timer", "casual", "keen")
    assert {each.of for each in found.colours} <= set(Colour)
    assert len(found.colours) >= 3
    assert sum(stretch.placements for stretch in found.trend) <= found.placements
    assert len(found.trend) >= 4
    assert found.doubts_right <= found.doubts
    assert found.believed_wrong <= found.believed <= found.placements


def biased(family: str, games: list[SeatLooks], larger: float) -> list[SeatLooks]:
    """The same rows, placed by somebody who sees everything as it is, but one family larger: the gap is where the card
    belongs among cards as they see them."""

    def seen(each: Round, at: int) -> float:
        card = each.cards[at]
        return log(card.share) + larger * (card.family == family)

    changed = []
    for game in games:
        rounds = []
        for each in game.rounds:
            turns = [
                replace(turn, gap=sum(seen(each, at) < seen(each, turn.card) for at in turn.row))
                for turn in each.placements
            ]
            rounds.append(Round(each.arrow, each.cards, turns))
        changed.append(SeatLooks(rounds))
    return changed


def with_three_families(games: list[SeatLooks]) -> list[SeatLooks]:
    """Of the two dozen that there are, three are made, so that each has enough placements."""

    def renamed(each: Round) -> Round:
        cards = [SeenCard(share, broken, "abc"[sum(map(ord, family)) % 3]) for share, broken, family in each.cards]
        return Round(each.arrow, cards, each.turns)

    return [SeatLooks([renamed(each) for each in game.rounds]) for game in games]


def test_a_family_that_looks_larger_is_found() -> None:
    games = with_three_families(many_games())
    fair, odd = (
        next(each for each in own_eyes(biased("a", games, larger)).families if each.of == "a").larger
        for larger in (0.0, 0.5)
    )
    assert odd.figure > fair.figure + 0.1
    assert odd.low > 0


def test_eyes_that_become_finer_are_said_to() -> None:
    coarse, fine = of_all(0.3, 2, 3), of_all(0.06, 3, 3)
    assert own_eyes([*coarse, *fine]).change == "finer"
    assert own_eyes([*fine, *coarse]).change == "coarser"


def test_looks_are_those_of_the_seat_and_not_of_a_stand_in() -> None:
    begun, moves = played([bot(Eyes(0.14), MINDS[0], 1, seat) for seat in range(2)], 1)
    own, game = seat_looks(begun, moves, look, 0), begun
    turns = iter([turn for each in own.rounds for turn in each.turns])
    for moved in moves:
        if game.to_play == 0 and game.next_card is not None:
            turn = next(turns)
            assert game.arrow is not None
            assert turn.row_wrong == (first_fall(game.row, game.arrow) is not None)
            assert turn.gap == (moved.move.gap if isinstance(moved.move, Place) else None)
            assert len(turn.row) == len(game.row)
        game, _ = apply(game, moved.move)
    assert next(turns, None) is None
    away = [Moved(moved.seq, moved.move, "stand-in") for moved in moves]
    assert seat_looks(begun, away, look, 0).rounds == []
    with pytest.raises(NotOver):
        seat_looks(begun, moves[:-1], look, 0)


def test_a_doubt_without_a_choice_tells_nothing() -> None:
    """R6.4: the deck is empty."""
    game = begun = deal(2, [card.colour_card for card in CARDS[:3]], Random(1))
    moves: list[Moved] = []
    while not game.over:
        move = Place(0) if game.next_card is not None else Doubt()
        moves.append(Moved(len(moves) + 1, move))
        game, _ = apply(game, move)
    looks = [seat_looks(begun, moves, look, seat) for seat in range(2)]
    assert sum(len(each.turns) for seat in looks for each in seat.rounds) == 2
    assert isinstance(own_eyes(looks), OwnEyes)


COMPARED = st.builds(Compared, st.sampled_from(Colour), st.integers(1, 54), st.integers(0, 60))


def at(colour: Colour, shares: range, times: float) -> list[Compared]:
    return [Compared(colour, share, round(share * times)) for share in shares]


def test_who_names_the_truth_is_nothing_off_and_of_no_guesses_nothing_is_said() -> None:
    told = own_guesses([])
    assert (told.count, told.off, told.larger, told.colours) == (0, None, None, [])
    told = own_guesses(at(Colour.RED, range(2, 2 + ENOUGH), 1))
    assert told.off == 0
    assert told.larger is not None
    assert (told.larger.figure, told.larger.low, told.larger.high) == (0, 0, 0)


def test_a_colour_that_looks_larger_is_found_and_the_others_are_not_blamed() -> None:
    told = own_guesses([*at(Colour.RED, range(10, 50), 1.2), *at(Colour.BLUE, range(10, 50), 1)])
    larger = {each.of: each.larger for each in told.colours}
    assert larger.keys() == {Colour.RED, Colour.BLUE}
    assert larger[Colour.RED].figure == pytest.approx(0.2, abs=0.01)
    assert larger[Colour.BLUE].figure == 0
    assert told.larger is not None
    assert told.larger.figure == pytest.approx(0.1, abs=0.01)


@given(st.lists(COMPARED, max_size=60))
def test_the_interval_is_around_the_figure_and_few_guesses_say_nothing(guesses: list[Compared]) -> None:
    told = own_guesses(guesses)
    assert told.count == len(guesses)
    assert (told.larger is None) == (len(guesses) < ENOUGH)
    for each in (told.larger, *(colour.larger for colour in told.colours)):
        assert each is None or each.low <= each.figure <= each.high
    assert all(colour.guesses >= ENOUGH for colour in told.colours)
    assert own_guesses(guesses[::-1]) == told
