"""Random choices made from `random()` alone, whose numbers are promised never to change; other methods' are not."""

from collections.abc import MutableSequence, Sequence
from random import Random
from typing import TypeVar

Item = TypeVar("Item")


class Dice:
    """A source of randomness whose every method does the same in all versions of Python."""

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
        """Fisher and Yates."""
        random = self.random
        for at in range(len(items) - 1, 0, -1):
            other = int(random() * (at + 1))
            items[at], items[other] = items[other], items[at]

    def sample(self, items: Sequence[Item], number: int) -> list[Item]:
        """Some of the items in a random order."""
        shuffled = list(items)
        self.shuffle(shuffled)
        return shuffled[:number]
