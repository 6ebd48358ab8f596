"""An attacker: raw connections from an address of its own, which may send anything, and read or not.

Data that nothing awaits is dropped.
"""

import asyncio
import itertools
import re
import socket
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import msgspec

from harness.sockets.frames import UPGRADE

SERVER: Final = "127.0.0.1"
WITHIN_LIMITS: Final = 200
"""Requests a second that stay within the default limits (a burst of 1,000, then 100 a second) for ten seconds."""
RETRY_S: Final = 0.02
SLEEPER_BUFFER_BYTES: Final = 16 * 1024
IS_SOCKET: Final = re.compile(r"/live(\?|$)")
STATUS: Final = re.compile(rb"HTTP/1\.1 (\d{3}) ")
LENGTH: Final = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
CLOSE: Final = re.compile(rb"\r\nconnection: *close", re.IGNORECASE)
STREAM: Final = re.compile(rb" 101 |\r\ncontent-type: *text/event-stream", re.IGNORECASE)

Result = TypeVar("Result")


class Gone(Exception):
    """The server closed the connection, or refused it or a table."""


class Own(msgspec.Struct):
    """A table that the guest opened, and the tokens of the guest's seats there."""

    table: str
    tokens: list[str]

    @property
    def path(self) -> str:
        return f"/api/tables/{self.table}"

    @property
    def bearer(self) -> dict[str, str]:
        """The Bearer header of the host's seat."""
        return {"authorization": f"Bearer {self.tokens[0]}"}

    @property
    def cookie(self) -> dict[str, str]:
        """The cookie of the host's seat."""
        return {"cookie": f"seat-{self.table}={self.tokens[0]}"}


@dataclass(frozen=True)
class Answer:
    """A response; without a body for streams and WebSockets."""

    status: int
    head: bytes
    body: bytes

    @property
    def is_stream(self) -> bool:
        return STREAM.search(self.head) is not None

    def json(self) -> Any:
        return msgspec.json.decode(self.body)


class Connection(asyncio.Protocol):
    """One TCP connection of a guest, who counts what comes."""

    def __init__(self, guest: "Guest") -> None:
        self._guest = guest
        self._got = bytearray()
        self._awaited: asyncio.Future[Answer] | None = None
        self.is_closed = False
        self.received_bytes = 0

    def connection_made(self, transport: Any) -> None:
        self._transport = transport
        self._guest.connections.add(self)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        self.is_closed = True
        self._guest.connections.discard(self)
        if self._awaited is not None and not self._awaited.done():
            self._guest.answers["cut"] += 1
            self._awaited.set_exception(Gone())

    def send(self, data: bytes) -> None:
        """Send without blocking: unsent data is buffered in memory, so only for bounded floods."""
        if not self.is_closed:
            self._transport.write(data)

    def unsent_bytes(self) -> int:
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
        self._guest.received_bytes += len(data)
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
        whole = end + 4 + (int(length[1]) if length else 0)
        if len(self._got) >= whole:
            self._guest.answers[status[1].decode()] += 1
            self._awaited.set_result(Answer(int(status[1]), head, bytes(self._got[end + 4 : whole])))


