"""How the server and a page's connection talk once its WebSocket is open: plain calls, so that a silent page costs
memory for its state and nothing else. No task waits for it, and nothing of the request that opened it is kept.
"""

from collections.abc import Coroutine
from typing import Any, Final, Protocol

HANDLER: Final = "illusion.handler"
"""An extension of ASGI that our server has: the message `websocket.accept` brings the handler of the open socket, and
the application's part ends with it."""


class Socket(Protocol):
    """An open WebSocket, as its handler sees it."""

    def write(self, frames: bytes) -> int:
        """Send what is framed already, the same bytes to many; returns the bytes that could not be sent yet."""

    def close(self, code: int) -> None:
        """Nothing more is sent after this, and the handler hears that the socket is lost."""


class SocketHandler(Protocol):
    """What the server calls."""

    def opened(self, socket: Socket) -> None:
        """First of all."""

    def answer(self, message: bytes) -> Coroutine[Any, Any, None]:
        """A message has arrived. The next one is not read before this is done."""

    def lost(self) -> None:
        """Last of all, and once: whatever is written from now on is read by nobody. An answer may still be going on."""
