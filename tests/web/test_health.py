"""Health is found out by storing something, but never more often than once a second."""

import asyncio
from pathlib import Path

from illusion.tables import SqliteStore
from illusion.web.app import CHECK_KEPT_S, StoreCheck


class CountingStore(SqliteStore):
    """Counts how often it is written to in order to see whether it can be."""

    checks = 0

    async def check_writable(self) -> None:
        self.checks += 1
        await super().check_writable()


async def test_many_who_ask_at_once_or_soon_share_an_answer(tmp_path: Path) -> None:
    store, now = CountingStore(tmp_path / "t.db"), 100.0
    await store.open()
    check = StoreCheck(store, lambda: now)
    impatient, *patient = (asyncio.create_task(check.is_writable()) for _ in range(50))
    await asyncio.sleep(0)
    impatient.cancel()  # which takes the answer from nobody
    assert await asyncio.gather(*patient) == [True] * 49
    now += CHECK_KEPT_S / 2
    assert await check.is_writable()
    assert store.checks == 1
    now += CHECK_KEPT_S
    assert await check.is_writable()
    assert store.checks == 2
    await store.close()
    assert await check.is_writable()  # the last answer still holds
    now += CHECK_KEPT_S
    assert [await check.is_writable() for _ in range(3)] == [False] * 3
    assert store.checks == 3
