"""Passes open connections between the workers of one server: descriptors over Unix sockets (SCM_RIGHTS).

A connection on which a request begins whose table is at home in another worker goes there, with the bytes already read.
Where that does not work, the request is answered where it arrived: the other worker is gone, does not take what it was
sent, or has too much waiting. A connection that was passed to a worker that dies then is lost like all others it had.
"""

import asyncio
import logging
import os
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

from illusion.web.ops import logs
from illusion.web.server.homes import Homes

MAX_PASSED_BYTES: Final = 16 * 1024
"""Of a request that has begun to arrive: with more, it stays."""
TAKEN_AT_ONCE: Final = 32
"""Connections that are taken over at a time, before others have their turn."""
SILENCE_S: Final = 1.0
"""A worker that takes nothing for so long although something was sent to it gets no more until it does."""
BACKLOG: Final = 64
_CLOSE_ON_EXEC: Final = getattr(socket, "MSG_CMSG_CLOEXEC", 0)

NewProtocol = Callable[[bytes], asyncio.Protocol]
"""Makes the protocol for a connection of which these bytes were read already."""


class ConnectionPassing:
    """One worker's part: it sends connections to the homes of their tables, and serves those that it is sent."""

    def __init__(self, homes: Homes) -> None:
        self._homes = homes
        self._ways: dict[int, _Way] = {}
        self._listening: socket.socket | None = None
        self._lines: set[socket.socket] = set()
        """From the other workers."""
        self._connecting: set[asyncio.Task[None]] = set()

    def start(self, new_protocol: NewProtocol) -> None:
        self._new_protocol = new_protocol
        self._loop = asyncio.get_running_loop()
        places = [place for place in range(self._homes.count) if place != self._homes.place]
        self._ways = {place: _Way(self._loop, self._homes.address(place)) for place in places}
        try:
            self._listening = _listening_at(self._homes.address(self._homes.place))
        except (OSError, AttributeError) as error:  # no such kind of socket here, or too long a path
            logs.say(logging.WARNING, "connections-not-passed", error=type(error).__name__)
            return
        self._loop.add_reader(self._listening.fileno(), self._accept, self._listening)

    def stop(self) -> None:
        """From now on everything stays where it is."""
        for way in self._ways.values():
            way.close()
        self._ways = {}
        for line in [*self._lines, *([self._listening] if self._listening else [])]:
            self._hang_up(line)
        self._listening = None

    def try_pass(self, transport: asyncio.Transport, received: bytes) -> bool:
        """Pass a connection on if its next request, of which this was read, belongs elsewhere; returns whether it did.

        Nothing of an earlier answer may still be waiting to be sent.
        """
        home = self._homes.home_of_request(received)
        if home == self._homes.place or home not in self._ways:
            return False
        if len(received) > MAX_PASSED_BYTES or transport.get_write_buffer_size():
            return False
        connection = transport.get_extra_info("socket")
        if connection is None or not self._ways[home].send(connection.fileno(), received):
            return False
        transport.abort()  # closes this process's descriptor and nothing else
        return True

    def _accept(self, listening: socket.socket) -> None:
        with suppress(OSError):
            line, _ = listening.accept()
            line.settimeout(0)
            self._lines.add(line)
            self._loop.add_reader(line.fileno(), self._take, line)

    def _take(self, line: socket.socket) -> None:
        """Take what another worker has sent, and tell it how much that was: a byte for each connection."""
        taken = 0
        with suppress(BlockingIOError):
            while taken < TAKEN_AT_ONCE:
                try:
                    received, descriptors, _, _ = socket.recv_fds(line, MAX_PASSED_BYTES, 1, _CLOSE_ON_EXEC)
                except ConnectionError:
                    received, descriptors = b"", []
                if not received:
                    self._hang_up(line)
                    return
                taken += 1
                for descriptor in descriptors:
                    self._serve(descriptor, received)
        if taken:
            with suppress(OSError):  # it is gone, or does not read
                line.send(bytes(taken))

    def _serve(self, descriptor: int, received: bytes) -> None:
        try:
            connection = socket.socket(fileno=descriptor)
        except OSError:
            os.close(descriptor)
            return
        connection.settimeout(0)
        task = self._loop.create_task(self._connect(connection, received))
        self._connecting.add(task)
        task.add_done_callback(self._connecting.discard)

    async def _connect(self, connection: socket.socket, received: bytes) -> None:
        try:
            await self._loop.connect_accepted_socket(partial(self._new_protocol, received), connection)
        except OSError:  # the client is gone
            connection.close()

    def _hang_up(self, line: socket.socket) -> None:
        self._loop.remove_reader(line.fileno())
        self._lines.discard(line)
        line.close()


class _Way:
    """The way to one other worker."""

    def __init__(self, loop: asyncio.AbstractEventLoop, address: str) -> None:
        self._loop = loop
        self._address = address
        self._line: socket.socket | None = None
        self._untaken = 0
        """Connections it was sent and has not said to have taken."""
        self._waiting_since = 0.0

    def send(self, descriptor: int, received: bytes) -> bool:
        """Whether it was sent: it stays with us if the worker is gone, does not answer, or has too much waiting."""
        if self._untaken and time.monotonic() - self._waiting_since > SILENCE_S:
            return False
        for is_new in (self._line is None, True):
            try:
                socket.send_fds(self._line or self._connect(), [received], [descriptor])
            except BlockingIOError:
                return False
            except OSError:
                self.close()  # the line of a worker that was replaced breaks once
                if is_new:
                    return False
            else:
                break
        if not self._untaken:
            self._waiting_since = time.monotonic()
        self._untaken += 1
        return True

    def close(self) -> None:
        if self._line is not None:
            self._loop.remove_reader(self._line.fileno())
            self._line.close()
        self._line = None
        self._untaken = 0

    def _connect(self) -> socket.socket:
        line = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            line.settimeout(0)
            line.connect(self._address)
        except OSError:
            line.close()
            raise
        self._line = line
        self._loop.add_reader(line.fileno(), self._on_taken)
        return line

    def _on_taken(self) -> None:
        assert self._line is not None
        try:
            taken = self._line.recv(4096)
        except BlockingIOError:
            return
        except OSError:
            taken = b""
        if not taken:
            self.close()
            return
        self._untaken -= len(taken)
        self._waiting_since = time.monotonic()


def _listening_at(address: str) -> socket.socket:
    """A socket in place of one that a dead worker left. Its folder is private."""
    Path(address).unlink(missing_ok=True)
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    try:
        listening.settimeout(0)
        listening.bind(address)
        listening.listen(BACKLOG)
    except OSError:
        listening.close()
        raise
    return listening
