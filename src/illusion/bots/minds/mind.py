"""What every mind does: decide, from the public view and its own impressions, and tell how hard that was."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from illusion.bots.eyes import Impression
from illusion.rules import Doubt, Move, Place, View


@dataclass(frozen=True, slots=True)
class Decision:
    """`hard` is 0 for a clear decision and 1 for a toss-up, on which a person would take longer."""

    move: Move
    hard: float


class Mind(Protocol):
    """`temper` is 0 for an even mind, 1 for a bold one that doubts earlier, -1 for a cautious one that doubts later."""

    def decide(
        self, view: View, row: Sequence[Impression], card: Impression | None, temper: float = 0.0
    ) -> Decision: ...


def decided(view: View, eagerness: float, gap: int, hard: float) -> Decision:
    """Doubt if the mind is eager to (above 0) or cannot place, else place; always a legal move."""
    if not view.legal.gaps:
        return Decision(Doubt(), 0.0)
    if eagerness > 0 and view.legal.doubt:
        return Decision(Doubt(), hard)
    return Decision(Place(gap), hard)
