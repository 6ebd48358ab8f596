"""Who follows a table: a message is made once for all who follow in the same form, and they get the same bytes."""

import asyncio
from collections.abc import Callable
from time import monotonic
from typing import Final, Protocol

from illusion.tables.runtime.live_table import Event

HEARTBEAT_S: Final = 15.0
STILL_HERE: Final = b": still here\n\n"


class Reader(Protocol):
    """Whatever lines are written to; `chunk` is the same, as it goes over the wire."""

    def write(self, lines: bytes, chunk: bytes) -> None: ...


class Broadcast:
    """The readers of one table in one form: JSON for programs, or a page's fragment in a language."""

    __slots__ = ("_told", "spoke", "streams")

    def __init__(self, told: Callable[[bytes], bytes]) -> None:
        """`told` makes the lines of a message from a public event's JSON."""
        self._told = told
        self.spoke = monotonic()
        self.streams: set[Reader] = set()

    def lines(self, event: Event) -> bytes:
        seq, content = event
        if seq is None:
            return b"event: reaction\ndata: %s\n\n" % content
        return b"id: %d\n%s\n\n" % (seq, self._told(content))

    def tell(self, event: Event) -> None:
        self._write(self.lines(event))

    def beat(self, now: float) -> None:
        """Break a long silence, so that nobody on the way takes the connection for dead."""
        if now - self.spoke >= HEARTBEAT_S:
            self._write(STILL_HERE)

    def _write(self, lines: bytes) -> None:
        self.spoke = monotonic()
        chunk = b"%x\r\n%b\r\n" % (len(lines), lines)
        for stream in tuple(self.streams):
            stream.write(lines, chunk)


class Broadcasts:
    """The channels of all tables that somebody follows, and their one heart."""

    def __init__(self) -> None:
        self._open: dict[tuple[str, str], Broadcast] = {}
        self._heart: asyncio.Task[None] | None = None

    def __len__(self) -> int:
        return len(self._open)

    def open(self, table: str, form: str, told: Callable[[bytes], bytes]) -> Broadcast:
        if (table, form) not in self._open:
            self._open[table, form] = Broadcast(told)
            if self._heart is None or self._heart.done():
                self._heart = asyncio.create_task(self._beat())
        return self._open[table, form]

    def close(self, table: str, form: str) -> None:
        self._open.pop((table, form), None)

    async def _beat(self) -> None:
        while self._open:
            await asyncio.sleep(1)
            now = monotonic()
            for channel in tuple(self._open.values()):
                channel.beat(now)
