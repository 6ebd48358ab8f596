"""uvicorn's HTTP protocol with limits: on connections, on a request's head, and on the time a request takes to arrive.

A client that sends slowly, for ever, or nothing at all would otherwise hold a connection open (a "slowloris" attack).
One request is read at a time. A client that sends another before the first is answered (pipelining, RFC 9112 9.3.2)
gets the first answer, and the connection ends; clients that pipeline have to expect that and ask again.
So it does after a request to be upgraded to what we do not speak: httptools takes its body for the next request.
Only public interfaces are used: asyncio's protocol methods, the callbacks that httptools documents, and of uvicorn what
has a public name; `make floors` and `make newest` play with the oldest and the newest uvicorn that we allow.
"""

import asyncio
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from illusion.web.live.handover import HAND_OVER, StreamHandler
from illusion.web.server.connections import ConnectionLimiter
from illusion.web.server.followers.open_connection import STALL_TIMEOUT_S
from illusion.web.server.followers.stream_connection import StreamConnection
from illusion.web.server.passing import ConnectionPassing
from illusion.web.server.response_transport import ResponseTransport

MAX_HEAD_BYTES: Final = 16 * 1024
MAX_REQUEST_BYTES: Final = 128 * 1024
"""Far above the largest body that any route reads: what is larger is not even skipped."""
REQUEST_TIMEOUT_S: Final = 20.0
"""For a whole request to arrive, or for the first one of a new connection to begin."""
PIPELINED_TIMEOUT_S: Final = 3.0
"""For the answer to a request behind which another was sent. A stream has no end of its own."""


def _plain(status: str, sentence: str) -> bytes:
    head = f"HTTP/1.1 {status}\r\ncontent-type: text/plain; charset=utf-8\r\n"
    return f"{head}content-length: {len(sentence)}\r\nconnection: close\r\n\r\n{sentence}".encode()


HEAD_TOO_LARGE: Final = _plain("431 Request Header Fields Too Large", "This request is too large.")
BAD_REQUEST: Final = _plain("400 Bad Request", "This request cannot be read.")
TOO_MANY: Final = _plain("503 Service Unavailable", "Too many people are here at once. Try again in a moment.")
STOPPING: Final = _plain("503 Service Unavailable", "This server is being restarted. Try again in a moment.")


class HandedOver(Exception):
    """Why uvicorn is told that a connection is lost which goes on."""


