"""Counts the frames of a WebSocket from their headers alone (RFC 6455, 5.2), before anything is done about them.

A frame can be six bytes and costs a hundred times as much to take apart, so bytes alone do not say how dear it is.
"""

from typing import Final

SHORTEST_HEADER_BYTES: Final = 2
LENGTH_BYTES: Final = {126: 2, 127: 8}
"""Bytes of the longer length that these numbers announce."""
MASK_BYTES: Final = 4
FIRST_CONTROL_OPCODE: Final = 8
CONTROL_WEIGHT: Final = 8
"""Pings and pongs: pages send none, and a program that asks whether we are there needs a few a minute."""


class FrameCounter:
    """The frames of one client, in pieces as they arrive."""

    def __init__(self) -> None:
        self.fragments = 0
        """Frames of the message that has begun and not ended."""
        self._header = b""
        self._payload_bytes = 0
        """Still to come of the frame that has begun."""

    def count(self, data: bytes, most: int) -> int:
        """How many frames begin in what has just arrived, a control frame as several.

        Stops at more than `most`: then the client is to be left.
        """
        began = at = 0
        while at < len(data) and began <= most:
            if self._payload_bytes:
                skipped = min(self._payload_bytes, len(data) - at)
                self._payload_bytes -= skipped
                at += skipped
                continue
            missing = self._header_bytes() - len(self._header)
            self._header += data[at : at + missing]
            at += missing
            if len(self._header) == self._header_bytes():
                began += self._begin()
        return began

    def _header_bytes(self) -> int:
        """As far as can be told from what is there of it."""
        if len(self._header) < SHORTEST_HEADER_BYTES:
            return SHORTEST_HEADER_BYTES
        second = self._header[1]
        return SHORTEST_HEADER_BYTES + LENGTH_BYTES.get(second & 0x7F, 0) + (MASK_BYTES if second & 0x80 else 0)

    def _begin(self) -> int:
        """A frame whose header is complete; returns how much it counts."""
        header, self._header = self._header, b""
        length = header[1] & 0x7F
        if length in LENGTH_BYTES:
            length = int.from_bytes(header[2 : 2 + LENGTH_BYTES[length]])
        self._payload_bytes = length
        if header[0] & 0x0F >= FIRST_CONTROL_OPCODE:
            return CONTROL_WEIGHT
        is_last = header[0] & 0x80
        self.fragments = 0 if is_last else self.fragments + 1
        return 1
