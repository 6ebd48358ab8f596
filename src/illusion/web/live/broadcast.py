"""Fan-out of a table's events: a message is rendered once for all streams of one form, which send the same bytes."""

import asyncio
from collections.abc import Callable
from time import monotonic
from typing import Final, NamedTuple

from illusion.tables.runtime.live_table import Notice

HEARTBEAT_CHECK_S: Final = 1.0
MAX_QUEUED_BYTES: Final = 256 * 1024
"""Kept for a slow client. Then its stream ends, and it reconnects with the last number it saw."""


class Form(NamedTuple):
    """How events are told: to programs as an event stream, to pages through a WebSocket."""

    name: str
    render: Callable[[Notice], list[bytes]]
    """Makes the messages of a notice."""
    heartbeat: bytes
    heartbeat_s: float
    """Silence after which a heartbeat is sent, so that nobody takes the connection for dead."""


class Subscriber:
    """The messages waiting for one stream; it ends when it is closed."""

    def __init__(self, last_seq: int) -> None:
        """`last_seq` is the number of the last event that the stream has been given otherwise."""
        self._last_seq = last_seq
        self._queue: list[bytes] = []
        self._queued_bytes = 0
        self._closed = False
        self._waiter: asyncio.Future[None] | None = None

    def put(self, seq: int | None, messages: list[bytes]) -> None:
        """Queue messages; never blocks. A slow stream whose queue is full is closed."""
        if self._closed or (seq is not None and seq <= self._last_seq):
            return
        self._queued_bytes += sum(map(len, messages))
        if self._queued_bytes > MAX_QUEUED_BYTES:
            self._queue.clear()
            self.close()
            return
        self._last_seq = self._last_seq if seq is None else seq
        self._queue += messages
        self._wake()

    def close(self) -> None:
        self._closed = True
        self._wake()

    def __aiter__(self) -> "Subscriber":
        return self

    async def __anext__(self) -> list[bytes]:
        """All messages that wait."""
        while not self._queue and not self._closed:
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter
        if not self._queue:
            raise StopAsyncIteration
        waiting, self._queue = self._queue, []
        self._queued_bytes = 0
        return waiting

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)


class Broadcast:
    """The streams of one table in one form."""

    def __init__(self, form: Form) -> None:
        self._form = form
        self.last_sent = monotonic()
        self.members = 0
        """Streams that use it, including those that are still starting."""
        self._subscribers: set[Subscriber] = set()

    def add(self, subscriber: Subscriber) -> None:
        self._subscribers.add(subscriber)

    def discard(self, subscriber: Subscriber) -> None:
        self._subscribers.discard(subscriber)

    def messages(self, notice: Notice) -> list[bytes]:
        return self._form.render(notice)

    def publish(self, notice: Notice) -> None:
        """If it cannot be rendered, all streams end, so that their clients reconnect; the error is for the caller."""
        try:
            messages = self.messages(notice)
        except Exception:
            self.close()
            raise
        self._put(notice.seq, messages)

    def heartbeat(self, now: float) -> None:
        if now >= self.last_sent + self._form.heartbeat_s:
            self._put(None, [self._form.heartbeat])

    def close(self) -> None:
        for subscriber in self._subscribers:
            subscriber.close()

    def _put(self, seq: int | None, messages: list[bytes]) -> None:
        self.last_sent = monotonic()
        for subscriber in self._subscribers:
            subscriber.put(seq, messages)


class Broadcasts:
    """The broadcasts of all tables that somebody follows in this process, and their heartbeat."""

    def __init__(self) -> None:
        self._broadcasts: dict[tuple[str, str], Broadcast] = {}
        self._heartbeat: asyncio.Task[None] | None = None

    def __len__(self) -> int:
        return len(self._broadcasts)

    def join(self, table: str, form: Form) -> Broadcast:
        """The broadcast of a table in a form, until `leave`. Forms of one name are the same."""
        broadcast = self._broadcasts.setdefault((table, form.name), Broadcast(form))
        broadcast.members += 1
        if self._heartbeat is None or self._heartbeat.done():
            self._heartbeat = asyncio.create_task(self._send_heartbeats())
        return broadcast

    def leave(self, table: str, form: Form) -> bool:
        """Returns whether nobody uses it any more; then it is gone."""
        broadcast = self._broadcasts[table, form.name]
        broadcast.members -= 1
        if broadcast.members:
            return False
        del self._broadcasts[table, form.name]
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
