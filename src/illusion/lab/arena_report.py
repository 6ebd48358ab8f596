"""The result of an arena as it is printed, plotted and written to JSON."""

from math import sqrt

import msgspec


class PlayerResult(msgspec.Struct, frozen=True):
    """Of one player; `low` and `high` bound the 95 % interval of the win rate."""

    level: str
    games: int
    wins: int
    win_rate: float
    low: float
    high: float


class ArenaReport(msgspec.Struct, frozen=True):
    """Averages are per game, except `row_at_doubt` and `doubts_right`: they are per doubt."""

    players: tuple[PlayerResult, ...]
    games: int
    seed: int
    variant: str
    decks: tuple[int, ...]
    """The seeds of the decks."""
    shared_wins: int
    rounds: float
    cards_used: float
    doubts: int
    doubts_right: float
    row_at_doubt: float
    rows: dict[int, int]
    """How many rows had each length when they were doubted."""


def wilson_interval(wins: float, games: int) -> tuple[float, float]:
    """The 95 % score interval for a rate (Wilson 1927)."""
    z = 1.959964
    rate = wins / games
    centre = (rate + z * z / (2 * games)) / (1 + z * z / games)
    half = z * sqrt(rate * (1 - rate) / games + z * z / (4 * games * games)) / (1 + z * z / games)
    return max(0.0, centre - half), min(1.0, centre + half)
