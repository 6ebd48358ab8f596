"""A mind with a threshold: it doubts when the chance that the row is wrong is above it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from illusion.bots.belief import believe
from illusion.bots.eyes import Impression
from illusion.bots.minds.mind import decided
from illusion.bots.scale import posterior
from illusion.rules import Move, View

TEMPER = 0.03
"""How much a temper of 1 changes what the mind compares with 0."""


@dataclass(frozen=True, slots=True)
class Threshold:
    """`doubts_at` is the chance of a fall above which it doubts, by the number of players.

    It goes by its own eyes alone, which is too pessimistic: the others looked too and did not doubt. So the best
    threshold is well above one half.
    """

    doubts_at: Mapping[int, float]

    def decide(self, view: View, row: Sequence[Impression], card: Impression | None, temper: float = 0.0) -> Move:
        belief = believe([posterior(each) for each in row], None if card is None else posterior(card))
        eagerness = 1 - belief.right - self.threshold(view) + TEMPER * temper
        gap = 0 if card is None else max(view.legal.gaps, key=belief.stays.__getitem__)
        return decided(view, eagerness, gap)

    def threshold(self, view: View) -> float:
        """A threshold t means that a wrong doubt costs t where a right one wins 1 - t. Each arrow of a penalty (R5.5)
        adds to the cost what a right doubt wins."""
        assert view.to_play is not None
        usual = self.doubts_at[view.players]
        lost = view.penalty.returned(len(view.arrows_won[view.to_play]))
        return (usual + lost * (1 - usual)) / (1 + lost * (1 - usual))
