"""The request that opens a WebSocket (RFC 6455, 4.2): the application answers it by ASGI, like any other request.

If it accepts, it brings a handler (see `handover`), the connection gets another protocol, and nothing of the
request is kept. If it refuses, its answer is a plain HTTP response.
"""

import asyncio
import base64
import binascii
import hashlib
import logging
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import unquote

import uvicorn
from starlette.types import Message, Scope
from uvicorn.protocols.utils import get_local_addr, get_remote_addr, is_ssl
from uvicorn.server import ServerState

from illusion.web.live.handover import HANDLER, SocketHandler
from illusion.web.server.connections import ConnectionLimiter
from illusion.web.server.followers.websocket_connection import WebSocketConnection
from illusion.web.server.http_protocol import BAD_REQUEST, HEAD_TOO_LARGE, STOPPING

MAX_HEADER_BYTES: Final = 8000
MAX_HEADERS: Final = 100
"""A browser's handshake has some fifteen, and all cookies fit into one."""
VERSION: Final = b"13"
KEY_BYTES: Final = 16
MAGIC: Final = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
"""RFC 6455, 1.3."""
LOG: Final = logging.getLogger("illusion")

Header = tuple[bytes, bytes]


class ClientGone(ConnectionError):
    """What ASGI's `send` raises when nobody is there any more."""


class WebSocketHandshake(asyncio.Protocol):
    """One connection while its handshake is answered. uvicorn makes it, and gives it the head of the request."""

    def __init__(
        self,
        config: uvicorn.Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        *,
        connections: ConnectionLimiter,
    ) -> None:
        self._config = config
        self._state = server_state
        self._app_state = app_state
        self._connections = connections
        self._key = b""
        self._is_answered = False
        self._refusal: Message = {}
        """How the application's refusal begins."""
        self._body = b""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self.transport = transport
        self._state.connections.add(self)  # type: ignore[arg-type]  # uvicorn asks for `shutdown` alone
        name = transport.get_extra_info("peername")
        self._peer = str(name[0]) if name else ""

    def connection_lost(self, _: Exception | None) -> None:
        self._is_answered = True
        self._state.connections.discard(self)
        self._connections.close(self._peer)

    def shutdown(self) -> None:
        """The server stops."""
        self._answer(STOPPING)

    def data_received(self, head: bytes) -> None:
        if self._key or self._is_answered:
            # a client must wait for the answer to its handshake (RFC 6455, 4.1)
            self.transport.abort()
            return
        first, *lines = head.split(b"\r\n")
        if len(lines) > MAX_HEADERS or max(map(len, (first, *lines))) > MAX_HEADER_BYTES:
            self._answer(HEAD_TOO_LARGE)
            return
        headers = [(name, value) for name, separator, value in (line.partition(b": ") for line in lines) if separator]
        self._key = _key(first, headers)
        if not self._key:
            self._answer(BAD_REQUEST)
            return
        task = asyncio.get_running_loop().create_task(self._run(self._scope(first, headers)))
        self._state.tasks.add(task)
        task.add_done_callback(self._state.tasks.discard)

    def _scope(self, first: bytes, headers: list[Header]) -> Scope:
        _, target, version = first.split(b" ")
        path, _, query = target.partition(b"?")
        return {
            "type": "websocket",
            "asgi": {"version": "3.0", "spec_version": "2.4"},
            "http_version": version.removeprefix(b"HTTP/").decode(),
            "scheme": "wss" if is_ssl(self.transport) else "ws",
            "server": get_local_addr(self.transport),
            "client": get_remote_addr(self.transport),
            "root_path": "",
            "path": unquote(path.decode()),
            "raw_path": path,
            "query_string": query,
            "headers": headers,
            "state": self._app_state.copy(),
            "extensions": {"websocket.http.response": {}},
        }

    async def _run(self, scope: Scope) -> None:
        app: Callable[..., Any] = self._config.loaded_app
        try:
            await app(scope, self._receive, self._send)
        except ClientGone:
            return
        except Exception:
            LOG.exception("handshake-failed")
        finally:
            if not self._is_answered:
                self.transport.close()

    async def _receive(self) -> Message:
        """There is nothing else to hear before the socket is open, and then its handler hears it."""
        return {"type": "websocket.connect"}

    async def _send(self, message: Message) -> None:
        if self._is_answered or self.transport.is_closing():
            raise ClientGone
        match message["type"]:
            case "websocket.accept":
                self._accept(message[HANDLER])
            case "websocket.close":  # there is no socket at this address
                self._answer(_response(HTTPStatus.FORBIDDEN, self._state.default_headers, b""))
            case "websocket.http.response.start":
                self._refusal = message
            case "websocket.http.response.body":
                self._body += message.get("body", b"")
                if not message.get("more_body"):
                    headers = [*self._state.default_headers, *self._refusal["headers"]]
                    self._answer(_response(self._refusal["status"], headers, self._body))
            case unknown:
                raise ValueError(unknown)

    def _accept(self, handler: SocketHandler) -> None:
        self._is_answered = True
        accepted = base64.b64encode(hashlib.sha1(self._key + MAGIC, usedforsecurity=False).digest())
        headers = [(b"upgrade", b"websocket"), (b"connection", b"Upgrade"), (b"sec-websocket-accept", accepted)]
        self.transport.write(_head(HTTPStatus.SWITCHING_PROTOCOLS, [*self._state.default_headers, *headers]))
        self._state.connections.discard(self)
        WebSocketConnection(self.transport, handler, self._state, self._connections, self._peer).open()

    def _answer(self, response: bytes) -> None:
        self._is_answered = True
        self.transport.write(response)
        self.transport.close()


def _key(first: bytes, headers: list[Header]) -> bytes:
    """The key of a handshake that can be taken, else nothing. uvicorn has seen that it asks for a WebSocket."""
    sent = dict(headers)
    method, *rest = first.split(b" ")
    if method != b"GET" or len(rest) != 2 or not first.isascii() or b"host" not in sent:
        return b""
    if sent.get(b"sec-websocket-version") != VERSION or {b"content-length", b"transfer-encoding"} & sent.keys():
        return b""
    key = sent.get(b"sec-websocket-key", b"")
    try:
        return key if len(base64.b64decode(key, validate=True)) == KEY_BYTES else b""
    except binascii.Error:
        return b""


def _response(status: int, headers: list[Header], body: bytes) -> bytes:
    """The connection ends with it."""
    ours = {b"connection": b"close", b"content-length": b"%d" % len(body)}
    return _head(status, [*(header for header in headers if header[0] not in ours), *ours.items()]) + body


def _head(status: int, headers: list[Header]) -> bytes:
    lines = (b"%s: %s\r\n" % header for header in headers)
    return b"HTTP/1.1 %d %s\r\n%s\r\n" % (status, HTTPStatus(status).phrase.encode(), b"".join(lines))