class LimitedHttpProtocol(HttpToolsProtocol):
    """One connection. Bytes are counted from the beginning of a request to its end.

    Between two requests it may be passed to another process, and end here. `received` was read before it came here.
    """

    def __init__(
        self,
        *arguments: Any,
        connections: ConnectionLimiter,
        passing: ConnectionPassing | None = None,
        received: bytes = b"",
        **options: Any,
    ) -> None:
        super().__init__(*arguments, **options)
        self._connections = connections
        self._passing = passing
        self._received_before = received
        self._peer: str | None = None
        """Whom the connection was counted for."""
        self._connection: asyncio.Transport | None = None
        self._deadline: asyncio.TimerHandle | None = None
        self._arriving = False
        self._in_head = False
        self._received_bytes = 0
        self._answering = False
        self._pipelined = False
        self._is_last = False
        """Nothing is read behind this request."""
        self._stall: asyncio.TimerHandle | None = None
        self._response: ResponseTransport | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._connection = transport
        name = transport.get_extra_info("peername")
        peer = str(name[0]) if name else ""
        if self._connections.open(peer):
            self._peer = peer
            self._set_deadline(REQUEST_TIMEOUT_S)
            received, self._received_before = self._received_before, b""
            if received:
                self.data_received(received)
        else:
            transport.write(TOO_MANY)
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self._clear_deadline()
        self._clear_stall()
        self._connection = None
        if self._peer is not None:
            self._connections.close(self._peer)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """In pieces, so that a head that arrives at once is measured as well."""
        if self._is_last or self._is_passed(data):
            return
        for start in range(0, len(data), MAX_HEAD_BYTES):
            if self._is_open() and not self._pipelined and not self._is_last:
                super().data_received(data[start : start + MAX_HEAD_BYTES])
                self._check(min(len(data) - start, MAX_HEAD_BYTES))
                self._leave_if_upgraded()

    def _leave_if_upgraded(self) -> None:
        """Another protocol has the connection now, and counts it as its own."""
        if self._connection is not None and self._connection.get_protocol() is not self:
            self._leave()
            del self.scope[HAND_OVER]  # type: ignore[typeddict-item]  # these two refer to each other,
            self.parser = None  # type: ignore[assignment]  # and these, as uvicorn does at the end

    def _leave(self) -> None:
        self._clear_deadline()
        self._clear_stall()
        self._connection = self._peer = None

    def _is_passed(self, data: bytes) -> bool:
        """Whether a request begins that another process answers. A connection goes there only between requests."""
        if self._passing is None or self._connection is None or self._connection.is_closing():
            return False
        if self._arriving or self._answering or self._pipelined:
            return False
        return self._passing.try_pass(self._connection, data)

    def _check(self, received_bytes: int) -> None:
        """End the connection if the request that is arriving is too large; else see to its deadline."""
        if self._connection is None or not self._arriving or not self._is_open():
            return
        self._received_bytes += received_bytes
        if self._in_head and self._received_bytes > MAX_HEAD_BYTES:
            self._connection.write(HEAD_TOO_LARGE)
            self._connection.close()
        elif self._received_bytes > MAX_REQUEST_BYTES:
            self._connection.close()
        elif self._deadline is None:
            self._set_deadline(REQUEST_TIMEOUT_S)

    def _is_open(self) -> bool:
        return self._connection is not None and not self._connection.is_closing()

    def on_message_begin(self) -> None:
        if self._answering:
            self._pipelined = True
            self._clear_deadline()
            self._set_deadline(PIPELINED_TIMEOUT_S)
            return
        self._arriving, self._in_head, self._received_bytes = True, True, 0
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        if not self._pipelined:
            super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """A field behind a body (a trailer) comes too late to be a header."""
        if self._in_head:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        if not self._pipelined:
            self._in_head, self._answering = False, True
            # a reference cycle, which ends with the request; a head that is refused has none
            self.scope[HAND_OVER] = self._hand_over  # type: ignore[typeddict-unknown-key]
            super().on_headers_complete()
            if self.cycle is not None:
                self.cycle.transport = self._response = ResponseTransport(self.transport)
                if self.parser.should_upgrade():
                    self.cycle.keep_alive, self._is_last = False, True

    def on_body(self, body: bytes) -> None:
        if not self._pipelined:
            super().on_body(body)

    def on_message_complete(self) -> None:
        if not self._pipelined:
            self._arriving = False
            self._clear_deadline()
            super().on_message_complete()

    def _hand_over(self, handler: StreamHandler) -> None:
        """The response goes on without this request: another protocol gets the connection, and counts it as its own."""
        connection, peer, is_stalled = self._connection, self._peer, self._stall is not None
        if connection is None or peer is None:
            handler.lost()
            return
        self._end_response()
        self._leave()
        super().connection_lost(HandedOver())
        stream = StreamConnection(connection, handler, self.server_state, self._connections, peer)
        stream.open()
        if is_stalled:
            stream.pause_writing()
        if self._pipelined:
            stream.close()

    def on_response_complete(self) -> None:
        self._answering = False
        self._end_response()
        super().on_response_complete()
        if self._pipelined and self._connection is not None:
            self._connection.close()

    def _end_response(self) -> None:
        if self._response is not None:
            self._response.flush()
            self._response = None

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._connection is not None and self._stall is None:
            self._stall = asyncio.get_running_loop().call_later(STALL_TIMEOUT_S, self._connection.abort)

    def resume_writing(self) -> None:
        self._clear_stall()
        super().resume_writing()

    def _set_deadline(self, seconds: float) -> None:
        if self._connection is not None:
            self._deadline = asyncio.get_running_loop().call_later(seconds, self._connection.close)

    def _clear_stall(self) -> None:
        if self._stall is not None:
            self._stall.cancel()
            self._stall = None

    def _clear_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
