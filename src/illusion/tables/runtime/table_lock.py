"""The line of people at a table: one at a time does something there, in the order they came."""

import asyncio
from collections import deque


class Line:
    """Like a lock that can also be taken without waiting, if nobody is there."""

    __slots__ = ("_busy", "_waiting")

    def __init__(self) -> None:
        self._busy = False
        self._waiting: deque[asyncio.Future[None]] | None = None  # most tables never have anybody waiting

    def take(self) -> bool:
        """Have the turn at once, or not at all."""
        taken, self._busy = not self._busy, True
        return taken

    def leave(self) -> None:
        """The next one in line has the turn."""
        while self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                return
        self._busy = False

    async def __aenter__(self) -> None:
        if self.take():
            return
        turn = asyncio.get_running_loop().create_future()
        if self._waiting is None:
            self._waiting = deque()
        self._waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.leave()  # it was our turn already
            raise

    async def __aexit__(self, *_: object) -> None:
        self.leave()
