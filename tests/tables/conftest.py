"""An open store of each kind, and a running service on SQLite for what is decided above the store."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from harness.tables.services import open_store, running_service

from illusion.tables import Store, TableService


@pytest.fixture
async def store(database: str) -> AsyncIterator[Store]:
    async with open_store(database) as store:
        yield store


@pytest.fixture
async def service(tmp_path: Path) -> AsyncIterator[TableService]:
    """With bots that move at once."""
    async with running_service(tmp_path / "service.db") as service:
        yield service
