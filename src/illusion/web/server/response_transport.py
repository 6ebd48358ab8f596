"""Writes the head of a response together with the first part of its body: one system call and one packet, not two.

ASGI lets a server wait with the head until there is a body. uvicorn writes both by themselves, and uvloop sends at once
whatever is written.
"""

import asyncio
from typing import Final

INTERIM: Final = b"HTTP/1.1 1"
"""How an interim response begins (RFC 9110, 15.2): the client waits for it before it sends on."""


class ResponseTransport(asyncio.Transport):
    """A connection as the response to one request sees it."""

    __slots__ = ("_connection", "_head", "_is_begun")

    def __init__(self, connection: asyncio.Transport) -> None:
        super().__init__()
        self._connection = connection
        self._head = b""
        self._is_begun = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        if self._is_begun:
            self._connection.write(data)
        elif self._head:
            self._is_begun = True
            self._connection.write(self._head + data)
        elif data[: len(INTERIM)] == INTERIM:
            self._connection.write(data)
        else:
            self._head = bytes(data)

    def flush(self) -> None:
        """There is no body, or not yet."""
        if self._head and not self._is_begun:
            self.write(b"")

    def close(self) -> None:
        self.flush()
        self._connection.close()

    def is_closing(self) -> bool:
        return self._connection.is_closing()
