"""An evening of pages at a real server: everybody hears every move and sees every card, and nothing goes wrong."""

import asyncio
from pathlib import Path

import pytest
from bench.load.measure import half_and_late
from bench.load.players import Players
from bench.load.table import Task
from harness.servers import Server


@pytest.mark.parametrize("languages", [1, 4])
async def test_four_pages_a_table(tmp_path: Path, languages: int) -> None:
    server = Server(tmp_path)
    try:
        players = Players(Task("pages", server.port, tables=2, every=0.1, languages=languages))
        await players.open()
        players.go()
        while len(players.felt.moves) < 6 or not players.felt.pictures:
            await asyncio.sleep(0.05)
        felt = players.tell(at_the_end=True)
        for table in players.tables:
            table.close()
    finally:
        assert server.stop() == 0
    assert felt.trouble == []
    assert (
        sum(len(kept.acknowledged) for kept in felt.kept) >= len(felt.moves) - 2
    )  # an answer may come after the event


def test_half_and_ninety_nine_of_a_hundred() -> None:
    assert half_and_late([float(number) for number in range(200, 0, -1)]) == (101.0, 199.0)
    assert half_and_late([3.0]) == (3.0, 3.0)
