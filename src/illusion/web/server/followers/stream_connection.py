"""The connection of an event stream whose response has begun: chunks out (RFC 9112, 7.1), and nothing in."""

from typing import Final

from illusion.web.live.handover import StreamHandler
from illusion.web.server.followers.open_connection import OpenConnection

LAST_CHUNK: Final = b"0\r\n\r\n"


class StreamConnection(OpenConnection[StreamHandler]):
    """One stream. The connection ends with it."""

    __slots__ = ()

    def write(self, body: bytes) -> int:
        if self.transport.is_closing():
            return 0
        self.transport.write(b"%x\r\n%b\r\n" % (len(body), body))
        return self.transport.get_write_buffer_size()

    def close(self) -> None:
        if not self.transport.is_closing():
            self.transport.write(LAST_CHUNK)
            self.transport.close()

    def shutdown(self) -> None:
        """The server stops."""
        self.close()

    def data_received(self, _: bytes) -> None:
        """Another request, behind one whose answer has no end (pipelining): it is to be asked on another connection."""
        self.close()
