"""Stores that are closed when a test is done with them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from illusion.tables import Store, StoreObserver, store_at


@asynccontextmanager
async def open_store(database: str, observer: StoreObserver | None = None) -> AsyncIterator[Store]:
    """The store at this address, as one process opens it. Two of them are like two processes."""
    store = store_at(database)
    await store.open(observer)
    try:
        yield store
    finally:
        await store.close()
