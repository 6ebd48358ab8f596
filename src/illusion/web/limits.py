"""What one guest may ask for: bodies of some size, and tables at some rate."""

import time
from collections import defaultdict, deque
from collections.abc import Callable
from typing import Final
from urllib.parse import parse_qs

from starlette.requests import Request

from illusion.languages import N_
from illusion.web.problems import Problem

LARGEST_BODY: Final = 16 * 1024


async def body_of(request: Request) -> bytes:
    """The whole body, unless it is too large."""
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > LARGEST_BODY:
            raise Problem(413, "too-large")
    return bytes(body)


async def fields_of(request: Request) -> dict[str, list[str]]:
    """The fields of a form."""
    try:
        return parse_qs((await body_of(request)).decode(), keep_blank_values=True, max_num_fields=20)
    except (UnicodeDecodeError, ValueError):
        raise Problem(400, "unparsable", why=N_("the form cannot be read")) from None


class Rate:
    """At most so many requests of an address, or of whoever is named, within a time."""

    def __init__(self, most: int, seconds: float, now: Callable[[], float] = time.monotonic) -> None:
        self._most = most
        self._seconds = seconds
        self._now = now
        self._seen: dict[str, deque[float]] = defaultdict(deque)

    def check(self, request: Request) -> None:
        self.count(request.client.host if request.client else "")

    def count(self, who: str) -> None:
        """One more of theirs, or a refusal."""
        seen, now = self._seen[who], self._now()
        while seen and seen[0] < now - self._seconds:
            seen.popleft()
        if len(seen) >= self._most:
            raise Problem(429, "too-many")
        seen.append(now)
        if len(self._seen) > 10_000:
            self._seen = defaultdict(deque, {who: when for who, when in self._seen.items() if when})
