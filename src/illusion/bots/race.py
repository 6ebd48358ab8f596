"""What an arrow is worth in the race for arrows, and what a value mind has learned about it from many games.

The race is an absorbing Markov chain (Kemeny & Snell 1960): a state is the score and who starts the round, each round
gives one player an arrow, and the last arrow somebody needs ends it. Scores only grow, so the chances to win follow by
dynamic programming. Penalties in later rounds are left out.
"""

from functools import cache, lru_cache
from importlib import resources
from typing import Final, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

from illusion.rules import Penalty, View

SHORTEST_DOUBTED: Final = 2
"""A row that can be doubted has at least two cards (R4.2)."""


Numbers: TypeAlias = NDArray[np.float64]
Taken: TypeAlias = list[list[list[float]]]
"""Who took the arrow after a placement: by the row's length then (from two on), by how likely the row was right (in
equal steps from 0 to 1), and by seats counted from the one who placed."""


class Experience(msgspec.Struct, frozen=True):
    """By the number of players, as text because the keys of JSON are."""

    calibration: dict[str, tuple[float, float, float]]
    """logit of how often a row was wrong = a + b·logit(believed wrong) + c·(cards - 2)."""
    taken: dict[str, Taken]
    starts: dict[str, list[float]]
    """Who took the arrow of a round, by seats counted from the one who started it."""

    def wrong(self, players: int, believed: Numbers | float, cards: int) -> Numbers:
        """How often a row of this length that looked this wrong was wrong (Platt scaling)."""
        level, slope, length = self.calibration[str(players)]
        clipped = np.clip(believed, 1e-6, 1 - 1e-6)
        odds = level + slope * np.log(clipped / (1 - clipped)) + length * (cards - SHORTEST_DOUBTED)
        return np.asarray(1 / (1 + np.exp(-odds)))

    def takers(self, players: int, cards: int, right: Numbers | float) -> Numbers:
        """Who will take the arrow, by seats counted from the one who has just placed."""
        return interpolated(self.taken[str(players)], cards, right)


def interpolated(taken: Taken, cards: int, right: Numbers | float) -> Numbers:
    """Who took the arrow of rows of this length, linearly between the steps of how likely they were right."""
    steps = np.array(taken[min(cards - SHORTEST_DOUBTED, len(taken) - 1)])
    at = np.clip(right, 0, 1) * (len(steps) - 1)
    below = np.minimum(at.astype(int), len(steps) - 2)
    return np.asarray(steps[below] + (at - below)[..., None] * (steps[below + 1] - steps[below]))


@cache
def experiences() -> dict[str, Experience]:
    """By level, for the levels whose minds need it."""
    stored = resources.files("illusion.bots").joinpath("experience.json").read_bytes()
    return msgspec.json.decode(stored, type=dict[str, Experience])


def worth(view: View, me: int, experience: Experience) -> tuple[float, ...]:
    """What it is worth to me that the arrow goes to me, to the next player, and so on to the one before me."""
    return worth_of_arrow(_mine_first(view, me), _starts(view, experience), view.end.arrows_to_win)


def worth_of_wrong_doubt(view: View, me: int, experience: Experience) -> float:
    """What it is worth to me that the player before me takes the arrow and I pay the penalty (R5.3, R5.5)."""
    return worth_of_penalty(_mine_first(view, me), _starts(view, experience), view.end.arrows_to_win, view.penalty)


def worth_of_arrow(arrows: tuple[int, ...], starts: tuple[float, ...], arrows_to_win: int | None) -> tuple[float, ...]:
    """The same from the arrows that everybody has, mine first.

    In a race this is the chance to win; where only the rounds count, an arrow of my own is worth 1 and any other 0.
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
    """Each player's chance to win from this score; `starts[k]` is how often the k-th player after the starter takes the
    arrow of a round. The taker starts the next round (R5.4)."""
    if max(arrows) == arrows_to_win:
        return tuple(float(won == arrows_to_win) for won in arrows)
    total = [0.0] * len(arrows)
    for after, chance in enumerate(starts):
        taker = (starter + after) % len(arrows)
        later = chances_to_win(_one_more(arrows, taker), taker, starts, arrows_to_win)
        total = [before + chance * win for before, win in zip(total, later, strict=True)]
    return tuple(total)


def _starts(view: View, experience: Experience) -> tuple[float, ...]:
    """Who takes the arrow of a round; asked only in a race."""
    return () if view.end.arrows_to_win is None else tuple(experience.starts[str(view.players)])


def _mine_first(view: View, me: int) -> tuple[int, ...]:
    """How many arrows each player has, counted from me on."""
    arrows = tuple(len(won) for won in view.arrows_won)
    return arrows[me:] + arrows[:me]


def _one_more(arrows: tuple[int, ...], seat: int) -> tuple[int, ...]:
    return (*arrows[:seat], arrows[seat] + 1, *arrows[seat + 1 :])
