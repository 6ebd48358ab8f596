"""A painter: a process of lower priority that draws cards, some at a time, as its parent asks, until that is gone."""

import os
import pickle
import signal
import struct
import sys
from contextlib import suppress
from time import process_time
from typing import BinaryIO, Final

from illusion.deck import Card
from illusion.tables.runtime.painting import Painting, paint

NICENESS: Final = 5
LENGTH: Final = struct.Struct(">I")
"""Before each message, in both directions."""

Answer = tuple[Painting | None, float]
"""A card's painting, or None if it cannot be drawn, and the CPU seconds it took."""


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which closes our input
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    asked, told = sys.stdin.buffer, sys.stdout.buffer
    while (cards := _read(asked)) is not None:
        answers = [_answer(card) for card in pickle.loads(cards)]  # noqa: S301  # nosec B301  (from our own parent)
        message = pickle.dumps(answers, pickle.HIGHEST_PROTOCOL)
        told.write(LENGTH.pack(len(message)) + message)
        told.flush()


def _answer(card: Card) -> Answer:
    began, painting = process_time(), None
    with suppress(ValueError):
        painting = paint(card)
    return painting, process_time() - began


def _read(stream: BinaryIO) -> bytes | None:
    """The next message; None if the parent is gone."""
    head = stream.read(LENGTH.size)
    return stream.read(LENGTH.unpack(head)[0]) if len(head) == LENGTH.size else None
