"""The shares of ninety-eight cards, on a ladder: two rungs of a colour are never one percent apart.

Rungs lie two points apart at the bottom and about 12 % apart above 16, so that nobody loses a row by a single percent,
ties occur and are right, and a good eye is worth more than luck. Each colour has its own ladder, shifted by lot.
"""

from collections.abc import Sequence
from random import Random
from typing import Final

import numpy as np

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
_PATIENCE: Final = 100
_FEWEST_ON_RUNG: Final = 4
_MOST_ON_RUNG: Final = 7


def shares(rng: Random) -> list[Shares]:
    """Ninety-eight different cards whose colours are nearly independent of each other."""
    while True:
        columns = [_column(_rungs(lowest, rng), rng) for lowest in rng.sample(_LOWEST, len(Colour))]
        _fit_totals(columns, rng)
        _loosen(columns, rng)
        cards = [Shares(*card) for card in zip(*columns, strict=True)]
        if (
            len(set(cards)) == CARDS
            and abs(_strongest_correlation(columns)[0]) < MOST_CORRELATED
            and _totals_fit(columns)
        ):
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
    for _ in range(_PATIENCE):
        correlation, one_column, other_column = _strongest_correlation(columns)
        if abs(correlation) < MOST_CORRELATED:
            return
        column, against = columns[one_column], columns[other_column]
        for _ in range(CARDS // 4):
            one, other = rng.randrange(CARDS), rng.randrange(CARDS)
            change = column[other] - column[one]
            if change * (against[other] - against[one]) * correlation > 0 and not (
                _excess(totals[one] + change) or _excess(totals[other] - change)
            ):
                column[one], column[other] = column[other], column[one]
                totals[one] += change
                totals[other] -= change


def _excess(total: int) -> int:
    """By how much a card's total misses the range."""
    return max(LOWEST_TOTAL - total, total - HIGHEST_TOTAL, 0)


def _totals_fit(columns: Sequence[Sequence[int]]) -> bool:
    return not any(_excess(sum(card)) for card in zip(*columns, strict=True))


def _strongest_correlation(columns: Sequence[Sequence[int]]) -> tuple[float, int, int]:
    """The correlation farthest from zero, and between which two colours."""
    correlation = np.corrcoef(columns) - np.eye(len(columns))
    one, other = np.unravel_index(np.abs(correlation).argmax(), correlation.shape)
    return float(correlation[one, other]), int(one), int(other)
