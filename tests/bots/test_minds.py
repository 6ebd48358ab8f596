"""Levels, each better than the one below, and their minds: what they believe and do with perfect eyes, at their
thresholds, and when there is no choice."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise, product
from math import exp, log, prod
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from illusion.bots import CHARACTERS, LEVEL_NAMES, Bot, Level, levels
from illusion.bots.belief import PRIOR, RUNGS, Chances, Factor, believe, others_evidence
from illusion.bots.eyes import Eyes, Impression, repeatable_noise
from illusion.bots.minds import Mind, PointEstimate, Threshold, Value
from illusion.bots.race import experiences, worth
from illusion.lab.arena import play_singly
from illusion.rules import (
    ARROWS,
    Colour,
    ColourCard,
    Doubt,
    Legal,
    Penalty,
    Place,
    Shares,
    Variant,
    View,
    apply,
    deal,
    first_fall,
    start,
    view,
)
from tests.bots.situations import look, some_cards, turns

THRESHOLDS = {2: 0.7, 3: 0.6, 4: 0.5, 5: 0.5}
MINDS: dict[str, Mind] = {name: level.mind for name, level in levels().items()}
PERFECT = Eyes(0.0)
POSSIBLE = [2, 5, 9, 14]
chances = st.lists(st.integers(0, 9), min_size=4, max_size=4).filter(any)
"""Weights of four possible rungs: enough to be wrong in every way, few enough to enumerate."""


def test_there_are_five_levels_from_the_easiest_to_the_hardest_with_characters_of_their_own() -> None:
    assert tuple(levels()) == LEVEL_NAMES
    eyes = [level.eyes.w for level in levels().values()]
    assert eyes == sorted(eyes, reverse=True)
    assert len({character.name for character in CHARACTERS}) == len(CHARACTERS)
    assert {character.level for character in CHARACTERS} == set(LEVEL_NAMES)


@pytest.mark.parametrize(("lower", "higher"), list(pairwise(LEVEL_NAMES)))
def test_each_level_beats_the_one_below(lower: str, higher: str) -> None:
    """At least 62 % in the long run (see docs/bots.md); here 400 games of a fixed seed, with an error of 2.3 %."""
    tally = play_singly((higher, lower), 4, Variant.FIRST_TO_THREE, Penalty.NOTHING, 0, 400)
    assert tally.wins[0] / tally.games > 0.62


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
def test_where_the_rules_leave_no_choice_there_is_none(mind: str) -> None:
    """Without a next card the row is doubted (R6.4), one card alone never (R4.2)."""
    seen = next(view(game) for game in turns(1, 2) if len(game.row) > 2)
    row = [Impression(2.0 + at, 0.1) for at in range(len(seen.row))]
    assert MINDS[mind].decide(replace(seen, next_card=None, legal=Legal((), doubt=True)), row, None) == Doubt()
    seen = next(view(game) for game in turns(1, 2))
    move = MINDS[mind].decide(seen, [Impression(3.0, 0.2)], Impression(2.0, 0.2), temper=1.0)
    assert isinstance(move, Place)


Weights = Chances | list[float]


def enumerated(
    row: Sequence[Weights], card: Weights, evidence: Sequence[Factor | None], rungs: Sequence[int]
) -> tuple[float, list[float]]:
    """The chance that the row does not fall, and does not with the card in each gap, by enumeration of these rungs."""
    everything, right, stays = 0.0, 0.0, [0.0] * (len(row) + 1)
    for values in product(rungs, repeat=len(row)):
        weight = prod(chances[value] for chances, value in zip(row, values, strict=True))
        weight *= prod(1.0 if tie is None else tie[pair] for tie, pair in zip(evidence, pairwise(values), strict=True))
        everything += weight
        if list(values) != sorted(values):
            continue
        right += weight
        for gap in range(len(row) + 1):
            low, high = values[gap - 1] if gap else 0, values[gap] if gap < len(row) else len(RUNGS)
            stays[gap] += weight * sum(card[value] for value in rungs if low <= value <= high)
    return right / everything, [chance / everything for chance in stays]


def spread_out(weights: list[int]) -> Chances:
    made = np.zeros(len(RUNGS))
    made[POSSIBLE] = weights
    return np.asarray(made / made.sum())


@given(st.lists(chances, min_size=1, max_size=4), chances, st.data())
def test_chances_are_those_of_enumeration(row: list[list[int]], card: list[int], data: st.DataObject) -> None:
    numbers = np.random.default_rng(data.draw(st.integers(0, 1000)))
    evidence: list[Factor | None] = [
        numbers.uniform(0.1, 1, (len(RUNGS), len(RUNGS))) if data.draw(st.booleans()) else None for _ in row[1:]
    ]
    cards, next_card = [spread_out(each) for each in row], spread_out(card)
    right, stays = enumerated(cards, next_card, evidence, POSSIBLE)
    belief = believe(cards, next_card, evidence)
    assert belief.right == pytest.approx(right, abs=1e-12)
    assert belief.stays == pytest.approx(stays, abs=1e-12)


def test_each_other_player_counts_once_for_two_neighbours() -> None:
    """Three players lay to the right end in turn; then it is seat 0's turn with four cards in the row."""
    cards = [ColourCard(number, Shares(5 * number, 10, 10, 10)) for number in range(1, 10)]
    game = start(3, ARROWS, cards, first=0)
    assert game.arrow is Colour.RED
    for gap in (1, 2, 3):
        game, _ = apply(game, Place(gap))
    seen = view(game)
    assert seen.laid == (0, 1, 2, 3)
    assert seen.placed_by == (None, 0, 1, 2)
    first, second, third = others_evidence(seen, 0)
    assert first is not None  # laid by me, not doubted by the two others
    assert second is not None  # laid by seat 1, not doubted by seat 2
    assert third is not None  # laid by seat 2
    for factor in (first, second, third):
        assert factor[3, 9] > factor[9, 3]
    assert others_evidence(seen, 2)[2] is None  # seat 2 alone has seen the last two side by side


