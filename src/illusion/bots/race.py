"""The race for arrows: what an arrow is worth to a player, by who takes it."""

from functools import lru_cache

from illusion.bots.experience import Experience
from illusion.rules import View


def worth(view: View, me: int, experience: Experience) -> tuple[float, ...]:
    """What it is worth to me that the arrow goes to me, to the next player, and so on to the one before me."""
    arrows_to_win = view.end.arrows_to_win
    if arrows_to_win is None:
        return (1.0, *[0.0] * (view.players - 1))
    return _worth(_mine_first(view, me), tuple(experience.starts[str(view.players)]), arrows_to_win)


def worth_of_wrong_doubt(view: View, me: int, experience: Experience) -> float:
    """What it is worth to me that the player before me takes the arrow and I pay the penalty (R5.3, R5.5)."""
    arrows = _mine_first(view, me)
    lost = view.penalty.returned(arrows[0])
    if lost == 0:
        return worth(view, me, experience)[-1]
    arrows_to_win = view.end.arrows_to_win
    if arrows_to_win is None:
        return float(-lost)
    after = _one_more((arrows[0] - lost, *arrows[1:]), len(arrows) - 1)
    return chances(after, len(arrows) - 1, tuple(experience.starts[str(view.players)]), arrows_to_win)[0]


@lru_cache(maxsize=20_000)
def _worth(arrows: tuple[int, ...], starts: tuple[float, ...], arrows_to_win: int) -> tuple[float, ...]:
    return tuple(chances(_one_more(arrows, seat), seat, starts, arrows_to_win)[0] for seat in range(len(arrows)))


@lru_cache(maxsize=20_000)
def chances(
    arrows: tuple[int, ...], starter: int, starts: tuple[float, ...], arrows_to_win: int = 3
) -> tuple[float, ...]:
    """Each player's chance to win the game from this score, if `starts[k]` tells how often the k-th player after the
    starter takes the arrow. Whoever takes it starts the next round (R5.4). Penalties still to come are left out."""
    if max(arrows) == arrows_to_win:
        return tuple(float(won == arrows_to_win) for won in arrows)
    total = [0.0] * len(arrows)
    for after, chance in enumerate(starts):
        taker = (starter + after) % len(arrows)
        later = chances(_one_more(arrows, taker), taker, starts, arrows_to_win)
        total = [before + chance * win for before, win in zip(total, later, strict=True)]
    return tuple(total)


def _mine_first(view: View, me: int) -> tuple[int, ...]:
    """How many arrows each player has, counted from me on."""
    arrows = tuple(len(won) for won in view.arrows_won)
    return arrows[me:] + arrows[:me]


def _one_more(arrows: tuple[int, ...], seat: int) -> tuple[int, ...]:
    return (*arrows[:seat], arrows[seat] + 1, *arrows[seat + 1 :])
