"""An attacker: raw connections from an address of its own, bounded in number, time and bytes."""

import asyncio
import itertools
import re
import socket
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any, Final, TypeVar

import msgspec

from harness.siege.connection import Answer, Connection, Gone
from harness.sockets.frames import UPGRADE

SERVER: Final = "127.0.0.1"
MAX_BYTES: Final = 4_000_000_000
MAX_CONNECTIONS: Final = 1500
WITHIN_LIMITS: Final = 200
"""Requests a second that stay within the default limits (a burst of 1,000, then 100 a second) for ten seconds."""
RETRY_S: Final = 0.02
SLEEPER_BUFFER_BYTES: Final = 16 * 1024
IS_SOCKET: Final = re.compile(r"/live(\?|$)")

Result = TypeVar("Result")


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

    def goes_on(self) -> bool:
        in_time = self._seconds is None or time.monotonic() < self._began + self._seconds
        return in_time and self.received_bytes < MAX_BYTES

    def rounds(self, most: int | None = None) -> Iterator[int]:
        """Numbers of rounds, until the time is up or all rounds are done."""
        bounds = [bound for bound in (most, self._rounds) if bound is not None]
        for number in itertools.count():
            if (bounds and number >= min(bounds)) or not self.goes_on():
                return
            yield number

    def at_most(self, count: int) -> int:
        """This number, or a smaller one for a guest who counts rounds."""
        return count if self._rounds is None else min(count, self._rounds)

    async def until_the_end(self) -> None:
        """Keep connections open until the attack ends; a guest who counts rounds does not wait."""
        while self._seconds is not None and self.goes_on():
            await asyncio.sleep(0.1)

    async def side_by_side(self, one: Callable[[int], Awaitable[None]], *, lines: int, most: int | None = None) -> None:
        """Call something once per round, concurrently; if the server disconnects, go on with the next round."""
        numbers = self.rounds(most)

        async def one_after_another() -> None:
            for number in numbers:
                with suppress(Gone, TimeoutError):
                    await self.in_time(one(number))

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
        if len(self.connections) >= MAX_CONNECTIONS:
            raise Gone
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
        _, connection = await loop.create_connection(lambda: Connection(self._count, self.connections), sock=end)
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

    async def flood(
        self,
        request: Callable[[int], bytes],
        *,
        per_second: float | None = WITHIN_LIMITS,
        lines: int = 8,
    ) -> None:
        """Send requests on a few kept connections, one after another on each, at a limited rate."""
        numbers = self.rounds()
        await asyncio.gather(*(self._ask_on(numbers, request, per_second) for _ in range(lines)))

    async def _ask_on(self, numbers: Iterator[int], request: Callable[[int], bytes], per_second: float | None) -> None:
        connection: Connection | None = None
        for number in numbers:
            if per_second is not None and self._seconds is not None:
                await asyncio.sleep(max(self._began + number / per_second - time.monotonic(), 0))
            try:
                if connection is None or connection.is_closed:
                    connection = await self.connect()
                answer = await self.in_time(connection.ask(request(number)))
                if answer.is_stream:
                    connection.abort()
            except (Gone, TimeoutError):
                if connection is not None:
                    connection.abort()
                await asyncio.sleep(RETRY_S)
        if connection is not None:
            connection.abort()

    async def in_time(self, asking: Awaitable[Result]) -> Result:
        """Wait, unless the attack's time is up first."""
        async with asyncio.timeout(self.left_s() if self._began and self._seconds is not None else None):
            return await asking

    def left_s(self) -> float:
        """Wait until the attack's time is up, or a moment for a guest who counts rounds."""
        return 0.05 if self._seconds is None else max(self._began + self._seconds - time.monotonic(), 0.05)

    async def open_table(self, **options: Any) -> Own | None:
        """Open a table with the guest as host; None if the server refuses."""
        answer = await self.ask("POST", "/api/tables", body={"name": "Mallory", "seats": 2, **options})
        if answer.status != 201:
            return None
        made = answer.json()
        self.secrets += [made["table"], made["token"]]
        return Own(made["table"], [made["token"]])

    async def own_table(self, **options: Any) -> Own:
        """The first table, which is never refused."""
        own = await self.open_table(**options)
        assert own is not None
        return own

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

    async def view(self, own: Own) -> dict[str, Any]:
        seen: dict[str, Any] = (await self.ask("GET", own.path)).json()
        return seen

    async def finished_game(self) -> Own:
        """A finished game where the guest had all seats."""
        own = await self.own_game()
        view = await self.view(own)
        while not view["over"]:
            move = {"move": "doubt"} if len(view["row"]) > 2 else {"move": "place", "gap": 0}
            await self.move(own, view, move)
            view = await self.view(own)
        return own

    async def move(self, own: Own, view: dict[str, Any], move: dict[str, Any]) -> None:
        """Move for the guest's seat at turn."""
        for token in own.tokens:
            bearer = {"authorization": f"Bearer {token}"}
            answer = await self.ask("POST", f"{own.path}/moves", bearer, {**move, "seq": view["seq"]})
            if answer.status == 200:
                return
        raise AssertionError("none of the guest's seats may move")

    async def stream(
        self, path: str, headers: dict[str, str] | None = None, *, asleep: bool = False
    ) -> Connection | None:
        """Open a stream or WebSocket; None if it was refused. Asleep, only its head is read."""
        connection = await self.connect(sips=asleep)
        answer = await connection.ask(self.request("GET", path, headers))
        if answer.is_stream:
            if asleep:
                connection.read_nothing()
            return connection
        connection.abort()
        return None

    async def leave(self) -> None:
        """Close all connections."""
        for connection in list(self.connections):
            connection.abort()
        while self.connections:
            await asyncio.sleep(0)

    def _count(self, status: str, size: int) -> None:
        self.received_bytes += size
        if status:
            self.answers[status] += 1
