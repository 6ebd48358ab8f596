"""Players at a real server hear every move and see every card; what was lost or made up, and what grows, is noticed."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from bench.load.measure import half_and_late
from bench.load.players import Players
from bench.load.table import Task
from bench.soak import Sample, slope
from harness.faults import Move, faults
from harness.servers import Server


@asynccontextmanager
async def players(folder: Path, kind: str, **options: float) -> AsyncIterator[Players]:
    """At two tables of a server of their own."""
    server = Server(folder)
    try:
        players = Players(Task(kind, server.port, tables=2, **options))  # type: ignore[arg-type]
        await players.open()
        yield players
        for table in players.tables:
            table.close()
    finally:
        assert server.stop() == 0


async def test_an_evening_of_pages(tmp_path: Path) -> None:
    async with players(tmp_path, "pages", every=0.1) as people:
        people.go()
        while len(people.felt.moves) < 6 or not people.felt.pictures:
            await asyncio.sleep(0.05)
        felt = people.tell(at_the_end=True)
    assert felt.trouble == []
    acknowledged = sum(len(kept.acknowledged) for kept in felt.kept)
    assert acknowledged >= len(felt.moves) - 2  # an answer may come after the event


@pytest.mark.parametrize("kind", ["pages", "programs"])
async def test_a_turn_of_a_closed_loop_is_so_many_moves_of_every_table(tmp_path: Path, kind: str) -> None:
    async with players(tmp_path, kind, looks=False) as people:
        for _ in range(2):
            await people.turn(6)
            assert len(people.tell(at_the_end=False).moves) == 12
        assert people.tell(at_the_end=False).moves == []


def test_half_and_ninety_nine_of_a_hundred() -> None:
    assert half_and_late([float(number) for number in range(200, 0, -1)]) == (101.0, 199.0)
    assert half_and_late([3.0]) == (3.0, 3.0)


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
