"""A request pays for its own CPU time on the event loop, not for what others do while it waits."""

import asyncio
import time

import pytest

from illusion.web.http.limits.metering import metered


def spin(cpu_s: float) -> None:
    until = time.thread_time() + cpu_s
    while time.thread_time() < until:
        pass


async def test_only_its_own_time_counts() -> None:
    charged: list[float] = []

    async def work() -> None:
        spin(0.02)
        await asyncio.sleep(0.02)
        spin(0.02)

    async def other() -> None:
        spin(0.2)

    await asyncio.gather(metered(work(), charged.append), other())
    assert 0.04 <= sum(charged) < 0.2


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
