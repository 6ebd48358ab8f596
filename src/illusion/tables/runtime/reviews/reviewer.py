"""The reviewer: a process of low priority that answers one question about a finished game after another."""

import os
import pickle  # pipes between our own processes alone  # nosec B403
import signal
import sys
from time import process_time
from typing import BinaryIO, Final

import msgspec

from illusion.tables.public.looking_back import Question
from illusion.tables.runtime.painter import LENGTH

NICENESS: Final = 10
TOLD_EVERY: Final = 8
"""Decisions between two messages about how far it is."""


class Progress(msgspec.Struct, frozen=True):
    """How many decisions of a game have been looked at."""

    done: int
    of: int


class Reckoned(msgspec.Struct, frozen=True):
    """A finding as JSON, and the CPU seconds it took."""

    json: bytes
    cost_s: float


def main() -> None:
    """Answers every question with some messages of progress and the finding. One that has no answer ends it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which closes our input
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    asked, told = sys.stdin.buffer, sys.stdout.buffer
    while (message := _read(asked)) is not None:
        began = process_time()
        question: Question = pickle.loads(message)  # noqa: S301  (from our own parent)  # nosec B301

        def tell(done: int, of: int) -> None:
            if done % TOLD_EVERY == 0:
                _write(told, Progress(done, of))

        found = question.answer(tell)
        _write(told, Reckoned(found, process_time() - began))


def _read(stream: BinaryIO) -> bytes | None:
    """The next message; None if the parent is gone."""
    head = stream.read(LENGTH.size)
    return stream.read(LENGTH.unpack(head)[0]) if len(head) == LENGTH.size else None


def _write(stream: BinaryIO, message: Progress | Reckoned) -> None:
    encoded = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    stream.write(LENGTH.pack(len(encoded)) + encoded)
    stream.flush()
