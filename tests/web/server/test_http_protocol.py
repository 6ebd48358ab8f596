"""Nobody holds a connection by sending slowly, for ever, or nothing at all."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from harness.servers import Server
from starlette.types import Receive, Scope, Send

from illusion.tables import SqliteStore
from illusion.web import create_app
from illusion.web.server import http_protocol
from illusion.web.server.express import Express

HEAD = b"GET /rules HTTP/1.1\r\nhost: x\r\n"


def test_a_head_without_end_is_cut_off(server: Server) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as line:
        line.sendall(HEAD + b"x-much: ")
        with pytest.raises(OSError, match=r"[Bb]roken|reset"):
            line.sendall(b"x" * 100_000_000)
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as line:
        line.sendall(HEAD + b"x-much: " + b"x" * http_protocol.MAX_REQUEST_BYTES)
        assert b"This request is too large." in line.recv(1000)


def test_a_large_head_of_honest_size_is_read(server: Server) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as line:
        line.sendall(HEAD + b"x-much: ")
        line.sendall(b"x" * 20_000)
        line.sendall(b"\r\nconnection: close\r\n\r\n")
        assert line.recv(100).startswith(b"HTTP/1.1 200")


@asynccontextmanager
async def served(folder: Path) -> AsyncIterator[int]:
    """The same protocol around an application that reads a body and answers."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        assert scope["type"] == "http"
        while (message := await receive()).get("more_body"):
            pass
        if message["type"] == "http.request":
            await send({"type": "http.response.start", "status": 204, "headers": []})
            await send({"type": "http.response.body"})

    line: Any = partial(http_protocol.Line, Express(create_app(SqliteStore(folder / "tables.db"))))
    config = uvicorn.Config(app, port=0, http=line, ws="none", lifespan="off", log_config=None)
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    yield server.servers[0].sockets[0].getsockname()[1]
    server.should_exit = True
    await serving


@pytest.mark.parametrize(
    "dribbled",
    [
        b"",
        b"GET / HT",
        HEAD,
        b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\nhalf",
        b"GET / HTTP/1.1\r\n\r\nGET /",
        b"POST /api/tables/22222222/moves HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n",
        b"POST /api/tables/22222222/moves HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\nhalf",
    ],
    ids=["nothing", "half a line", "half a head", "half a body", "half a second request", "no move", "half a move"],
)
def test_who_does_not_finish_a_request_is_sent_away(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, dribbled: bytes
) -> None:
    monkeypatch.setattr(http_protocol, "PATIENCE", 0.2)

    async def dribble() -> bytes:
        async with served(tmp_path) as port:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(dribbled)
            try:
                return await reader.read()  # ends only when the server hangs up
            finally:
                writer.close()

    told = asyncio.run(asyncio.wait_for(dribble(), 30))  # without a limit it would hang for ever
    assert told.count(b" 204 ") == dribbled.count(b"GET / HTTP/1.1\r\n\r\n")
