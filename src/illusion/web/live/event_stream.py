"""Server-sent events: everything since the last number seen, then whatever happens, and a heartbeat in silence."""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from illusion.languages import N_
from illusion.tables import StoreFailed, TableService
from illusion.web.http.problems import Problem
from illusion.web.live.broadcast import Broadcast, Broadcasts

WAITING: Final = 256
"""Messages that may wait for a slow reader."""
HEADERS: Final = (
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
)
RETRY: Final = b"retry: 1000\n\n"
"""Milliseconds until a browser whose stream ended comes back."""


class Subscriber:
    """One reader's connection. A message is written at once, without a task or a queue between, while there is room.

    What does not fit waits, up to a bound; then the stream ends, and the reader comes back by the last number it saw.
    """

    __slots__ = ("_catching_up", "_lost", "_send", "_straight", "_waiting")

    def __init__(self, send: Send, straight: Callable[[bytes], bool]) -> None:
        """`straight` writes a chunk to the wire and says whether there was room for it."""
        self._send = send
        self._straight = straight
        self._waiting: deque[bytes] | None = deque()
        self._lost = False
        self._catching_up: asyncio.Task[None] | None = None

    def write(self, lines: bytes, chunk: bytes) -> None:
        if self._waiting is None:
            if not self._straight(chunk):
                self._waiting = deque((lines,))
                self._catching_up = asyncio.create_task(self.catch_up())
        elif len(self._waiting) < WAITING and not self._lost:
            self._waiting.append(lines)
        else:
            self._lost = True
            self._waiting.clear()

    def forget(self) -> None:
        """Drop what waits."""
        assert self._waiting is not None
        self._waiting.clear()
        self._lost = False

    async def catch_up(self) -> None:
        """Send what waits, as fast as the reader reads; from then on messages are written at once."""
        assert self._waiting is not None
        while self._waiting:
            await self._send(body(self._waiting.popleft()))
        if self._lost:
            await self._send({"type": "http.response.body"})
        else:
            self._waiting = None


class EventStream(Response):
    """The answer to a reader of a table, in one form; it ends when either side hangs up."""

    def __init__(self, request: Request, table: str, form: str, told: Callable[[bytes], bytes]) -> None:
        """`told` makes the lines of a message from a public event's JSON."""
        self._after = last_seen(request)
        self._table, self._form, self._told = table, form, told
        self._service: TableService = request.app.state.service
        self._channels: Broadcasts = request.app.state.broadcasts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] == "HEAD":
            await send({"type": "http.response.start", "status": 200, "headers": [*HEADERS]})
            await send({"type": "http.response.body"})
            return
        stream = Subscriber(send, scope.get("straight", _never))
        channel = self._channels.open(self._table, self._form, self._told)
        channel.streams.add(stream)
        try:
            await self._begin(stream, channel, send)
            while (await receive())["type"] != "http.disconnect":
                pass
        except StoreFailed:  # then the stream ends as soon as it began, and its reader comes back by itself
            await send({"type": "http.response.start", "status": 200, "headers": [*HEADERS]})
            await send({"type": "http.response.body", "body": RETRY})
        finally:
            channel.streams.discard(stream)
            if not channel.streams:
                self._channels.close(self._table, self._form)
                self._service.unsubscribe(self._table, channel.tell)

    async def _begin(self, stream: Subscriber, channel: Broadcast, send: Send) -> None:
        """Everything missed, then what happened while that was sent."""
        missed = await self._service.subscribe(self._table, self._after, channel.tell)
        stream.forget()  # what it was told until now is among what it missed
        await send({"type": "http.response.start", "status": 200, "headers": [*HEADERS]})
        await send(body(b"".join([RETRY, *map(channel.lines, missed)])))
        await stream.catch_up()


def body(lines: bytes) -> Message:
    """As the server wants it."""
    return {"type": "http.response.body", "body": lines, "more_body": True}


def _never(_chunk: bytes) -> bool:
    """Another server than ours, whose wire is out of reach."""
    return False


def last_seen(request: Request) -> int:
    """From the browser's own header when it reconnects, else from the address."""
    said = request.headers.get("last-event-id") or request.query_params.get("after") or "0"
    if not (said.isascii() and said.isdigit() and len(said) < 12):
        raise Problem(400, "unparsable", why=N_("the last event seen must be a whole number"))
    return int(said)
