"""A story's connection to the server: over loopback, in one process. A replacement must keep `Transport`'s methods.

Nothing here is written down: a recording does not tell what carried it.
"""

import asyncio
import gzip
import socket
import threading
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any, Final, NamedTuple

from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect

from harness.playthroughs.fixed import FIXED
from illusion.tables import Pace, SqliteStore
from illusion.tables.worker import Where
from illusion.web import AppOptions, Limits, create_app
from illusion.web.live import hub
from illusion.web.serve import server_for

HOST: Final = "illusion.example"
PEOPLE: Final = "127.0.0.1"
OBSERVER: Final = "127.0.0.9"
"""The recorder's own address, so that its requests do not count towards players' limits."""
setattr(hub, "READ_TOLD_S", 0)  # noqa: B010  (at once: recordings tell the order of messages)
TIMEOUT_S: Final = 60
"""Timeout for what must come; reached only by a failing recording."""


class Answer(NamedTuple):
    """A response to a request."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes

    def header(self, name: str) -> str | None:
        return next((value for each, value in self.headers if each == name), None)


class Refused(Exception):
    """A stream or WebSocket was refused."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(answer.status)
        self.answer = answer


class Stream:
    """An open event stream."""

    def __init__(self, response: HTTPResponse) -> None:
        self.answer = _answer(response, b"")
        self._response = response

    def block(self) -> list[str]:
        """The lines up to the next blank one."""
        block = []
        while line := self._response.readline().decode().rstrip("\n"):
            block.append(line)
        return block

    def close(self) -> None:
        self._response.close()


class Socket:
    """An open WebSocket."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection
        self._unread: list[str] = []

    def send(self, text: str) -> None:
        self._connection.send(text)

    def receive(self) -> str:
        """The next message, of which a frame may hold several."""
        if not self._unread:
            self._unread = self._connection.recv(TIMEOUT_S, decode=True).split("\n")
        return self._unread.pop(0)

    def close(self) -> None:
        self._connection.close()


class Transport:
    """A server on a database, until it is stopped."""

    def __init__(self, database: Path, limits: Limits | None = None) -> None:
        """Start a server whose bots move at once, by default without limits."""
        app = create_app(
            SqliteStore(database), AppOptions(Pace(bot_s=0), limits or Limits.lifted(), drawing=Where.HERE)
        )
        self._server, self._hubs = server_for(app), app.state.context.hubs
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._port = self._listening.getsockname()[1]
        self._runner = asyncio.Runner()
        self._loop = self._runner.get_loop()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def request(
        self, method: str, path: str, headers: dict[str, str], body: bytes | None = None, address: str = PEOPLE
    ) -> Answer:
        with self._asked(method, path, headers, body, address) as response:
            return _answer(response, response.read())

    def stream(self, path: str, headers: dict[str, str], address: str = PEOPLE) -> Stream:
        response = self._asked("GET", path, headers, None, address)
        if response.status != 200:
            with response:
                raise Refused(_answer(response, response.read()))
        return Stream(response)

    def _asked(self, method: str, path: str, headers: dict[str, str], body: bytes | None, address: str) -> HTTPResponse:
        """On a new connection, which ends with the answer: kept ones time out when the story's time passes."""
        connection = HTTPConnection("127.0.0.1", self._port, TIMEOUT_S, (address, 0))
        sent = {"host": HOST, "accept-encoding": "gzip", "connection": "close"}
        connection.request(method, path, body, sent | headers)
        return connection.getresponse()

    def socket(self, path: str, headers: dict[str, str]) -> Socket:
        joined = socket.create_connection(("127.0.0.1", self._port))
        settings: dict[str, Any] = {"compression": None, "ping_interval": None, "proxy": None, "max_queue": None}
        try:
            return Socket(connect(f"ws://{HOST}{path}", sock=joined, additional_headers=headers, **settings))
        except InvalidStatus as refused:
            response = refused.response
            sent = [(name.lower(), value) for name, value in response.headers.raw_items()]
            raise Refused(Answer(response.status_code, sent, bytes(response.body or b""))) from None

    def pass_time(self, seconds: int) -> None:
        FIXED.passed_s += seconds
        self._loop.call_soon_threadsafe(lambda: None)  # it looks at its clock again

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._hubs.close)
        self._server.should_exit = True
        self._thread.join()

    def _serve(self) -> None:
        with self._listening, self._runner:
            self._runner.run(self._server.serve(sockets=[self._listening]))


def _answer(response: HTTPResponse, body: bytes) -> Answer:
    plain = gzip.decompress(body) if response.getheader("content-encoding") == "gzip" and body else body
    return Answer(response.status, [(name.lower(), value) for name, value in response.getheaders()], plain)
