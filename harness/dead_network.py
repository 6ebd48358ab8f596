"""A network that goes dead without a word: bytes are held back, and no connection is closed."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

CHUNK_BYTES = 65536


class Network:
    """Carries connections to a server's port, while it is alive. What was sent meanwhile arrives later."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._alive = threading.Event()
        self._alive.set()
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._open: list[socket.socket] = [self._listening]
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def die(self) -> None:
        self._alive.clear()

    def live(self) -> None:
        self._alive.set()

    def close(self) -> None:
        self.live()
        for each in self._open:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()

    def _accept(self) -> None:
        with suppress(OSError):  # closed
            while True:
                client, _ = self._listening.accept()
                server = socket.create_connection(("127.0.0.1", self._to))
                self._open += [client, server]
                for ends in ((client, server), (server, client)):
                    threading.Thread(target=self._carry, args=ends, daemon=True).start()

    def _carry(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while sent := source.recv(CHUNK_BYTES):
                self._alive.wait()
                target.sendall(sent)
            self._alive.wait()
            target.shutdown(socket.SHUT_WR)


@contextmanager
def network_to(port: int) -> Iterator[Network]:
    network = Network(port)
    yield network
    network.close()
