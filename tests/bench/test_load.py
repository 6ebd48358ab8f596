"""Players at a real server: everybody hears every move and sees every card, and nothing goes wrong."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from bench.load.measure import half_and_late
from bench.load.players import Players
from bench.load.table import Task
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
