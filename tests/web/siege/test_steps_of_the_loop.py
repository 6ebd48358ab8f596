"""Everybody's moves go through one event loop, so no address may keep it: 5 ms of one step at most, counted as work."""

import asyncio.events
import sys
import threading
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from harness.siege.addresses import Asked, all_there_is
from harness.siege.inside import serving
from starlette.routing import Match, Route

from illusion.web import Limits
from illusion.web.app import ROUTES

MOST_CALLS = 35_000
"""Of one step: 4 to 5 ms. Nothing but the metrics, which only this machine may read, takes more than 6,000."""
MOST_COMPRESSED = 40_000
"""Bytes given to zlib in one step: at most 2 ms."""


class Steps:
    """The largest step of the loop since the last look, in calls of functions and in bytes given to zlib."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.calls = self.compressed = 0
        self._bytes_of_step = 0
        self._loops_thread = threading.get_ident()
        run, compress, compressor = asyncio.events.Handle._run, zlib.compress, zlib.compressobj  # noqa: SLF001
        steps = self

        def counted(handle: asyncio.events.Handle) -> None:
            with steps._one():
                run(handle)

        class Compressor:
            def __init__(self, *arguments: Any, **options: Any) -> None:
                self._real = compressor(*arguments, **options)

            def compress(self, data: bytes) -> bytes:
                steps._weigh(data)
                return self._real.compress(data)

            def flush(self, *mode: int) -> bytes:
                return self._real.flush(*mode)

        def weighed(data: bytes, *arguments: Any, **options: Any) -> bytes:
            steps._weigh(data)
            return compress(data, *arguments, **options)

        monkeypatch.setattr(asyncio.events.Handle, "_run", counted)
        monkeypatch.setattr(zlib, "compressobj", Compressor)
        monkeypatch.setattr(zlib, "compress", weighed)

    def look(self) -> tuple[int, int]:
        largest = self.calls, self.compressed
        self.calls = self.compressed = 0
        return largest

    @contextmanager
    def _one(self) -> Iterator[None]:
        calls = self._bytes_of_step = 0

        def on_event(_frame: object, event: str, _arg: object) -> None:
            nonlocal calls
            calls += event in ("call", "c_call")

        sys.setprofile(on_event)
        try:
            yield
        finally:
            sys.setprofile(None)
            self.calls = max(self.calls, calls)
            self.compressed = max(self.compressed, self._bytes_of_step)

    def _weigh(self, data: bytes) -> None:
        if threading.get_ident() == self._loops_thread:
            self._bytes_of_step += len(data)


def route_of(asked: Asked) -> tuple[str, str]:
    scope = {"type": "http", "method": asked[0], "path": urlsplit(asked[1]).path}
    return asked[0], next((route.path for route in ROUTES if route.matches(scope)[0] is Match.FULL), "")


def known(route: Route) -> set[tuple[str, str]]:
    return {(method, route.path) for method in (route.methods or ()) if method != "HEAD"}


async def test_no_address_keeps_the_loop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """N3: a QR code of 400 games kept it for 80 ms, each time, and a table's under a new host for 12."""
    async with serving(tmp_path, Limits.lifted()) as inside:
        guest = inside.guest(rounds=1)
        all_asked = await all_there_is(guest)
        steps = Steps(monkeypatch)
        too_large = []
        for asked in all_asked:
            await asyncio.sleep(0.01)
            steps.look()
            answer = await guest.ask(*asked)
            largest = steps.look()
            assert answer.status < 500, (asked, answer)
            if largest[0] > MOST_CALLS or largest[1] > MOST_COMPRESSED:
                too_large.append((*asked[:2], *largest))
    assert too_large == []
    assert {route_of(asked) for asked in all_asked} >= set().union(*map(known, ROUTES))
