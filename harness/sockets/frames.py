"""WebSocket frames as bytes (RFC 6455, 5.2), valid or not; honest clients use `websockets`."""

from typing import Final

UPGRADE: Final = {
    "connection": "Upgrade",
    "upgrade": "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
}
"""The headers of a handshake, with the example key of the RFC."""
MASK: Final = b"\x01\x02\x03\x04"
CONTINUATION, TEXT, CLOSE, PING, PONG = 0, 1, 8, 9, 10


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
