"""A server in this process, a guest, and a table of their own."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from harness.answers import errors
from harness.siege.guest import Guest, Own
from harness.siege.inside import Inside, serving

from illusion.web import Limits

LIFTED = Limits.lifted()


@asynccontextmanager
async def at_a_table(
    folder: Path, caplog: pytest.LogCaptureFixture, limits: Limits = LIFTED
) -> AsyncIterator[tuple[Inside, Guest, Own]]:
    """A guest at a table of their own. When they have left, nothing is open, and the operator reads of no error."""
    async with asyncio.timeout(60), serving(folder, limits) as inside:
        guest = inside.guest(rounds=1)
        own = await guest.own_game()
        await inside.until_calm()
        yield inside, guest, own
        await guest.leave()
        await inside.until_calm()
    assert [record.getMessage() for record in errors(caplog.records)] == []


async def until(is_so: Callable[[], bool]) -> None:
    while not is_so():
        await asyncio.sleep(0.01)
