"""Limits that only a server can keep, on uvicorn's two protocols: slow and large heads, floods, unread answers.

Only asyncio's own methods are overridden; of uvicorn a few public attributes are read. Another server keeps its own
limits, or none.
"""

import asyncio
from typing import Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

MAX_HEAD_BYTES: Final = 16 * 1024
MAX_BODY_BYTES: Final = 128 * 1024
"""Far above the largest body that any route reads: what is larger is not even skipped."""
REQUEST_TIMEOUT_S: Final = 20.0
"""For a request to arrive, or for the first one of a new connection to begin."""
UNREAD_TIMEOUT_S: Final = 20.0
"""For a client to read what it was sent."""
END_OF_HEAD: Final = b"\r\n\r\n"
PIECE_BYTES: Final = 1024
"""How much of a body is fed to the parser at a time: too little to hold many requests behind it."""
MAX_BYTES: Final = 4096
"""What a page may send in INTERVAL_S, and in one message: a move takes eighty."""
INTERVAL_S: Final = 10.0


def _plain(status: str, sentence: str) -> bytes:
    head = f"HTTP/1.1 {status}\r\ncontent-type: text/plain; charset=utf-8\r\n"
    return f"{head}content-length: {len(sentence)}\r\nconnection: close\r\n\r\n{sentence}".encode()


HEAD_TOO_LARGE: Final = _plain("431 Request Header Fields Too Large", "This request is too large.")
BAD_REQUEST: Final = _plain("400 Bad Request", "This request cannot be read.")


class _EndsUnread(asyncio.Protocol):
    """Ends a connection whose client has not read for too long. Closing it politely would wait for the client, too."""

    transport: asyncio.Transport
    _until_read: asyncio.TimerHandle | None = None

    def pause_writing(self) -> None:
        self._until_read = asyncio.get_running_loop().call_later(UNREAD_TIMEOUT_S, self.transport.abort)
        super().pause_writing()

    def resume_writing(self) -> None:
        if self._until_read is not None:
            self._until_read.cancel()
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._until_read is not None:
            self._until_read.cancel()
        super().connection_lost(exc)

    def _refuse(self, answer: bytes) -> None:
        if not self.transport.is_closing():
            self.transport.write(answer)
            self.transport.close()


class LimitedHttp(_EndsUnread, HttpToolsProtocol):
    """One connection: a deadline and a size for each head, and a size for each request.

    A request behind one that is still being answered (pipelining, RFC 9112 9.3.2), or behind an `Upgrade` to anything
    but a WebSocket, is not read: the first is answered, and the connection ends. httptools takes what follows such an
    upgrade for the next request, although it may be a body (request smuggling).
    """

    _deadline: asyncio.TimerHandle
    _head_bytes = 0
    """Bytes of the head that is arriving."""
    _body_bytes = 0
    """Bytes since the last whole head."""
    _is_deaf = False
    """Nothing more is read."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._set_deadline()

    def connection_lost(self, exc: Exception | None) -> None:
        self._deadline.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """In pieces, so that a second head is noticed before it is answered, and none takes long."""
        if self._is_deaf:
            self._body_bytes += len(data)
            if self._body_bytes > MAX_BODY_BYTES:
                self.transport.abort()
        while data and not self._is_deaf and not self.transport.is_closing():
            end = PIECE_BYTES if self._is_in_body() else data.find(END_OF_HEAD) + len(END_OF_HEAD)
            end = end if end >= len(END_OF_HEAD) else len(data)
            piece, data = data[:end], data[end:]
            self._receive(piece)

    def _is_in_body(self) -> bool:
        """Also in one that was answered before it was read."""
        return self._is_answering() or (bool(self.cycle) and self.cycle.more_body)

    def _is_answering(self) -> bool:
        return bool(self.cycle) and not self.cycle.response_complete

    def _receive(self, data: bytes) -> None:
        before, is_answering, is_in_body = self.cycle, self._is_answering(), self._is_in_body()
        if is_in_body:
            self._body_bytes += len(data)
        else:
            self._head_bytes += len(data)
        if self._head_bytes > MAX_HEAD_BYTES or self._body_bytes > MAX_BODY_BYTES:
            self._refuse(b"" if is_in_body else HEAD_TOO_LARGE)
            return
        super().data_received(data)
        if self.transport.get_protocol() is not self:  # a WebSocket has it now
            self._end_reading()
        elif self.cycle is not before:
            self._head_bytes = self._body_bytes = 0
            self.headers = []  # a request's trailers are none of its headers (RFC 9110, 6.5.1)
            self._deadline.cancel()
            if is_answering:
                self.cycle = before  # who hears when the client hangs up
                self.cycle.keep_alive = False
                self.pipeline.clear()
                self.flow.resume_reading()
                self._end_reading()
            elif self.parser.should_upgrade():
                self.cycle.keep_alive = self.cycle.more_body = False
                self._end_reading()
        elif not is_in_body and data.endswith(END_OF_HEAD):  # empty lines
            self._refuse(BAD_REQUEST)
        elif not is_answering and self._deadline.cancelled():
            self._set_deadline()

    def _end_reading(self) -> None:
        self._is_deaf = True
        self._deadline.cancel()

    def _set_deadline(self) -> None:
        self._deadline = asyncio.get_running_loop().call_later(REQUEST_TIMEOUT_S, self.transport.close)


class LimitedWebSocket(_EndsUnread, WebSocketsSansIOProtocol):
    """One page's socket. Whoever sends too much, pings included, is cut off."""

    _received = 0
    _interval_began = 0.0

    def data_received(self, data: bytes) -> None:
        if not self.handshake_initiated:
            super().data_received(data)
            if not self.handshake_initiated:  # a handshake with a body, or with anything else that is none
                self._refuse(BAD_REQUEST)
            return
        now = asyncio.get_running_loop().time()
        if now >= self._interval_began + INTERVAL_S:
            self._interval_began, self._received = now, 0
        self._received += len(data)
        if self._received > MAX_BYTES:
            self.transport.abort()
        else:
            super().data_received(data)
