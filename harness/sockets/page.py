"""The WebSocket client of a page: gets messages, and moves."""

from collections.abc import Sequence
from contextlib import AbstractContextManager, ExitStack
from typing import Any, Final

import msgspec
from websockets.exceptions import InvalidStatus
from websockets.http11 import Response
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from harness.servers import Seat, Server

_messages: Final = msgspec.json.Decoder()
TIMEOUT_S: Final = 30
"""Timeout for what must come; reached only by a failing test."""


class Page:
    """Open from the beginning; a context manager closes it. Cookies prove its seats, as in a browser."""

    def __init__(
        self,
        server: Server,
        table: str,
        tokens: Sequence[str] = (),
        *,
        after: int | None = None,
        origin: str | None = "",
        headers: dict[str, str] | None = None,
    ) -> None:
        """An empty origin is the server's own, None is none. Raises InvalidStatus if it is refused."""
        sent = dict(headers or {})
        if tokens:
            sent["cookie"] = f"seat-{table}={'.'.join(tokens)}"
        self.view: dict[str, Any] = {}
        """The last view received."""
        self._unread: list[dict[str, Any]] = []
        """Messages of the last frame."""
        self._waiting: list[dict[str, Any]] = []
        path = f"/table/{table}/live" + ("" if after is None else f"?after={after}")
        self._open = ExitStack()
        self.socket = self._open.enter_context(_connection(server, path, origin, sent))

    @classmethod
    def of(cls, server: Server, seat: Seat, after: int | None = None) -> "Page":
        """The page of one seat."""
        return cls(server, seat.table, [seat.token], after=after)

    def __enter__(self) -> "Page":
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def frame(self) -> str | bytes:
        """The next frame, whatever it is."""
        return self.socket.recv(TIMEOUT_S)

    def message(self) -> dict[str, Any]:
        """The next event with the table after it, or a reaction."""
        while not self._waiting:
            told = self._told()
            if "event" in told or "reaction" in told:
                self._waiting.append(told)
        message = self._waiting.pop(0)
        self.view = message.get("view", self.view)
        return message

    def hear(self, seq: int) -> dict[str, Any]:
        """The first message with at least this number."""
        while (message := self.message()).get("seq", 0) < seq:
            pass
        return message

    def send(self, frame: bytes | str | dict[str, Any]) -> dict[str, Any]:
        """Send a move or anything else, and return the answer or problem; other messages are queued."""
        self.socket.send(frame if isinstance(frame, bytes | str) else msgspec.json.encode(frame).decode())
        while not {"answer", "problem"} & (told := self._told()).keys():
            if told:
                self._waiting.append(told)
        return told

    def who_reads(self) -> list[int]:
        """The seats in the next message on who still reads; other messages are queued."""
        while "reading" not in (told := self._told()):
            self._waiting += [told] if told else []
        seats: list[int] = told["reading"]
        return seats

    def place(self, gap: int, seq: int) -> dict[str, Any]:
        return self.send({"move": "place", "gap": gap, "seq": seq})

    def doubt(self, seq: int) -> dict[str, Any]:
        return self.send({"move": "doubt", "seq": seq})

    def _told(self) -> dict[str, Any]:
        """The next message, of which a frame may hold several; a heartbeat is empty."""
        if not self._unread:
            self._unread = _messages.decode_lines(self.frame())
        return self._unread.pop(0)


def refusal(
    server: Server, path: str, origin: str | None = "", headers: dict[str, str] | None = None
) -> tuple[int, str]:
    """Status and code with which a WebSocket is refused."""
    try:
        with _connection(server, path, origin, headers):
            raise AssertionError("it was not refused")
    except InvalidStatus as refused:
        response: Response = refused.response
        body = msgspec.json.decode(response.body or b"{}")
        return response.status_code, body.get("code", "")


def _connection(
    server: Server, path: str, origin: str | None, headers: dict[str, str] | None
) -> AbstractContextManager[ClientConnection]:
    return connect(
        f"ws://127.0.0.1:{server.port}{path}",
        origin=Origin(server.url) if origin == "" else Origin(origin) if origin else None,
        additional_headers=headers,
        compression=None,
        ping_interval=None,
        proxy=None,
        open_timeout=TIMEOUT_S,
        max_queue=None,  # it is closed at once even if it does not read
    )