class Guest:
    """Attacks for some seconds, or for a number of rounds; `answers` counts answers by status."""

    def __init__(
        self,
        port: int,
        *,
        seconds: float | None = None,
        rounds: int | None = None,
        source: str = SERVER,
        known: Sequence[Own] = (),
        wait_for_the_word: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        self.port = port
        self.known = known
        """Tables from the preparation."""
        self.answers: Counter[str] = Counter()
        """`cut` counts connections that were closed instead."""
        self.received_bytes = 0
        self.secrets: list[str] = []
        """Tables and tokens of the guest, which must not appear anywhere else, such as in the log."""
        self.connections: set[Connection] = set()
        self._seconds = seconds
        self._rounds = rounds
        self._source = source
        self._wait_for_the_word = wait_for_the_word
        self._began = 0.0

    async def ready(self) -> None:
        """End the preparation: from now on the guest attacks, and answers count."""
        if self._wait_for_the_word is not None:
            await self._wait_for_the_word()
        self.answers.clear()
        self._began = time.monotonic()

    def left_s(self) -> float:
        """Until the attack's time is up; a moment for a guest who counts rounds."""
        return 0.0 if self._seconds is None else max(self._began + self._seconds - time.monotonic(), 0.0)

    def rounds(self, most: int | None = None) -> Iterator[int]:
        """Numbers of rounds, until the time is up or all rounds are done."""
        bounds = [bound for bound in (most, self._rounds) if bound is not None]
        for number in itertools.count():
            if (bounds and number >= min(bounds)) or not (self._seconds is None or self.left_s()):
                return
            yield number

    def at_most(self, count: int) -> int:
        """This number, or a smaller one for a guest who counts rounds."""
        return count if self._rounds is None else min(count, self._rounds)

    async def until_the_end(self) -> None:
        """Keep connections open until the attack ends; a guest who counts rounds does not wait."""
        await asyncio.sleep(self.left_s())

    async def in_time(self, asking: Awaitable[Result]) -> Result:
        """Wait, unless the attack's time is up first."""
        async with asyncio.timeout(max(self.left_s(), 0.05) if self._began and self._seconds is not None else None):
            return await asking

    async def side_by_side(
        self, one: Callable[[int], Awaitable[object]], *, lines: int, most: int | None = None
    ) -> None:
        """Call something once per round, concurrently; if the server disconnects, go on with the next round."""
        numbers = self.rounds(most)

        async def one_after_another() -> None:
            for number in numbers:
                with suppress(Gone, TimeoutError):
                    await self.in_time(one(number))

        await asyncio.gather(*(one_after_another() for _ in range(lines)))

    async def flood(
        self, request: Callable[[int], bytes], *, per_second: float = WITHIN_LIMITS, lines: int = 8
    ) -> None:
        """Send requests on a few kept connections, one after another on each, at a limited rate."""
        numbers = self.rounds()

        async def one_after_another() -> None:
            connection: Connection | None = None
            for number in numbers:
                if self._seconds is not None:
                    await asyncio.sleep(max(self._began + number / per_second - time.monotonic(), 0))
                try:
                    if connection is None or connection.is_closed:
                        connection = await self.connect()
                    if (await self.in_time(connection.ask(request(number)))).is_stream:
                        connection.abort()
                except (Gone, TimeoutError):
                    await asyncio.sleep(RETRY_S)
            if connection is not None:
                connection.abort()

        await asyncio.gather(*(one_after_another() for _ in range(lines)))

    def request(
        self, method: str, path: str, headers: dict[str, str] | None = None, body: bytes | object = None, host: str = ""
    ) -> bytes:
        """A request with our own origin, so that cookies count; for the URL of a WebSocket, its handshake."""
        content = b"" if body is None else body if isinstance(body, bytes) else msgspec.json.encode(body)
        own = host or f"{SERVER}:{self.port}"
        fields = {"host": own, "origin": f"http://{own}"}
        fields |= UPGRADE if method == "GET" and IS_SOCKET.search(path) else {"content-length": str(len(content))}
        fields |= headers or {}
        head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        return f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode("latin-1") + content

    async def connect(self, *, asleep: bool = False, sips: bool = False) -> Connection:
        """Open a connection. One that sips has the smallest receive buffer; one asleep also reads nothing."""
        loop, end = asyncio.get_running_loop(), socket.socket()
        end.settimeout(0)
        if asleep or sips:
            end.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SLEEPER_BUFFER_BYTES)
        try:
            end.bind((self._source, 0))
            await loop.sock_connect(end, (SERVER, self.port))
        except OSError:
            end.close()
            self.answers["no connection"] += 1
            raise Gone from None
        _, connection = await loop.create_connection(lambda: Connection(self), sock=end)
        if asleep:
            connection.read_nothing()
        return connection

    @asynccontextmanager
    async def connected(self) -> AsyncIterator[Connection]:
        connection = await self.connect()
        try:
            yield connection
        finally:
            connection.abort()

    async def ask(self, method: str, path: str, headers: dict[str, str] | None = None, body: object = None) -> Answer:
        """Send a request on a new connection; returns the answer."""
        async with self.connected() as connection:
            return await connection.ask(self.request(method, path, headers, body))

    async def stream(
        self, path: str, headers: dict[str, str] | None = None, *, asleep: bool = False
    ) -> Connection | None:
        """Open a stream or WebSocket; None if it was refused. Asleep, only its head is read."""
        connection = await self.connect(sips=asleep)
        if not (await connection.ask(self.request("GET", path, headers))).is_stream:
            connection.abort()
            return None
        if asleep:
            connection.read_nothing()
        return connection

    async def own_table(self, **options: Any) -> Own:
        """Open a table with the guest as host; Gone if the server opens none."""
        answer = await self.ask("POST", "/api/tables", body={"name": "Mallory", "seats": 2, **options})
        if answer.status != 201:
            raise Gone
        made = answer.json()
        self.secrets += [made["table"], made["token"]]
        return Own(made["table"], [made["token"]])

    async def own_game(self, people: int = 2, **options: Any) -> Own:
        """A dealt table where the guest has all seats."""
        own = await self.own_table(**{"seats": people, **options})
        for _ in range(people - 1):
            sat = await self.ask("POST", f"{own.path}/seats", body={"name": "Trudy"})
            own.tokens.append(sat.json()["token"])
        self.secrets += own.tokens
        started = await self.ask("POST", f"{own.path}/start", own.bearer)
        assert started.status == 200, started.body
        return own

    async def finished_game(self, row: int = 3, **options: Any) -> Own:
        """A game where the guest had all seats, and doubted rows so long, or only when the deck was empty."""
        own = await self.own_game(**options)
        while not (view := await self.view(own))["over"]:
            await self.move(own, view, doubt=len(view["row"]) >= row or not view["next_card"])
        return own

    async def view(self, own: Own) -> dict[str, Any]:
        seen: dict[str, Any] = (await self.ask("GET", own.path)).json()
        return seen

    async def move(self, own: Own, view: dict[str, Any], *, doubt: bool) -> None:
        """Doubt, or lay a card at the arrow, for the guest's seat at turn."""
        move = {"move": "doubt"} if doubt else {"move": "place", "gap": 0}
        for token in own.tokens:
            bearer = {"authorization": f"Bearer {token}"}
            answer = await self.ask("POST", f"{own.path}/moves", bearer, {**move, "seq": view["seq"]})
            if answer.status == 200:
                return
        raise AssertionError("none of the guest's seats may move")

    async def leave(self) -> None:
        """Close all connections."""
        for connection in list(self.connections):
            connection.abort()
        while self.connections:
            await asyncio.sleep(0)
