"""Server-sent events: everything since the last number seen, then whatever happens, and heartbeats in between."""

import asyncio
from collections.abc import Callable
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from illusion.languages import N_
from illusion.tables import StoreFailed
from illusion.tables.runtime.live_table import Notice
from illusion.web.context import context
from illusion.web.http.problems import Problem
from illusion.web.http.security import UNWRAPPED_SEND
from illusion.web.live.broadcast import Render, Subscriber

HEADERS: Final = (
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
)
RETRY: Final = b"retry: 1000\n\n"
"""Milliseconds until a browser whose stream ended reconnects."""
MAX_SEQ_DIGITS: Final = 11
MISSED_AT_ONCE: Final = 64
"""Missed events that are sent as one piece; the next one waits until the client has read."""

Condense = Callable[[list[Notice]], Notice]


class EventStream(Response):
    """A stream of a table's events in one form. It ends when the client hangs up, falls behind, or the server stops."""

    def __init__(
        self, request: Request, table: str, form: str, render: Render, condense: Condense | None = None
    ) -> None:
        """All streams of one table and form share what `render` makes. `condense` makes one notice of those missed."""
        self._after = last_seen(request)
        self._table, self._form, self._render, self._condense = table, form, render, condense
        self._service = context(request).service
        self._broadcasts = context(request).broadcasts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        start: Message = {"type": "http.response.start", "status": 200, "headers": [*HEADERS]}
        if scope["method"] == "HEAD":
            await send(start)
            await send({"type": "http.response.body"})
            return
        broadcast = self._broadcasts.join(self._table, self._form, self._render)
        subscriber: Subscriber | None = None
        watching: asyncio.Task[None] | None = None
        try:
            missed = await self._service.subscribe(self._table, self._after, broadcast.publish)
            subscriber = Subscriber(missed[-1].seq or 0 if missed else self._last_seq())
            broadcast.add(subscriber)
            watching = asyncio.create_task(_close_on_disconnect(receive, subscriber))
            await send(start)
            await send(_piece(RETRY))
            send_body: Send = scope.get(UNWRAPPED_SEND, send)
            if missed and self._condense is not None:
                missed = [self._condense(missed)]
            for first in range(0, len(missed), MISSED_AT_ONCE):
                some = missed[first : first + MISSED_AT_ONCE]
                await send_body(_piece(b"".join(map(broadcast.message, some))))
            async for messages in subscriber:
                await send_body(_piece(messages))
            await send_body({"type": "http.response.body"})
        except StoreFailed:  # the stream ends as soon as it began, and the client retries by itself
            await send(start)
            await send({"type": "http.response.body", "body": RETRY})
        finally:
            if watching is not None:
                watching.cancel()
            if subscriber is not None:
                broadcast.discard(subscriber)
            if self._broadcasts.leave(self._table, self._form):
                self._service.unsubscribe(self._table, broadcast.publish)

    def _last_seq(self) -> int:
        """What a client that missed nothing has seen, whatever number it named."""
        table = self._service.in_memory(self._table)
        return 0 if table is None else table.seq


async def _close_on_disconnect(receive: Receive, subscriber: Subscriber) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    subscriber.close()


def _piece(body: bytes) -> Message:
    return {"type": "http.response.body", "body": body, "more_body": True}


def last_seen(request: Request) -> int:
    """From the header that browsers send when they reconnect, else from the query."""
    sent = request.headers.get("last-event-id") or request.query_params.get("after") or "0"
    if not (sent.isascii() and sent.isdigit() and len(sent) <= MAX_SEQ_DIGITS):
        raise Problem(400, "unparsable", why=N_("the last event seen must be a whole number"))
    return int(sent)
