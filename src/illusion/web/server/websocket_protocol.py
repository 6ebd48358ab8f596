"""uvicorn's WebSocket protocol with limits: on what a page may send, and on the time it may leave unread what it gets.

A page sends a few short frames a minute, so few are enough for everybody. This bounds pings as well, which the protocol
answers by itself. Only asyncio's protocol methods are overridden.
"""

import asyncio
from typing import Any, Final

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from illusion.web.http.limits.gcra import Gcra
from illusion.web.live.page_socket import FRAMES
from illusion.web.server.connections import ConnectionLimiter
from illusion.web.server.frame_counter import FrameCounter
from illusion.web.server.http_protocol import BAD_REQUEST, HEAD_TOO_LARGE, STALL_TIMEOUT_S

MAX_FRAME_BYTES: Final = 4 * 1024
"""A move has some fifty."""
MAX_BYTES: Final = 32 * 1024
MAX_BYTES_S: Final = 10.0
"""What a page may send within this time."""
FRAME_BYTES: Final = 128
"""What each frame counts as besides its own bytes: some eighteen moves or three pings a second are too many."""
MAX_FRAMES: Final = MAX_BYTES // FRAME_BYTES
"""At once."""
MAX_FRAGMENTS: Final = 16
"""Of one message; each of them may be empty, so that its size alone would never end it."""
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
        self._frames = FrameCounter()
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
        if not self._opened:
            self._opened = True
            self._open(self._connection, data)
        elif not self.handshake_complete or self._is_too_much(data):
            # a client must wait for the answer to its handshake (RFC 6455, 4.1); frames before it would break uvicorn
            self._connection.abort()
        else:
            super().data_received(data)

    def _open(self, connection: asyncio.Transport, head: bytes) -> None:
        refusal = _refusal(head)
        if refusal is None:
            super().data_received(head)
            if self.handshake_initiated:
                if hasattr(self, "scope"):  # else the library has refused it
                    self.scope["extensions"][FRAMES] = {"write": self.write_frames, "is_open": self.is_open}
                return
            refusal = BAD_REQUEST  # the library cannot read it, and uvicorn would say nothing for ever
        connection.write(refusal)
        connection.close()

    def _is_too_much(self, data: bytes) -> bool:
        """Whether the client has sent more than a page ever would."""
        if len(data) > MAX_BYTES:
            return True
        frames = self._frames.count(data, MAX_FRAMES)
        wait = self._received.try_charge("", len(data) + FRAME_BYTES * frames)
        return wait > 0 or frames > MAX_FRAMES or self._frames.fragments > MAX_FRAGMENTS

    def write_frames(self, frames: bytes) -> int:
        """Write what is framed already, between the messages of ASGI; returns the bytes that were not sent yet."""
        if self._connection is None or not self.is_open():
            return 0
        self._connection.write(frames)
        return self._connection.get_write_buffer_size()

    def is_open(self) -> bool:
        """Whether anything that is written may still be read."""
        return self._connection is not None and not self.close_sent and not self._connection.is_closing()

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
