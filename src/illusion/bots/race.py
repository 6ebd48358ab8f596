"""The worth of an arrow in the race for arrows, and the experience of value minds from many games.

The race is an absorbing Markov chain (Kemeny & Snell 1960): a state is the score and who starts the round, each round
gives one player an arrow, and the last arrow that somebody needs ends it. Scores only grow, so the chances to win are
found by dynamic programming. Penalties in later rounds are ignored.
"""

from functools import cache, lru_cache
from importlib import resources
from typing import Final, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

from illusion.rules import Penalty, View

SHORTEST_DOUBTED: Final = 2
"""The least number of cards in a row that can be doubted (R4.2)."""


Numbers: TypeAlias = NDArray[np.float64]
Taken: TypeAlias = list[list[list[float]]]
"""Frequencies of who took the arrow after a placement: by the row's length (from two on), by the chance that the row
was right (in equal steps from 0 to 1), and by seat, counted from the one who placed."""


class Experience(msgspec.Struct, frozen=True):
    """Statistics by the number of players (as text, since they are JSON keys)."""

    calibration: dict[str, tuple[float, float, float]]
    """(a, b, c): logit P(row is wrong) = a + b·logit(believed wrong) + c·(cards - 2)."""
    taken: dict[str, Taken]
    starts: dict[str, list[float]]
    """Frequencies of who took the arrow of a round, by seat, counted from the one who started it."""

    def wrong(self, players: int, believed: Numbers | float, cards: int) -> Numbers:
        """The calibrated chance that a row is wrong, by belief and length (Platt scaling)."""
        level, slope, length = self.calibration[str(players)]
        clipped = np.clip(believed, 1e-6, 1 - 1e-6)
        odds = level + slope * np.log(clipped / (1 - clipped)) + length * (cards - SHORTEST_DOUBTED)
        return np.asarray(1 / (1 + np.exp(-odds)))

    def takers(self, players: int, cards: int, right: Numbers | float) -> Numbers:
        """Each seat's chance to take the arrow, counted from the one who has just placed."""
        return interpolated(self.taken[str(players)], cards, right)


def interpolated(taken: Taken, cards: int, right: Numbers | float) -> Numbers:
    """`taken` for rows of this length, interpolated linearly."""
    steps = np.array(taken[min(cards - SHORTEST_DOUBTED, len(taken) - 1)])
    at = np.clip(right, 0, 1) * (len(steps) - 1)
    below = np.minimum(at.astype(int), len(steps) - 2)
    return np.asarray(steps[below] + (at - below)[..., None] * (steps[below + 1] - steps[below]))


@cache
def experiences() -> dict[str, Experience]:
    """Experience by level, for levels whose minds need it."""
    stored = resources.files("illusion.bots").joinpath("experience.json").read_bytes()
    return msgspec.json.decode(stored, type=dict[str, Experience])


def worth(view: View, me: int, experience: Experience) -> tuple[float, ...]:
    """The worth to me of the arrow going to me, to the next player, and so on."""
    return worth_of_arrow(_mine_first(view, me), _starts(view, experience), view.end.arrows_to_win)


def worth_of_wrong_doubt(view: View, me: int, experience: Experience) -> float:
    """The worth to me of the player before me taking the arrow while I pay the penalty (R5.3, R5.5)."""
    return worth_of_penalty(_mine_first(view, me), _starts(view, experience), view.end.arrows_to_win, view.penalty)


def worth_of_arrow(arrows: tuple[int, ...], starts: tuple[float, ...], arrows_to_win: int | None) -> tuple[float, ...]:
    """As `worth`, from the number of arrows that everybody has, mine first.

    In a race it is the chance to win; if only the rounds count, an arrow of my own is worth 1 and any other 0.
    """
    if arrows_to_win is None:
        return (1.0, *[0.0] * (len(arrows) - 1))
    return _worth(arrows, starts, arrows_to_win)


def worth_of_penalty(
    arrows: tuple[int, ...], starts: tuple[float, ...], arrows_to_win: int | None, penalty: Penalty
) -> float:
    lost = penalty.returned(arrows[0])
    if lost == 0:
        return worth_of_arrow(arrows, starts, arrows_to_win)[-1]
    if arrows_to_win is None:
        return float(-lost)
    after = _one_more((arrows[0] - lost, *arrows[1:]), len(arrows) - 1)
    return chances_to_win(after, len(arrows) - 1, starts, arrows_to_win)[0]


@lru_cache(maxsize=20_000)
def _worth(arrows: tuple[int, ...], starts: tuple[float, ...], arrows_to_win: int) -> tuple[float, ...]:
    return tuple(chances_to_win(_one_more(arrows, seat), seat, starts, arrows_to_win)[0] for seat in range(len(arrows)))


@lru_cache(maxsize=20_000)
def chances_to_win(
    arrows: tuple[int, ...], starter: int, starts: tuple[float, ...], arrows_to_win: int = 3
) -> tuple[float, ...]:
    """Each player's chance to win from this score; `starts[k]` is the chance that the k-th player after the starter
    takes the arrow of a round. The taker starts the next round (R5.4)."""
    if max(arrows) == arrows_to_win:
        return tuple(float(won == arrows_to_win) for won in arrows)
    total = [0.0] * len(arrows)
    for after, chance in enumerate(starts):
        taker = (starter + after) % len(arrows)
        later = chances_to_win(_one_more(arrows, taker), taker, starts, arrows_to_win)
        total = [before + chance * win for before, win in zip(total, later, strict=True)]
    return tuple(total)


def _starts(view: View, experience: Experience) -> tuple[float, ...]:
    """Chances to take the arrow of a round; needed only in a race."""
    return () if view.end.arrows_to_win is None else tuple(experience.starts[str(view.players)])


def _mine_first(view: View, me: int) -> tuple[int, ...]:
    """The numbers of arrows that the players have, mine first."""
    arrows = tuple(len(won) for won in view.arrows_won)
    return arrows[me:] + arrows[:me]


def _one_more(arrows: tuple[int, ...], seat: int) -> tuple[int, ...]:
    return (*arrows[:seat], arrows[seat] + 1, *arrows[seat + 1 :])
