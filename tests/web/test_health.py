"""Health is found out by storing something, but never more often than once a second."""

import asyncio
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from illusion.tables import SqliteStore
from illusion.web.app import CHECK_KEPT_S, StoreCheck


class CountingStore(SqliteStore):
    """Counts how often it is written to in order to see whether it can be."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.checks = 0

    async def check_writable(self) -> None:
        self.checks += 1
        await super().check_writable()


async def test_many_who_ask_at_once_or_soon_share_an_answer(tmp_path: Path) -> None:
    store, now = CountingStore(tmp_path / "t.db"), 100.0
    await store.open()
    check = StoreCheck(store, lambda: now)
    assert await asyncio.gather(*(check.is_writable() for _ in range(50))) == [True] * 50
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


async def test_somebody_who_asks_and_leaves_takes_the_answer_from_nobody(tmp_path: Path) -> None:
    store = CountingStore(tmp_path / "t.db")
    await store.open()
    check = StoreCheck(store)
    impatient, patient = (asyncio.create_task(check.is_writable()) for _ in range(2))
    await asyncio.sleep(0)
    impatient.cancel()
    assert await patient
    assert store.checks == 1
    await store.close()


def another_takes_its_place(path: Path) -> None:
    copy = path.with_name("copy.db")
    copy.write_bytes(path.read_bytes())
    os.replace(copy, path)


@pytest.mark.parametrize("change", [Path.unlink, another_takes_its_place], ids=["removed", "replaced"])
async def test_a_file_that_is_no_longer_at_its_path_is_noticed(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, change: Callable[[Path], None]
) -> None:
    """What is written into a removed file is gone when the server ends."""
    store, now = SqliteStore(tmp_path / "t.db"), 100.0
    await store.open()
    check = StoreCheck(store, lambda: now)
    assert await check.is_writable()
    change(tmp_path / "t.db")
    now += CHECK_KEPT_S
    assert not await check.is_writable()
    assert caplog.messages == ["database-replaced"]
    await store.close()
