"""The position before a decision as ordinary players weigh it, and the decision's worth: see docs/review.md."""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from illusion.bots.belief import believe_all, others_evidence
from illusion.bots.race import Numbers, chances_to_win
from illusion.review.ordinary import EYES, ManyEyes, ordinary
from illusion.rules import Colour, Doubt, Game, Move, first_fall, legal, view

WinChances = tuple[float, ...]
"""Chances to win, by seat."""


def at_the_end(winners: tuple[int, ...], players: int) -> WinChances:
    return tuple((seat in winners) / len(winners) for seat in range(players))


def after_arrow(game: Game, taker: int, starts: WinChances, wrong_doubter: int | None = None) -> WinChances:
    """The chances if this round's arrow goes to `taker`; a wrong doubter pays the penalty (R5.5)."""
    arrows = [len(won) for won in game.arrows_won]
    arrows[taker] += 1
    if wrong_doubter is not None:
        arrows[wrong_doubter] -= game.setup.penalty.returned(arrows[wrong_doubter])
    end = game.setup.end
    if arrows[taker] == end.arrows_to_win or game.round == end.rounds:
        most = max(arrows)
        return at_the_end(tuple(seat for seat, won in enumerate(arrows) if won == most), len(arrows))
    if end.arrows_to_win is not None:
        return chances_to_win(tuple(arrows), taker, starts, end.arrows_to_win)
    return _rotated(rounds_to_come(_rotated(tuple(arrows), taker), starts, end.rounds - game.round), -taker)


@lru_cache(maxsize=50_000)
def rounds_to_come(arrows: tuple[int, ...], starts: WinChances, rounds: int) -> WinChances:
    """Each player's chance to have the most arrows after `rounds` more rounds, counted from the one who begins."""
    if rounds == 0:
        most = max(arrows)
        return at_the_end(tuple(seat for seat, won in enumerate(arrows) if won == most), len(arrows))
    total = [0.0] * len(arrows)
    for taker, chance in enumerate(starts):
        after = (*arrows[:taker], arrows[taker] + 1, *arrows[taker + 1 :])
        later = _rotated(rounds_to_come(_rotated(after, taker), starts, rounds - 1), -taker)
        total = [before + chance * win for before, win in zip(total, later, strict=True)]
    return tuple(total)


def _rotated(values: tuple, by: int) -> tuple:  # type: ignore[type-arg]
    return values[by:] + values[:by]


AGAINST_EYES: Final = 0.15
"""The prior probability that a player doubts or believes without regard to what they saw."""


