"""What the connections of followers have in common: they stay open for hours, are told what happens, and end for a
client that does not read on. Only asyncio's interfaces are used.
"""

import asyncio
from typing import Any, Final, Generic, Protocol, TypeVar

from uvicorn.server import ServerState

from illusion.web.server.connections import ConnectionLimiter

STALL_TIMEOUT_S: Final = 30.0
"""For a client to read on after the buffer of its connection was full."""


class Handler(Protocol):
    """What is called when the connection is there, and when it is lost."""

    def opened(self, _: Any, /) -> None: ...

    def lost(self) -> None: ...


H = TypeVar("H", bound=Handler)


class OpenConnection(asyncio.Protocol, Generic[H]):
    """One connection, which was counted when its request came."""

    __slots__ = ("_connections", "_deadline", "_handler", "_peer", "_state", "transport")

    def __init__(
        self, transport: asyncio.Transport, handler: H, state: ServerState, connections: ConnectionLimiter, peer: str
    ) -> None:
        self.transport = transport
        self._handler: H | None = handler
        self._state = state
        self._connections = connections
        self._peer = peer
        self._deadline: asyncio.TimerHandle | None = None

    def open(self) -> None:
        """From now on this is the connection's protocol."""
        self.transport.set_protocol(self)
        self._state.connections.add(self)  # type: ignore[arg-type]  # uvicorn asks for `shutdown` alone
        if self._handler is not None:
            self._handler.opened(self)

    def connection_lost(self, _: Exception | None) -> None:
        self._clear_deadline()
        self._state.connections.discard(self)
        self._connections.close(self._peer)
        self._leave()

    def pause_writing(self) -> None:
        if self._deadline is None:
            self._end_after(STALL_TIMEOUT_S)

    def resume_writing(self) -> None:
        self._clear_deadline()

    def _end_after(self, seconds: float) -> None:
        self._clear_deadline()
        self._deadline = asyncio.get_running_loop().call_later(seconds, self.transport.abort)

    def _clear_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _leave(self) -> None:
        handler, self._handler = self._handler, None
        if handler is not None:
            handler.lost()
