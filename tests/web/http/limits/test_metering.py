"""A request pays for the time that it takes on the event loop, not for what others do while it waits."""

import asyncio

import pytest

from illusion.web.http.limits import metering
from illusion.web.http.limits.metering import metered


async def test_only_its_own_time_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    charged: list[float] = []

    def spend(seconds: float) -> None:
        nonlocal now
        now += seconds

    async def work() -> None:
        spend(2)
        await asyncio.sleep(0)
        spend(3)

    async def other() -> None:
        spend(100)

    monkeypatch.setattr(metering, "perf_counter", lambda: now)
    await asyncio.gather(metered(work(), charged.append), other())
    assert charged == [2, 3]


async def test_errors_and_cancellation_go_through() -> None:
    charged: list[float] = []
    seen: list[str] = []

    async def fail() -> None:
        await asyncio.sleep(0)
        raise ZeroDivisionError

    async def wait() -> None:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            seen.append("cancelled")
            raise

    async def recover() -> None:
        try:
            async with asyncio.timeout(0.01):
                await asyncio.sleep(60)
        except TimeoutError:
            seen.append("recovered")

    with pytest.raises(ZeroDivisionError):
        await metered(fail(), charged.append)
    waiting = asyncio.create_task(_awaited(wait, charged))
    await asyncio.sleep(0.01)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    await metered(recover(), charged.append)
    assert seen == ["cancelled", "recovered"]
    assert len(charged) >= 5


async def _awaited(work: object, charged: list[float]) -> None:
    await metered(work(), charged.append)  # type: ignore[operator]
