"""How the server and a follower's connection talk once the request that opened it is over: plain calls, so that who
only listens costs memory for its state and nothing else. No task waits for it, and nothing of its request is kept.
"""

from collections.abc import Callable, Coroutine
from typing import Any, Final, Protocol

HANDLER: Final = "illusion.handler"
"""An extension of ASGI that our server has: the message `websocket.accept` brings the handler of the open socket, and
the application's part ends with it."""
HAND_OVER: Final = "illusion.hand_over"
"""Another one: where a request's scope has a function that takes the handler of a stream whose response has begun. The
application's part ends with that call."""


class Socket(Protocol):
    """An open WebSocket, as its handler sees it."""

    def write(self, frames: bytes) -> int:
        """Send what is framed already, the same bytes to many; returns the bytes that could not be sent yet."""

    def close(self, code: int) -> None:
        """Nothing more is sent after this, and the handler hears that the socket is lost."""


class Stream(Protocol):
    """A response that goes on, as its handler sees it."""

    def write(self, body: bytes) -> int:
        """Send more of the body; returns the bytes that could not be sent yet."""

    def close(self) -> None:
        """The body is whole, and the handler hears that the stream is lost."""


class StreamHandler(Protocol):
    """What the server calls."""

    def opened(self, stream: Stream) -> None:
        """First of all."""

    def lost(self) -> None:
        """Last of all, and once: whatever is written from now on is read by nobody."""


class SocketHandler(Protocol):
    """What the server calls."""

    def opened(self, socket: Socket) -> None:
        """First of all."""

    def answer(self, message: bytes) -> Coroutine[Any, Any, None]:
        """A message has arrived. The next one is not read before this is done."""

    def lost(self) -> None:
        """Last of all, and once: whatever is written from now on is read by nobody. An answer may still be going on."""


HandOver = Callable[[StreamHandler], None]
