"""The turns of one seat in a finished game, and their likelihood for eyes of each noise w.

The model is that of the bots' eyes (`bots.eyes`): a player looks once at each card and remembers it, places a card
where it causes the smallest falls, and doubts a fall that seems large enough, as the simplest mind does
(`PointEstimate`). That threshold is the second unknown besides w.

The likelihood is the probability of many inequalities between normal variables, for which the GHK simulator (Geweke
1991, Hajivassiliou & McFadden 1998, Keane 1994) needs few draws: each simulated player sees a card as one must have
seen it to place it there, and is weighted by the probability of seeing it so. Rejection sampling would need thousands
of times as many.
"""

from collections.abc import Sequence
from math import log
from random import Random
from statistics import NormalDist
from typing import Final, NamedTuple

import msgspec
import numpy as np

from illusion.bots.eyes import FRAGMENTS, LEAST_SHARE_PERCENT, ORDINARY_BROKEN, SWAY, TASTE, Look
from illusion.bots.race import Numbers
from illusion.review.reviewing import Moved, NotOver
from illusion.rules import CardId, Colour, Game, Place, apply, first_fall


class SeenCard(NamedTuple):
    """The measurements of a card in the arrow's colour: see `bots.eyes`."""

    share: float
    broken: float
    family: str


class SeatTurn(msgspec.Struct, frozen=True):
    """A row and the next card, as indices into the round's `cards`; without a gap the row was doubted."""

    row: list[int]
    card: int
    gap: int | None
    right: bool
    """Whether the card fits there, or the doubted row was wrong."""
    row_wrong: bool


class Round(msgspec.Struct, frozen=True):
    """A seat's turns in a round, without those of a stand-in and those without a choice."""

    arrow: Colour
    cards: list[SeenCard]
    turns: list[SeatTurn]

    @property
    def placements(self) -> list[SeatTurn]:
        return [turn for turn in self.turns if turn.gap is not None]


class SeatLooks(msgspec.Struct, frozen=True):
    """The rounds of one seat in a game."""

    rounds: list[Round]


def seat_looks(begun: Game, moves: Sequence[Moved], look: Look, seat: int) -> SeatLooks:
    """The turns of one seat in a finished game."""
    game = begun
    rounds: dict[int, Round] = {}
    known: dict[CardId, int] = {}
    for moved in moves:
        arrow, following = game.arrow, game.next_card
        if game.to_play == seat and moved.by == "player" and following is not None:
            assert arrow is not None
            if game.round not in rounds:
                rounds[game.round] = Round(arrow, [], [])
                known.clear()
            lying = rounds[game.round]
            for card in (*game.row, following):
                if card.id not in known:
                    known[card.id] = len(lying.cards)
                    lying.cards.append(_seen(card.id, arrow, look))
            is_wrong = first_fall(game.row, arrow) is not None
            gap, fits = None, is_wrong
            if isinstance(moved.move, Place):
                gap = moved.move.gap
                around = (*game.row[max(gap - 1, 0) : gap], following, *game.row[gap : gap + 1])
                fits = first_fall(around, arrow) is None
            row = [known[card.id] for card in game.row]
            lying.turns.append(SeatTurn(row, known[following.id], gap, fits, is_wrong))
        game, _ = apply(game, moved.move)
    if not game.over:
        raise NotOver
    return SeatLooks(list(rounds.values()))


def _seen(card: CardId, arrow: Colour, look: Look) -> SeenCard:
    sight = look(card)
    share, broken = sight.patches[arrow]
    return SeenCard(share, broken, sight.family)


LAPSE: Final = 0.01
"""The probability of a random placement, and of doubting or believing without a look."""
WIDTHS: Final = np.exp(np.linspace(log(0.02), log(1.0), 40))
"""The grid of w."""

_PLAYERS: Final = 128
_DOUBTS_AT: Final = np.array([0.1, 0.4, 0.7, 1.0, 1.4, 2.0, 3.0])[:, None, None]
"""The grid of doubt thresholds, in standard deviations of a difference."""
_UNSTEADY: Final = 0.15
"""The scale of the logistic noise in a player's threshold from turn to turn."""
_NORMAL_AT: Final = np.linspace(-8, 8, 4001)
_NORMAL: Final = np.array([NormalDist().cdf(at) for at in _NORMAL_AT])
_NORMAL_STEPS: Final = np.diff(_NORMAL)


def turn_chances(looked: Round, number: int) -> Numbers:
    """The log-likelihood of a round's turns, by doubt threshold and by `WIDTHS`. Draws are seeded with the round's
    number, hence reproducible."""
    players = _Players(looked, number)
    for turn in looked.turns:
        players.take(turn)
    return players.log_chances


class CardsSeen:
    """The cards of a round as players see them, in units of w: uncertainty, noise, and the bias of patterns with many
    pieces."""

    def __init__(self, looked: Round) -> None:
        broken = np.array([card.broken for card in looked.cards])
        self.logs: Numbers = np.log([max(card.share, LEAST_SHARE_PERCENT) for card in looked.cards])
        self.noise: Numbers = 1 + FRAGMENTS * broken
        self.swayed: Numbers = SWAY * (broken - ORDINARY_BROKEN)
        self.spreads: Numbers = np.hypot(self.noise, np.hypot(0.35 * SWAY, TASTE))
        names = [card.family for card in looked.cards]
        self.families = sorted(set(names))
        self.family = [self.families.index(name) for name in names]
        """The number of each card's family."""


