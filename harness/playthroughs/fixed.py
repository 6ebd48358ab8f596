"""Fixed time and randomness for a whole process: a story advances the clocks, and its name seeds all random numbers.

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
"""The start of every story, in seconds since 1970. The fraction must show in logs and not in public times."""
REAL_MONOTONIC: Final = time.monotonic

Item = TypeVar("Item")


class Fixed:
    """The source of time and random numbers."""

    def __init__(self) -> None:
        self.passed_s = 0
        """Seconds since the story began."""
        self._story = ""
        self._drawn: Counter[str] = Counter()

    def begin(self, story: str) -> None:
        """Reset the time, and seed with this name."""
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
        """Random bytes; each kind has its own sequence, so that one more draw of one kind changes no other."""
        self._drawn[kind] += 1
        return sha256(f"{self._story} {kind} {self._drawn[kind]}".encode()).digest()


FIXED: Final = Fixed()


def _loop_time(_: object) -> float:
    """Real time plus the story's time: short timers fire by themselves, longer ones when the story's time passes."""
    return REAL_MONOTONIC() + FIXED.passed_s


def fix() -> None:
    sys.setswitchinterval(0.0005)  # as in a serving process
    time.time = time.monotonic = FIXED.time
    asyncio.BaseEventLoop.time = _loop_time  # type: ignore[assignment]
    secrets.choice, secrets.token_hex = FIXED.choice, FIXED.token_hex  # type: ignore[assignment]
    secrets.token_urlsafe = FIXED.token_urlsafe  # type: ignore[assignment]
