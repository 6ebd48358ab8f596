"""No request hides in another one's body, whatever that one wants to be upgraded to (request smuggling).

Over sockets alone, to a server as it is started: the same holds for any HTTP server under the application.
"""

import select
import socket
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

import pytest
from harness.servers import Seat, Server, opened

WEBSOCKET: Final = "sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\nupgrade: websocket\r\n"
HEADS: Final = {
    "unknown": "POST /settings HTTP/1.1\r\nupgrade: foo\r\nconnection: upgrade\r\n",
    "unknown, kept alive": "POST /settings HTTP/1.1\r\nupgrade: foo\r\nconnection: keep-alive, Upgrade\r\n",
    "cleartext HTTP/2": "POST /settings HTTP/1.1\r\nupgrade: h2c\r\nconnection: upgrade, http2-settings\r\n",
    "either": "POST /settings HTTP/1.1\r\nupgrade: foo, websocket\r\nconnection: upgrade\r\n",
    "both": f"POST /settings HTTP/1.1\r\n{WEBSOCKET}upgrade: foo\r\nconnection: upgrade\r\n",
    "taken back": f"POST /settings HTTP/1.1\r\n{WEBSOCKET}connection: upgrade\r\nconnection: keep-alive\r\n",
    "websocket": f"POST /settings HTTP/1.1\r\n{WEBSOCKET}connection: upgrade\r\n",
    "websocket by GET": f"GET /table/abcdefgh/live HTTP/1.1\r\n{WEBSOCKET}connection: upgrade\r\n",
    "tunnel": "CONNECT /settings HTTP/1.1\r\n",
    "not of us": "POST /settings HTTP/1.1\r\nupgrade: foo\r\nconnection: close\r\n",
}
"""Each ends its connection. "not of us" asks no hop to upgrade: its body is a body, and it says itself that it ends."""
PADDING: Final = b"\r\n" * 20_000
"""Line breaks before a request are skipped (RFC 9112, 2.2): wherever a server's reads fall, one begins in them."""


@pytest.fixture
def bob(server: Server) -> Seat:
    return opened(server, 2)[1]


def framed(framing: str, hidden: bytes) -> tuple[bytes, bytes]:
    """A header, and the body that it announces."""
    if framing == "chunked":
        return b"transfer-encoding: chunked\r\n", b"%x\r\n%b\r\n0\r\n\r\n" % (len(hidden), hidden)
    body = (PADDING if framing == "padded" else b"") + hidden
    return b"content-length: %d\r\n" % len(body), body


def cuts(head: bytes, body: bytes, hidden: bytes) -> Iterator[int]:
    """Where what is sent can fall apart on its way."""
    begins = len(head) + body.index(hidden)
    yield 0
    yield from range(len(head) - 2, len(head) + 3)
    yield from range(begins - 1, begins + 2)
    yield begins + hidden.index(b"\r\n") + 2
    yield begins + len(hidden) - 1


def answered(server: Server, first: bytes, then: bytes) -> bytes:
    """Whatever is answered until the server ends the connection."""
    received = b""
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as client:
        with suppress(ConnectionResetError, BrokenPipeError):  # it ended before it had been sent everything
            client.sendall(first)
            select.select([client], [], [], 0.02)  # so that the server reads it by itself
            client.sendall(then)
        with suppress(ConnectionResetError):  # it ended before it had read everything
            while more := client.recv(65536):
                received += more
    return received


@pytest.mark.parametrize("framing", ["whole", "chunked", "padded"])
def test_what_is_in_a_body_is_never_asked(server: Server, bob: Seat, framing: str) -> None:
    before = bob.view()["seq"]
    bearer = f"host: x\r\nauthorization: Bearer {bob.token}\r\n"
    hidden = f"DELETE /api/tables/{bob.table}/seats/me HTTP/1.1\r\n{bearer}\r\n".encode()
    announced, body = framed(framing, hidden)
    for kind, asked in HEADS.items():
        head = asked.encode() + b"host: x\r\n" + announced + b"\r\n"
        for cut in cuts(head, body, hidden):
            received = answered(server, (head + body)[:cut], (head + body)[cut:])
            assert received.count(b"HTTP/1.1 ") == 1, (kind, cut, received)
            assert bob.view()["seq"] == before, (kind, cut)


def test_a_field_behind_a_body_is_no_header(server: Server, bob: Seat) -> None:
    """A trailer (RFC 9110, 6.5.1): whoever checked the head before it has not seen it."""
    head = f"DELETE /api/tables/{bob.table}/seats/me HTTP/1.1\r\nhost: x\r\nconnection: close\r\n"
    trailers = f"authorization: Bearer {bob.token}\r\n"
    received = answered(server, f"{head}transfer-encoding: chunked\r\n\r\n0\r\n{trailers}\r\n".encode(), b"")
    assert received.startswith(b"HTTP/1.1 401 ")
    assert answered(server, f"{head}{trailers}\r\n".encode(), b"").startswith(b"HTTP/1.1 200 ")
