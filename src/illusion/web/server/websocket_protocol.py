"""uvicorn's WebSocket protocol with limits: on what a page may send, and on the time it may leave unread what it gets.

A page sends a few short frames a minute, so few bytes are enough for everybody. This bounds pings as well, which the
protocol answers by itself. Only asyncio's protocol methods are overridden.
"""

import asyncio
from typing import Any, Final

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from illusion.web.http.limits.gcra import Gcra
from illusion.web.server.connections import ConnectionLimiter
from illusion.web.server.http_protocol import BAD_REQUEST, HEAD_TOO_LARGE, STALL_TIMEOUT_S

MAX_FRAME_BYTES: Final = 4 * 1024
"""A move has some fifty."""
MAX_BYTES: Final = 32 * 1024
MAX_BYTES_S: Final = 10.0
"""What a page may send within this time."""
MAX_HEADER_BYTES: Final = 8000
MAX_HEADERS: Final = 100
"""What the `websockets` library can read is a little more."""


class LimitedWebSocketProtocol(WebSocketsSansIOProtocol):
    """One connection, which was counted when it was an HTTP connection."""

    def __init__(self, *arguments: Any, connections: ConnectionLimiter, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._connections = connections
        self._peer = ""
        self._connection: asyncio.Transport | None = None
        self._opened = False
        self._received = Gcra(MAX_BYTES, MAX_BYTES_S)
        self._stall: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._connection = transport
        name = transport.get_extra_info("peername")
        self._peer = str(name[0]) if name else ""

    def connection_lost(self, exc: Exception | None) -> None:
        self._clear_stall()
        self._connection = None
        self._connections.close(self._peer)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._connection is None or self._connection.is_closing():
            return
        refusal = None if self._opened else _refusal(data)
        if refusal is not None:
            self._connection.write(refusal)
            self._connection.close()
        elif self._opened and self._received.try_charge("", len(data)):
            self._connection.close()
        else:
            self._opened = True
            super().data_received(data)

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._connection is not None and self._stall is None:
            self._stall = asyncio.get_running_loop().call_later(STALL_TIMEOUT_S, self._connection.abort)

    def resume_writing(self) -> None:
        self._clear_stall()
        super().resume_writing()

    def _clear_stall(self) -> None:
        if self._stall is not None:
            self._stall.cancel()
            self._stall = None


def _refusal(head: bytes) -> bytes | None:
    """Why the request that opens the connection cannot be taken."""
    first, *headers = head.split(b"\r\n")
    if len(headers) > MAX_HEADERS or max(map(len, (first, *headers))) > MAX_HEADER_BYTES:
        return HEAD_TOO_LARGE
    return None if first.startswith(b"GET ") and first.isascii() else BAD_REQUEST
