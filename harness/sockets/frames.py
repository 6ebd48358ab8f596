"""WebSocket frames as bytes (RFC 6455, 5.2), right or wrong as wanted, and a reader of those that a server sends."""

from typing import Final, NamedTuple

UPGRADE: Final = {
    "connection": "Upgrade",
    "upgrade": "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
}
"""The headers of a handshake, with the example key of the RFC."""
MASK: Final = b"\x01\x02\x03\x04"
CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10


def frame(
    opcode: int, payload: bytes = b"", *, last: bool = True, masked: bool = True, announced: int | None = None
) -> bytes:
    """One frame of a client; `announced` is a length that it claims to have."""
    length = len(payload) if announced is None else announced
    bit = 0x80 if masked else 0
    if length < 126:
        size = bytes([bit | length])
    elif length < 1 << 16:
        size = bytes([bit | 126]) + length.to_bytes(2)
    else:
        size = bytes([bit | 127]) + length.to_bytes(8)
    if masked:
        payload = MASK + bytes(byte ^ MASK[place % 4] for place, byte in enumerate(payload))
    return bytes([(0x80 if last else 0) | opcode]) + size + payload


class Frame(NamedTuple):
    opcode: int
    payload: bytes

    @property
    def close_code(self) -> int:
        assert self.opcode == CLOSE
        return int.from_bytes(self.payload[:2])


class FrameReader:
    """Takes a server's frames, which are whole messages and not masked, out of what arrives."""

    def __init__(self) -> None:
        self._got = bytearray()

    def take(self, data: bytes) -> list[Frame]:
        """The frames that are complete now."""
        self._got += data
        frames = []
        while (found := self._first()) is not None:
            frames.append(found)
        return frames

    def _first(self) -> Frame | None:
        got = self._got
        if len(got) < 2:
            return None
        assert got[0] & 0x80, "a server of ours sends whole messages"
        assert not got[1] & 0x80, "a server does not mask"
        wide = {126: 2, 127: 8}.get(got[1], 0)
        if len(got) < 2 + wide:
            return None
        length = int.from_bytes(got[2 : 2 + wide]) if wide else got[1]
        end = 2 + wide + length
        if len(got) < end:
            return None
        found = Frame(got[0] & 0x0F, bytes(got[2 + wide : end]))
        del got[:end]
        return found
