"""HTTP between players and a server: questions over kept connections, in callbacks and without tasks (see `wire`)."""

import asyncio
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import msgspec

from bench.load.wire import HOST, head_lines

LOST = 0
"""The status of a question to which no answer came."""


class Answer(NamedTuple):
    """What a server said."""

    status: int
    head: bytes = b""
    content: bytes = b""


Answered = Callable[[Answer], object]


def unchunked(data: bytes) -> bytes | None:
    """The content of a body in chunks (RFC 9112, 7.1), or None while it is not complete."""
    at, found = 0, list[bytes]()
    while (end := data.find(b"\r\n", at)) >= 0:
        size = int(data[at:end], 16)
        if size == 0:
            return b"".join(found) if len(data) >= end + 4 else None
        found.append(data[end + 2 : end + 2 + size])
        at = end + 2 + size + 2
    return None


class _Line(asyncio.Protocol):
    """One kept HTTP connection, on which one question at a time is asked."""

    def __init__(self, pool: "Lines") -> None:
        self.pool = pool
        self.got = b""
        self.asked = b""
        self.then: Answered | None = None
        self.is_fresh = True

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
        head = got[:end]
        at = head.lower().find(b"content-length:")
        content: bytes | None = got[end + 4 :]
        if at < 0:
            content = unchunked(got[end + 4 :])
        elif len(got) < end + 4 + int(head[at + 15 : at + 25].split(b"\r", 1)[0]):
            return
        if content is None:
            return
        then, self.then, self.got, self.is_fresh = self.then, None, b"", False
        self.pool.free(self)
        assert then is not None
        then(Answer(int(head[9:12]), head, content))

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        then, self.then = self.then, None
        self.pool.gone(self)
        if then is None:
            return
        if self.is_fresh:
            then(Answer(LOST))
        else:  # closed while idle, just as the question was sent: ask again on another line
            self.pool.ask(self.asked, then, fresh=True)


class Lines:
    """Kept connections for questions: a browser's, or those of all players of a process as behind a reverse proxy."""

    def __init__(self, port: int, address: str | None = None, most: int | None = None) -> None:
        """`most` connections are open at once; other questions wait for one."""
        self.port = port
        self.local = None if address is None else (address, 0)
        self.most = most
        self.idle: list[_Line] = []
        self.busy: set[_Line] = set()
        self.opening: set[asyncio.Task[None]] = set()
        self.waiting: deque[tuple[bytes, Answered]] = deque()

    def ask(self, request: bytes, then: Answered, *, fresh: bool = False) -> None:
        """Without an answer, because the server is gone, `then` is called with the status LOST."""
        if self.idle and not fresh:
            line = self.idle.pop()
            self.busy.add(line)
            line.ask(request, then)
        elif self.most is not None and len(self.idle) + len(self.busy) + len(self.opening) >= self.most:
            self.waiting.append((request, then))
        else:
            task = asyncio.ensure_future(self._open(request, then))
            self.opening.add(task)
            task.add_done_callback(self._opened)

    async def _open(self, request: bytes, then: Answered) -> None:
        loop = asyncio.get_running_loop()
        try:
            _, line = await loop.create_connection(lambda: _Line(self), HOST, self.port, local_addr=self.local)
        except OSError:
            then(Answer(LOST))
        else:
            self.busy.add(line)
            line.ask(request, then)

    def _opened(self, task: "asyncio.Task[None]") -> None:
        self.opening.discard(task)
        self._ask_next()

    def _ask_next(self) -> None:
        """The question that has waited longest, if there is room for it now."""
        if self.waiting:
            self.ask(*self.waiting.popleft())

    def free(self, line: _Line) -> None:
        self.busy.discard(line)
        self.idle.append(line)
        self._ask_next()

    def gone(self, line: _Line) -> None:
        self.busy.discard(line)
        if line in self.idle:
            self.idle.remove(line)
        self._ask_next()

    async def answer(self, request: bytes) -> Answer:
        """Ask and wait, for what is not hot."""
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self.ask(request, lambda told: None if answer.done() else answer.set_result(told))
        return await answer

    async def post(self, path: str, body: object, token: str = "") -> Any:
        told = await self.answer(move_request(path, msgspec.json.encode(body), token))
        assert told.status in (200, 201), (path, told)
        return msgspec.json.decode(told.content)

    def close(self) -> None:
        """Nobody gets an answer any more."""
        self.waiting.clear()
        for task in self.opening:
            task.cancel()
        for line in (*self.idle, *self.busy):
            line.then = None
            line.transport.close()


def request(method: str, path: str, headers: Mapping[str, str], body: bytes = b"") -> bytes:
    length = f"content-length: {len(body)}\r\n" if body or method == "POST" else ""
    return f"{method} {path} HTTP/1.1\r\n{head_lines(headers)}{length}\r\n".encode() + body


def move_request(path: str, body: bytes, token: str | None = None) -> bytes:
    """A program's POST."""
    held = {"authorization": f"Bearer {token}"} if token else {}
    return request("POST", path, {**held, "content-type": "application/json"}, body)
