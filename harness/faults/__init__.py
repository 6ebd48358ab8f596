"""What people sent and were told, held against the log."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple


class Move(NamedTuple):
    """Who did what; without a gap it is a doubt."""

    seat: int
    gap: int | None


def faults(
    table: str, sent: Mapping[int, Sequence[Move]], acknowledged: Mapping[int, Move], log: Sequence[dict[str, Any]]
) -> list[str]:
    """Every acknowledged move is in the log at the number it was told, and nothing is there that nobody sent."""
    moves = {n: entry for n, entry in enumerate(log, 1) if entry["entry"] in ("placed", "doubted")}
    stored = {n: Move(entry["seat"], entry.get("gap")) for n, entry in moves.items()}
    lost = [n for n, move in acknowledged.items() if stored.get(n) != move]
    made_up = [n for n, move in stored.items() if move not in sent.get(n - 1, [])]
    return [
        *(f"{table}: move {n} was acknowledged, and is not in the log" for n in lost),
        *(f"{table}: move {n} is in the log, and nobody sent it" for n in made_up),
    ]
