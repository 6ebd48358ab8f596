"""HTTP over one connection, where a request has a size and comes within a time: nobody holds a line by dribbling."""

import asyncio
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

LARGEST_REQUEST: Final = 128 * 1024
PATIENCE: Final = 20.0
"""Seconds for a whole request to arrive, or for the first one of a new connection to begin."""


class Line(HttpToolsProtocol):
    """uvicorn's own protocol, which by itself waits for ever and reads heads of any length."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
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
        super().data_received(data)
        if not self._received or self.transport.is_closing():
            return
        self._received += len(data)
        if self._received > LARGEST_REQUEST:
            if self._in_head:
                self.send_400_response("This request is too large.")
            self.transport.close()
        elif self._late is None:
            self._late = self.loop.call_later(PATIENCE, self.transport.close)

    def on_message_begin(self) -> None:
        self._received, self._in_head = 1, True
        super().on_message_begin()

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
