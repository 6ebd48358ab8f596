"""The review: its parts add up exactly, its figures are those reckoned by hand, and blame lands where it belongs."""

from functools import cache
from random import Random
from statistics import fmean, mean

import numpy as np
import pytest
from harness.sweeps import sweep
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from tools.review_study import DoubtsAtRandom

from illusion.bots import levels
from illusion.bots.belief import believe, others_evidence, posterior
from illusion.bots.eyes import Eyes, repeatable_noise
from illusion.bots.minds import Value
from illusion.bots.race import chances_to_win
from illusion.review import Moved, NotOver, Review, review
from illusion.review.findings import GRAIN
from illusion.review.ordinary import EYES, ManyEyes, ordinary, ordinary_eyes
from illusion.review.weighing import AGAINST_EYES, weigh
from illusion.rules import Doubt, Game, Place, apply, deal, first_fall, view
from tests.review.games import CARDS, KEEN, bot, look, played, reviewed

DIM = Eyes(0.3)
PERFECT = Eyes(0.0, 0.0, 0.0, 0.0)


@cache
def of_levels(players: int, seed: int) -> tuple[Game, tuple[Moved, ...], Review]:
    names = ("first-timer", "casual", "keen", "sharp", "eagle-eye")
    chosen = [levels()[names[(seed + seat) % 5]] for seat in range(players)]
    begun, moves = played([bot(level.eyes, level.mind, seed, at) for at, level in enumerate(chosen)], seed)
    return begun, tuple(moves), review(begun, moves, look)


def test_the_same_game_has_the_same_review_and_a_running_one_has_none() -> None:
    begun, moves, found = of_levels(3, 3)
    assert review(begun, moves, look) == found
    with pytest.raises(NotOver):
        review(begun, moves[:-1], look)


