"""Fan-out of a table's events: a message is rendered once for all streams of one form, which send the same bytes."""

import asyncio
from collections.abc import Callable
from time import monotonic
from typing import Final

from illusion.tables.runtime.live_table import Notice

HEARTBEAT_S: Final = 15.0
"""Silence after which a comment is sent, so that no proxy takes the connection for dead."""
HEARTBEAT_CHECK_S: Final = 1.0
HEARTBEAT: Final = b": still here\n\n"
MAX_QUEUED_BYTES: Final = 256 * 1024
"""Kept for a slow client. Then its stream ends, and it reconnects with the last number it saw."""

Render = Callable[[Notice], bytes]
"""Makes the lines of a message, without its id, from a notice of the log."""


class Subscriber:
    """The messages waiting for one stream; it ends when it is closed."""

    def __init__(self, last_seq: int) -> None:
        """`last_seq` is the number of the last event that the stream has been given otherwise."""
        self._last_seq = last_seq
        self._queue: list[bytes] = []
        self._queued_bytes = 0
        self._closed = False
        self._waiter: asyncio.Future[None] | None = None

    def put(self, seq: int | None, message: bytes) -> None:
        """Queue a message; never blocks. A slow stream whose queue is full is closed."""
        if self._closed or (seq is not None and seq <= self._last_seq):
            return
        if self._queued_bytes + len(message) > MAX_QUEUED_BYTES:
            self._queue.clear()
            self.close()
            return
        self._last_seq = self._last_seq if seq is None else seq
        self._queue.append(message)
        self._queued_bytes += len(message)
        self._wake()

    def close(self) -> None:
        self._closed = True
        self._wake()

    def __aiter__(self) -> "Subscriber":
        return self

    async def __anext__(self) -> bytes:
        """All messages that wait, as one piece."""
        while not self._queue and not self._closed:
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter
        if not self._queue:
            raise StopAsyncIteration
        waiting = b"".join(self._queue)
        self._queue.clear()
        self._queued_bytes = 0
        return waiting

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)


class Broadcast:
    """The streams of one table in one form: JSON for programs, or page fragments in a language."""

    def __init__(self, render: Render) -> None:
        self._render = render
        self.last_sent = monotonic()
        self.members = 0
        """Streams that use it, including those that are still starting."""
        self._subscribers: set[Subscriber] = set()

    def add(self, subscriber: Subscriber) -> None:
        self._subscribers.add(subscriber)

    def discard(self, subscriber: Subscriber) -> None:
        self._subscribers.discard(subscriber)

    def message(self, notice: Notice) -> bytes:
        if notice.seq is None:
            return b"event: reaction\ndata: %s\n\n" % notice.json
        return b"id: %d\n%s\n\n" % (notice.seq, self._render(notice))

    def publish(self, notice: Notice) -> None:
        """If it cannot be rendered, all streams end, so that their clients reconnect; the error is for the caller."""
        try:
            message = self.message(notice)
        except Exception:
            self.close()
            raise
        self._put(notice.seq, message)

    def heartbeat(self, now: float) -> None:
        if now >= self.last_sent + HEARTBEAT_S:
            self._put(None, HEARTBEAT)

    def close(self) -> None:
        for subscriber in self._subscribers:
            subscriber.close()

    def _put(self, seq: int | None, message: bytes) -> None:
        self.last_sent = monotonic()
        for subscriber in self._subscribers:
            subscriber.put(seq, message)


class Broadcasts:
    """The broadcasts of all tables that somebody follows in this process, and their heartbeat."""

    def __init__(self) -> None:
        self._broadcasts: dict[tuple[str, str], Broadcast] = {}
        self._heartbeat: asyncio.Task[None] | None = None

    def __len__(self) -> int:
        return len(self._broadcasts)

    def join(self, table: str, form: str, render: Render) -> Broadcast:
        """The broadcast of a table in a form, until `leave`. The first one to join decides how it is rendered."""
        broadcast = self._broadcasts.setdefault((table, form), Broadcast(render))
        broadcast.members += 1
        if self._heartbeat is None or self._heartbeat.done():
            self._heartbeat = asyncio.create_task(self._send_heartbeats())
        return broadcast

    def leave(self, table: str, form: str) -> bool:
        """Returns whether nobody uses it any more; then it is gone."""
        broadcast = self._broadcasts[table, form]
        broadcast.members -= 1
        if broadcast.members:
            return False
        del self._broadcasts[table, form]
        return True

    def close(self) -> None:
        """End all streams, because the server stops."""
        for broadcast in self._broadcasts.values():
            broadcast.close()

    async def _send_heartbeats(self) -> None:
        while self._broadcasts:
            await asyncio.sleep(HEARTBEAT_CHECK_S)
            now = monotonic()
            for broadcast in tuple(self._broadcasts.values()):
                broadcast.heartbeat(now)
