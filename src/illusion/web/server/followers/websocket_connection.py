"""An open WebSocket: frames in, frames out (RFC 6455), and limits on what a page may send and leave unread.

A page sends a few short frames a minute, so few are enough for everybody. One message is answered at a time; what
arrives meanwhile waits, and if there is more of it the connection is not read.
"""

import asyncio
from time import monotonic
from typing import Any, Final

from uvicorn.server import ServerState

from illusion.web.live.frames import CLOSE, CONTINUATION, PING, PONG, close_frame, frame
from illusion.web.live.handover import SocketHandler
from illusion.web.server.connections import ConnectionLimiter
from illusion.web.server.followers.frame_reader import BadFrame, Frame, FrameReader, close_code
from illusion.web.server.followers.open_connection import OpenConnection

MAX_BYTES: Final = 32 * 1024
MAX_BYTES_S: Final = 10.0
"""What a page may send within this time."""
FRAME_BYTES: Final = 128
"""What each frame counts as besides its own bytes: some eighteen moves a second are too many."""
CONTROL_FRAME_BYTES: Final = 8 * FRAME_BYTES
"""Pings and pongs: pages send none, and a program that asks whether we are there needs a few a minute."""
MAX_FRAGMENTS: Final = 16
"""Of one message; each of them may be empty, so that its size alone would never end it."""
CLOSE_TIMEOUT_S: Final = 10.0
"""For a page to answer that the socket is closed."""
SERVICE_RESTART: Final = 1012
"""Closing code: the page is to connect again."""


class WebSocketConnection(OpenConnection[SocketHandler]):
    """One socket."""

    __slots__ = ("_answering", "_closed", "_frames", "_paid_until", "_paused")

    def __init__(
        self,
        transport: asyncio.Transport,
        handler: SocketHandler,
        state: ServerState,
        connections: ConnectionLimiter,
        peer: str,
    ) -> None:
        super().__init__(transport, handler, state, connections, peer)
        self._frames = FrameReader()
        self._paid_until = 0.0
        self._answering = False
        self._paused = False
        self._closed = False

    def connection_lost(self, _: Exception | None) -> None:
        self._closed = True
        super().connection_lost(_)

    def shutdown(self) -> None:
        """The server stops."""
        self.close(SERVICE_RESTART)
        self.transport.close()

    def write(self, frames: bytes) -> int:
        if self._closed or self.transport.is_closing():
            return 0
        self.transport.write(frames)
        return self.transport.get_write_buffer_size()

    def close(self, code: int) -> None:
        """The page's answer is waited for a while."""
        self._say_last(close_frame(code))
        self._go_on_reading()

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        if not self._may_pay(len(data)):
            self.transport.abort()
            return
        self._frames.feed(data)
        if not self._answering:
            self._take_frames()
        elif not self._paused:
            self._paused = True
            self.transport.pause_reading()

    def _take_frames(self) -> None:
        """Until one has to be answered that takes time."""
        try:
            while not self._answering and not self.transport.is_closing():
                received = self._frames.next_frame()
                if received is None:
                    self._go_on_reading()
                    return
                cost = CONTROL_FRAME_BYTES if received.is_control else FRAME_BYTES
                if not self._may_pay(cost) or self._frames.fragments > MAX_FRAGMENTS:
                    self.transport.abort()
                else:
                    self._take(received)
        except BadFrame as error:
            self._hang_up(close_frame(error.code))

    def _take(self, received: Frame) -> None:
        if received.opcode == CLOSE:
            code = close_code(received.content)
            self._hang_up(frame(CLOSE, b"") if code is None else close_frame(code))
        elif received.opcode == PING:
            self.write(frame(PONG, received.content))
        elif received.opcode not in (PONG, CONTINUATION) and self._handler is not None and not self._closed:
            self._answering = True
            task = asyncio.get_running_loop().create_task(self._handler.answer(received.content))
            self._state.tasks.add(task)
            task.add_done_callback(self._answered)

    def _answered(self, task: asyncio.Task[Any]) -> None:
        self._state.tasks.discard(task)
        self._answering = False
        if self._paused or self._frames.is_more:
            self._take_frames()

    def _go_on_reading(self) -> None:
        if self._paused and not self.transport.is_closing():
            self._paused = False
            self.transport.resume_reading()

    def _may_pay(self, count: float) -> bool:
        """The generic cell rate algorithm, as in `Gcra`, for this one connection."""
        now = monotonic()
        self._paid_until = max(self._paid_until, now) + count * (MAX_BYTES_S / MAX_BYTES)
        return self._paid_until <= now + MAX_BYTES_S

    def _hang_up(self, last: bytes) -> None:
        """Nothing more is expected of the client."""
        self._say_last(last)
        self.transport.close()

    def _say_last(self, last: bytes) -> None:
        if self._closed or self.transport.is_closing():
            return
        self.write(last)
        self._closed = True
        self._end_after(CLOSE_TIMEOUT_S)
        asyncio.get_running_loop().call_soon(self._leave)  # the handler may be the one who closes

    def resume_writing(self) -> None:
        if not self._closed:
            super().resume_writing()
