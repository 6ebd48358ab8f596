"""The shares of ninety-eight cards, on a ladder: two rungs of a colour are never one percent apart.

Rungs lie two points apart at the bottom and about 12 % apart above 16, so that nobody loses a row by a single percent,
ties occur and are right, and a good eye is worth more than luck. Each colour has its own ladder, shifted by lot.
"""

from collections.abc import Sequence
from itertools import combinations
from random import Random
from statistics import pstdev
from typing import Final

from illusion.rules import Colour, Shares

CARDS: Final = 98
LOWEST_TOTAL: Final = 45
HIGHEST_TOTAL: Final = 95
"""The four shares of a card add up to at most this: a picture needs some white between its colours."""
MOST_CORRELATED: Final = 0.245

_LOWEST: Final = (2, 2, 3, 3)
_STEEPER: Final = 16
_GROWTH: Final = (1.115, 1.14)
_TOP: Final = 50
_MEAN_TOTAL: Final = 76.3
_PATIENCE: Final = 100
_FEWEST_ON_RUNG: Final = 4
_MOST_ON_RUNG: Final = 7


def shares(rng: Random) -> list[Shares]:
    """Ninety-eight different cards whose colours are nearly independent of each other."""
    while True:
        columns = [_column(_rungs(lowest, rng), rng) for lowest in rng.sample(_LOWEST, len(Colour))]
        if sum(map(sum, columns)) > _MEAN_TOTAL * CARDS:
            continue  # too much colour to leave white everywhere without tying the colours to each other
        _fit_totals(columns, rng)
        _loosen(columns, rng)
        cards = [Shares(*card) for card in zip(*columns, strict=True)]
        if len(set(cards)) == CARDS and abs(_Ties(columns).strongest()[0]) < MOST_CORRELATED and _totals_fit(columns):
            return cards


def _rungs(lowest: int, rng: Random) -> list[int]:
    """From the lowest share up to about 53."""
    growth = rng.uniform(*_GROWTH)
    rungs = [lowest]
    while rungs[-1] < _TOP:
        rungs.append(max(rungs[-1] + 2, round(rungs[-1] * growth) if rungs[-1] >= _STEEPER else 0))
    return rungs


def _column(rungs: Sequence[int], rng: Random) -> list[int]:
    """Four to seven cards a rung, ninety-eight in all, more on the low rungs so that white is left; shuffled."""
    cards = [_FEWEST_ON_RUNG] * len(rungs)
    for _ in range(CARDS - sum(cards)):
        open_rungs = [rung for rung, count in enumerate(cards) if count < _MOST_ON_RUNG]
        cards[open_rungs[min(rng.randrange(len(open_rungs)) for _ in range(6))]] += 1
    column = [share for share, count in zip(rungs, cards, strict=True) for _ in range(count)]
    rng.shuffle(column)
    return column


def _fit_totals(columns: list[list[int]], rng: Random) -> None:
    """Swap values of a colour between two cards until every card's total fits."""
    totals = [sum(card) for card in zip(*columns, strict=True)]
    for _ in range(40 * CARDS):
        wrong = [card for card, total in enumerate(totals) if _excess(total)]
        if not wrong:
            return
        one, other = rng.choice(wrong), rng.randrange(CARDS)
        column = rng.choice(columns)
        change = column[other] - column[one]
        before = _excess(totals[one]) + _excess(totals[other])
        if _excess(totals[one] + change) + _excess(totals[other] - change) < before:
            column[one], column[other] = column[other], column[one]
            totals[one] += change
            totals[other] -= change


def _loosen(columns: list[list[int]], rng: Random) -> None:
    """Keeping totals down has tied the colours to each other; swap on, within the totals, to untie the worst pair.

    Swapping a colour between two cards takes the product of both colours' differences off their covariance: so a swap
    helps whose product has the covariance's sign.
    """
    totals = [sum(card) for card in zip(*columns, strict=True)]
    ties = _Ties(columns)
    for _ in range(_PATIENCE):
        correlation, colour, other_colour = ties.strongest()
        if abs(correlation) < MOST_CORRELATED:
            return
        column, against = columns[colour], columns[other_colour]
        for _ in range(CARDS // 4):
            one, other = rng.randrange(CARDS), rng.randrange(CARDS)
            change = column[other] - column[one]
            if change * (against[other] - against[one]) * correlation > 0 and not (
                _excess(totals[one] + change) or _excess(totals[other] - change)
            ):
                ties.swap(colour, one, other)
                totals[one] += change
                totals[other] -= change


class _Ties:
    """How strongly any two colours are correlated. Swaps change no mean and no spread, only sums of products."""

    def __init__(self, columns: list[list[int]]) -> None:
        self.columns = columns
        self.means = [sum(column) / CARDS for column in columns]
        self.spreads = [pstdev(column) for column in columns]
        self.products = {
            pair: sum(a * b for a, b in zip(columns[pair[0]], columns[pair[1]], strict=True))
            for pair in combinations(range(len(columns)), 2)
        }

    def strongest(self) -> tuple[float, int, int]:
        """The correlation farthest from zero, and between which two colours."""
        found = ((self._correlation(pair), *pair) for pair in self.products)
        return max(found, key=lambda tie: abs(tie[0]))

    def _correlation(self, pair: tuple[int, int]) -> float:
        i, j = pair
        return (self.products[pair] / CARDS - self.means[i] * self.means[j]) / (self.spreads[i] * self.spreads[j])

    def swap(self, colour: int, one: int, other: int) -> None:
        """Exchange a colour's values between two cards."""
        column = self.columns[colour]
        change = column[other] - column[one]
        for pair in self.products:
            if colour in pair:
                against = self.columns[pair[0] + pair[1] - colour]
                self.products[pair] -= change * (against[other] - against[one])
        column[one], column[other] = column[other], column[one]


def _excess(total: int) -> int:
    """By how much a card's total misses the range."""
    return max(LOWEST_TOTAL - total, total - HIGHEST_TOTAL, 0)


def _totals_fit(columns: Sequence[Sequence[int]]) -> bool:
    return not any(_excess(sum(card)) for card in zip(*columns, strict=True))
