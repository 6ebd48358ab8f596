"""Lean clients of event streams, WebSockets and HTTP.

Everything happens in the callbacks of asyncio's protocols (on uvloop), without tasks, so that the client costs little
beside the server it measures.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import msgspec

HOST = "127.0.0.1"
NO_HEADERS: Mapping[str, str] = {}
UPGRADE = (
    "upgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-version: 13\r\n"
    "sec-websocket-key: aWxsdXNpb24tcGxheWVycw==\r\n"
)
MOST_LINES = 6
"""Connections of a pool, as many as a browser has."""
LOST = 0
"""The status of a request without an answer."""


def loopback_address(number: int) -> str:
    """A loopback address, a different one for each number (of 15 million)."""
    return f"127.{1 + number // 62_500}.{number // 250 % 250}.{1 + number % 250}"


def request(method: str, path: str, headers: Mapping[str, str] = NO_HEADERS, body: bytes = b"") -> bytes:
    length = f"content-length: {len(body)}\r\n" if body or method == "POST" else ""
    lines = "".join(f"{name}: {value}\r\n" for name, value in {"host": HOST, **headers}.items())
    return f"{method} {path} HTTP/1.1\r\n{lines}{length}\r\n".encode() + body


def program_request(path: str, body: bytes, token: str | None = None) -> bytes:
    """A program's POST."""
    held = {"authorization": f"Bearer {token}"} if token else {}
    return request("POST", path, {**held, "content-type": "application/json"}, body)


class EventStream(asyncio.Protocol):
    """Server-sent events: `told` is called with the number and the data of each. Chunks are taken for other lines."""

    def __init__(self, path: str, told: Callable[[int, bytes], object]) -> None:
        self.path = path
        self.told = told
        self.got = b""

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        transport.write(request("GET", self.path, {"accept": "text/event-stream"}))

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
        self, path: str, headers: Mapping[str, str], told: Callable[[bytes], object], lost: Callable[[], object]
    ) -> None:
        """`lost` is called when the connection ends, also of a server that does not want to speak."""
        self.head = request("GET", path, headers)[:-2] + UPGRADE.encode() + b"\r\n"
        self.told = told
        self.lost = lost
        self.got = b""
        self.is_open = False

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        transport.write(self.head)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        self.lost()

    def send(self, message: bytes, kind: int = 1) -> None:
        size = len(message)
        length = bytes([0x80 | size]) if size < 126 else b"\xfe" + size.to_bytes(2)
        self.transport.write(bytes([0x80 | kind]) + length + b"\0\0\0\0" + message)

    def data_received(self, data: bytes) -> None:
        got = self.got + data if self.got else data
        if not self.is_open:
            end = got.find(b"\r\n\r\n")
            if end < 0:
                self.got = got
                return
            if not got.startswith(b"HTTP/1.1 101"):
                self.transport.close()
                return
            self.is_open, got = True, got[end + 4 :]
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


class Answer(NamedTuple):
    """A server's answer."""

    status: int
    head: bytes = b""
    content: bytes = b""


Answered = Callable[[Answer], object]


class _Line(asyncio.Protocol):
    """A keep-alive HTTP connection with one request at a time. Answers must have a Content-Length."""

    def __init__(self, pool: "Lines") -> None:
        self.pool = pool
        self.got = b""
        self.asked = b""
        self.then: Answered | None = None
        self.is_fresh = True

    def connection_made(self, transport: Any) -> None:
        self.transport = transport

    def ask(self, asked: bytes, then: Answered) -> None:
        self.asked, self.then = asked, then
        self.transport.write(asked)

    def data_received(self, data: bytes) -> None:
        self.got = got = self.got + data
        end = got.find(b"\r\n\r\n")
        if end < 0:
            return
        head = got[:end]
        at = head.lower().find(b"content-length:")
        assert at >= 0, head
        if len(got) < end + 4 + int(head[at + 15 : at + 25].split(b"\r", 1)[0]):
            return
        then, self.then, self.got, self.is_fresh = self.then, None, b"", False
        self.pool.is_free(self)
        assert then is not None
        then(Answer(int(head[9:12]), head, got[end + 4 :]))

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        self.pool.is_gone(self)


class Lines:
    """A connection pool; requests beyond its size are queued."""

    def __init__(self, port: int, address: str | None = None) -> None:
        self.port = port
        self.local = None if address is None else (address, 0)
        self.open: set[_Line] = set()
        self.idle: list[_Line] = []
        self.opening: set[asyncio.Task[None]] = set()
        self.waiting: deque[tuple[bytes, Answered]] = deque()

    def ask(self, asked: bytes, then: Answered) -> None:
        """Send a request; `then` is called with the answer, or with the status LOST if the server is gone."""
        self.waiting.append((asked, then))
        self._go_on()

    def _go_on(self) -> None:
        """Send queued requests on free connections, and open more for the others."""
        while self.waiting and self.idle:
            self.idle.pop().ask(*self.waiting.popleft())
        while len(self.opening) < min(len(self.waiting), MOST_LINES - len(self.open)):
            task = asyncio.ensure_future(self._open())
            self.opening.add(task)
            task.add_done_callback(self._opened)

    async def _open(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            _, line = await loop.create_connection(lambda: _Line(self), HOST, self.port, local_addr=self.local)
        except OSError:
            if self.waiting:
                _, then = self.waiting.popleft()
                then(Answer(LOST))
        else:
            self.open.add(line)
            self.idle.append(line)

    def _opened(self, task: "asyncio.Task[None]") -> None:
        self.opening.discard(task)
        self._go_on()

    def is_free(self, line: _Line) -> None:
        self.idle.append(line)
        self._go_on()

    def is_gone(self, line: _Line) -> None:
        """What was asked of a connection that was closed while it was idle is asked again."""
        self.open.discard(line)
        if line in self.idle:
            self.idle.remove(line)
        if line.then is not None and line.is_fresh:
            line.then(Answer(LOST))
        elif line.then is not None:
            self.waiting.appendleft((line.asked, line.then))
        self._go_on()

    async def answer(self, asked: bytes) -> Answer:
        """Send a request and await the answer."""
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self.ask(asked, lambda told: None if answer.done() else answer.set_result(told))
        return await answer

    async def post(self, path: str, body: object, token: str = "") -> Any:
        told = await self.answer(program_request(path, msgspec.json.encode(body), token))
        assert told.status in (200, 201), (path, told)
        return msgspec.json.decode(told.content)

    def close(self) -> None:
        """Close all connections; pending requests get no answer."""
        self.waiting.clear()
        for task in self.opening:
            task.cancel()
        for line in self.open:
            line.then = None
            line.transport.close()
