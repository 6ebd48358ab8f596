"""The wires between players and a server: kept HTTP connections, event streams, WebSockets; as lean as Python allows.

Everything happens in the callbacks of asyncio's protocols (on uvloop), without tasks, so that the client costs little
beside the server it measures.
"""

import asyncio
import base64
from collections.abc import Callable
from typing import Any

import msgspec

HOST = "127.0.0.1"
Answered = Callable[[int, bytes], object]


class _Line(asyncio.Protocol):
    """One kept HTTP connection, on which one question at a time is asked."""

    def __init__(self, pool: "Posts") -> None:
        self.pool = pool
        self.got = b""
        self.asked = b""
        self.then: Answered | None = None

    def connection_made(self, transport: Any) -> None:
        self.transport = transport

    def ask(self, request: bytes, then: Answered) -> None:
        self.asked, self.then = request, then
        self.transport.write(request)

    def data_received(self, data: bytes) -> None:
        self.got = got = self.got + data
        end = got.find(b"\r\n\r\n")
        if end < 0:
            return
        head = got[:end].lower()
        at = head.find(b"content-length:")
        assert at > 0, head
        length = int(head[at + 15 : at + 25].split(b"\r", 1)[0])
        if len(got) < end + 4 + length:
            return
        then, self.then, self.got = self.then, None, b""
        self.pool.idle.append(self)
        assert then is not None
        then(int(head[9:12]), got[end + 4 :])

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        if self in self.pool.idle:
            self.pool.idle.remove(self)
        elif self.then is not None:  # closed while idle, just as the question was sent: ask again on another line
            self.pool.ask(self.asked, self.then)


class Posts:
    """Connections for questions, shared by all players of a process as behind a reverse proxy."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.idle: list[_Line] = []
        self.opening: set[asyncio.Task[None]] = set()

    def ask(self, request: bytes, then: Answered) -> None:
        if self.idle:
            self.idle.pop().ask(request, then)
        else:
            task = asyncio.ensure_future(self._open(request, then))
            self.opening.add(task)
            task.add_done_callback(self.opening.discard)

    async def _open(self, request: bytes, then: Answered) -> None:
        loop = asyncio.get_running_loop()
        _, line = await loop.create_connection(lambda: _Line(self), HOST, self.port)
        line.ask(request, then)

    async def post(self, path: str, body: object, token: str = "") -> Any:
        """Ask and wait, for what is not hot."""
        answer: asyncio.Future[tuple[int, bytes]] = asyncio.get_running_loop().create_future()
        self.ask(request(path, msgspec.json.encode(body), token), lambda *told: answer.set_result(told))
        status, content = await answer
        assert status in (200, 201), (path, status, content)
        return msgspec.json.decode(content)


def request(path: str, body: bytes, token: str | None = None) -> bytes:
    held = f"authorization: Bearer {token}\r\n" if token else ""
    head = f"POST {path} HTTP/1.1\r\nhost: {HOST}\r\n{held}content-type: application/json\r\n"
    return f"{head}content-length: {len(body)}\r\n\r\n".encode() + body


class EventStream(asyncio.Protocol):
    """Server-sent events: `told` is called with the number and the data of each."""

    def __init__(self, path: str, told: Callable[[int, bytes], object]) -> None:
        self.path = path
        self.told = told
        self.got = b""

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        transport.write(f"GET {self.path} HTTP/1.1\r\nhost: {HOST}\r\naccept: text/event-stream\r\n\r\n".encode())

    def data_received(self, data: bytes) -> None:
        got = self.got + data if self.got else data
        end = got.find(b"\n\n")
        while end >= 0:
            at = got.find(b"id: ", 0, end)
            if at >= 0:
                line = got.find(b"\ndata: ", at, end)
                self.told(int(got[at + 4 : line]), got[line + 7 : end])
            got = got[end + 2 :]
            end = got.find(b"\n\n")
        self.got = got


class WebSocket(asyncio.Protocol):
    """Text and binary messages. We mask with zeros, which leaves the bytes as they are."""

    def __init__(self, path: str, opened: Callable[[], object], told: Callable[[bytes], object]) -> None:
        self.path = path
        self.opened = opened
        self.told = told
        self.got = b""
        self.shaken = False

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        key = base64.b64encode(b"illusion-players").decode()
        head = f"GET {self.path} HTTP/1.1\r\nhost: {HOST}\r\nupgrade: websocket\r\nconnection: Upgrade\r\n"
        transport.write(f"{head}sec-websocket-version: 13\r\nsec-websocket-key: {key}\r\n\r\n".encode())

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
            assert got.startswith(b"HTTP/1.1 101"), got
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
