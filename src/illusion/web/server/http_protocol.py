"""HTTP over one connection, where a request has a size and comes within a time: nobody holds a line by dribbling.

Plain moves leave it for the express, and the messages of a stream that has begun are written to it straight.
"""

import asyncio
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from illusion.web.server.express import Express

MAX_REQUEST_BYTES: Final = 128 * 1024
PATIENCE: Final = 20.0
"""Seconds for a whole request to arrive, or for the first one of a new connection to begin."""


class Line(HttpToolsProtocol):
    """uvicorn's own protocol, which by itself waits for ever and reads heads of any length."""

    __slots__ = ("_begun", "_express", "_in_head", "_late", "_leaving", "_received", "_under_way", "_used")
    # beside uvicorn's own in its dictionary, they would make that one too large to be shared between connections

    def __init__(self, express: Express, **options: Any) -> None:
        super().__init__(**options)
        self.pipeline = _Pipeline()  # type: ignore[assignment]
        self._express = express
        self._under_way: bytearray | None = None
        """While the express is under way: what has come since then."""
        self._begun = b""
        """The head of a move whose body is to come."""
        self._used = 0.0
        self._leaving = False
        self._received = 0
        """Bytes of the request that is arriving; 0 between requests."""
        self._in_head = False
        self._late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._late = self.loop.call_later(PATIENCE, transport.close)

    def connection_lost(self, exc: Exception | None) -> None:
        self._in_time()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._under_way is not None:
            self._under_way += data
            if len(self._under_way) > MAX_REQUEST_BYTES:
                self.transport.close()
            return
        if not self._received and self._is_idle():
            data, self._begun = self._begun + data, b""
            if self._express.awaits_body(data):
                self._begun = data
                self._in_time()
                self._late = self.loop.call_later(PATIENCE, self.transport.close)
                return
            self._under_way = bytearray()  # first: an answer may come at once
            if self._express.take(self, data):
                self._in_time()
                return
            self._under_way = None
        self._read(data)

    def answer(self, answered: bytes) -> None:
        """From the express."""
        self._used = self.loop.time()
        self.server_state.total_requests += 1
        if self.transport.is_closing():
            return
        self.transport.write(_head(self.server_state.default_headers) + answered)
        if self._leaving:
            self.transport.close()
            return
        if self.timeout_keep_alive_task is None:
            self.timeout_keep_alive_task = self.loop.call_later(
                self.timeout_keep_alive, self.timeout_keep_alive_handler
            )
        came, self._under_way = self._under_way, None
        if came:
            self.data_received(bytes(came))

    def go_the_ordinary_way(self, request: bytes) -> None:
        """From the express."""
        came, self._under_way = self._under_way, None
        if not self.transport.is_closing():
            self._read(request)
            if came:
                self._read(bytes(came))

    def timeout_keep_alive_handler(self) -> None:
        """The express does not set the clock anew for each move; it only says when the last one was."""
        left = self._used + self.timeout_keep_alive - self.loop.time()
        if left > 0 or self._under_way is not None or self._begun:
            self.timeout_keep_alive_task = self.loop.call_later(max(left, 1), self.timeout_keep_alive_handler)
        else:
            super().timeout_keep_alive_handler()

    def shutdown(self) -> None:
        if self._under_way is not None:
            self._leaving = True  # once the answer is sent
        else:
            super().shutdown()

    def straight(self, chunk: bytes) -> bool:
        """Write a chunk of an answer that has begun, if there is room."""
        if self.flow.write_paused:
            return False
        if not self.transport.is_closing():
            self.transport.write(chunk)
        return True

    def _is_idle(self) -> bool:
        cycle: RequestResponseCycle | None = self.cycle  # None before the first request, whatever uvicorn's types say
        return cycle is None or cycle.response_complete

    def _read(self, data: bytes) -> None:
        super().data_received(data)
        if not self._received or self.transport.is_closing():
            return
        self._received += len(data)
        if self._received > MAX_REQUEST_BYTES:
            if self._in_head:
                self.send_400_response("This request is too large.")
            self.transport.close()
        elif self._late is None:
            self._late = self.loop.call_later(PATIENCE, self.transport.close)

    def on_message_begin(self) -> None:
        self._received, self._in_head = 1, True
        super().on_message_begin()
        self.scope["straight"] = self.straight  # type: ignore[typeddict-unknown-key]

    def on_headers_complete(self) -> None:
        self._in_head = False
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._received = 0
        self._in_time()
        super().on_message_complete()

    def _in_time(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None


class _Pipeline(list[Any]):
    """Requests that wait for an answer to the one before: mostly none, and a deque for none takes 600 bytes."""

    def appendleft(self, waiting: Any) -> None:
        self.insert(0, waiting)


def _head(headers: list[tuple[bytes, bytes]]) -> bytes:
    """The beginning of an answer, with what the server itself has to say: the date, made anew every second."""
    global _made_of, _made
    if headers is not _made_of:
        _made_of, _made = headers, b"HTTP/1.1 200 OK\r\n" + b"".join(b"%s: %s\r\n" % header for header in headers)
    return _made


_made_of: list[tuple[bytes, bytes]] = []
_made = b"HTTP/1.1 200 OK\r\n"
