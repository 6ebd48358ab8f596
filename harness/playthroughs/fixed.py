"""Time and chance, fixed for a whole process: clocks go on only when a story says so, lots follow from its name.

Call `fix()` before anything of `illusion` is imported: some modules keep `time.time` as a default argument.
"""

import asyncio
import secrets
import sys
import time
from base64 import urlsafe_b64encode
from collections import Counter
from collections.abc import Sequence
from hashlib import sha256
from typing import Final, TypeVar

EPOCH: Final = 1_000_000_000.75
"""When every story begins, in seconds since 1970. Logs have fractions, and what is public has not."""
REAL_MONOTONIC: Final = time.monotonic

Item = TypeVar("Item")


class Fixed:
    """The one source of time and chance."""

    def __init__(self) -> None:
        self.passed_s = 0
        """Since the story began."""
        self._story = ""
        self._drawn: Counter[str] = Counter()

    def begin(self, story: str) -> None:
        """Time starts anew, and the lots are those of this name."""
        self.passed_s, self._story = 0, story
        self._drawn.clear()

    def time(self) -> float:
        return EPOCH + self.passed_s

    def choice(self, items: Sequence[Item]) -> Item:
        return items[int.from_bytes(self._lot(f"of {len(items)}")) % len(items)]

    def token_hex(self, length: int = 32) -> str:
        return self._lot(f"hex {length}")[:length].hex()

    def token_urlsafe(self, length: int = 32) -> str:
        return urlsafe_b64encode(self._lot(f"urlsafe {length}")[:length]).decode().rstrip("=")

    def _lot(self, kind: str) -> bytes:
        """Each kind of lot has a sequence of its own, so that one draw more of one kind changes no other."""
        self._drawn[kind] += 1
        return sha256(f"{self._story} {kind} {self._drawn[kind]}".encode()).digest()


FIXED: Final = Fixed()


def _loop_time(_: object) -> float:
    """Timers run by themselves as well, so that short pauses of a server end, and jump when time passes."""
    return REAL_MONOTONIC() + FIXED.passed_s


def fix() -> None:
    sys.setswitchinterval(0.0005)  # as in a serving process
    time.time = time.monotonic = FIXED.time
    asyncio.BaseEventLoop.time = _loop_time  # type: ignore[assignment]
    secrets.choice, secrets.token_hex = FIXED.choice, FIXED.token_hex  # type: ignore[assignment]
    secrets.token_urlsafe = FIXED.token_urlsafe  # type: ignore[assignment]
