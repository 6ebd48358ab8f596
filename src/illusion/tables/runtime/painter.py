"""A painter: a process of lower priority that draws one card after another, as its parent asks, until that is gone."""

import os
import pickle
import signal
import struct
import sys
from contextlib import suppress
from time import process_time
from typing import BinaryIO, Final

from illusion.tables.runtime.painting import paint

NICENESS: Final = 5
LENGTH: Final = struct.Struct(">I")
"""Before each message, in both directions."""


def main() -> None:
    """Answers with the painting, or None if it cannot be drawn, and the CPU seconds it took."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which closes our input
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    asked, told = sys.stdin.buffer, sys.stdout.buffer
    while (card := _read(asked)) is not None:
        began, painting = process_time(), None
        with suppress(ValueError):
            painting = paint(pickle.loads(card))  # noqa: S301  # nosec B301  (from our own parent)
        answer = pickle.dumps((painting, process_time() - began), pickle.HIGHEST_PROTOCOL)
        told.write(LENGTH.pack(len(answer)) + answer)
        told.flush()


def _read(stream: BinaryIO) -> bytes | None:
    """The next message; None if the parent is gone."""
    head = stream.read(LENGTH.size)
    return stream.read(LENGTH.unpack(head)[0]) if len(head) == LENGTH.size else None
