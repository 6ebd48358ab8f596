"""The shares of ninety-eight cards, on a ladder: two different shares of a colour are never one percent apart.

Rungs are two points apart up to 16 and about 12 % apart above. So nobody loses a row by a single percent, ties occur,
and a good eye counts for more than luck. Each colour has a ladder of its own with a random lowest rung and growth.
"""

from collections.abc import Sequence
from random import Random
from typing import Final

from illusion.deck.shares.correlation import Correlations
from illusion.rules import Colour, Shares

CARDS: Final = 98
MIN_TOTAL: Final = 45
MAX_TOTAL: Final = 95
"""The four shares of a card add up to at most this: a picture needs some white between its colours."""
MAX_CORRELATION: Final = 0.245

_LOWEST_RUNGS: Final = (2, 2, 3, 3)
_GROWS_FROM: Final = 16
"""From this rung on, steps grow by a factor in the range `_GROWTH`."""
_GROWTH: Final = (1.115, 1.14)
_TOP_RUNG: Final = 50
"""The first rung at or above this is the last."""
_MAX_MEAN_TOTAL: Final = 76.3
_LOOSENING_ROUNDS: Final = 100
_MIN_ON_RUNG: Final = 4
_MAX_ON_RUNG: Final = 7


def shares(rng: Random) -> list[Shares]:
    """The shares of ninety-eight different cards whose colours are nearly uncorrelated (rejection sampling)."""
    while True:
        columns = [_column(_rungs(lowest, rng), rng) for lowest in rng.sample(_LOWEST_RUNGS, len(Colour))]
        if sum(map(sum, columns)) > _MAX_MEAN_TOTAL * CARDS:
            continue  # so much colour that totals could only be kept down by correlating the colours
        _fit_totals(columns, rng)
        _loosen(columns, rng)
        cards = [Shares(*card) for card in zip(*columns, strict=True)]
        uncorrelated = abs(Correlations(columns).strongest()[0]) < MAX_CORRELATION
        if len(set(cards)) == CARDS and uncorrelated and _totals_fit(columns):
            return cards


def _rungs(lowest: int, rng: Random) -> list[int]:
    """From the lowest share up to about 53."""
    growth = rng.uniform(*_GROWTH)
    rungs = [lowest]
    while rungs[-1] < _TOP_RUNG:
        rungs.append(max(rungs[-1] + 2, round(rungs[-1] * growth) if rungs[-1] >= _GROWS_FROM else 0))
    return rungs


def _column(rungs: Sequence[int], rng: Random) -> list[int]:
    """A colour's shares on all cards, shuffled: four to seven cards a rung, more on low rungs so that white is left."""
    cards = [_MIN_ON_RUNG] * len(rungs)
    for _ in range(CARDS - sum(cards)):
        open_rungs = [rung for rung, count in enumerate(cards) if count < _MAX_ON_RUNG]
        cards[open_rungs[min(rng.randrange(len(open_rungs)) for _ in range(6))]] += 1
    column = [share for share, count in zip(rungs, cards, strict=True) for _ in range(count)]
    rng.shuffle(column)
    return column


def _fit_totals(columns: list[list[int]], rng: Random) -> None:
    """Swap values of a colour between two cards until the total of every card is in range (random local search)."""
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
    """Fitting the totals has correlated the colours; make more swaps to reduce the strongest correlation.

    Swapping a colour's values between two cards subtracts the product of both colours' differences from their
    covariance. So a swap helps if that product has the sign of the covariance.
    """
    totals = [sum(card) for card in zip(*columns, strict=True)]
    correlations = Correlations(columns)
    for _ in range(_LOOSENING_ROUNDS):
        correlation, colour, other_colour = correlations.strongest()
        if abs(correlation) < MAX_CORRELATION:
            return
        column, against = columns[colour], columns[other_colour]
        for _ in range(CARDS // 4):
            one, other = rng.randrange(CARDS), rng.randrange(CARDS)
            change = column[other] - column[one]
            if change * (against[other] - against[one]) * correlation > 0 and not (
                _excess(totals[one] + change) or _excess(totals[other] - change)
            ):
                correlations.swap(colour, one, other)
                totals[one] += change
                totals[other] -= change


def _excess(total: int) -> int:
    """How far a card's total is out of range."""
    return max(MIN_TOTAL - total, total - MAX_TOTAL, 0)


def _totals_fit(columns: Sequence[Sequence[int]]) -> bool:
    return not any(_excess(sum(card)) for card in zip(*columns, strict=True))
