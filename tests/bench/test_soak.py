"""A soak and a crowd notice what was lost and what was made up, and a soak what grows."""

from typing import Any

import pytest
from bench.soak import Sample, slope
from harness.faults import Move, faults

LOG: list[dict[str, Any]] = [
    {"entry": "opened", "seats": 4},
    {"entry": "placed", "seat": 0, "gap": 1},
    {"entry": "doubted", "seat": 1},
]
SENT = {1: [Move(0, 1)], 2: [Move(1, None), Move(1, None)]}
ACKNOWLEDGED = {2: Move(0, 1), 3: Move(1, None)}


def test_nothing_lost_although_one_answer_never_came() -> None:
    assert faults("abcd", SENT, ACKNOWLEDGED, LOG) == faults("abcd", SENT, {2: Move(0, 1)}, LOG) == []


@pytest.mark.parametrize(
    "log", [LOG[:2], [], [*LOG[:2], {"entry": "doubted", "seat": 2}], [LOG[0], LOG[2], LOG[1]]], ids=repr
)
def test_an_acknowledged_move_that_is_not_there_is_lost(log: list[dict[str, Any]]) -> None:
    assert any("was acknowledged" in fault for fault in faults("abcd", SENT, ACKNOWLEDGED, log))


def test_a_move_that_nobody_sent_is_made_up() -> None:
    log = [*LOG, {"entry": "placed", "seat": 2, "gap": 0}]
    assert faults("abcd", SENT, ACKNOWLEDGED, log) == ["abcd: move 4 is in the log, and nobody sent it"]


def test_a_slope_is_that_of_a_process_whose_caches_have_filled() -> None:
    filling = [Sample(minute, 100 + 50 * minute) for minute in range(3)]
    flat = [Sample(minute, 250) for minute in range(3, 9)]
    assert slope(filling + flat) == pytest.approx(0)
    assert slope([Sample(minute, 10 + 2 * minute) for minute in range(6)]) == pytest.approx(2)
    assert slope(flat[:4]) is None  # too short a life
