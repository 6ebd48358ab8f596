"""Limits that only a server can enforce, as subclasses of uvicorn's two protocols: slow and large heads, floods, unread
answers. They override asyncio's methods alone and read a few public attributes of uvicorn's.
"""

import asyncio
from typing import Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

MAX_HEAD_BYTES: Final = 16 * 1024
MAX_BODY_BYTES: Final = 128 * 1024
"""Far above the largest body that any route reads. A larger one ends the connection."""
REQUEST_TIMEOUT_S: Final = 20.0
"""For a request to arrive, and for the first request of a new connection to begin."""
UNREAD_TIMEOUT_S: Final = 20.0
"""For a client to read its answers."""
END_OF_HEAD: Final = b"\r\n\r\n"
PIECE_BYTES: Final = 1024
"""Bytes fed to the parser at a time: too few to hold many pipelined requests."""
MAX_BYTES: Final = 4096
"""Bytes that a page may send per INTERVAL_S, and per message; a move takes eighty."""
INTERVAL_S: Final = 10.0


def _plain(status: str, sentence: str) -> bytes:
    head = f"HTTP/1.1 {status}\r\ncontent-type: text/plain; charset=utf-8\r\n"
    return f"{head}content-length: {len(sentence)}\r\nconnection: close\r\n\r\n{sentence}".encode()


HEAD_TOO_LARGE: Final = _plain("431 Request Header Fields Too Large", "This request is too large.")
BAD_REQUEST: Final = _plain("400 Bad Request", "This request cannot be read.")


class _EndsUnread(asyncio.Protocol):
    """Aborts a connection whose client has not read for too long; closing it would wait for the client."""

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
    """One connection: a deadline and a maximal size for each head, and a maximal size for each request.

    Pipelined requests (RFC 9112 9.3.2) are not supported: the connection ends after the answer to the first one. So it
    does after an `Upgrade` to anything but a WebSocket: httptools takes a body that follows it for the next request,
    which allows request smuggling.
    """

    _deadline: asyncio.TimerHandle
    _head_bytes = 0
    """Bytes of the head that is arriving."""
    _body_bytes = 0
    """Bytes since the end of the last head."""
    _is_deaf = False
    """Further data is ignored."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._set_deadline()

    def connection_lost(self, exc: Exception | None) -> None:
        self._deadline.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Feed the parser in pieces, so that a second head is noticed before it is answered."""
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
        """Whether a body is arriving, even if it has been answered already."""
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
        if self.transport.get_protocol() is not self:  # it was upgraded to a WebSocket
            self._end_reading()
        elif self.cycle is not before:
            self._head_bytes = self._body_bytes = 0
            self.headers = []  # trailers must not be merged into headers (RFC 9110, 6.5.1)
            self._deadline.cancel()
            if is_answering:
                self.cycle = before  # the request to be told of a disconnect
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
    """A page's WebSocket. A client that sends too much, pings included, is disconnected."""

    _received = 0
    _interval_began = 0.0

    def data_received(self, data: bytes) -> None:
        if not self.handshake_initiated:
            super().data_received(data)
            if not self.handshake_initiated:  # an invalid handshake, e.g. with a body
                self._refuse(BAD_REQUEST)
            return
        now = self.loop.time()
        if now >= self._interval_began + INTERVAL_S:
            self._interval_began, self._received = now, 0
        self._received += len(data)
        if self._received > MAX_BYTES:
            self.transport.abort()
        else:
            super().data_received(data)
