"""A page's socket on a raw connection of a guest: every frame is kept as it came."""

import asyncio
from typing import Any, Final

import msgspec

from harness.siege.connection import Connection
from harness.siege.guest import Guest
from harness.sockets.frames import TEXT, Frame, FrameReader, frame

TIMEOUT_S: Final = 30


class Listening:
    """Keeps what arrives, and tells when something has."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.frames: list[Frame] = []
        self._reader = FrameReader()
        self._heard = asyncio.Event()

    def take(self, data: bytes) -> None:
        self.frames += self._reader.take(data)
        self._heard.set()

    @property
    def told(self) -> list[dict[str, Any]]:
        """All texts but heartbeats."""
        texts = (msgspec.json.decode(each.payload) for each in self.frames if each.opcode == TEXT)
        return [text for text in texts if text]

    @property
    def messages(self) -> list[dict[str, Any]]:
        """Those with an event."""
        return [message for message in self.told if "event" in message]

    @property
    def answers(self) -> list[dict[str, Any]]:
        return [message for message in self.told if {"answer", "problem"} & message.keys()]

    def send(self, body: object) -> None:
        self.connection.send(frame(TEXT, msgspec.json.encode(body)))

    async def hear(self, seq: int) -> None:
        """Wait until the table has come so far."""
        await self.until(lambda: bool(self.messages) and self.messages[-1]["seq"] >= seq)

    async def until(self, is_so: Any) -> None:
        async with asyncio.timeout(TIMEOUT_S):
            while not is_so():
                self._heard.clear()
                await self._heard.wait()


async def listening(guest: Guest, path: str, headers: dict[str, str] | None = None) -> Listening:
    """A socket that opens; the guest hangs up when it leaves."""
    connection = await guest.connect()
    listener = Listening(connection)
    connection.on_data = listener.take
    answer = await connection.ask(guest.request("GET", path, headers))
    assert answer.status == 101, answer
    return listener
