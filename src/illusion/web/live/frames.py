"""WebSocket frames as a server sends them: whole messages, not masked (RFC 6455, 5.2)."""

from functools import partial
from typing import Final

CONTINUATION: Final = 0x0
TEXT: Final = 0x1
BINARY: Final = 0x2
CLOSE: Final = 0x8
PING: Final = 0x9
PONG: Final = 0xA
LAST_FRAGMENT: Final = 0x80
"""Set in the first byte of a frame that ends its message."""

_SHORT: Final = 126
"""From here on the length has two bytes of its own, and from `_LONG` on eight."""
_LONG: Final = 1 << 16


def frame(opcode: int, content: bytes) -> bytes:
    length = len(content)
    if length < _SHORT:
        return bytes((LAST_FRAGMENT | opcode, length)) + content
    if length < _LONG:
        return bytes((LAST_FRAGMENT | opcode, 126)) + length.to_bytes(2) + content
    return bytes((LAST_FRAGMENT | opcode, 127)) + length.to_bytes(8) + content


text_frame: Final = partial(frame, TEXT)


def close_frame(code: int) -> bytes:
    return frame(CLOSE, code.to_bytes(2))
