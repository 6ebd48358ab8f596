"""Server-sent events for programs: all events since the last one seen, then new ones, and heartbeats."""

from collections.abc import AsyncIterator
from typing import Final

from starlette.requests import HTTPConnection, Request
from starlette.responses import StreamingResponse
from starlette.types import Message, Receive, Scope, Send

from illusion.languages import N_
from illusion.tables import StoreFailed
from illusion.tables.service import Notice
from illusion.web.context import context
from illusion.web.live.hub import Inbox, for_programs
from illusion.web.problems import Problem

HEADERS: Final = {"cache-control": "no-store", "x-accel-buffering": "no"}
RETRY: Final = "retry: 1000\n\n"
"""Milliseconds until a browser whose stream ended reconnects."""
MISSED_AT_ONCE: Final = 64
"""Missed events per chunk; the next chunk waits until the client has read."""
MAX_SEQ_DIGITS: Final = 11


class EventStream(StreamingResponse):
    """A stream of a table's events. It ends when the client hangs up or falls behind, or the server stops.

    If the store fails, it ends at once, and the client retries by itself.
    """

    def __init__(self, request: Request, table: str) -> None:
        super().__init__(_these(), headers=HEADERS, media_type="text/event-stream; charset=utf-8")
        self._after = last_seen(request)
        self._table = table
        self._hubs = context(request).hubs

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_on(message: Message) -> None:
            """Middleware adds nothing after the head, but costs 4 % of a program's move."""
            await (send if message["type"] == "http.response.start" else scope["send"])(message)

        if scope["method"] != "HEAD":
            try:
                async with self._hubs.join(self._table, self._after, is_page=False) as (inbox, missed):
                    self.body_iterator = _pieces(missed, inbox)
                    await super().__call__(scope, receive, send_on)
                return
            except StoreFailed:
                self.body_iterator = _these(RETRY)
        await super().__call__(scope, receive, send_on)


async def _pieces(missed: list[Notice], inbox: Inbox) -> AsyncIterator[str]:
    yield RETRY
    for first in range(0, len(missed), MISSED_AT_ONCE):
        yield "".join(map(for_programs, missed[first : first + MISSED_AT_ONCE]))
    while messages := await inbox.take():
        yield "".join(messages)


async def _these(*pieces: str) -> AsyncIterator[str]:
    for piece in pieces:
        yield piece


def last_seen(request: HTTPConnection) -> int:
    """The number of the last event seen, from the header `Last-Event-ID` or from the query."""
    sent = request.headers.get("last-event-id") or request.query_params.get("after") or "0"
    if not (sent.isascii() and sent.isdigit() and len(sent) <= MAX_SEQ_DIGITS):
        raise Problem(400, "unparsable", why=N_("the last event seen must be a whole number"))
    return int(sent)
