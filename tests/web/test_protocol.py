"""No client can hold a connection by sending slowly, for ever, too much or nothing at all, or by never reading."""

import asyncio
import gc
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

import pytest
import uvicorn
from harness.sockets.frames import CLOSE, CONTINUATION, PING, PONG, TEXT, UPGRADE, frame
from starlette.types import Receive, Scope, Send

from illusion.web import protocol
from illusion.web.serve import server_for

HEAD = b"GET / HTTP/1.1\r\nhost: x\r\n"
HANDSHAKE = b"GET / HTTP/1.1\r\nhost: x\r\n" + b"".join(f"{n}: {v}\r\n".encode() for n, v in UPGRADE.items()) + b"\r\n"


class Answering:
    """An application that reads a body and answers 204, or at `/stream` sends until the client is gone.

    At `/flood` it sends more than any buffer holds. On a socket it says every message again, and "flood" often.
    """

    def __init__(self) -> None:
        self.asked = 0
        self.running = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        assert scope["type"] != "lifespan"
        self.asked += 1
        self.running += 1
        try:
            await (self._talk(receive, send) if scope["type"] == "websocket" else self._answer(scope, receive, send))
        finally:
            self.running -= 1

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        while (message := await receive()).get("more_body"):
            pass
        if scope["path"] == "/":
            await send({"type": "http.response.start", "status": 204, "headers": []})
            await send({"type": "http.response.body"})
            return
        await send({"type": "http.response.start", "status": 200, "headers": []})
        for _ in range(500 if scope["path"] == "/flood" else 0):
            await send({"type": "http.response.body", "body": bytes(100_000), "more_body": True})
        while message["type"] != "http.disconnect":
            message = await receive()

    async def _talk(self, receive: Receive, send: Send) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        while (message := await receive())["type"] == "websocket.receive":
            for _ in range(500 if message.get("text") == "flood" else 1):
                await send({"type": "websocket.send", "text": "x" * 100_000 if _ else message.get("text") or "bytes"})


@asynccontextmanager
async def served(app: Answering) -> AsyncIterator[tuple[int, uvicorn.Server]]:
    """The port of our protocols around an application."""
    listening, server = socket.create_server(("127.0.0.1", 0)), server_for(app)  # type: ignore[arg-type]
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    while not server.started:
        await asyncio.sleep(0.01)
    try:
        yield listening.getsockname()[1], server
    finally:
        server.should_exit = True
        await serving


async def until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not is_so():
            await asyncio.sleep(0.01)


@asynccontextmanager
async def connected(app: Answering) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """A client of a server, which forgets it in the end; nothing may hang for ever."""
    async with asyncio.timeout(30), served(app) as (port, server):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        yield reader, writer
        writer.close()
        await until(lambda: app.running == 0 and not server.server_state.connections)


FIELDS = b"".join(b"x-field-%d: %s\r\n" % (number, b"x" * 1000) for number in range(60))
"""Many of honest size."""


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (HEAD + b"x-much: " + b"x" * protocol.MAX_HEAD_BYTES, b"431"),
        (HEAD + FIELDS + b"\r\n", b"431"),
        (HEAD + b"x-much: " + b"x" * 12_000 + b"\r\n\r\n", b"204"),
        (b"\r\nGET / HTTP/1.1\r\n\r\n", b"204"),  # one empty line before a request is skipped (RFC 9112, 2.2)
        (b"\r\n" * 1000, b"400"),
    ],
    ids=["large field", "many fields", "large enough", "empty line", "empty lines"],
)
async def test_a_head_has_a_size(sent: bytes, status: bytes) -> None:
    async with connected(Answering()) as (reader, writer):
        writer.write(sent)
        assert (await reader.readuntil(b"\r\n\r\n"))[9:12] == status


