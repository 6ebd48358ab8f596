"""Minds: what they do with perfect eyes, at their thresholds, and when there is no choice."""

from dataclasses import replace
from functools import partial
from math import exp, log
from random import Random

import pytest

from illusion.bots import Bot, Level, levels
from illusion.bots.belief import PRIOR, RUNGS
from illusion.bots.eyes import Eyes, Impression, repeatable_noise
from illusion.bots.minds import Mind, PointEstimate, Threshold, Value
from illusion.bots.race import experiences, worth
from illusion.rules import Doubt, Legal, Place, View, apply, deal, first_fall, view
from tests.bots.situations import enumerated, look, some_cards, turns

THRESHOLDS = {2: 0.7, 3: 0.6, 4: 0.5, 5: 0.5}
MINDS: dict[str, Mind] = {name: level.mind for name, level in levels().items()}
PERFECT = Eyes(0.0)


@pytest.mark.parametrize("mind", MINDS)
@pytest.mark.parametrize("players", [2, 3, 5])
def test_with_perfect_eyes_no_card_is_misplaced_and_no_right_row_doubted(mind: str, players: int) -> None:
    bot = Bot(Level("perfect", PERFECT, MINDS[mind]), "Iris", partial(repeatable_noise, "a game"))
    game = deal(players, [card.colour_card for card in some_cards()], Random(players))
    for _ in range(12):  # all seats see perfectly: the row grows until the cards are gone
        assert game.arrow is not None
        assert first_fall(game.row, game.arrow) is None
        move = bot.decide(view(game), look)
        assert isinstance(move, Place)
        game, _ = apply(game, move)


@pytest.mark.parametrize("mind", MINDS)
def test_with_perfect_eyes_only_wrong_rows_are_doubted(mind: str) -> None:
    bot = Bot(Level("perfect", PERFECT, MINDS[mind]), "Iris", partial(repeatable_noise, "a game"))
    right = wrong = 0
    for seed in range(6):
        for game in turns(seed, 2 + seed % 4):
            assert game.arrow is not None
            doubts = bot.decide(view(game), look) == Doubt()
            falls = first_fall(game.row, game.arrow) is not None
            if game.next_card is not None:
                assert doubts == falls
            right += not falls
            wrong += falls
    assert right > 10
    assert wrong > 10


@pytest.mark.parametrize("mind", MINDS)
def test_without_a_next_card_the_row_is_doubted(mind: str) -> None:
    """R6.4."""
    seen = next(view(game) for game in turns(1, 2) if len(game.row) > 2)
    row = [Impression(2.0 + at, 0.1) for at in range(len(seen.row))]
    assert MINDS[mind].decide(replace(seen, next_card=None, legal=Legal((), doubt=True)), row, None) == Doubt()


@pytest.mark.parametrize("mind", MINDS)
def test_one_card_alone_is_never_doubted(mind: str) -> None:
    """R4.2."""
    seen = next(view(game) for game in turns(1, 2))
    move = MINDS[mind].decide(seen, [Impression(3.0, 0.2)], Impression(2.0, 0.2), temper=1.0)
    assert isinstance(move, Place)


def three_cards(players: int) -> View:
    return next(view(game) for game in turns(4, players) if len(game.row) == 3)


def by_brute_force(row: list[Impression], card: Impression) -> tuple[float, list[float]]:
    """The chance that three cards do not fall, and do not with a fourth in each gap."""

    def weights(seen: Impression) -> list[float]:
        away = [(log(rung) - seen.seen) / seen.spread for rung in RUNGS]
        raw = [float(before) * exp(-(far**2) / 2) for before, far in zip(PRIOR, away, strict=True)]
        return [each / sum(raw) for each in raw]

    return enumerated([weights(each) for each in row], weights(card), [None] * 2, range(len(RUNGS)))


def test_the_threshold_is_where_brute_force_says() -> None:
    """Three cards, the middle one looking larger and larger: the doubt begins where P(wrong) passes the threshold."""
    seen, mind = three_cards(3), Threshold(THRESHOLDS)
    doubted = 0
    for step in range(20):
        row = [Impression(2.6, 0.12), Impression(2.7 + step * 0.04, 0.15), Impression(2.9, 0.1)]
        card = Impression(2.5, 0.14)
        right, stays = by_brute_force(row, card)
        move = mind.decide(seen, row, card)
        if 1 - right > THRESHOLDS[3]:
            assert move == Doubt()
            doubted += 1
        else:
            assert move == Place(stays.index(max(stays)))
    assert 0 < doubted < 20


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_value_rule_is_what_brute_force_says(players: int) -> None:
    seen = three_cards(players)
    experience = experiences()["sharp"]
    mind = Value(experience, learns=False)
    assert seen.to_play is not None
    mine, *others = worth(seen, seen.to_play, experience)
    doubted = 0
    for step in range(20):
        row = [Impression(2.6, 0.12), Impression(2.7 + step * 0.04, 0.15), Impression(2.9, 0.1)]
        card = Impression(2.5, 0.14)
        right, stays = by_brute_force(row, card)
        wrong = experience.wrong(players, 1 - right, 3)
        takers = experience.takers(players, 4, (1 - wrong) * max(stays) / right)
        placing = sum(chance * value for chance, value in zip(takers, (mine, *others), strict=True))
        doubting = wrong * mine + (1 - wrong) * others[-1]
        assert (mind.decide(seen, row, card) == Doubt()) == (doubting > placing)
        doubted += doubting > placing
    assert 0 < doubted < 20


def test_a_bold_one_doubts_what_a_cautious_one_believes() -> None:
    seen, card = three_cards(3), Impression(2.5, 0.14)
    rows = [[Impression(2.6, 0.12), Impression(2.7 + step * 0.004, 0.15), Impression(2.9, 0.1)] for step in range(200)]
    for mind in (PointEstimate(0.4), Threshold(THRESHOLDS), Value(experiences()["sharp"], learns=False)):
        cautious, even, bold = (
            sum(mind.decide(seen, row, card, temper) == Doubt() for row in rows) for temper in (-1.0, 0.0, 1.0)
        )
        assert cautious < even < bold
