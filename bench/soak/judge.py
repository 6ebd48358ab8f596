"""What people were told against what is stored."""

from collections.abc import Sequence
from typing import Any

from bench.load.evening.drive import Kept
from bench.load.evening.pages_table import Move


def moves_in(log: Sequence[dict[str, Any]]) -> dict[int, Move]:
    """The moves of a table's log, by number. The first entry has number 1."""
    numbered = enumerate(log, 1)
    return {
        n: Move(entry["seat"], entry.get("gap")) for n, entry in numbered if entry["entry"] in ("placed", "doubted")
    }


def faults(kept: Kept, log: Sequence[dict[str, Any]]) -> list[str]:
    """Every acknowledged move is in the log at the number it was told, and nothing is there that nobody sent."""
    stored = moves_in(log)
    lost = [
        f"{kept.table}: move {n} was acknowledged, and is not in the log"
        for n, move in kept.acknowledged.items()
        if stored.get(n) != move
    ]
    made_up = [
        f"{kept.table}: move {n} is in the log, and nobody sent it"
        for n, move in stored.items()
        if move not in kept.sent.get(n - 1, [])
    ]
    return lost + made_up