def weighed_by_hand(game: Game) -> tuple[list[float], list[float], list[float], list[int]]:
    """By eye: how likely the row is wrong, what a doubt and the best placement are worth, and its best gap; reckoned
    one eye at a time with what bots use, without penalties."""
    assert game.arrow is not None
    assert game.to_play is not None
    assert game.next_card is not None
    me, players, experience = game.to_play, game.players, ordinary().experience
    starts, arrows = ordinary().starts(players), [len(won) for won in game.arrows_won]

    def worth(taker: int) -> float:
        after = tuple(won + (seat == taker) for seat, won in enumerate(arrows))
        return chances_to_win(after, taker, starts)[me]

    result: tuple[list[float], list[float], list[float], list[int]] = ([], [], [], [])
    evidence = others_evidence(view(game), me)
    for number in range(EYES):
        half = number % (EYES // 2)
        sign = 1 if number < EYES // 2 else -1
        seen = [
            ordinary_eyes().see(
                look(card.id),
                game.arrow,
                f"ordinary eye {number}",
                sign * repeatable_noise(f"ordinary eye {half}", card.id, game.arrow),
            )
            for card in (*game.row, game.next_card)
        ]
        *row, card = map(posterior, seen)
        belief = believe(row, card, evidence)
        wrong = float(experience.wrong(players, 1 - belief.right, len(row))) if len(row) > 1 else 0.0
        right = belief.right if len(row) > 1 else 1.0
        stays = [(1 - wrong) / right * each for each in belief.stays]
        rounded = experience.takers(players, len(row) + 1, max(stays))
        takers = [chance / sum(rounded) for chance in rounded]
        result[0].append(wrong)
        result[1].append(wrong * worth(me) + (1 - wrong) * worth((me - 1) % players))
        result[2].append(sum(chance * worth((me + on) % players) for on, chance in enumerate(takers)))
        result[3].append(stays.index(max(stays)))
    return result


def test_every_decision_of_a_game_is_as_reckoned_by_hand() -> None:
    begun, moves, found = of_levels(2, 1)
    game, experience = begun, ordinary()
    likely: dict[tuple[int, int | None], list[float]] = {}
    for moved, decision in zip(moves, found.decisions, strict=True):
        wrong, doubting, placing, gaps = weighed_by_hand(game)
        may_doubt, player = len(game.row) > 1, (game.round, game.to_play)
        eyes = likely.setdefault(player, [1.0] * EYES)
        wrong_, doubting_, placing_ = (fmean(each, eyes) for each in (wrong, doubting, placing))
        assert decision.before == pytest.approx(max(doubting_, placing_) if may_doubt else placing_, abs=GRAIN)
        assert decision.placing == pytest.approx(placing_, abs=GRAIN)
        assert decision.row_wrong == (pytest.approx(wrong_, abs=GRAIN) if may_doubt else None)
        assert decision.doubting == (pytest.approx(doubting_, abs=GRAIN) if may_doubt else None)
        doubted = isinstance(moved.move, Doubt)
        lead = [(d - p) if doubted else (p - d) for d, p in zip(doubting, placing, strict=True)]
        by_eye = (1 - AGAINST_EYES) * fmean([each > 0 for each in lead], eyes)
        part = (AGAINST_EYES / 2) / (by_eye + AGAINST_EYES / 2)
        cost = part * fmean([min(each, 0) for each in lead], eyes) if may_doubt else 0
        assert decision.judgement == pytest.approx(cost, abs=GRAIN)
        if may_doubt:
            agree = [AGAINST_EYES / 2 + (1 - AGAINST_EYES) * (each > 0) for each in lead]
            likely[player] = [before * now for before, now in zip(eyes, agree, strict=True)]
        assert game.arrow is not None
        fits = [first_fall(apply(game, Place(gap))[0].row, game.arrow) is None for gap in range(len(game.row) + 1)]
        if first_fall(game.row, game.arrow) is None and isinstance(moved.move, Place):
            assert decision.right == fits[moved.move.gap]
            assert decision.chance_to_fit == pytest.approx(mean(fits[gap] for gap in gaps), abs=GRAIN)
        game, _ = apply(game, moved.move)
    assert experience.experience.starts["2"][0] < 0.5 < experience.experience.starts["2"][1]


def test_who_believes_a_row_again_is_charged_once() -> None:
    """The eyes that would have doubted it before are not this player's: most of them would doubt it again."""
    eyes, charged, charged_anew = ManyEyes(look), 0.0, 0.0
    for seed in range(12):
        game = deal(2, [card.colour_card for card in CARDS], Random(seed))
        likely: dict[tuple[int, int | None], NDArray[np.float64]] = {}
        while game.next_card is not None and game.round == 1 and len(game.row) < 9:
            player = game.round, game.to_play
            turn = weigh(game, eyes, likely.get(player))
            assert turn.eyes.sum() == pytest.approx(1)
            gap = int(turn.stays.mean(axis=0).argmax())
            charged += turn.judgement(Place(gap))
            charged_anew += weigh(game, eyes).judgement(Place(gap))
            likely[player] = turn.eyes_after(Place(gap))
            game, _ = apply(game, Place(gap))
    assert charged_anew < -0.5
    assert charged > 0.75 * charged_anew


def total(seats: list[tuple[int, Review]]) -> tuple[float, float]:
    """Eye and judgement of the odd player, a game."""
    return mean(each.seats[at].eye for at, each in seats), mean(each.seats[at].judgement for at, each in seats)


@pytest.mark.parametrize("players", sweep([2], [2, 4]))
def test_who_doubts_at_random_loses_most_by_judgement_and_who_has_dim_eyes_by_eye(players: int) -> None:
    """For two the differences are at least three standard errors of forty games; for four they are smaller."""
    games = range(40 if players == 2 else 60)
    eye, judgement = total([reviewed((KEEN.eyes, DoubtsAtRandom(Random(seed))), players, seed) for seed in games])
    assert judgement < -0.04
    assert judgement < eye
    eye, judgement = total([reviewed((DIM, KEEN.mind), players, seed) for seed in games])
    assert eye < -0.04
    assert eye < judgement


def test_who_sees_everything_gains_by_eye_and_loses_next_to_nothing_by_judgement() -> None:
    mind = levels()["eagle-eye"].mind
    assert isinstance(mind, Value)
    eye, judgement = total([reviewed((PERFECT, mind), 3, seed) for seed in range(20)])
    assert eye > 0.2
    assert judgement > -0.06


def test_what_a_decision_says_of_the_card_and_the_row_is_true() -> None:
    for seed in range(1, 6):
        begun, moves, found = of_levels(4, seed)
        game = begun
        for moved, decision in zip(moves, found.decisions, strict=True):
            assert (decision.seq, decision.round, decision.seat) == (moved.seq, game.round, game.to_play)
            assert decision.cards == len(game.row)
            assert decision.turn == len(game.row)
            assert game.arrow is not None
            if isinstance(moved.move, Doubt):
                assert decision.right == (first_fall(game.row, game.arrow) is not None)
                assert (decision.move, decision.off, decision.chance_to_fit) == ("doubt", 0, None)
            else:
                assert (decision.off == 0) == decision.right
                assert game.next_card is not None
                card, gap = game.next_card, moved.move.gap
                pair = (*game.row[max(gap - 1, 0) : gap], card, *game.row[gap : gap + 1])
                assert decision.right == (first_fall(pair, game.arrow) is None)
            game, _ = apply(game, moved.move)


@settings(max_examples=30)
@given(st.integers(2, 5), st.integers(0, 10_000), st.data())
def test_whatever_is_played_eye_judgement_and_luck_add_up_exactly(players: int, seed: int, data: st.DataObject) -> None:
    """Also where the deck runs out (R6.4, R6.5)."""
    begun = game = deal(players, [card.colour_card for card in CARDS[:12]], Random(seed))
    moves: list[Moved] = []
    while not game.over:
        doubts = len(game.row) > 1 and (game.next_card is None or data.draw(st.integers(0, 3)) == 0)
        move = Doubt() if doubts else Place(data.draw(st.integers(0, len(game.row))))
        moves.append(Moved(len(moves) + 10, move))
        game, _ = apply(game, move)
    found = review(begun, moves, look)
    assert begun.players == found.players == len(found.seats)
    assert [decision.seq for decision in found.decisions] == [moved.seq for moved in moves]
    for decision in found.decisions:
        assert decision.eye + decision.judgement + decision.luck == decision.after - decision.before
        assert decision.judgement <= 0
        assert decision.before == decision.chances[decision.seat]
        assert sum(decision.chances) == pytest.approx(1, abs=players * GRAIN)
    for seat in found.seats:
        assert seat.eye + seat.judgement + seat.luck == seat.end - seat.start
        own = [decision for decision in found.decisions if decision.seat == seat.seat]
        assert [each.after for each in own] == [*[each.before for each in own[1:]], seat.end][: len(own)]
    assert [seat.end for seat in found.seats] == list(found.chances_at_end)
    assert sum(found.chances_at_end) == pytest.approx(1, abs=players * GRAIN)
    assert len(found.turning_points) <= 3
