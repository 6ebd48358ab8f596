"""The public events of one table in memory: most of what a table grows by while it is played."""

import zlib
from itertools import chain
from typing import Final

BLOCK: Final = 16
"""Events that are compressed together: names and cards repeat, so that a quarter is left, for a microsecond each."""
_LEVEL: Final = 1
_WINDOW_BITS: Final = 13
_MEMORY_LEVEL: Final = 6
"""Enough for one block. With zlib's usual 256 KB to prepare it takes four times as long."""
_BETWEEN: Final = b"\n"
"""JSON as we write it has none."""


class EventLog:
    """The event of each entry, as JSON, in the order of the log. All but the newest are kept compressed."""

    __slots__ = ("_newest", "_packed")

    def __init__(self) -> None:
        self._packed: list[bytes] = []
        self._newest: list[bytes] = []

    def append(self, event: bytes) -> None:
        self._newest.append(event)
        if len(self._newest) == BLOCK:
            packing = zlib.compressobj(_LEVEL, wbits=_WINDOW_BITS, memLevel=_MEMORY_LEVEL)
            self._packed.append(packing.compress(_BETWEEN.join(self._newest)) + packing.flush())
            self._newest.clear()

    def after(self, seq: int) -> list[bytes]:
        """Those of all entries after number `seq`; the first entry has number 1."""
        whole = min(seq // BLOCK, len(self._packed))
        unpacked = map(_unpacked, self._packed[whole:])
        return [*chain.from_iterable(unpacked), *self._newest][seq - whole * BLOCK :]


def _unpacked(block: bytes) -> list[bytes]:
    return zlib.decompress(block).split(_BETWEEN)
