"""No client can hold a connection by sending slowly, for ever, or nothing at all."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import uvicorn
from harness.servers import Server
from starlette.types import Receive, Scope, Send

from illusion.web.server import http_protocol

HEAD = b"GET /rules HTTP/1.1\r\nhost: x\r\n"


def test_a_head_without_end_is_cut_off(server: Server) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as client:
        client.sendall(HEAD + b"x-much: ")
        with pytest.raises(OSError, match=r"[Bb]roken|reset"):
            client.sendall(b"x" * 100_000_000)


def test_a_head_that_is_too_large_is_refused(server: Server) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as client:
        client.sendall(HEAD + b"x-much: " + b"x" * http_protocol.MAX_HEAD_BYTES)
        assert client.recv(1000).startswith(b"HTTP/1.1 431 ")


def test_a_whole_head_that_is_too_large_is_refused(server: Server) -> None:
    """Also one that arrives at once, with many fields of honest size."""
    fields = b"".join(b"x-field-%d: %s\r\n" % (number, b"x" * 1000) for number in range(60))
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as client:
        client.sendall(HEAD + fields + b"\r\n")
        assert client.recv(1000).startswith(b"HTTP/1.1 431 ")


def test_a_large_head_of_honest_size_is_read(server: Server) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as client:
        client.sendall(HEAD + b"x-much: ")
        client.sendall(b"x" * 12_000)
        client.sendall(b"\r\nconnection: close\r\n\r\n")
        assert client.recv(100).startswith(b"HTTP/1.1 200")


@asynccontextmanager
async def echo_server() -> AsyncIterator[int]:
    """The protocol around an application that reads a body and answers 204."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        assert scope["type"] == "http"
        while (message := await receive()).get("more_body"):
            pass
        if message["type"] == "http.request":
            await send({"type": "http.response.start", "status": 204, "headers": []})
            await send({"type": "http.response.body"})

    config = uvicorn.Config(
        app, port=0, http=http_protocol.LimitedHttpProtocol, ws="none", lifespan="off", log_config=None
    )
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    yield server.servers[0].sockets[0].getsockname()[1]
    server.should_exit = True
    await serving


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"GET / HT",
        HEAD,
        b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\nhalf",
        b"GET / HTTP/1.1\r\n\r\nGET /",
    ],
    ids=["nothing", "half a line", "half a head", "half a body", "half a second request"],
)
async def test_a_client_that_does_not_finish_a_request_is_disconnected(
    monkeypatch: pytest.MonkeyPatch, sent: bytes
) -> None:
    monkeypatch.setattr(http_protocol, "REQUEST_TIMEOUT_S", 0.2)
    async with asyncio.timeout(30), echo_server() as port:  # without a limit it would hang for ever
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(sent)
        received = await reader.read()  # ends only when the server hangs up
        writer.close()
    assert received.count(b" 204 ") == sent.count(b"GET / HTTP/1.1\r\n\r\n")