CARD = Impression(2.5, 0.14)


def three_cards(players: int) -> View:
    return next(view(game) for game in turns(4, players) if len(game.row) == 3)


def rows(many: int) -> list[list[Impression]]:
    """Three cards, the middle one looking larger and larger."""
    middles = [2.7 + number * 0.8 / many for number in range(many)]
    return [[Impression(2.6, 0.12), Impression(middle, 0.15), Impression(2.9, 0.1)] for middle in middles]


def by_brute_force(row: list[Impression]) -> tuple[float, list[float]]:
    """The chance that three cards do not fall, and do not with a fourth in each gap."""

    def weights(seen: Impression) -> list[float]:
        away = [(log(rung) - seen.seen) / seen.spread for rung in RUNGS]
        raw = [float(before) * exp(-(far**2) / 2) for before, far in zip(PRIOR, away, strict=True)]
        return [each / sum(raw) for each in raw]

    return enumerated([weights(each) for each in row], weights(CARD), [None] * 2, range(len(RUNGS)))


def test_the_threshold_is_where_brute_force_says() -> None:
    """The doubt begins where P(wrong) passes the threshold."""
    seen, mind = three_cards(3), Threshold(THRESHOLDS)
    doubted = 0
    for row in rows(20):
        right, stays = by_brute_force(row)
        move = mind.decide(seen, row, CARD)
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
    for row in rows(20):
        right, stays = by_brute_force(row)
        wrong = experience.wrong(players, 1 - right, 3)
        takers = experience.takers(players, 4, (1 - wrong) * max(stays) / right)
        placing = sum(chance * value for chance, value in zip(takers, (mine, *others), strict=True))
        doubting = wrong * mine + (1 - wrong) * others[-1]
        assert (mind.decide(seen, row, CARD) == Doubt()) == (doubting > placing)
        doubted += doubting > placing
    assert 0 < doubted < 20


def test_a_bold_one_doubts_what_a_cautious_one_believes() -> None:
    seen = three_cards(3)
    for mind in (PointEstimate(0.4), Threshold(THRESHOLDS), Value(experiences()["sharp"], learns=False)):
        cautious, even, bold = (
            sum(mind.decide(seen, row, CARD, temper) == Doubt() for row in rows(200)) for temper in (-1.0, 0.0, 1.0)
        )
        assert cautious < even < bold
