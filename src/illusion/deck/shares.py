"""The shares of ninety-eight cards, on a ladder: two different shares of a colour are never one percent apart.

Rungs are two points apart up to 16 and about 12 % apart above. So no row is lost by a single percent, ties occur, and a
good eye counts for more than luck. Each colour has a ladder of its own, with a random lowest rung and growth.
"""

from itertools import combinations
from typing import Final

from illusion.deck.plane.exact import Dice
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
_MAX_SUM: Final = int(76.3 * CARDS)
_MIN_ON_RUNG: Final = 4
_MAX_ON_RUNG: Final = 7
_LEAN: Final = 6
"""An extra card goes to the lowest of this many random rungs, so that white is left."""
_TRIALS: Final = 24
"""Of this many random swaps that reduce a correlation the best is made."""
_ROUNDS: Final = 120

Columns = list[list[int]]


def shares_of_deck(dice: Dice) -> list[Shares]:
    """The shares of ninety-eight different cards whose colours are nearly uncorrelated (rejection sampling)."""
    while True:
        columns = [_column(lowest, dice) for lowest in dice.sample(_LOWEST_RUNGS, len(Colour))]
        while sum(map(sum, columns)) > _MAX_SUM:  # larger sums would correlate the colours
            at = dice.below(len(columns))
            columns[at] = _column(columns[at][0], dice)
        for column in columns:
            dice.shuffle(column)
        totals = [sum(card) for card in zip(*columns, strict=True)]
        if _fit_totals(columns, totals, dice) and _loosen(columns, totals, dice):
            cards = [Shares(*card) for card in zip(*columns, strict=True)]
            if len(set(cards)) == CARDS:
                return cards


def _column(lowest: int, dice: Dice) -> list[int]:
    """A colour's shares on all cards in order, on rungs from the lowest up to about 53."""
    growth = dice.uniform(*_GROWTH)
    rungs = [lowest]
    while rungs[-1] < _TOP_RUNG:
        rungs.append(max(rungs[-1] + 2, round(rungs[-1] * growth) if rungs[-1] >= _GROWS_FROM else 0))
    cards = [_MIN_ON_RUNG] * len(rungs)
    open_rungs = list(range(len(rungs)))
    for _ in range(CARDS - sum(cards)):
        at = int(min(dice.random() for _ in range(_LEAN)) * len(open_rungs))
        cards[open_rungs[at]] += 1
        if cards[open_rungs[at]] == _MAX_ON_RUNG:
            del open_rungs[at]
    return [share for share, count in zip(rungs, cards, strict=True) for _ in range(count)]


def _fit_totals(columns: Columns, totals: list[int], dice: Dice) -> bool:
    """Swap values of a colour between two cards until the total of every card is in range (random local search)."""
    random = dice.random
    wrong = [card for card, total in enumerate(totals) if _excess(total)]
    for _ in range(40 * CARDS):
        if not wrong:
            return True
        place, other = int(random() * len(wrong)), int(random() * CARDS)
        one, column = wrong[place], columns[int(random() * len(columns))]
        change = column[other] - column[one]
        before = _excess(totals[one]) + _excess(totals[other])
        after, other_after = _excess(totals[one] + change), _excess(totals[other] - change)
        if after + other_after < before:
            column[one], column[other] = column[other], column[one]
            totals[one] += change
            totals[other] -= change
            if not after:
                wrong[place] = wrong[-1]
                wrong.pop()
            if other_after and other not in wrong:
                wrong.append(other)
            elif not other_after and other in wrong:
                wrong.remove(other)
    return False


def _loosen(columns: Columns, totals: list[int], dice: Dice) -> bool:
    """Reduce the correlation between colours, which fitting the totals has caused, by the best of random swaps.

    Swapping a colour's values between two cards subtracts the product of both colours' differences from the sum of
    their products.
    """
    random = dice.random
    sums = [sum(column) for column in columns]
    spreads = [
        CARDS * sum(share * share for share in column) - total * total
        for column, total in zip(columns, sums, strict=True)
    ]
    pairs = list(combinations(range(len(columns)), 2))
    products = {(i, j): sum(a * b for a, b in zip(columns[i], columns[j], strict=True)) for i, j in pairs}
    for _ in range(_ROUNDS):
        # Squares of correlations are compared, so no root is needed; the sign is that of the covariance.
        strongest, covariance, (i, j) = max(
            (
                (CARDS * products[i, j] - sums[i] * sums[j]) ** 2 / (spreads[i] * spreads[j]),
                CARDS * products[i, j] - sums[i] * sums[j],
                (i, j),
            )
            for i, j in pairs
        )
        if strongest < MAX_CORRELATION * MAX_CORRELATION:
            return True
        column, against = columns[i], columns[j]
        if random() < 0.5:
            i, column, against = j, against, column
        best, swap = 0, (0, 0)
        for _ in range(_TRIALS):
            one, other = int(random() * CARDS), int(random() * CARDS)
            change = column[other] - column[one]
            gain = change * (against[other] - against[one])
            if covariance < 0:
                gain = -gain
            if gain > best and not _excess(totals[one] + change) and not _excess(totals[other] - change):
                best, swap = gain, (one, other)
        one, other = swap
        change = column[other] - column[one]
        for a, b in pairs:
            if i in (a, b):
                third = columns[b if a == i else a]
                products[a, b] -= change * (third[other] - third[one])
        column[one], column[other] = column[other], column[one]
        totals[one] += change
        totals[other] -= change
    return False


def _excess(total: int) -> int:
    """By how much a card's total is out of range."""
    return total - MAX_TOTAL if total > MAX_TOTAL else MIN_TOTAL - total if total < MIN_TOTAL else 0
