"""A follower of a broadcast, without a connection."""

from illusion.web.live.broadcast import Subscriber


class Reader(Subscriber):
    """Reads when it likes."""

    def __init__(self) -> None:
        super().__init__()
        self._unread = b""

    def write(self, message: bytes) -> int:
        self._unread += message
        return len(self._unread)

    def end(self) -> None:
        self._unread = b"(the end)"

    def read(self) -> bytes:
        unread, self._unread = self._unread, b""
        return unread
