"""The wires on which players hear a server: event streams and WebSockets; as lean as Python allows.

Everything happens in the callbacks of asyncio's protocols (on uvloop), without tasks, so that the client costs little
beside the server it measures.
"""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

HOST = "127.0.0.1"
NO_HEADERS: Mapping[str, str] = {}
UPGRADE = (
    "upgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-version: 13\r\n"
    "sec-websocket-key: aWxsdXNpb24tcGxheWVycw==\r\n"
)


def loopback_address(number: int) -> str:
    """One of the 15 million addresses by which a machine can reach itself, another one for each number."""
    return f"127.{1 + number // 62_500}.{number // 250 % 250}.{1 + number % 250}"


def head_lines(headers: Mapping[str, str]) -> str:
    return "".join(f"{name}: {value}\r\n" for name, value in {"host": HOST, **headers}.items())


class EventStream(asyncio.Protocol):
    """Server-sent events: `told` is called with the number and the data of each, `lost` when the stream ends."""

    def __init__(
        self,
        path: str,
        told: Callable[[int, bytes], object],
        headers: Mapping[str, str] = NO_HEADERS,
        lost: Callable[[], object] = lambda: None,
    ) -> None:
        self.head = f"GET {path} HTTP/1.1\r\n{head_lines(headers)}accept: text/event-stream\r\n\r\n"
        self.told = told
        self.lost = lost
        self.got = b""

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        transport.write(self.head.encode())

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        self.lost()

    def data_received(self, data: bytes) -> None:
        got = self.got + data if self.got else data
        end = got.find(b"\n\n")
        while end >= 0:
            at = got.find(b"id: ", 0, end)
            if at >= 0:
                line = got.find(b"\ndata: ", at, end)
                self.told(int(got[at + 4 : got.find(b"\n", at)]), got[line + 7 : end])
            got = got[end + 2 :]
            end = got.find(b"\n\n")
        self.got = got


class WebSocket(asyncio.Protocol):
    """Text and binary messages (RFC 6455). We mask with zeros, which leaves the bytes as they are."""

    def __init__(
        self,
        path: str,
        opened: Callable[[], object],
        told: Callable[[bytes], object],
        headers: Mapping[str, str] = NO_HEADERS,
        lost: Callable[[], object] = lambda: None,
    ) -> None:
        """`lost` is called when the connection ends; a server that does not want to speak shows in `refusal`."""
        self.head = f"GET {path} HTTP/1.1\r\n{head_lines(headers)}{UPGRADE}\r\n"
        self.opened = opened
        self.told = told
        self.lost = lost
        self.refusal = b""
        self.got = b""
        self.shaken = False

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        transport.write(self.head.encode())

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        self.lost()

    def send(self, message: bytes, kind: int = 1) -> None:
        size = len(message)
        length = bytes([0x80 | size]) if size < 126 else b"\xfe" + size.to_bytes(2)
        self.transport.write(bytes([0x80 | kind]) + length + b"\0\0\0\0" + message)

    def data_received(self, data: bytes) -> None:
        got = self.got + data if self.got else data
        if not self.shaken:
            end = got.find(b"\r\n\r\n")
            if end < 0:
                self.got = got
                return
            if not got.startswith(b"HTTP/1.1 101"):
                self.refusal = got
                self.transport.close()
                return
            self.shaken, got = True, got[end + 4 :]
            self.opened()
        while len(got) >= 2:
            size, start = got[1], 2
            if size == 126:
                size, start = int.from_bytes(got[2:4]), 4
            elif size == 127:
                size, start = int.from_bytes(got[2:10]), 10
            if len(got) < start + size:
                break
            kind, message = got[0] & 15, got[start : start + size]
            got = got[start + size :]
            if kind == 9:
                self.send(message, 10)
            elif kind in (1, 2):
                self.told(message)
        self.got = got