@pytest.mark.parametrize(
    "sent",
    [b"", b"GET / HT", HEAD, b"GET / HTTP/1.1\r\n\r\nGET /"],
    ids=["nothing", "half a line", "half a head", "half a second request"],
)
async def test_a_client_that_does_not_finish_a_head_is_disconnected(
    monkeypatch: pytest.MonkeyPatch, sent: bytes
) -> None:
    monkeypatch.setattr(protocol, "REQUEST_TIMEOUT_S", 0.2)
    async with connected(Answering()) as (reader, writer):
        writer.write(sent)
        received = await reader.read()  # ends only when the server hangs up
    assert received.count(b" 204 ") == sent.count(b"GET / HTTP/1.1\r\n\r\n")


async def send_for_ever(writer: asyncio.StreamWriter, what: bytes) -> None:
    while True:
        await asyncio.sleep(0.02)
        writer.write(what)
        await writer.drain()


@pytest.mark.parametrize(
    ("begun", "what"),
    [
        (b"GET / HTTP/1.1\r\n\r\n", b"G"),  # the second head of a connection
        (b"POST / HTTP/1.1\r\ncontent-length: 100000000\r\n\r\n", b"x" * 100_000),
    ],
    ids=["head", "body"],
)
async def test_neither_a_head_nor_a_body_goes_on_for_ever(
    monkeypatch: pytest.MonkeyPatch, begun: bytes, what: bytes
) -> None:
    monkeypatch.setattr(protocol, "REQUEST_TIMEOUT_S", 0.3)
    async with connected(Answering()) as (_, writer):
        writer.write(begun)
        with pytest.raises(ConnectionError):
            await send_for_ever(writer, what)


async def test_one_request_after_another_is_answered_on_one_connection() -> None:
    app = Answering()
    async with connected(app) as (reader, writer):
        for _ in range(5):
            writer.write(b"POST / HTTP/1.1\r\ncontent-length: 5\r\n\r\n\r\n\r\nx")
            assert b" 204 " in await reader.readuntil(b"\r\n\r\n")
    assert app.asked == 5


@pytest.mark.parametrize("behind", [b"", b"GET / HTTP/1.1\r\n\r\n" * 500, b"GET /"], ids=["none", "many", "half"])
async def test_a_stream_ends_with_its_connection_whatever_was_sent_behind_it(behind: bytes) -> None:
    app = Answering()
    async with connected(app) as (_, writer):
        writer.write(b"GET /flood HTTP/1.1\r\n\r\n" + behind)
        await until(lambda: app.running > 0)
    assert app.asked == 1


@pytest.mark.parametrize("behind", [1, 500])
async def test_what_is_sent_before_the_answer_ends_the_connection_and_is_never_asked(behind: int) -> None:
    app = Answering()
    async with connected(app) as (reader, writer):
        writer.write(b"GET / HTTP/1.1\r\n\r\n" * (1 + behind))
        received = await reader.read()
    assert received.count(b"HTTP/1.1 204 ") == app.asked == 1


@pytest.mark.parametrize(
    "sent",
    [HEAD + b"x: " + b"x" * protocol.MAX_HEAD_BYTES, b"GET / HTTP/1.1\r\nnonsense\r\n\r\n"],
    ids=["too large", "no head"],
)
async def test_nothing_is_left_of_a_head_that_is_refused(sent: bytes) -> None:
    """Not even for the garbage collector, which seldom runs: thousands of fields take much memory."""

    def in_memory() -> int:
        return sum(type(each) is protocol.LimitedHttp for each in gc.get_objects())

    async with asyncio.timeout(30), served(Answering()) as (port, _):
        gc.collect()
        gc.disable()
        try:
            before = in_memory()
            for _ in range(3):
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.write(sent)
                await reader.read()
                writer.close()
            await until(lambda: in_memory() == before)
        finally:
            gc.enable()


