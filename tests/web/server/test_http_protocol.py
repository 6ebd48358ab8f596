"""No client can hold a connection by sending slowly, for ever, or nothing at all."""

import asyncio
import gc
import socket
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Final

import pytest
import uvicorn
from harness.servers import Server
from starlette.types import Receive, Scope, Send

from illusion.web.server import http_protocol
from illusion.web.server.connections import ConnectionLimiter

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


DATA_SEGMENTS_IN: Final = 152
"""Where Linux's `struct tcp_info` has the number of packets with data that have arrived."""


def packets_with_data(client: socket.socket) -> int:
    info = client.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, DATA_SEGMENTS_IN + 4)
    return int.from_bytes(info[DATA_SEGMENTS_IN:], sys.byteorder)


def test_an_answer_comes_in_one_piece(server: Server) -> None:
    """Its head is written together with its body."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as client:
        for asked in range(1, 21):
            client.sendall(b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n")
            received = b""
            while not received.endswith(b"}"):
                received += client.recv(10_000)
            assert received.startswith(b"HTTP/1.1 200")
            assert packets_with_data(client) == asked


def test_a_head_without_a_body_comes_as_well(server: Server) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as client:
        for _ in range(2):
            client.sendall(b"HEAD / HTTP/1.1\r\nhost: x\r\n\r\n")
            assert client.recv(10_000).startswith(b"HTTP/1.1 200")


def test_a_client_that_waits_to_be_told_to_go_on_is_told(server: Server) -> None:
    """`Expect: 100-continue` (RFC 9110, 10.1.1), which some programs send before a body."""
    body = b'{"name": "Ana", "seats": 2}'
    head = b"POST /api/tables HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-length: %d\r\n\r\n" % len(body)
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as client:
        client.sendall(head)
        assert client.recv(10_000) == b"HTTP/1.1 100 Continue\r\n\r\n"
        client.sendall(body)
        assert client.recv(10_000).startswith(b"HTTP/1.1 201")


def test_a_large_head_of_honest_size_is_read(server: Server) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as client:
        client.sendall(HEAD + b"x-much: ")
        client.sendall(b"x" * 12_000)
        client.sendall(b"\r\nconnection: close\r\n\r\n")
        assert client.recv(100).startswith(b"HTTP/1.1 200")


class Answering:
    """An application that reads a body and answers 204, or at `/stream` sends until the client is gone.

    At `/flood` it sends more than any buffer holds.
    """

    def __init__(self) -> None:
        self.asked = 0
        self.running = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        assert scope["type"] == "http"
        self.asked += 1
        self.running += 1
        try:
            await self._answer(scope["path"], receive, send)
        finally:
            self.running -= 1

    async def _answer(self, path: str, receive: Receive, send: Send) -> None:
        while (message := await receive()).get("more_body"):
            pass
        if path == "/":
            await send({"type": "http.response.start", "status": 204, "headers": []})
            await send({"type": "http.response.body"})
            return
        await send({"type": "http.response.start", "status": 200, "headers": []})
        for _ in range(500 if path == "/flood" else 0):
            await send({"type": "http.response.body", "body": bytes(100_000), "more_body": True})
        while message["type"] != "http.disconnect":
            message = await receive()


@asynccontextmanager
async def served(app: Answering, connections: ConnectionLimiter | None = None) -> AsyncIterator[int]:
    """The port of the protocol around an application."""
    http = partial(http_protocol.LimitedHttpProtocol, connections=connections or ConnectionLimiter(0))
    config = uvicorn.Config(app, port=0, http=http, ws="none", lifespan="off", log_config=None)  # type: ignore[arg-type]
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
    async with asyncio.timeout(30), served(Answering()) as port:  # without a limit it would hang for ever
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(sent)
        received = await reader.read()  # ends only when the server hangs up
        writer.close()
    assert received.count(b" 204 ") == sent.count(b"GET / HTTP/1.1\r\n\r\n")


async def until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not is_so():
            await asyncio.sleep(0.01)


def connections_in_memory() -> int:
    return sum(type(each) is http_protocol.LimitedHttpProtocol for each in gc.get_objects())


@pytest.mark.parametrize(
    "sent",
    [HEAD + b"x-much: " + b"x" * http_protocol.MAX_HEAD_BYTES, b"GET / HTTP/1.1\r\nnonsense\r\n\r\n", b"GET / HT"],
    ids=["too large", "no head", "half a head"],
)
async def test_nothing_is_left_of_a_head_that_is_refused(sent: bytes) -> None:
    """Not even for the garbage collector, which seldom runs: thousands of fields take much memory."""
    async with asyncio.timeout(30), served(Answering()) as port:
        gc.collect()
        gc.disable()
        try:
            before = connections_in_memory()
            for _ in range(3):
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.write(sent)
                writer.write_eof()
                await reader.read()
                writer.close()
            await until(lambda: connections_in_memory() == before)
        finally:
            gc.enable()


@pytest.mark.parametrize("behind", [1, 500])
async def test_what_is_sent_before_the_answer_ends_the_connection_and_is_never_asked(behind: int) -> None:
    app = Answering()
    async with asyncio.timeout(30), served(app) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET / HTTP/1.1\r\n\r\n" * (1 + behind))
        received = await reader.read()
        writer.close()
    assert received.count(b"HTTP/1.1 204 ") == app.asked == 1


async def test_one_request_after_another_is_answered_on_one_connection() -> None:
    app = Answering()
    async with asyncio.timeout(30), served(app) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for _ in range(5):
            writer.write(b"GET / HTTP/1.1\r\n\r\n")
            assert b" 204 " in await reader.readuntil(b"\r\n\r\n")
        writer.close()
    assert app.asked == 5


@pytest.mark.parametrize("behind", [b"", b"GET / HTTP/1.1\r\n\r\n", b"GET / HTTP/1.1\r\n\r\n" * 500, b"GET /"])
async def test_a_stream_ends_with_its_connection_whatever_was_sent_behind_it(behind: bytes) -> None:
    app, connections = Answering(), ConnectionLimiter(0)
    async with served(app, connections) as port:
        for _ in range(5):
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"GET /stream HTTP/1.1\r\n\r\n" + behind)
            await until(lambda: app.running > 0)
            writer.close()
            await until(lambda: app.running == 0 and connections.total == 0)
    assert app.asked == 5


async def test_a_stream_behind_which_something_was_sent_ends_although_the_client_stays(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(http_protocol, "PIPELINED_TIMEOUT_S", 0.2)
    app = Answering()
    async with asyncio.timeout(30), served(app) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET /stream HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\n\r\n")
        await reader.read()
        await until(lambda: app.running == 0)
        writer.close()


async def test_a_client_that_does_not_read_is_disconnected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_protocol, "STALL_TIMEOUT_S", 0.2)
    app, connections = Answering(), ConnectionLimiter(0)
    async with served(app, connections) as port:
        with socket.create_connection(("127.0.0.1", port), timeout=20) as client:
            client.sendall(b"GET /flood HTTP/1.1\r\n\r\n")
            await until(lambda: app.asked == 1)
            await until(lambda: app.running == 0 and connections.total == 0)


async def test_too_many_connections_get_a_sentence_and_the_log_a_line(caplog: pytest.LogCaptureFixture) -> None:
    connections = ConnectionLimiter(3)
    async with asyncio.timeout(30), served(Answering(), connections) as port:
        held = [await asyncio.open_connection("127.0.0.1", port) for _ in range(3)]
        await until(lambda: connections.total == 3)
        for _ in range(5):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            said = await reader.read()
            writer.close()
            assert said.startswith(b"HTTP/1.1 503 ")
            assert said.endswith(b"Try again in a moment.")
        assert [record.getMessage() for record in caplog.records] == ["too-many-connections"]
        held[0][1].close()
        await until(lambda: connections.total == 2)
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET / HTTP/1.1\r\n\r\n")
        assert b" 204 " in await reader.readuntil(b"\r\n\r\n")
        for _, open_writer in (*held, (reader, writer)):
            open_writer.close()


def test_connections_are_counted_by_address() -> None:
    connections = ConnectionLimiter(5, 2, proxies=["192.0.2.9/32"])
    assert [connections.open("192.0.2.1") for _ in range(3)] == [True, True, False]
    assert connections.open("192.0.2.2")
    connections.close("192.0.2.1")
    assert connections.open("192.0.2.1")
    assert [connections.open("192.0.2.9") for _ in range(3)] == [True, True, False]
    for address in ("192.0.2.1", "192.0.2.1", "192.0.2.2", "192.0.2.9", "192.0.2.9"):
        connections.close(address)
    assert connections.total == 0


@pytest.mark.parametrize(
    ("trusted", "answer"),
    [("127.0.0.1", b"200"), ("127.0.0.0/8", b"200"), ("192.0.2.1", b"503")],
    ids=["the proxy", "its network", "another one"],
)
def test_a_trusted_proxys_connections_are_not_those_of_one_guest(tmp_path: Path, trusted: str, answer: bytes) -> None:
    """As it is named on the command line."""
    server = Server(tmp_path, "--trusted-proxy", trusted, "--limit", "connections=3", limited=True)
    with ExitStack() as held:
        for _ in range(3):
            held.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=20))
        client = held.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=20))
        with suppress(ConnectionError):  # refused before anything was read
            client.sendall(HEAD + b"\r\n")
        assert client.recv(1000).startswith(b"HTTP/1.1 " + answer)
    assert server.stop() == 0
