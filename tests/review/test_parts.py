"""What a review is made of: many eyes at once, the chances between rounds, turning points, awards and sentences."""

from dataclasses import replace
from itertools import product
from random import Random

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from illusion.bots.belief import RUNGS, Factor, believe, believe_all
from illusion.bots.race import chances_to_win
from illusion.languages import languages
from illusion.review import Decision, TurningPoint
from illusion.review.findings import SENTENCES, awards, sentence, turning_points
from illusion.review.ordinary import ordinary
from illusion.review.weighing import after_arrow, rounds_to_come
from illusion.rules import Colour, Penalty, Variant, deal
from tests.review.games import CARDS


@given(st.integers(1, 5), st.booleans(), st.integers(0, 1000))
def test_many_eyes_believe_what_each_of_them_believes(cards: int, has_card: bool, seed: int) -> None:  # noqa: FBT001
    numbers = np.random.default_rng(seed)
    row = [numbers.dirichlet(np.ones(len(RUNGS)), 6) for _ in range(cards)]
    card = numbers.dirichlet(np.ones(len(RUNGS)), 6) if has_card else None
    evidence: list[Factor | None] = [
        numbers.uniform(0.1, 1, (len(RUNGS), len(RUNGS))) if numbers.random() < 0.6 else None for _ in row[1:]
    ]
    together = believe_all([each.T for each in row], None if card is None else card.T, evidence)
    for eye in range(6):
        alone = believe([each[eye] for each in row], None if card is None else card[eye], evidence)
        assert together.right[eye] == pytest.approx(alone.right)
        assert together.stays[:, eye].tolist() == pytest.approx(alone.stays)


@given(st.lists(st.integers(0, 2), min_size=2, max_size=3), st.integers(0, 3))
def test_rounds_to_come_are_those_of_enumeration(arrows: list[int], rounds: int) -> None:
    players = len(arrows)
    starts = tuple((seat + 1) / (players * (players + 1) / 2) for seat in range(players))
    expected = [0.0] * players
    for takers in product(range(players), repeat=rounds):
        chance, starter, won = 1.0, 0, list(arrows)
        for taker in takers:
            chance *= starts[(taker - starter) % players]
            won[taker] += 1
            starter = taker
        first = [seat for seat in range(players) if won[seat] == max(won)]
        for seat in first:
            expected[seat] += chance / len(first)
    assert rounds_to_come(tuple(arrows), starts, rounds) == pytest.approx(expected)


def test_a_wrong_doubt_costs_its_penalty_and_the_last_round_ends_the_game() -> None:
    cards = [card.colour_card for card in CARDS]
    game = deal(2, cards, Random(1), Variant.TWELVE_ROUNDS, penalty=Penalty.ARROW)
    starts = ordinary().starts(2)
    dear = deal(2, cards, Random(1), penalty=Penalty.ARROW)
    assert after_arrow(game, 1, starts, wrong_doubter=0) == after_arrow(game, 1, starts)  # nothing to put back
    held = replace(dear, arrows_won=((Colour.RED,), ()))
    assert after_arrow(held, 1, starts, wrong_doubter=0) == chances_to_win((0, 1), 1, starts)
    last = replace(game, round=12, arrows_won=((Colour.RED,) * 6, (Colour.RED,) * 5))
    assert after_arrow(last, 1, starts) == (0.5, 0.5)
    assert after_arrow(last, 0, starts) == (1.0, 0.0)


def decision(seat: int, seq: int, **known: object) -> Decision:
    fields: dict[str, object] = {
        "round": 1,
        "turn": seq,
        "by": "player",
        "move": "place",
        "cards": 3,
        "before": 0.5,
        "after": 0.5,
        "eye": 0.0,
        "judgement": 0.0,
        "luck": 0.0,
        "chances": (0.5, 0.5),
        "right": True,
        "chance_to_fit": 0.9,
        "row_wrong": 0.3,
    }
    return Decision(seq=seq, seat=seat, **(fields | known))  # type: ignore[arg-type]


