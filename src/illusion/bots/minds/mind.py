"""What every mind does: decide, from the view and what it saw, and say how hard that was."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from illusion.bots.eyes import Impression
from illusion.rules import Doubt, Move, Place, View


@dataclass(frozen=True, slots=True)
class Decision:
    """`hard` says how close it was, from 0 (clear) to 1 (as well the other way): a person would take longer."""

    move: Move
    hard: float


class Mind(Protocol):
    """`temper` is 0 for an even one, 1 for a bold one who doubts early, -1 for a cautious one who doubts late."""

    def decide(
        self, view: View, row: Sequence[Impression], card: Impression | None, temper: float = 0.0
    ) -> Decision: ...


def decided(view: View, eagerness: float, gap: int, hard: float) -> Decision:
    """Doubt if the mind is eager to (above 0) or must (R4.5), else place; one card alone is never doubted (R4.2)."""
    if view.next_card is None:
        return Decision(Doubt(), 0.0)
    if eagerness > 0 and len(view.row) > 1:
        return Decision(Doubt(), hard)
    return Decision(Place(gap), hard)
