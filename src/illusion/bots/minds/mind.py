"""What every mind does: decide, from the public view and its own impressions. It tells its move and nothing else."""

from collections.abc import Sequence
from typing import Protocol

from illusion.bots.eyes import Impression
from illusion.rules import Doubt, Move, Place, View


class Mind(Protocol):
    """`temper` is 0 for an even mind, 1 for a bold one that doubts earlier, -1 for a cautious one that doubts later."""

    def decide(self, view: View, row: Sequence[Impression], card: Impression | None, temper: float = 0.0) -> Move: ...


def decided(view: View, eagerness: float, gap: int) -> Move:
    """Doubt if the mind is eager to (above 0) or cannot place, else place; always a legal move."""
    if not view.legal.gaps or (eagerness > 0 and view.legal.doubt):
        return Doubt()
    return Place(gap)
