"""What a value mind has learned from many games: fitted by `tools/fit_bots.py` and kept in `experience.json`."""

from collections.abc import Sequence
from functools import cache
from importlib import resources
from math import exp, log
from typing import Final

import msgspec

SHORTEST_DOUBTED: Final = 2
"""A row that can be doubted has at least two cards (R4.2)."""


class Experience(msgspec.Struct, frozen=True):
    """By the number of players, as text because the keys of JSON are."""

    calibration: dict[str, tuple[float, float, float]]
    """logit of how often a row was wrong = a + b·logit(believed wrong) + c·(cards - 2)."""
    taken: dict[str, list[list[list[float]]]]
    """Who took the arrow after a placement: by the row's length then (from two on), by how likely the row was right (in
    equal steps from 0 to 1), and by seats counted from the one who placed."""
    starts: dict[str, list[float]]
    """Who took the arrow of a round, by seats counted from the one who started it."""

    def wrong(self, players: int, believed: float, cards: int) -> float:
        """How often a row of this length that looked this wrong was wrong (Platt scaling)."""
        level, slope, length = self.calibration[str(players)]
        believed = min(max(believed, 1e-6), 1 - 1e-6)
        return 1 / (1 + exp(-level - slope * log(believed / (1 - believed)) - length * (cards - SHORTEST_DOUBTED)))

    def takers(self, players: int, cards: int, right: float) -> Sequence[float]:
        """Who will take the arrow, by seats counted from the one who has just placed; interpolated linearly."""
        lengths = self.taken[str(players)]
        steps = lengths[min(cards - SHORTEST_DOUBTED, len(lengths) - 1)]
        at = min(max(right, 0.0), 1.0) * (len(steps) - 1)
        below = min(int(at), len(steps) - 2)
        part = at - below
        return [low + part * (high - low) for low, high in zip(steps[below], steps[below + 1], strict=True)]


@cache
def experiences() -> dict[str, Experience]:
    """By level, for the levels whose minds need it."""
    stored = resources.files("illusion.bots").joinpath("experience.json").read_bytes()
    return msgspec.json.decode(stored, type=dict[str, Experience])
