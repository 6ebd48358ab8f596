"""Frames and events arrive whole, however the network cuts them."""

from typing import Any

import pytest
from bench.load.wire import EventStream, WebSocket


class Transport:
    """Keeps what is written to it."""

    def __init__(self) -> None:
        self.written = b""
        self.closed = False

    def write(self, data: bytes) -> None:
        self.written += data

    def close(self) -> None:
        self.closed = True


def pieces(data: bytes, size: int) -> list[bytes]:
    return [data[at : at + size] for at in range(0, len(data), size)]


def frame(kind: int, content: bytes) -> bytes:
    """As a server sends it: whole, unmasked (RFC 6455, 5.2)."""
    size = len(content)
    longer = b"\x7e" + size.to_bytes(2) if size < 2**16 else b"\x7f" + size.to_bytes(8)
    return bytes([0x80 | kind]) + (bytes([size]) if size < 126 else longer) + content


@pytest.mark.parametrize("size", [1, 2, 7, 1000, 10**6])
def test_messages_of_every_length_and_a_ping(size: int) -> None:
    told: list[bytes] = []
    socket, transport = WebSocket("/live", {"cookie": "seat-a=b"}, told.append, list), Transport()
    socket.connection_made(transport)
    assert transport.written.startswith(
        b"GET /live HTTP/1.1\r\nhost: 127.0.0.1\r\ncookie: seat-a=b\r\nupgrade: websocket"
    )
    messages = [b"{}", b"x" * 125, b"y" * 126, b"z" * 70_000]
    sent = (
        b"HTTP/1.1 101 Switching Protocols\r\n\r\n" + frame(9, b"ping") + b"".join(frame(1, each) for each in messages)
    )
    transport.written = b""
    for piece in pieces(sent, size):
        socket.data_received(piece)
    assert told == messages
    assert socket.is_open
    assert transport.written == b"\x8a\x84\0\0\0\0ping"  # the pong, masked


def test_a_refused_handshake_hangs_up_and_says_why() -> None:
    lost: list[bool] = []
    socket, transport = WebSocket("/live", {}, list, lambda: lost.append(True)), Transport()
    socket.connection_made(transport)
    socket.data_received(b"HTTP/1.1 403 Forbidden\r\n\r\n")
    assert transport.closed
    assert socket.refusal.startswith(b"HTTP/1.1 403")
    socket.connection_lost(None)
    assert lost == [True]


@pytest.mark.parametrize("size", [1, 3, 50, 1000])
def test_events_with_and_without_a_name(size: int) -> None:
    told: list[tuple[int, Any]] = []
    stream = EventStream("/events", lambda *event: told.append(event))
    stream.connection_made(Transport())
    sent = (
        b"HTTP/1.1 200 OK\r\n\r\nretry: 1000\n\nid: 7\ndata: {}\n\n: still here\n\nid: 8\nevent: table\ndata: [1]\n\n"
    )
    for piece in pieces(sent, size):
        stream.data_received(piece)
    assert told == [(7, b"{}"), (8, b"[1]")]
