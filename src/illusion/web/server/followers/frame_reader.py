"""Reads the frames of a client and checks them as a server has to (RFC 6455, 5). It does no I/O."""

from typing import Final, NamedTuple

from illusion.web.live.frames import BINARY, CLOSE, CONTINUATION, LAST_FRAGMENT, PING, PONG, TEXT

MAX_MESSAGE_BYTES: Final = 4 * 1024
"""A move has some fifty."""

PROTOCOL_ERROR: Final = 1002
NOT_UTF_8: Final = 1007
TOO_LARGE: Final = 1009

_HEADER_BYTES: Final = 2
_LENGTH_BYTES: Final = {126: 2, 127: 8}
"""Bytes of the longer length that these numbers announce."""
_MASK_BYTES: Final = 4
_RESERVED_BITS: Final = 0x70
_MASKED: Final = 0x80
_MAX_CONTROL_BYTES: Final = 125
_OPCODES: Final = (CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG)


class BadFrame(Exception):
    """A client has sent what is no frame, or one that it may not send; `code` is the one to close with."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class Frame(NamedTuple):
    """A whole message or a control frame. A continuation stands for a part of a message that is not over yet."""

    opcode: int
    content: bytes

    @property
    def is_control(self) -> bool:
        return self.opcode >= CLOSE


class FrameReader:
    """The frames of one client, whose bytes may come in any pieces."""

    __slots__ = ("_begun", "_fragments", "_place", "_received")

    def __init__(self) -> None:
        self._received = b""
        self._place = 0
        """Where the next frame begins in what was received."""
        self._begun = CONTINUATION
        """What kind of message has begun and not ended."""
        self._fragments: tuple[bytes, ...] = ()

    @property
    def fragments(self) -> int:
        """Of the message that has begun and not ended."""
        return len(self._fragments)

    @property
    def is_more(self) -> bool:
        """Whether anything has arrived that was not read, be it a whole frame or not."""
        return self._place < len(self._received)

    def feed(self, data: bytes) -> None:
        self._received = self._received[self._place :] + data
        self._place = 0

    def next_frame(self) -> Frame | None:
        """None if it has not arrived yet. Raises BadFrame."""
        received, place = self._received, self._place
        if len(received) < place + _HEADER_BYTES:
            return None
        first, second = received[place], received[place + 1]
        _check_header(first, second)
        place += _HEADER_BYTES
        length = second & 0x7F
        if length in _LENGTH_BYTES:
            wide = _LENGTH_BYTES[length]
            if len(received) < place + wide:
                return None
            length = int.from_bytes(received[place : place + wide])
            place += wide
        if first & 0x0F < CLOSE and length + sum(map(len, self._fragments)) > MAX_MESSAGE_BYTES:
            raise BadFrame(TOO_LARGE)
        end = place + _MASK_BYTES + length
        if len(received) < end:
            return None
        content = _unmasked(received[place : place + _MASK_BYTES], received[place + _MASK_BYTES : end])
        if end == len(received):
            self._received, self._place = b"", 0
        else:
            self._place = end
        return self._joined(first & 0x0F, content, is_last=bool(first & LAST_FRAGMENT))

    def _joined(self, opcode: int, content: bytes, *, is_last: bool) -> Frame:
        if opcode >= CLOSE:  # may come between fragments
            return Frame(opcode, content)
        if (opcode == CONTINUATION) != (self._begun != CONTINUATION):
            raise BadFrame(PROTOCOL_ERROR)
        opcode = opcode or self._begun
        if not is_last:
            self._begun, self._fragments = opcode, (*self._fragments, content)
            return Frame(CONTINUATION, b"")
        if self._fragments:
            content = b"".join((*self._fragments, content))
            self._begun, self._fragments = CONTINUATION, ()
        if opcode == TEXT:
            check_text(content)
        return Frame(opcode, content)


def _check_header(first: int, second: int) -> None:
    opcode = first & 0x0F
    is_control = opcode >= CLOSE
    if (
        first & _RESERVED_BITS
        or opcode not in _OPCODES
        or not second & _MASKED
        or (is_control and not (first & LAST_FRAGMENT and second & 0x7F <= _MAX_CONTROL_BYTES))
    ):
        raise BadFrame(PROTOCOL_ERROR)


def _unmasked(mask: bytes, content: bytes) -> bytes:
    """RFC 6455, 5.3: every byte with one of the mask's four; as two large numbers, all at once."""
    length = len(content)
    repeated = (mask * (length // _MASK_BYTES + 1))[:length]
    return (int.from_bytes(content) ^ int.from_bytes(repeated)).to_bytes(length)


def check_text(content: bytes) -> None:
    """Raises BadFrame."""
    try:
        content.decode()
    except UnicodeDecodeError:
        raise BadFrame(NOT_UTF_8) from None


def close_code(content: bytes) -> int | None:
    """The code with which a client closes, if it names one (RFC 6455, 5.5.1 and 7.4). Raises BadFrame."""
    if not content:
        return None
    code = int.from_bytes(content[:2])
    is_assigned = 1000 <= code <= 1014 and code not in (1004, 1005, 1006)
    if len(content) == 1 or not (is_assigned or 3000 <= code < 5000):
        raise BadFrame(PROTOCOL_ERROR)
    check_text(content[2:])
    return code
