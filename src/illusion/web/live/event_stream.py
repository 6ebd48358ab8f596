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
from illusion.web.live.broadcast import Form, Subscriber
from illusion.web.live.following import following, last_seen

HEADERS: Final = (
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
)
RETRY: Final = b"retry: 1000\n\n"
"""Milliseconds until a browser whose stream ended reconnects."""
MISSED_AT_ONCE: Final = 64
"""Missed events that are sent as one piece; the next one waits until the client has read."""


def _rendered(notice: Notice) -> list[bytes]:
    if notice.seq is None:
        return [b"event: reaction\ndata: %s\n\n" % notice.json]
    return [b"id: %d\ndata: %s\n\n" % (notice.seq, notice.json)]


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
        watching: asyncio.Task[None] | None = None
        try:
            async with following(self._context, self._table, EVENTS, self._after) as (missed, subscriber, broadcast):
                watching = asyncio.create_task(_close_on_disconnect(receive, subscriber))
                await send(start)
                await send(_piece(RETRY))
                send_body: Send = scope.get(UNWRAPPED_SEND, send)
                for first in range(0, len(missed), MISSED_AT_ONCE):
                    some = missed[first : first + MISSED_AT_ONCE]
                    await send_body(_piece(b"".join(message for each in some for message in broadcast.messages(each))))
                async for messages in subscriber:
                    await send_body(_piece(b"".join(messages)))
                await send_body({"type": "http.response.body"})
        except StoreFailed:  # the stream ends as soon as it began, and the client retries by itself
            await send(start)
            await send({"type": "http.response.body", "body": RETRY})
        finally:
            if watching is not None:
                watching.cancel()


async def _close_on_disconnect(receive: Receive, subscriber: Subscriber) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    subscriber.close()


def _piece(body: bytes) -> Message:
    return {"type": "http.response.body", "body": body, "more_body": True}