def between(row: Numbers, turn: SeatTurn, spreads: Numbers) -> tuple[Numbers, Numbers]:
    """The interval in which the next card must seem to be to go into its gap, by player; `row` is what they saw.

    A card goes where the sum of its falls with all cards left and right of it is least. Moving it past some neighbours
    changes that sum by the signed falls between them, so it is above the weighted mean of the nearest k cards on the
    left for any k, and below that on the right; less uncertain cards weigh more.
    """
    assert turn.gap is not None
    weights = 1 / np.hypot(spreads[turn.row], spreads[turn.card])
    left, right = slice(turn.gap), slice(turn.gap, None)
    low = _running_means(row[..., left][..., ::-1], weights[left][::-1]).max(axis=-1, initial=-np.inf)
    high = _running_means(row[..., right], weights[right]).min(axis=-1, initial=np.inf)
    return low, high


def _running_means(values: Numbers, weights: Numbers) -> Numbers:
    return np.asarray((values * weights).cumsum(axis=-1) / weights.cumsum())


class _Players:
    """Weighted simulated players for each w, who see the cards in agreement with the turns."""

    def __init__(self, looked: Round, number: int) -> None:
        self._cards = cards = CardsSeen(looked)
        count = len(cards.family)
        self._draws, self._lapses, likings = np.split(
            _uniforms(f"illusion own eyes {number}", 2 * count + len(cards.families)), [count, 2 * count], axis=1
        )
        tastes = TASTE * _quantile(likings)[:, cards.family]
        self._middles = cards.logs + WIDTHS[:, None, None] * (cards.swayed + tastes)
        self._noise = WIDTHS[:, None, None] * cards.noise
        self._seen = self._middles + self._noise * _quantile(self._draws)
        self._chances = np.zeros((len(_DOUBTS_AT), len(WIDTHS), _PLAYERS))
        """Log weights so far."""

    @property
    def log_chances(self) -> Numbers:
        highest = self._chances.max(axis=-1, keepdims=True)  # five times as fast as logaddexp.reduce
        return np.asarray(highest[..., 0] + np.log(np.exp(self._chances - highest).mean(axis=-1)))

    def take(self, turn: SeatTurn) -> None:
        row = self._seen[..., turn.row]
        believes = self._believe(row, turn)
        if turn.gap is None:
            self._count(1 - believes, 1 - LAPSE, LAPSE / 2)
            return
        low, high = between(row, turn, self._cards.spreads)
        middles, noise = self._middles[..., turn.card], self._noise[..., turn.card]
        below = _chance((low - middles) / noise)
        fits = (_chance((high - middles) / noise) - below).clip(0)
        anywhere = LAPSE / (len(turn.row) + 1)
        self._count(believes, (1 - LAPSE) * fits, anywhere / 2)
        is_seen = self._lapses[:, turn.card] * ((1 - LAPSE) * fits + anywhere) < (1 - LAPSE) * fits
        draws = self._draws[:, turn.card]
        self._seen[..., turn.card] = middles + noise * _quantile(np.where(is_seen, below + draws * fits, draws))

    def _count(self, chances: Numbers, times: Numbers | float, plus: float) -> None:
        """Update the log weights, in place: allocating such large arrays takes longer than the arithmetic."""
        chances *= times
        chances += plus
        self._chances += np.log(chances, out=chances)

    def _believe(self, row: Numbers, turn: SeatTurn) -> Numbers:
        """The probability of believing the row, by doubt threshold."""
        if len(turn.row) == 1:
            return np.ones_like(self._chances)
        spreads = self._cards.spreads[turn.row]
        steps = np.hypot(spreads[:-1], spreads[1:])
        steepest = ((row[..., :-1] - row[..., 1:]) / steps).max(axis=-1) / WIDTHS[:, None]
        over = steepest / _UNSTEADY - _DOUBTS_AT / _UNSTEADY
        np.exp(over, out=over)
        over += 1
        return np.asarray(np.reciprocal(over, out=over))


def _uniforms(name: str, count: int) -> Numbers:
    """Uniform numbers by player, as antithetic variates (see `ordinary`)."""
    rng = Random(name)
    drawn = np.array([[rng.random() for _ in range(count)] for _ in range(_PLAYERS // 2)])
    return np.concatenate([drawn, 1 - drawn])


def _chance(at: Numbers) -> Numbers:
    """The normal distribution function, by linear interpolation in `_NORMAL`."""
    steps = (at - _NORMAL_AT[0]).clip(0, _NORMAL_AT[-1] - _NORMAL_AT[0]) / (_NORMAL_AT[1] - _NORMAL_AT[0])
    below = steps.astype(np.intp).clip(max=len(_NORMAL) - 2)
    return np.asarray(_NORMAL[below] + (steps - below) * _NORMAL_STEPS[below])


def _quantile(chance: Numbers) -> Numbers:
    return np.asarray(np.interp(chance, _NORMAL, _NORMAL_AT))
