"""Whether moves can be stored, found out by storing something; at most once a second, however many ask."""

import asyncio
import time
from collections.abc import Callable
from typing import Final

from illusion.tables import Store

KEPT_S: Final = 1.0
"""How long an answer holds."""
STORE_TIMEOUT_S: Final = 5.0


class StoreCheck:
    """All who ask while a check is under way, or soon after, share its answer."""

    def __init__(self, store: Store, now: Callable[[], float] = time.monotonic) -> None:
        self._store = store
        self._now = now
        self._until = 0.0
        self._check: asyncio.Task[bool] | None = None

    async def is_writable(self) -> bool:
        if self._check is None or (self._check.done() and self._now() >= self._until):
            self._check = asyncio.create_task(self._run())
        return await asyncio.shield(self._check)

    async def _run(self) -> bool:
        try:
            async with asyncio.timeout(STORE_TIMEOUT_S):
                await self._store.check_writable()
        except Exception:
            return False
        else:
            return True
        finally:
            self._until = self._now() + KEPT_S