def test_an_award_goes_to_one_player_alone() -> None:
    wrong = [decision(0, 1, right=False, off=7), decision(1, 2, right=False, off=12)]
    (award,) = awards(wrong)
    assert (award.award, award.seat, award.seq, award.figure) == ("worst-illusion", 1, 2, 12)
    assert awards([*wrong, decision(0, 3, right=False, off=12)]) == []
    assert len(awards([*wrong, decision(1, 3, right=False, off=12)])) == 1
    bold = [decision(0, 4, move="doubt", row_wrong=0.2), decision(1, 5, move="doubt", row_wrong=0.4)]
    assert [(each.award, each.seat, each.figure) for each in awards(bold)] == [("boldest-doubt", 0, 0.2)]
    assert awards([decision(0, 4, move="doubt", row_wrong=0.8)]) == []
    assert awards([decision(0, 4, move="doubt", row_wrong=0.2, right=False)]) == []
    sharp = [decision(0, 6, chance_to_fit=0.3), decision(1, 7, chance_to_fit=0.45), decision(1, 8, chance_to_fit=0.7)]
    assert [(each.award, each.seat, each.figure) for each in awards(sharp)] == [("sharpest-placement", 0, 0.3)]
    assert awards([decision(0, 6, chance_to_fit=0.3, by="stand-in")]) == []


def test_turning_points_are_the_largest_changes_one_a_round() -> None:
    decisions = [
        decision(0, 1, round=1, after=0.2, judgement=-0.25, doubting=0.5, placing=0.25),
        decision(1, 2, round=1, move="doubt", after=0.85),
        decision(0, 3, round=2, after=0.45),
        decision(1, 4, round=3, right=False, off=3, eye=-0.3, after=0.1),
        decision(0, 5, round=4, move="doubt", right=False, after=0.3),
        decision(0, 6, round=5, after=0.5),
    ]
    points = turning_points(decisions, {2: 1, 5: 1})
    assert [(point.seq, point.what) for point in points] == [(4, "misplaced"), (1, "believed"), (5, "doubted-wrong")]
    assert [point.moved for point in points] == pytest.approx([-0.4, -0.3, -0.2])
    assert points[2].taker == 1
    assert [point.cost for point in points] == [0, 0.25, 0]
    assert turning_points(decisions[-1:], {}) == []
    usual = [decision(0, 1, after=0.9, eye=0.4), decision(1, 2, move="doubt", right=False, after=0.4)]
    assert [point.what for point in turning_points(usual, {})] == ["doubted-wrong"]
    assert [point.what for point in turning_points(usual[:1], {})] == ["placed"]


@pytest.mark.parametrize("what", sorted(SENTENCES))
def test_every_turning_point_has_a_sentence_in_every_language(what: str) -> None:
    facts = {"row_wrong": 0.834, "cost": 0.21, "off": 1, "chance_to_fit": 0.4}
    point = msgspec.convert(
        {"seq": 1, "round": 1, "turn": 1, "seat": 0, "what": what, "moved": 0.2} | facts, TurningPoint
    )
    told = {code: sentence(point, ["Ben", "Ada"], language) for code, language in languages().items()}
    assert len(set(told.values())) == len(languages())
    for text in told.values():
        assert "Ben" in text
        assert "%(" not in text
        assert ("83" in text) == (what in ("believed", "doubted-right", "doubted-wrong"))
    if what == "believed":
        assert told["en"] == (
            "Ben believed a row that seemed 83% likely to be wrong; a doubt was worth 21 points more."
        )


@pytest.mark.parametrize(("chance", "told"), [(0.0, "1%"), (0.004, "1%"), (0.5, "50%"), (0.996, "99%"), (1.0, "99%")])
def test_a_sentence_is_never_surer_than_the_model(chance: float, told: str) -> None:
    facts = {"seq": 1, "round": 1, "turn": 1, "seat": 0, "moved": 0.2, "row_wrong": chance, "chance_to_fit": chance}
    for what in ("doubted-right", "placed"):
        point = msgspec.convert(facts | {"what": what}, TurningPoint)
        assert f" {told} " in sentence(point, ["Ben"], languages()["en"])
