"""Server-sent events for programs: everything since the last number seen, then whatever happens, and heartbeats."""

from collections.abc import Callable
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from illusion.tables import StoreFailed
from illusion.tables.live_table import Notice
from illusion.web.context import AppContext, context
from illusion.web.http.security import STREAM_ENDED
from illusion.web.live.broadcast import Form, Subscriber
from illusion.web.live.following import Following, follow, last_seen
from illusion.web.live.handover import HAND_OVER, HandOver, Stream

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

    async def __call__(self, scope: Scope, _: Receive, send: Send) -> None:
        start: Message = {"type": "http.response.start", "status": 200, "headers": [*HEADERS]}
        if scope["method"] == "HEAD":
            await send(start)
            await send({"type": "http.response.body"})
            return
        program = _Program(scope.pop(STREAM_ENDED))
        try:
            missed = await program.follow(self._context, self._table, self._after)
            await send(start)
            await send(_piece(RETRY))
            for first in range(0, len(missed), MISSED_AT_ONCE):
                some = missed[first : first + MISSED_AT_ONCE]
                await send(_piece(b"".join(map(EVENTS.render, some))))
        except StoreFailed:  # the stream ends as soon as it began, and the client retries by itself
            program.lost()
            await send(start)
            await send({"type": "http.response.body", "body": RETRY})
        except BaseException:
            program.lost()
            raise
        else:
            hand_over: HandOver = scope[HAND_OVER]
            hand_over(program)


class _Program(Subscriber):
    """One program's stream: the handler of its connection. What it is told is written at once."""

    __slots__ = ("_following", "_held", "_stream", "_stream_ended")

    def __init__(self, stream_ended: Callable[[], None]) -> None:
        super().__init__()
        self._stream_ended = stream_ended
        self._held = b""
        """What happened before the stream was open."""
        self._stream: Stream | None = None
        self._following: Following | None = None

    async def follow(self, used: AppContext, table: str, after: int) -> list[Notice]:
        self._following, missed = await follow(used, table, EVENTS, after, self)
        return missed

    def opened(self, stream: Stream) -> None:
        self._stream = stream
        held, self._held = self._held, b""
        if held:
            stream.write(held)
        if self.closed:  # meanwhile
            stream.close()

    def lost(self) -> None:
        self.closed = True
        self._stream = None
        if self._following is not None:
            self._following.end()
        self._stream_ended()

    def write(self, message: bytes) -> int:
        if self._stream is None:
            self._held += message
            return len(self._held)
        return self._stream.write(message)

    def end(self) -> None:
        if self._stream is not None:
            self._stream.close()


def _piece(body: bytes) -> Message:
    return {"type": "http.response.body", "body": body, "more_body": True}