@pytest.mark.parametrize("asked", [b"GET /flood HTTP/1.1\r\n\r\n", HANDSHAKE], ids=["a program", "a page"])
async def test_who_does_not_read_is_disconnected(monkeypatch: pytest.MonkeyPatch, asked: bytes) -> None:
    monkeypatch.setattr(protocol, "UNREAD_TIMEOUT_S", 0.2)
    app = Answering()
    async with connected(app) as (_, writer):
        writer.transport.pause_reading()  # type: ignore[attr-defined]
        writer.write(asked)
        await until(lambda: app.asked == 1)
        writer.write(frame(TEXT, b"flood") if asked is HANDSHAKE else b"")
        await until(lambda: app.running == 0)


@asynccontextmanager
async def socket_open(app: Answering) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    async with connected(app) as (reader, writer):
        writer.write(HANDSHAKE)
        assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 101 ")
        yield reader, writer


@pytest.mark.parametrize(
    "flood",
    [
        *(frame(opcode, b"x" * 100) * (protocol.MAX_BYTES // 100) for opcode in (PING, PONG, TEXT)),
        frame(TEXT, last=False) + frame(CONTINUATION, last=False) * (protocol.MAX_BYTES // 6),
    ],
    ids=["pings", "pongs", "texts", "empty fragments"],
)
async def test_a_flood_is_cut_off(flood: bytes) -> None:
    async with socket_open(Answering()) as (reader, writer):
        writer.write(flood)
        with suppress(ConnectionError):
            await reader.read()  # to its end


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        (frame(TEXT, announced=protocol.MAX_BYTES + 1), 1009),
        (frame(TEXT, b"x", masked=False), 1002),
        (frame(TEXT, b"\xff"), 1007),
        (frame(3, b""), 1002),
        (frame(CONTINUATION, b"x"), 1002),
        (frame(TEXT, b"x", last=False) + frame(TEXT, b"x"), 1002),
        (frame(PING, b"x", last=False), 1002),
        (frame(CLOSE, b"\x03"), 1002),
        (frame(CLOSE, (999).to_bytes(2)), 1002),
        (bytes([0xF1, 0x80]) + bytes(4), 1002),
        (frame(PING, b"x" * 126), 1002),
        (frame(CLOSE, b"\x03\xe8"), 1000),
        (b"GET / HTTP/1.1\r\n\r\n", 1002),
    ],
)
async def test_a_frame_that_no_page_sends_ends_the_socket(sent: bytes, code: int) -> None:
    async with socket_open(Answering()) as (reader, writer):
        writer.write(sent)
        told = await reader.read()
        assert told[0] == 0x80 | CLOSE
        assert int.from_bytes(told[2:4]) == code


@pytest.mark.parametrize(
    "handshake",
    [
        HANDSHAKE.replace(b"\r\n\r\n", b"\r\ncontent-length: 4\r\n\r\nbody"),
        HANDSHAKE.replace(b"\r\n\r\n", b"\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n"),
        HANDSHAKE.replace(b"version: 13", b"version: 7"),
        HANDSHAKE.replace(b"dGhlIHNhbXBsZSBub25jZQ==", b"short"),
    ],
    ids=["with a body", "with a body in chunks", "of an old version", "with a bad key"],
)
async def test_a_handshake_that_cannot_be_taken_is_refused_and_hung_up(handshake: bytes) -> None:
    app = Answering()
    async with connected(app) as (reader, writer):
        writer.write(handshake)
        assert (await reader.read())[9:12] in (b"400", b"426")
    assert app.asked == 0


async def test_frames_before_the_answer_to_the_handshake_are_not_read(caplog: pytest.LogCaptureFixture) -> None:
    async with connected(Answering()) as (reader, writer):
        writer.write(HANDSHAKE + frame(TEXT, b"early") * 50)
        assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 101 ")
        writer.write(frame(TEXT, b"late"))
        assert await reader.readexactly(6) == frame(TEXT, b"late", masked=False)
    assert caplog.records == []
