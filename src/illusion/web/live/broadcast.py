"""Fan-out of a table's events: a message is rendered once for all streams of one form, which send the same bytes."""

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Callable
from time import monotonic
from typing import Final, NamedTuple

from illusion.tables.live_table import Notice

LOG: Final = logging.getLogger("illusion")
HEARTBEAT_CHECK_S: Final = 1.0
MAX_UNREAD_BYTES: Final = 256 * 1024
"""Kept for a slow client. Then its stream ends, and it reconnects with the last number it saw."""


class Form(NamedTuple):
    """How events are told: to programs as an event stream, to pages through a WebSocket."""

    name: str
    render: Callable[[Notice], bytes]
    heartbeat: bytes
    heartbeat_s: float
    """Silence after which a heartbeat is sent, so that nobody takes the connection for dead."""


class Subscriber(ABC):
    """One stream. What it is given is written at once, without waking a task: fan-out costs little more than that."""

    __slots__ = ("closed", "last_seq")

    def __init__(self) -> None:
        self.last_seq = 0
        """The number of the last event that the stream has been given, here or otherwise."""
        self.closed = False

    def put(self, seq: int | None, message: bytes) -> None:
        """Never blocks. A stream that has too much unread is closed."""
        if self.closed or (seq is not None and seq <= self.last_seq):
            return
        self.last_seq = self.last_seq if seq is None else seq
        if self.write(message) > MAX_UNREAD_BYTES:
            self.close()

    def close(self) -> None:
        if not self.closed:
            self.closed = True
            self.end()

    @abstractmethod
    def write(self, message: bytes) -> int:
        """Returns how many bytes its client has not read yet."""

    @abstractmethod
    def end(self) -> None:
        """Called once, when nothing more is written."""


class Broadcast:
    """The streams of one table in one form."""

    def __init__(self, form: Form) -> None:
        self.form = form
        self.last_sent = monotonic()
        self.members = 0
        """Streams that use it, including those that are still starting."""
        self._subscribers: set[Subscriber] = set()

    def add(self, subscriber: Subscriber) -> None:
        self._subscribers.add(subscriber)

    def discard(self, subscriber: Subscriber) -> None:
        self._subscribers.discard(subscriber)

    def publish(self, notice: Notice) -> None:
        """If it cannot be rendered, all streams end, so that their clients reconnect; the error is for the caller."""
        try:
            message = self.form.render(notice)
        except Exception:
            self.close()
            raise
        self._put(notice.seq, message)

    def heartbeat(self, now: float) -> None:
        if now >= self.last_sent + self.form.heartbeat_s:
            self._put(None, self.form.heartbeat)

    def close(self) -> None:
        for subscriber in self._subscribers:
            subscriber.close()

    def _put(self, seq: int | None, message: bytes) -> None:
        self.last_sent = monotonic()
        for subscriber in self._subscribers:
            try:
                subscriber.put(seq, message)
            except Exception:  # whatever is wrong with one, all others hear
                LOG.exception("subscriber-failed")
                subscriber.close()


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
