"""A painter: a process of lower priority that draws cards, some at a time, as its parent asks, until that is gone."""

import gc
import os
import pickle  # pipes between our own processes alone  # nosec B403
import signal
import struct
import sys
from time import process_time
from typing import BinaryIO, Final

from illusion.deck import Card
from illusion.tables.runtime.painting import Painting, paint_together

NICENESS: Final = 5
GC_THRESHOLDS: Final = (20_000, 10, 100)
"""With Python's own the collector takes two percent of the time, to find nothing."""
LENGTH: Final = struct.Struct(">I")
"""Before each message, in both directions."""

Answer = tuple[Painting | None, float]
"""A card's painting, or None if it cannot be drawn, and the CPU seconds it took."""


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which closes our input
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    gc.freeze()  # what was loaded stays; drawing leaves next to nothing that only the garbage collector finds
    gc.set_threshold(*GC_THRESHOLDS)
    asked, told = sys.stdin.buffer, sys.stdout.buffer
    while (cards := _read(asked)) is not None:
        answers = _answers(pickle.loads(cards))  # noqa: S301  (from our own parent)  # nosec B301
        message = pickle.dumps(answers, pickle.HIGHEST_PROTOCOL)
        told.write(LENGTH.pack(len(message)) + message)
        told.flush()


def _answers(cards: list[Card]) -> list[Answer]:
    """Each card costs the same part of the time that they took together."""
    began = process_time()
    paintings = paint_together(cards)
    cost_s = (process_time() - began) / len(cards)
    return [(painting, cost_s) for painting in paintings]


def _read(stream: BinaryIO) -> bytes | None:
    """The next message; None if the parent is gone."""
    head = stream.read(LENGTH.size)
    return stream.read(LENGTH.unpack(head)[0]) if len(head) == LENGTH.size else None
