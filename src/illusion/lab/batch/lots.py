"""Random numbers that are a function of a key and a counter, so that every lane has its own and all backends the same.

The generator is Threefry-2x32 with 13 rounds, the fewest that pass BigCrush (Salmon, Moraes, Dror & Shaw, *Parallel
random numbers: as easy as 1, 2, 3*, 2011). The key is the batch's seed and the lane; the counter is what the numbers
are for. Nothing is stored: what somebody sees of a card is worked out again at every look, and is the same.
"""

from statistics import NormalDist
from typing import Final

import numpy as np

from illusion.lab.batch.lanes import Number
from illusion.lab.batch.primitives import whole, word

DEAL: Final = 0
"""What the numbers are for: the card and the arrow that a step turns up;"""
FIRST_CARDS: Final = 1
"""the two cards that are seen when a game begins;"""
FIRST_PLAYER: Final = 2
"""who begins it, and with which arrow;"""
CHOICE: Final = 3
"""what a random player does;"""
TASTES: Final = 8
"""whose taste each seat has;"""
LOOKS: Final = 16
"""and from here on, what a seat sees of a card."""

NORMAL_BITS: Final = 12
NORMAL: Final = np.array([NormalDist().inv_cdf((part + 0.5) / 2**NORMAL_BITS) for part in range(2**NORMAL_BITS)])
"""The normal distribution by inverse transform sampling from a table: fine enough for looking, and much faster."""

_PARITY: Final = np.uint32(0x1BD11BDA)


def random_words(seed: Number, lane: Number, count: Number, purpose: Number) -> tuple[Number, Number]:
    """Two random words of 32 bits."""
    third = word(seed ^ lane ^ _PARITY)
    x, y = word(count + seed), word(purpose + lane)
    x, y = _mixed(x, y, 13, 15, 26, 6)
    x, y = word(x + lane), word(y + third + np.uint32(1))
    x, y = _mixed(x, y, 17, 29, 16, 24)
    x, y = word(x + third), word(y + seed + np.uint32(2))
    x, y = _mixed(x, y, 13, 15, 26, 6)
    x, y = word(x + seed), word(y + lane + np.uint32(3))
    x = word(x + y)
    y = word(word(y << np.uint32(17)) | (y >> np.uint32(15))) ^ x
    return x, y


def _mixed(x: Number, y: Number, one: int, two: int, three: int, four: int) -> tuple[Number, Number]:
    """Four rounds: add, rotate, exclusive or."""
    x = word(x + y)
    y = word(word(y << np.uint32(one)) | (y >> np.uint32(32 - one))) ^ x
    x = word(x + y)
    y = word(word(y << np.uint32(two)) | (y >> np.uint32(32 - two))) ^ x
    x = word(x + y)
    y = word(word(y << np.uint32(three)) | (y >> np.uint32(32 - three))) ^ x
    x = word(x + y)
    y = word(word(y << np.uint32(four)) | (y >> np.uint32(32 - four))) ^ x
    return x, y


def below(bits: Number, limit: Number) -> Number:
    """A whole number below a limit of at most 65,536: the high word of their product (Lemire 2019, without rejection).

    In halves, because JAX has no numbers of 64 bits by default. A number is too likely by one part in 2**32 / limit.
    """
    many = word(limit)
    low = ((bits & np.uint32(0xFFFF)) * many) >> np.uint32(16)
    return whole(((bits >> np.uint32(16)) * many + low) >> np.uint32(16))
