"""An approximate best response to a value mind, for two players: shows how much that mind could still gain.

A rollout policy (Tesauro & Galperin 1997; Bertsekas, Tsitsiklis & Wu 1997) on sampled hidden states: it samples the
cards' shares, given its own eyes and all moves, samples what the opponent saw to fit the opponent's moves, and plays
each choice to the end of the round with the value mind on both sides. It takes the best choice if that is clearly
better than the value mind's own. If it hardly gains against the value mind, that mind plays well.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from math import log
from random import Random

import numpy as np

from illusion.bots.belief import ANY, PRIOR, RUNGS, Chances, Factor, messages, others_evidence, posterior
from illusion.bots.eyes import Impression
from illusion.bots.minds import Value
from illusion.bots.race import worth, worth_of_wrong_doubt
from illusion.rules import Doubt, Legal, Move, Place, View

_LOGS = [log(rung) for rung in RUNGS]
_LONGEST_ROLLOUT_CARDS = 30
_NEARLY_BEST = 0.7
_CLEAR = 0.075
"""If the choices differ more in worth, the value mind decides: rollouts would not change it."""
_TRIES_FOR_EYES = 6


class BestResponse:
    """`mind` plays both sides of the rollouts; each choice gets `particles` of them."""

    def __init__(self, mind: Value, particles: int, rng: Random) -> None:
        self._mind = mind
        self._particles = particles
        self._rng = rng

    def decide(self, view: View, row: Sequence[Impression], card: Impression | None, temper: float = 0.0) -> Move:
        weighed = self._mind.weigh(view, row, card)
        usual = self._mind.judge(view, weighed, temper)
        if card is None or not view.legal.doubt or abs(self._mind.eagerness(view, weighed, temper)) > _CLEAR:
            return usual
        assert view.to_play is not None
        values = worth(view, view.to_play, self._mind.experience)
        wrong_doubt = worth_of_wrong_doubt(view, view.to_play, self._mind.experience)
        evidence = others_evidence(view, view.to_play)
        choices = self._choices(usual, weighed.stays)
        weights = (1 - weighed.wrong) / max(1 - weighed.believed, 1e-9), weighed.wrong / max(weighed.believed, 1e-9)
        gains: dict[Move, list[float]] = {choice: [] for choice in choices}
        for _ in range(self._particles):
            truth = self._sampled_rungs(row, evidence)
            new = self._sampled(posterior(card))
            others = self._opponents_eyes(view, truth, row)
            fresh = Impression.rounded(_LOGS[new] + self._rng.gauss(0, card.spread), card.spread)
            for choice in choices:
                if isinstance(choice, Doubt):
                    value = values[0] if _falls(truth) else wrong_doubt
                else:
                    value = values[self._rollout(view, choice.gap, truth, new, list(row), card, others, fresh)]
                gains[choice].append(value * weights[_falls(truth)])  # weighted by experience
        return _clearly_better(gains, usual)

    def _choices(self, usual: Move, stays: list[float]) -> list[Move]:
        """The value mind's own move; then the doubt, and the gaps that are nearly as good as the best."""
        good = [Place(gap) for gap, chance in enumerate(stays) if chance > _NEARLY_BEST * max(stays)]
        others: list[Move] = [Doubt(), *good]
        return [usual, *(choice for choice in others if choice != usual)]

    def _sampled_rungs(self, row: Sequence[Impression], evidence: Sequence[Factor | None]) -> list[int]:
        """An exact sample of the cards' rungs given all moves: backward filtering, forward sampling."""
        chances = np.array([posterior(each) for each in row])
        factors = [ANY if each is None else each for each in evidence]
        right_of = messages(chances[::-1], [each.T for each in (ANY, *factors)][::-1])[::-1][1:]
        drawn: list[int] = []
        for at, chance in enumerate(chances):
            given = factors[at - 1][drawn[-1]] if at else 1
            drawn.append(self._sampled(chance * right_of[at] * given))
        return drawn

    def _sampled(self, weights: Chances) -> int:
        return self._rng.choices(range(len(RUNGS)), weights.tolist())[0]

    def _opponents_eyes(self, view: View, truth: Sequence[int], row: Sequence[Impression]) -> list[Impression]:
        """What the opponent may have seen with eyes like mine: rejection sampling until it fits the cards they laid."""
        seen: list[Impression] = []
        for _ in range(_TRIES_FOR_EYES):
            seen = [
                Impression.rounded(_LOGS[rung] + self._rng.gauss(0, mine.spread), mine.spread)
                for rung, mine in zip(truth, row, strict=True)
            ]
            if all(
                left.seen <= right.seen + right.spread
                for left, right, a, b in zip(seen, seen[1:], view.laid, view.laid[1:], strict=False)
                if max(a, b) < len(row) - 1 or view.placed_by[view.laid.index(max(a, b))] != view.to_play
            ):
                break
        return seen

    def _rollout(
        self,
        view: View,
        gap: int,
        truth: list[int],
        new: int,
        mine: list[Impression],
        card: Impression,
        others: list[Impression],
        fresh: Impression,
    ) -> int:
        """Who takes the arrow if the card goes into the gap and both play on: 0 for me, 1 for the opponent."""
        assert view.to_play is not None
        me, rng = view.to_play, self._rng
        rungs, eyes = list(truth), {me: list(mine), 1 - me: list(others)}
        seen = {me: card, 1 - me: fresh}
        laid, placed_by, turn = list(view.laid), list(view.placed_by), me
        while True:
            rungs.insert(gap, new)
            laid.insert(gap, len(laid))
            placed_by.insert(gap, turn)
            for seat in (0, 1):
                eyes[seat].insert(gap, seen[seat])
            turn = 1 - turn
            new = self._sampled(PRIOR)
            seen = {seat: Impression.rounded(_LOGS[new] + rng.gauss(0, card.spread), card.spread) for seat in (0, 1)}
            now = replace(
                view,
                row=tuple(range(len(rungs))),
                laid=tuple(laid),
                placed_by=tuple(placed_by),
                to_play=turn,
                legal=Legal(tuple(range(len(rungs) + 1)), doubt=True),  # rollouts never run out of cards
            )
            move = self._mind.decide(now, eyes[turn], seen[turn])
            if isinstance(move, Doubt) or len(rungs) > _LONGEST_ROLLOUT_CARDS:
                taker = turn if _falls(rungs) else 1 - turn
                return int(taker != me)
            gap = move.gap


def _clearly_better(gains: dict[Move, list[float]], usual: Move) -> Move:
    """The best choice if it beats the usual one by two standard errors, else the usual one."""

    def lead(choice: Move) -> float:
        ahead = np.subtract(gains[choice], gains[usual])
        return float(ahead.mean() - 2 * ahead.std(ddof=1) / len(ahead) ** 0.5)

    best = max((choice for choice in gains if choice != usual), key=lead, default=usual)
    return best if best != usual and lead(best) > 0 else usual


def _falls(rungs: Sequence[int]) -> bool:
    return any(left > right for left, right in pairwise(rungs))