@dataclass(frozen=True)
class WeighedTurn:
    """The position before a decision, as each of many ordinary players weighs it."""

    game: Game
    seat: int
    """The player at turn."""
    arrow: Colour
    eyes: Numbers
    """Weights of the eyes: the probability of each given the player's earlier turns of the round."""
    if_taken: Numbers
    """All seats' chances to win if the arrow goes to the player at turn, to the next one, and so on."""
    if_doubt_is_wrong: Numbers | None
    """The same after a wrong doubt; None where a doubt is not allowed (R4.2)."""
    wrong: Numbers
    """By eye: the chance that the row is wrong."""
    stays: Numbers
    """By eye and gap: the chance that the row is right with the next card there; no gaps for an empty deck (R6.4)."""

    @cached_property
    def doubts(self) -> Numbers | None:
        """By eye: all seats' chances to win with a doubt."""
        if self.if_doubt_is_wrong is None:
            return None
        return np.outer(self.wrong, self.if_taken[0]) + np.outer(1 - self.wrong, self.if_doubt_is_wrong)

    @cached_property
    def placements(self) -> Numbers | None:
        """By eye: all seats' chances to win with the placement that seems best to it."""
        if not self.stays.shape[1]:
            return None
        players, cards = self.game.players, len(self.game.row) + 1
        return ordinary().takers(players, cards, self.stays.max(axis=1)) @ self.if_taken

    @cached_property
    def chances(self) -> Numbers:
        """All seats' chances to win: those of a doubt or of a placement, whichever is better on average."""
        doubting, placing = (None if each is None else self.eyes @ each for each in (self.doubts, self.placements))
        if placing is None or (doubting is not None and doubting[self.seat] > placing[self.seat]):
            assert doubting is not None
            return np.asarray(doubting)
        return np.asarray(placing)

    def mean(self, by_eye: NDArray[Any]) -> float:
        """The mean over the eyes, by their weights."""
        return float(self.eyes @ by_eye)

    def eyes_after(self, move: Move) -> Numbers:
        """`eyes` after the choice between a doubt and a placement, by Bayes' rule. Players look once at a card, so a
        mistake about it stays the same in later turns."""
        lead = self._lead(move)
        return self.eyes if lead is None else self.eyes * _agree(lead) / self.mean(_agree(lead))

    def judgement(self, move: Move) -> float:
        """The cost of the choice between a doubt and a placement: never above 0, and 0 without a choice.

        It is the cost to ordinary eyes, averaged over those that the player may have had. By Bayes' rule, a choice that
        many eyes would make is put down to what the player saw, and one that no eye would make to judgement.
        """
        lead = self._lead(move)
        if lead is None:
            return 0.0
        return self.mean(np.minimum(lead, 0)) * AGAINST_EYES / 2 / self.mean(_agree(lead))

    def _lead(self, move: Move) -> Numbers | None:
        """By eye: by how much the choice was better than the other one; None without a choice."""
        if self.doubts is None or self.placements is None:
            return None
        lead = (self.doubts - self.placements)[:, self.seat]
        return np.asarray(lead if isinstance(move, Doubt) else -lead)

    def skill(self, move: Move) -> float:
        """The worth of the move, knowing the row, minus the average worth of ordinary players' moves."""
        if isinstance(move, Doubt):
            return self._real_doubt - self._ordinary_worth
        return float(self._real_placements[move.gap]) - self._ordinary_worth

    @property
    def chance_to_fit(self) -> float:
        """The chance that an ordinary eye would have placed the card right, regardless of earlier turns."""
        return float((np.array(self.off) == 0)[self._gaps].mean())

    @cached_property
    def off(self) -> list[int]:
        """For each gap, the percentage points by which the next card is too small or too large for it."""
        if self.game.next_card is None:
            return []
        share = self.game.next_card.shares[self.arrow]
        shares = [0, *(card.shares[self.arrow] for card in self.game.row), 100]
        return [max(left - share, share - right, 0) for left, right in pairwise(shares)]

    @cached_property
    def row_is_right(self) -> bool:
        return first_fall(self.game.row, self.arrow) is None

    @cached_property
    def _gaps(self) -> NDArray[np.intp]:
        """By eye: the gap that seems best to it."""
        return np.asarray(self.stays.argmax(axis=1))

    @cached_property
    def _real_doubt(self) -> float:
        """The worth of a doubt to the player at turn, knowing the row."""
        assert self.if_doubt_is_wrong is not None
        return float((self.if_doubt_is_wrong if self.row_is_right else self.if_taken[0])[self.seat])

    @cached_property
    def _real_placements(self) -> Numbers:
        """The worth of each gap to the player at turn, knowing whether the row is right then; how right it seems tells
        how soon others will doubt it."""
        count, cards, seems = self.game.players, len(self.game.row) + 1, self.eyes @ self.stays
        if_right, if_wrong = (
            ordinary().takers(count, cards, seems, is_right=is_right) @ self.if_taken[:, self.seat]
            for is_right in (True, False)
        )
        return np.where(np.array(self.off) == 0, if_right, if_wrong) if self.row_is_right else np.asarray(if_wrong)

    @cached_property
    def _ordinary_worth(self) -> float:
        """The average worth of ordinary players' moves, knowing the row."""
        if self.placements is None:
            return self._real_doubt
        placing = self._real_placements[self._gaps]
        if self.doubts is None:
            return self.mean(placing)
        doubts = (self.doubts > self.placements)[:, self.seat]
        return self.mean(np.where(doubts, self._real_doubt, placing))


def _agree(lead: Numbers) -> Numbers:
    """By eye: the probability of a choice that is better by `lead` than the other one."""
    return np.where(lead > 0, 1 - AGAINST_EYES / 2, AGAINST_EYES / 2)


def weigh(game: Game, eyes: ManyEyes, likely: Numbers | None = None) -> WeighedTurn:
    """The position before a move; `likely` are the weights of the eyes, at first equal."""
    assert game.arrow is not None
    assert game.to_play is not None
    players, seat, arrow = ordinary(), game.to_play, game.arrow
    starts = players.starts(game.players)
    if_taken = np.array([after_arrow(game, (seat + on) % game.players, starts) for on in range(game.players)])
    following = None if game.next_card is None else eyes.see(game.next_card.id, arrow)
    row = [eyes.see(card.id, arrow) for card in game.row]
    likely = np.full(EYES, 1 / EYES) if likely is None else likely
    row_right, by_gap = believe_all(row, following, others_evidence(view(game), seat))
    if not legal(game).doubt:
        return WeighedTurn(game, seat, arrow, likely, if_taken, None, np.zeros_like(row_right), by_gap.T)
    wrong = players.experience.wrong(game.players, 1 - row_right, len(game.row))
    if_doubt_is_wrong = np.array(after_arrow(game, (seat - 1) % game.players, starts, wrong_doubter=seat))
    stays = (by_gap * (1 - wrong) / row_right.clip(1e-9)).T
    return WeighedTurn(game, seat, arrow, likely, if_taken, if_doubt_is_wrong, wrong, stays)
