"""Random numbers, sine, cosine and powers with the same bits everywhere; the functions are exact to about 1e-15.

Libraries' functions differ in the last bit between versions and processors, and of Python's `random` only `random()` is
guaranteed never to change.
"""

from collections.abc import MutableSequence, Sequence
from math import frexp
from random import Random
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Item = TypeVar("Item")

PI: Final = 3.141592653589793
TAU: Final = 6.283185307179586
_QUARTERS_PER_RADIAN: Final = 0.6366197723675814
_QUARTER: Final = 1.5707963267948966
_QUARTER_REST: Final = 6.123233995736766e-17
"""The rest of a quarter turn beyond `_QUARTER`."""
_SINE: Final = tuple(1.0 / each for each in (-6, 120, -5040, 362880, -39916800, 6227020800, -1307674368000))
_COSINE: Final = tuple(1.0 / each for each in (-2, 24, -720, 40320, -3628800, 479001600, -87178291200, 20922789888000))
"""Taylor coefficients, for angles of at most an eighth of a turn."""
_BOTH: Final = [np.array([[sine], [cosine]]) for sine, cosine in zip((*_SINE, 0.0)[::-1], _COSINE[::-1], strict=True)]
"""The coefficients of both, the last first."""
_LN_2: Final = 0.6931471805599453


def cos_sin(angles: Numbers) -> tuple[Numbers, Numbers]:
    """The cosines and sines of many angles."""
    quarters = np.rint(angles * _QUARTERS_PER_RADIAN)
    rest = angles - quarters * _QUARTER - quarters * _QUARTER_REST
    square = rest * rest
    series = np.zeros((2, square.size))
    for coefficients in _BOTH:
        series *= square.ravel()
        series += coefficients
    sine, cosine = series.reshape(2, *square.shape)
    sine = rest + rest * square * sine
    cosine = 1.0 + square * cosine
    quadrant = quarters.astype(np.int64) & 3
    crosswise = (quadrant & 1).astype(bool)
    first, second = np.where(crosswise, sine, cosine), np.where(crosswise, cosine, sine)
    return np.where((quadrant == 1) | (quadrant == 2), -first, first), np.where(quadrant >= 2, -second, second)


def turn(angle: float) -> tuple[float, float]:
    """The cosine and the sine of one angle."""
    cosine, sine = cos_sin(np.array([angle]))
    return cosine.item(), sine.item()


def logarithm(value: float) -> float:
    """The natural logarithm, by the series of the inverse hyperbolic tangent."""
    mantissa, exponent = frexp(value)
    if mantissa < 0.7071067811865476:
        mantissa, exponent = mantissa * 2, exponent - 1
    ratio = (mantissa - 1) / (mantissa + 1)
    square, total = ratio * ratio, 0.0
    for odd in range(21, 0, -2):
        total = total * square + 1 / odd
    return 2 * ratio * total + exponent * _LN_2


def exponential(value: float) -> float:
    """e to the value."""
    return float(exponentials(np.array([value]))[0])


def exponentials(values: Numbers) -> Numbers:
    """e to each of many values."""
    doublings = np.rint(values / _LN_2)
    rest = values - doublings * _LN_2
    total = np.ones_like(rest)
    for divisor in range(16, 0, -1):
        total *= rest
        total /= divisor
        total += 1.0
    return np.ldexp(total, doublings.astype(np.int32))


def power(base: float, exponent: float) -> float:
    """A positive base to any exponent."""
    return exponential(exponent * logarithm(base))


class Dice:
    """A source of randomness made from `random()` alone."""

    def __init__(self, seed: str) -> None:
        self.random = Random(seed).random

    def uniform(self, low: float, high: float) -> float:
        return low + (high - low) * self.random()

    def below(self, end: int) -> int:
        """A whole number from 0 up to `end`, exclusive."""
        return int(self.random() * end)

    def chance(self, probability: float) -> bool:
        return self.random() < probability

    def choice(self, items: Sequence[Item]) -> Item:
        return items[int(self.random() * len(items))]

    def sign(self) -> int:
        return -1 if self.random() < 0.5 else 1

    def uniforms(self, low: float, high: float, number: int) -> list[float]:
        random, span = self.random, high - low
        return [low + span * random() for _ in range(number)]

    def shuffle(self, items: MutableSequence[Item]) -> None:
        """Fisher-Yates shuffle."""
        random = self.random
        for at in range(len(items) - 1, 0, -1):
            other = int(random() * (at + 1))
            items[at], items[other] = items[other], items[at]

    def sample(self, items: Sequence[Item], number: int) -> list[Item]:
        """Some of the items in a random order."""
        shuffled = list(items)
        self.shuffle(shuffled)
        return shuffled[:number]
