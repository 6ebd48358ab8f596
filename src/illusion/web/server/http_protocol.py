"""uvicorn's HTTP protocol with a limit on the size of a request's head and on the time a request takes to arrive.

A client that sends slowly, for ever, or nothing at all would otherwise hold a connection open (a "slowloris" attack).
Only public interfaces are used: asyncio's protocol methods and the callbacks that httptools documents.
"""

import asyncio
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MAX_HEAD_BYTES: Final = 16 * 1024
MAX_REQUEST_BYTES: Final = 128 * 1024
"""Far above the largest body that any route reads: what is larger is not even skipped."""
REQUEST_TIMEOUT_S: Final = 20.0
"""For a whole request to arrive, or for the first one of a new connection to begin."""
HEAD_TOO_LARGE: Final = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\n"
    b"content-type: text/plain; charset=utf-8\r\ncontent-length: 26\r\nconnection: close\r\n\r\n"
    b"This request is too large."
)


class LimitedHttpProtocol(HttpToolsProtocol):
    """One connection. Bytes are counted from the beginning of a request to its end."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._connection: asyncio.Transport | None = None
        self._deadline: asyncio.TimerHandle | None = None
        self._arriving = False
        self._in_head = False
        self._received_bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._connection = transport
        self._set_deadline()

    def connection_lost(self, exc: Exception | None) -> None:
        self._clear_deadline()
        self._connection = None
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """In pieces, so that a head that arrives at once is measured as well."""
        for start in range(0, len(data), MAX_HEAD_BYTES):
            if self._is_open():
                super().data_received(data[start : start + MAX_HEAD_BYTES])
                self._check(min(len(data) - start, MAX_HEAD_BYTES))

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
            self._set_deadline()

    def _is_open(self) -> bool:
        return self._connection is not None and not self._connection.is_closing()

    def on_message_begin(self) -> None:
        self._arriving, self._in_head, self._received_bytes = True, True, 0
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._in_head = False
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._arriving = False
        self._clear_deadline()
        super().on_message_complete()

    def _set_deadline(self) -> None:
        if self._connection is not None:
            self._deadline = asyncio.get_running_loop().call_later(REQUEST_TIMEOUT_S, self._connection.close)

    def _clear_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
