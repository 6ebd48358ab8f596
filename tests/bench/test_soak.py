"""A soak notices what was lost, what was made up, and what grows."""

from typing import Any

import pytest
from bench.load.pages import Move
from bench.load.players import Kept
from bench.soak import Sample, faults, slope

LOG: list[dict[str, Any]] = [
    {"entry": "opened", "seats": 4},
    {"entry": "placed", "seat": 0, "gap": 1},
    {"entry": "doubted", "seat": 1},
]
KEPT = Kept("abcd", {1: [Move(0, 1)], 2: [Move(1, None), Move(1, None)]}, {2: Move(0, 1), 3: Move(1, None)})


def test_nothing_lost() -> None:
    assert faults(KEPT, LOG) == []


def test_an_answer_that_never_came_is_no_loss() -> None:
    assert faults(Kept("abcd", KEPT.sent, {2: Move(0, 1)}), LOG) == []


@pytest.mark.parametrize(
    "log", [LOG[:2], [], [*LOG[:2], {"entry": "doubted", "seat": 2}], [LOG[0], LOG[2], LOG[1]]], ids=repr
)
def test_an_acknowledged_move_that_is_not_there_is_lost(log: list[dict[str, Any]]) -> None:
    assert any("was acknowledged" in fault for fault in faults(KEPT, log))


def test_a_move_that_nobody_sent_is_made_up() -> None:
    log = [*LOG, {"entry": "placed", "seat": 2, "gap": 0}]
    assert faults(KEPT, log) == ["abcd: move 4 is in the log, and nobody sent it"]


def test_a_slope_is_that_of_a_process_whose_caches_have_filled() -> None:
    assert slope([Sample(minute, 10 + 2 * minute) for minute in range(6)]) == pytest.approx(2)
    filling = [Sample(minute, 100 + 50 * minute) for minute in range(3)]
    flat = [Sample(minute, 250) for minute in range(3, 9)]
    assert slope(filling + flat) == pytest.approx(0)
    assert slope(flat[:4]) is None  # too short a life
