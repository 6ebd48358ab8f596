"""Minds decide on moves, from the public view and their own impressions alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import hypot
from typing import ClassVar, NamedTuple, Protocol

from illusion.bots.belief import believe, others_evidence, posterior
from illusion.bots.eyes import Impression
from illusion.bots.race import Experience, worth, worth_of_wrong_doubt
from illusion.rules import Doubt, Move, Place, View


class Mind(Protocol):
    """A player's judgement. `temper` is 0 for an even one, 1 for a bold one (doubts earlier), -1 for a cautious one."""

    def decide(self, view: View, row: Sequence[Impression], card: Impression | None, temper: float = 0.0) -> Move: ...


def decided(view: View, eagerness: float, gap: int) -> Move:
    """A legal move: doubt if the mind is eager to (above 0) or cannot place, else place."""
    if not view.legal.gaps or (eagerness > 0 and view.legal.doubt):
        return Doubt()
    return Place(gap)


@dataclass(frozen=True, slots=True)
class PointEstimate:
    """Doubts at a fall between two neighbours of `doubts_at` standard deviations of a difference."""

    doubts_at: float

    TEMPER: ClassVar = 0.15
    """How much a temper of 1 changes what the mind compares with 0."""

    def decide(self, view: View, row: Sequence[Impression], card: Impression | None, temper: float = 0.0) -> Move:
        steepest = max((_fall(left, right) for left, right in pairwise(row)), default=0.0)
        eagerness = steepest - self.doubts_at + self.TEMPER * temper
        gap = 0 if card is None else min(view.legal.gaps, key=lambda gap: _trouble(row, gap, card))
        return decided(view, eagerness, gap)


def _fall(left: Impression, right: Impression) -> float:
    return (left.seen - right.seen) / (hypot(left.spread, right.spread) or 1e-9)


def _trouble(row: Sequence[Impression], gap: int, card: Impression) -> float:
    """How badly the card fits a gap: the sum of its falls with all cards left and right of it."""
    return sum(max(0.0, _fall(left, card)) for left in row[:gap]) + sum(
        max(0.0, _fall(card, right)) for right in row[gap:]
    )


@dataclass(frozen=True, slots=True)
class Threshold:
    """Doubts if the chance of a fall is above `doubts_at`, by the number of players.

    It ignores that the others looked, too, and did not doubt, so it is too pessimistic, and the best threshold is well
    above one half.
    """

    doubts_at: Mapping[int, float]

    TEMPER: ClassVar = 0.03
    """How much a temper of 1 changes what the mind compares with 0."""

    def decide(self, view: View, row: Sequence[Impression], card: Impression | None, temper: float = 0.0) -> Move:
        belief = believe([posterior(each) for each in row], None if card is None else posterior(card))
        eagerness = 1 - belief.right - self.threshold(view) + self.TEMPER * temper
        gap = 0 if card is None else max(view.legal.gaps, key=belief.stays.__getitem__)
        return decided(view, eagerness, gap)

    def threshold(self, view: View) -> float:
        """The threshold with penalties: t means that a wrong doubt costs t where a right one wins 1 - t, and each arrow
        of a penalty (R5.5) costs another 1 - t."""
        assert view.to_play is not None
        usual = self.doubts_at[view.players]
        lost = view.penalty.returned(len(view.arrows_won[view.to_play]))
        return (usual + lost * (1 - usual)) / (1 + lost * (1 - usual))


class Weighed(NamedTuple):
    """The chance that the row is wrong, by belief and by experience; and that it stays right, by gap."""

    believed: float
    wrong: float
    stays: list[float]

    @property
    def gap(self) -> int:
        """The gap that keeps the row right with the highest chance."""
        return max(range(len(self.stays)), key=self.stays.__getitem__, default=0)


@dataclass(frozen=True, slots=True)
class Value:
    """Doubt iff P(wrong)·V(I take the arrow) + P(right)·V(the player before me does) > V(best placement).

    V is the chance to win the game from the score that follows; a wrong doubt includes its penalty (R5.5). Who takes
    the arrow after a placement is estimated from experience, by the row's length and the chance that it is right.
    """

    experience: Experience
    learns: bool
    """Whether others' moves count as evidence."""

    TEMPER: ClassVar = 0.02

    def decide(self, view: View, row: Sequence[Impression], card: Impression | None, temper: float = 0.0) -> Move:
        return self.judge(view, self.weigh(view, row, card), temper)

    def weigh(self, view: View, row: Sequence[Impression], card: Impression | None) -> Weighed:
        assert view.to_play is not None
        others = others_evidence(view, view.to_play) if self.learns else ()
        belief = believe([posterior(each) for each in row], None if card is None else posterior(card), others)
        wrong = float(self.experience.wrong(view.players, 1 - belief.right, len(row)))
        factor = (1 - wrong) / max(belief.right, 1e-9)
        return Weighed(1 - belief.right, wrong, [factor * stays for stays in belief.stays])

    def judge(self, view: View, weighed: Weighed, temper: float = 0.0) -> Move:
        return decided(view, self.eagerness(view, weighed, temper), weighed.gap)

    def eagerness(self, view: View, weighed: Weighed, temper: float = 0.0) -> float:
        """By how much a doubt is better than the best placement; 0 without a choice."""
        if not (view.legal.gaps and view.legal.doubt):
            return 0.0
        assert view.to_play is not None
        mine, *others = worth(view, view.to_play, self.experience)
        takers = self.experience.takers(view.players, len(view.row) + 1, weighed.stays[weighed.gap])
        placing = float(takers @ (mine, *others))
        wrong_doubt = worth_of_wrong_doubt(view, view.to_play, self.experience)
        doubting = weighed.wrong * mine + (1 - weighed.wrong) * wrong_doubt
        return doubting - placing + self.TEMPER * temper
