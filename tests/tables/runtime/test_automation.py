"""What happens at tables without a request: a table has one task, whatever claims it and however often."""

import asyncio
from collections.abc import Collection
from pathlib import Path

import pytest
from harness.tables.services import dealt_table, service_on
from harness.tables.stores import open_store

from illusion.tables import Pace, TableService
from illusion.tables.stores.base import Claims


def table_tasks() -> int:
    """How many tasks automate tables."""
    names = [getattr(task.get_coro(), "__qualname__", "") for task in asyncio.all_tasks()]
    return names.count("Automation._run")


async def test_a_table_that_is_claimed_twice_has_one_task(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table that is opened during a claim may be named twice: as unfinished, and as newly opened."""
    claim = TableService.claim
    named: list[str] = []

    async def claim_again(service: TableService, wanted: Collection[str], others: int) -> Claims:
        claims = await claim(service, wanted, others)
        return claims._replace(tables=[*claims.tables, *named])

    monkeypatch.setattr(TableService, "claim", claim_again)
    async with open_store(str(tmp_path / "t.db")) as store, service_on(store, Pace(bot_s=1000)) as service:
        table, _ = await dealt_table(service, clock=90)
        named.append(table)
        for _ in range(5):
            await service.open("Eve", 2)  # makes the automation claim again; nothing is to be done at this table
            await asyncio.sleep(0.05)
        assert table_tasks() == 1
