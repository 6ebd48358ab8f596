"""The application called as an ASGI server calls it, in this process: streams and sockets without a network."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

from starlette.applications import Starlette
from starlette.testclient import WebSocketTestSession
from starlette.types import Message, Scope

from illusion.rules import Doubt, Place
from illusion.tables import Pace, SqliteStore, Table, TableService
from illusion.tables.model import commands
from illusion.tables.model.entries import AnyEntry
from illusion.tables.worker import Where
from illusion.web import AppOptions, Limits, create_app
from illusion.web.context import AppContext

TIMEOUT_S: Final = 30
"""Timeout for what must come; reached only by a failing test."""


@asynccontextmanager
async def running_app(folder: Path, limits: Limits | None = None) -> AsyncIterator[tuple[Starlette, AppContext]]:
    """A pace at which bots never move."""
    options = AppOptions(Pace(bot_s=1e6), limits or Limits.lifted(), drawing=Where.THREAD)
    app = create_app(SqliteStore(folder / "tables.db"), options)
    async with app.router.lifespan_context(app):
        yield app, app.state.context


class Connection:
    """A stream or WebSocket. Its client reads unless `reads` is cleared, and may break or hang up."""

    def __init__(self, app: Starlette, path: str, query: str = "", cookie: str = "", kind: str = "http") -> None:
        scope: Scope = {
            "type": kind,
            "method": "GET",
            "scheme": "ws" if kind == "websocket" else "http",
            "path": path,
            "query_string": query.encode(),
            "headers": [(b"host", b"x"), (b"origin", b"http://x"), (b"cookie", cookie.encode())],
            "client": ("127.0.0.1", 1),
            "extensions": {"websocket.http.response": {}},
        }
        if kind == "websocket":
            del scope["method"]
        self.sent: list[Message] = []
        self.reads = asyncio.Event()
        self.reads.set()
        self.breaks = False
        self._heard = asyncio.Event()
        self._received = asyncio.Queue[Message]()
        self._received.put_nowait({"type": "http.request"} if kind == "http" else {"type": "websocket.connect"})
        self.task = asyncio.create_task(app(scope, self._received.get, self._send))

    async def _send(self, message: Message) -> None:
        await self.reads.wait()
        if self.breaks:
            raise OSError("the connection broke")
        self.sent.append(message)
        self._heard.set()

    async def until(self, is_so: Callable[[], bool]) -> None:
        async with asyncio.timeout(TIMEOUT_S):
            while not is_so():
                self._heard.clear()
                await self._heard.wait()

    async def hang_up(self) -> None:
        kind = self.sent[0]["type"].partition(".")[0] if self.sent else "http"
        self._received.put_nowait({"type": f"{kind}.disconnect", "code": 1001})
        await self.task


class Stream(Connection):
    """An event stream, as a program reads it."""

    @property
    def pieces(self) -> list[str]:
        return [message["body"].decode() for message in self.sent if message.get("body")]

    @property
    def heard(self) -> list[int]:
        """The numbers of all events received."""
        lines = "".join(self.pieces).splitlines()
        return [int(line.removeprefix("id: ")) for line in lines if line.startswith("id: ")]

    @property
    def has_ended(self) -> bool:
        return self.sent[-1]["type"] == "http.response.body" and not self.sent[-1].get("more_body", False)

    async def hear(self, seq: int) -> None:
        await self.until(lambda: seq in self.heard)


class Page(Connection):
    """A page's socket."""

    def __init__(self, app: Starlette, table: str, tokens: list[str] | None = None, after: int = 0) -> None:
        cookie = f"seat-{table}={'.'.join(tokens or [])}"
        super().__init__(app, f"/table/{table}/live", f"after={after}", cookie, "websocket")

    @property
    def sent_texts(self) -> list[str]:
        """Each holds one or more messages."""
        return [message["text"] for message in self.sent if message["type"] == "websocket.send"]

    @property
    def texts(self) -> list[str]:
        return [text for some in self.sent_texts for text in some.split("\n")]

    @property
    def told(self) -> list[dict[str, Any]]:
        return [json.loads(text) for text in self.texts]

    @property
    def messages(self) -> list[dict[str, Any]]:
        """Messages with an event."""
        return [message for message in self.told if "event" in message]

    @property
    def answers(self) -> list[dict[str, Any]]:
        return [message for message in self.told if {"answer", "problem"} & message.keys()]

    @property
    def close_code(self) -> int | None:
        return self.sent[-1].get("code") if self.sent[-1]["type"] == "websocket.close" else None

    def say(self, body: object) -> None:
        self._received.put_nowait({"type": "websocket.receive", "text": json.dumps(body)})

    async def opened(self) -> "Page":
        await self.until(lambda: bool(self.sent))
        assert self.sent[0]["type"] == "websocket.accept"
        return self

    async def hear(self, seq: int) -> None:
        """Wait until the table has reached this number."""
        await self.until(lambda: any(message["seq"] >= seq for message in self.messages))


async def game(service: TableService, people: int = 2) -> tuple[str, list[str]]:
    """A running game of people, and their tokens by seat."""
    table, token = await service.open("Ana", people)
    tokens = [token, *[(await service.sit(table, name))[1] for name in ("Bob", "Cleo", "Dora", "Eva")[: people - 1]]]
    await service.execute(table, lambda state, now: commands.start(state, now, state.host or 0))
    state = await service.get(table)
    return table, sorted(tokens, key=lambda each: state.seat_of(commands.hashed(each)) or 0)


def place(state: Table, now: float) -> list[AnyEntry]:
    """The player at turn lays a card at the arrow."""
    _, seat = state.running()
    return commands.move(state, now, seat, Place(0), state.seq)


def doubt(state: Table, now: float) -> list[AnyEntry]:
    _, seat = state.running()
    return commands.move(state, now, seat, Doubt(), state.seq)


def told(page: WebSocketTestSession) -> Iterator[dict[str, Any]]:
    """What a page is told, message by message."""
    while True:
        yield from map(json.loads, page.receive_text().split("\n"))


async def settled() -> None:
    for _ in range(50):
        await asyncio.sleep(0)
