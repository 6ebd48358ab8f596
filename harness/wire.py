"""A TCP proxy to a server or a database that can break connections or silently stop forwarding."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

CHUNK_BYTES: Final = 65536


class Wire:
    """Forwards connections from a port of its own to another port of this machine."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._is_whole = True
        self._flowing = threading.Event()
        self._flowing.set()
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._ends = set[socket.socket]()
        self.port: int = self._listening.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Break all connections, and refuse new ones."""
        self._is_whole = False
        for end in list(self._ends):
            _shut(end)

    def freeze(self) -> None:
        """Stop forwarding silently; data sent meanwhile arrives later."""
        self._flowing.clear()

    def mend(self) -> None:
        self._is_whole = True
        self._flowing.set()

    def close(self) -> None:
        self.cut()
        self._flowing.set()
        _shut(self._listening)
        self._listening.close()

    def _accept(self) -> None:
        with suppress(OSError):  # closed
            while True:
                near, _ = self._listening.accept()
                if not self._is_whole:
                    near.close()
                    continue
                far = socket.create_connection(("127.0.0.1", self._to))
                self._ends |= {near, far}
                for ends in ((near, far), (far, near)):
                    threading.Thread(target=self._carry, args=ends, daemon=True).start()

    def _carry(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while some := source.recv(CHUNK_BYTES):
                self._flowing.wait()
                target.sendall(some)
            self._flowing.wait()
        _shut(target)
        self._ends.discard(source)
        source.close()


def _shut(end: socket.socket) -> None:
    with suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)


@contextmanager
def wire_to(port: int) -> Iterator[Wire]:
    wire = Wire(port)
    try:
        yield wire
    finally:
        wire.close()
