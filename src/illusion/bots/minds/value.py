"""A mind that plays to win: it compares what a doubt is worth with what its best placement is worth."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from illusion.bots.belief import believe
from illusion.bots.experience import Experience
from illusion.bots.eyes import Impression
from illusion.bots.minds.mind import decided
from illusion.bots.others_evidence import others_evidence
from illusion.bots.race import worth, worth_of_wrong_doubt
from illusion.bots.scale import posterior
from illusion.rules import Move, View

TEMPER = 0.02
"""How much a temper of 1 changes what the mind compares with 0."""


class Weighed(NamedTuple):
    """How likely the row is wrong, by its own belief and by experience, and stays right with the card in each gap."""

    believed: float
    wrong: float
    stays: list[float]

    @property
    def gap(self) -> int:
        """The gap that most likely keeps the row right."""
        return max(range(len(self.stays)), key=self.stays.__getitem__, default=0)


@dataclass(frozen=True, slots=True)
class Value:
    """Doubt iff P(wrong)·V(I take the arrow) + P(right)·V(the player before me does) > V(best placement).

    V is the chance to win the game from the score that follows; a wrong doubt counts with its penalty (R5.5). Who takes
    the arrow after a placement is known from experience, by how likely the row is right then and how long it is.
    """

    experience: Experience
    learns: bool
    """Whether others' moves count as evidence."""

    def decide(self, view: View, row: Sequence[Impression], card: Impression | None, temper: float = 0.0) -> Move:
        return self.judge(view, self.weigh(view, row, card), temper)

    def weigh(self, view: View, row: Sequence[Impression], card: Impression | None) -> Weighed:
        assert view.to_play is not None
        others = others_evidence(view, view.to_play) if self.learns else ()
        belief = believe([posterior(each) for each in row], None if card is None else posterior(card), others)
        wrong = self.experience.wrong(view.players, 1 - belief.right, len(row))
        factor = (1 - wrong) / max(belief.right, 1e-9)
        return Weighed(1 - belief.right, wrong, [factor * stays for stays in belief.stays])

    def judge(self, view: View, weighed: Weighed, temper: float = 0.0) -> Move:
        return decided(view, self.eagerness(view, weighed, temper), weighed.gap)

    def eagerness(self, view: View, weighed: Weighed, temper: float = 0.0) -> float:
        """How much better a doubt is than the best placement; 0 where the rules leave no choice."""
        if not (view.legal.gaps and view.legal.doubt):
            return 0.0
        assert view.to_play is not None
        mine, *others = worth(view, view.to_play, self.experience)
        takers = self.experience.takers(view.players, len(view.row) + 1, weighed.stays[weighed.gap])
        placing = sum(chance * value for chance, value in zip(takers, (mine, *others), strict=True))
        wrong_doubt = worth_of_wrong_doubt(view, view.to_play, self.experience)
        doubting = weighed.wrong * mine + (1 - weighed.wrong) * wrong_doubt
        return doubting - placing + TEMPER * temper
