"""An open store and a running service for the tests that need one of each."""

from collections.abc import AsyncIterator

import pytest
from harness.tables.services import open_store, running_service

from illusion.tables import Store, TableService


@pytest.fixture
async def store(database: str) -> AsyncIterator[Store]:
    async with open_store(database) as store:
        yield store


@pytest.fixture
async def service(database: str) -> AsyncIterator[TableService]:
    """With bots that move at once."""
    async with running_service(database) as service:
        yield service
