"""A raw TCP connection of a client that may send anything, and read or not. Data that nothing awaits is dropped."""

import asyncio
import gzip
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import msgspec

SWITCHING_PROTOCOLS: Final = 101
STATUS: Final = re.compile(rb"HTTP/1\.1 (\d{3}) ")
LENGTH: Final = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
CLOSE: Final = re.compile(rb"\r\nconnection: *close", re.IGNORECASE)
GZIP: Final = re.compile(rb"\r\ncontent-encoding: *gzip", re.IGNORECASE)
STREAM: Final = re.compile(rb"\r\ncontent-type: *text/event-stream", re.IGNORECASE)


class Gone(Exception):
    """The server closed or refused the connection."""


@dataclass(frozen=True)
class Answer:
    """A response; without a body for streams and WebSockets."""

    status: int
    head: bytes
    body: bytes

    @property
    def is_stream(self) -> bool:
        return self.status == SWITCHING_PROTOCOLS or STREAM.search(self.head) is not None

    def json(self) -> Any:
        return msgspec.json.decode(gzip.decompress(self.body) if GZIP.search(self.head) else self.body)


class Connection(asyncio.Protocol):
    """Reports received data by `count(status, bytes)`; the status is empty unless an answer was awaited."""

    def __init__(self, count: Callable[[str, int], None], among: "set[Connection]") -> None:
        self._count = count
        self._among = among
        self._got = bytearray()
        self._awaited: asyncio.Future[Answer] | None = None
        self.is_closed = False
        self.received_bytes = 0

    def connection_made(self, transport: Any) -> None:
        self._transport = transport
        self._among.add(self)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        self.is_closed = True
        self._among.discard(self)
        if self._awaited is not None and not self._awaited.done():
            self._count("cut", 0)
            self._awaited.set_exception(Gone())

    def send(self, data: bytes) -> None:
        """Send without blocking: unsent data is buffered in memory, so only for bounded floods."""
        if not self.is_closed:
            self._transport.write(data)

    def unsent_bytes(self) -> int:
        """Unsent bytes."""
        size: int = self._transport.get_write_buffer_size()
        return size

    def read_nothing(self) -> None:
        self._transport.pause_reading()

    def abort(self) -> None:
        """Close at once; with unread data this is a reset."""
        self.is_closed = True
        self._transport.abort()

    async def ask(self, request: bytes) -> Answer:
        """Send a request and wait for the whole answer, or for the head of a stream."""
        if self.is_closed:
            raise Gone
        self._got.clear()
        self._awaited = asyncio.get_running_loop().create_future()
        self._transport.write(request)
        try:
            answer = await self._awaited
            if CLOSE.search(answer.head):
                self.abort()
            return answer
        except asyncio.CancelledError:
            self.abort()  # a late answer would be taken for the next one
            raise
        finally:
            self._awaited = None

    def data_received(self, data: bytes) -> None:
        self.received_bytes += len(data)
        self._count("", len(data))
        if self._awaited is None or self._awaited.done():
            return
        self._got += data
        end = self._got.find(b"\r\n\r\n")
        if end < 0:
            return
        head = bytes(self._got[:end])
        status, length = STATUS.match(head), LENGTH.search(head)
        if status is None:
            self.abort()
            return
        size = int(length.group(1)) if length else 0
        if len(self._got) >= end + 4 + size:
            self._count(status.group(1).decode(), 0)
            self._awaited.set_result(Answer(int(status.group(1)), head, bytes(self._got[end + 4 : end + 4 + size])))
