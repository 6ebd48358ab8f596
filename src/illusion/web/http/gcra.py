"""A rate limit by the generic cell rate algorithm (GCRA, ITU-T I.371): one timestamp per key."""

import time
from collections.abc import Callable, Hashable
from operator import itemgetter
from typing import Final

from illusion.web.http.problems import Problem

MAX_KEYS: Final = 50_000
MAX_DEBT_S: Final = 600.0
"""Nobody waits longer, whatever was charged: others may share the address."""


class Gcra:
    """Allows `count` per `seconds` for each key, `burst` of them at once. A count of 0 is no limit.

    Kept per key is the theoretical arrival time: when the key would be back at zero if it sent nothing more.
    """

    def __init__(
        self, count: int, seconds: float, burst: int | None = None, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._interval_s = seconds / count if count else 0.0
        self._tolerance_s = self._interval_s * ((burst or count) - 1)
        self._now = now
        self._arrival: dict[Hashable, float] = {}

    def wait(self, key: Hashable) -> float:
        """Seconds until this key may go on; 0 if it may now."""
        if not self._interval_s:
            return 0.0
        return max(self._arrival.get(key, 0.0) - self._now() - self._tolerance_s, 0.0)

    def charge(self, key: Hashable, count: float = 1) -> None:
        if not self._interval_s:
            return
        now = self._now()
        due = max(self._arrival.get(key, 0.0), now) + self._interval_s * count
        self._arrival[key] = min(due, now + self._tolerance_s + MAX_DEBT_S)
        if len(self._arrival) > MAX_KEYS:
            self._forget(now)

    def try_charge(self, key: Hashable, count: float = 1) -> float:
        """Charge unless the key has to wait; returns the seconds to wait."""
        wait = self.wait(key)
        if not wait:
            self.charge(key, count)
        return wait

    def enforce(self, key: Hashable) -> None:
        """Charge, or raise the problem that tells the client to wait."""
        wait = self.try_charge(key)
        if wait:
            raise too_many(wait)

    def _forget(self, now: float) -> None:
        """Drop keys that are back at zero; if that frees too little, the half that is closest to it."""
        pending = sorted((item for item in self._arrival.items() if item[1] > now), key=itemgetter(1))
        self._arrival = dict(pending[-MAX_KEYS // 2 :])


def too_many(wait_s: float) -> Problem:
    return Problem(429, "too-many", wait=int(wait_s) + 1)
