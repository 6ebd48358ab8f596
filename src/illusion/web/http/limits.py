"""How much one guest may ask for. The figures let a club of forty behind one address play without noticing."""

import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass, fields
from operator import itemgetter
from typing import Final
from urllib.parse import parse_qs

from starlette.requests import Request

from illusion.languages import N_
from illusion.web.http.problems import Problem
from illusion.web.http.request_info import guest

MAX_BODY_BYTES: Final = 16 * 1024
MAX_KEYS: Final = 50_000


async def read_body(request: Request) -> bytes:
    """The whole body, unless it is too large."""
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > MAX_BODY_BYTES:
            raise Problem(413, "too-large")
    return bytes(body)


async def read_form(request: Request) -> dict[str, list[str]]:
    """The fields of a form."""
    try:
        return parse_qs((await read_body(request)).decode(), keep_blank_values=True, max_num_fields=20)
    except (UnicodeDecodeError, ValueError):
        raise Problem(400, "unparsable", why=N_("the form cannot be read")) from None


@dataclass(frozen=True, slots=True)
class Limits:
    """Each figure can be set, and 0 lifts it. Ten seconds' worth of requests or changes may come at once."""

    requests: int = 100
    """Of one address, a second: forty people against bots ask for about forty pictures a second."""
    changes: int = 20
    """Moves, sitting down and the like, of one address, a second."""
    seat: int = 5
    """Changes of one seat, a second."""
    tables: int = 60
    """Opened by one address, a minute."""
    misses: int = 120
    """Things that are not there, asked for by one address, a minute: who guesses at tables is told to wait."""
    streams: int = 400
    """Open at once, of one address."""
    seat_streams: int = 12
    """Open at once, of one seat."""

    @classmethod
    def lifted(cls) -> "Limits":
        return cls(**dict.fromkeys(cls.names(), 0))

    @classmethod
    def names(cls) -> tuple[str, ...]:
        return tuple(field.name for field in fields(cls))


class Rate:
    """So many in so many seconds for each key, `burst` of them at once; a rate of 0 is no limit.

    A key owes `gap` seconds for everything it did, and time pays it back: one number is all that is kept.
    """

    def __init__(
        self, most: int, seconds: float, burst: int | None = None, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._gap = seconds / most if most else 0.0
        self._slack = self._gap * ((burst or most) - 1)
        self._now = now
        self._paid: dict[Hashable, float] = {}

    def wait(self, key: Hashable) -> float:
        """How many seconds until this key may go on; 0 if at once."""
        return max(self._paid.get(key, 0.0) - self._now() - self._slack, 0.0) if self._gap else 0.0

    def charge(self, key: Hashable) -> None:
        if not self._gap:
            return
        now = self._now()
        self._paid[key] = max(self._paid.get(key, 0.0), now) + self._gap
        if len(self._paid) > MAX_KEYS:
            self._forget(now)

    def take(self, key: Hashable) -> float:
        """Charge unless it has to wait; how long."""
        wait = self.wait(key)
        if not wait:
            self.charge(key)
        return wait

    def check(self, request: Request) -> None:
        """Take one for the address a request comes from, or refuse it."""
        self.count(guest(request.client.host) if request.client else "")

    def count(self, key: Hashable) -> None:
        """Take one more, or refuse it."""
        wait = self.take(key)
        if wait:
            raise too_many(wait)

    def _forget(self, now: float) -> None:
        """Whoever owes nothing; if that frees too little, the half that owes least."""
        owing = sorted((item for item in self._paid.items() if item[1] > now), key=itemgetter(1))
        self._paid = dict(owing[-MAX_KEYS // 2 :])


def too_many(wait: float) -> Problem:
    return Problem(429, "too-many", wait=int(wait) + 1)
