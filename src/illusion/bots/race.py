"""What an arrow is worth in the race to three arrows.

The race is an absorbing Markov chain (Kemeny & Snell 1960): a state is the score and who starts the round, each round
moves one arrow, and a third arrow ends it. Scores only grow, so the chances to win follow by dynamic programming.
"""

from functools import lru_cache

from illusion.bots.experience import Experience
from illusion.rules import Variant, View
from illusion.rules.turn import ARROWS_TO_WIN


def worth(view: View, me: int, experience: Experience) -> tuple[float, ...]:
    """What it is worth to me that the arrow goes to me, to the next player, and so on to the one before me."""
    arrows = tuple(len(arrows) for arrows in view.arrows_won)
    mine_first = arrows[me:] + arrows[:me]
    if view.variant is Variant.TWELVE_ROUNDS:
        return (1.0, *[0.0] * (view.players - 1))
    return _worth(mine_first, tuple(experience.starts[str(view.players)]))


@lru_cache(maxsize=20_000)
def _worth(arrows: tuple[int, ...], starts: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(chances_to_win(_one_more(arrows, seat), seat, starts)[0] for seat in range(len(arrows)))


@lru_cache(maxsize=20_000)
def chances_to_win(arrows: tuple[int, ...], starter: int, starts: tuple[float, ...]) -> tuple[float, ...]:
    """Each player's chance to win from this score; `starts[k]` is how often the k-th player after the starter takes the
    arrow of a round. The taker starts the next round (R5.4)."""
    if max(arrows) == ARROWS_TO_WIN:
        return tuple(float(won == ARROWS_TO_WIN) for won in arrows)
    total = [0.0] * len(arrows)
    for after, chance in enumerate(starts):
        taker = (starter + after) % len(arrows)
        later = chances_to_win(_one_more(arrows, taker), taker, starts)
        total = [before + chance * win for before, win in zip(total, later, strict=True)]
    return tuple(total)


def _one_more(arrows: tuple[int, ...], seat: int) -> tuple[int, ...]:
    return (*arrows[:seat], arrows[seat] + 1, *arrows[seat + 1 :])
