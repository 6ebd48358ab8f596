"""Server-sent events for programs: everything since the last number seen, then whatever happens, and heartbeats."""

import asyncio
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from illusion.tables import StoreFailed
from illusion.tables.runtime.live_table import Notice
from illusion.web.context import context
from illusion.web.http.security import UNWRAPPED_SEND
from illusion.web.live.broadcast import MAX_UNREAD_BYTES, Form, Subscriber
from illusion.web.live.following import follow, last_seen

HEADERS: Final = (
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
)
RETRY: Final = b"retry: 1000\n\n"
"""Milliseconds until a browser whose stream ended reconnects."""
MISSED_AT_ONCE: Final = 64
"""Missed events that are sent as one piece; the next one waits until the client has read."""


def _rendered(notice: Notice) -> bytes:
    if notice.seq is None:
        return b"event: reaction\ndata: %s\n\n" % notice.json
    return b"id: %d\ndata: %s\n\n" % (notice.seq, notice.json)


EVENTS: Final = Form("events", _rendered, heartbeat=b": still here\n\n", heartbeat_s=15.0)
"""The public events of a log as they are, for programs."""


class EventStream(Response):
    """A stream of a table's events. It ends when the client hangs up, falls behind, or the server stops."""

    def __init__(self, request: Request, table: str) -> None:
        self._after = last_seen(request)
        self._table = table
        self._context = context(request)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        start: Message = {"type": "http.response.start", "status": 200, "headers": [*HEADERS]}
        if scope["method"] == "HEAD":
            await send(start)
            await send({"type": "http.response.body"})
            return
        queue = Queue()
        try:
            following, missed = await follow(self._context, self._table, EVENTS, self._after, queue)
        except StoreFailed:  # the stream ends as soon as it began, and the client retries by itself
            await send(start)
            await send({"type": "http.response.body", "body": RETRY})
            return
        watching = asyncio.create_task(_close_on_disconnect(receive, queue))
        try:
            await send(start)
            await send(_piece(RETRY))
            send_body: Send = scope.get(UNWRAPPED_SEND, send)
            for first in range(0, len(missed), MISSED_AT_ONCE):
                some = missed[first : first + MISSED_AT_ONCE]
                await send_body(_piece(b"".join(map(following.broadcast.message, some))))
            async for messages in queue:
                await send_body(_piece(messages))
            await send_body({"type": "http.response.body"})
        finally:
            watching.cancel()
            following.end()


class Queue(Subscriber):
    """The messages waiting for one event stream, which takes them in its own time; it ends when it is closed."""

    def __init__(self) -> None:
        super().__init__()
        self._waiting = bytearray()
        self._waiter: asyncio.Future[None] | None = None

    def write(self, message: bytes) -> int:
        self._waiting += message
        self._wake()
        return len(self._waiting)

    def end(self) -> None:
        self._wake()

    def __aiter__(self) -> "Queue":
        return self

    async def __anext__(self) -> bytes:
        """All that waits. Of a stream that has too much unread, nothing."""
        while not self._waiting and not self.closed:
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter
        if not self._waiting or len(self._waiting) > MAX_UNREAD_BYTES:
            raise StopAsyncIteration
        messages = bytes(self._waiting)
        self._waiting.clear()
        return messages

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)


async def _close_on_disconnect(receive: Receive, subscriber: Subscriber) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    subscriber.close()


def _piece(body: bytes) -> Message:
    return {"type": "http.response.body", "body": body, "more_body": True}
