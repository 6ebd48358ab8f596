"""Each seat's chance to win between two rounds, from the score and who begins: what an arrow is worth.

A race is the bots' own (`bots.race`). Where only the rounds count, the same chain runs for as many rounds as are left.
Later penalties and a deck that runs out are left out, as they are there. Several who win together share the win, so
that the chances of all seats always add up to one.
"""

from functools import lru_cache

from illusion.bots.race import chances_to_win
from illusion.rules import Game

Chances = tuple[float, ...]
"""One for each seat."""


def at_the_end(winners: tuple[int, ...], players: int) -> Chances:
    return tuple((seat in winners) / len(winners) for seat in range(players))


def after_arrow(game: Game, taker: int, starts: Chances, wrong_doubter: int | None = None) -> Chances:
    """If this round's arrow goes to `taker`; a doubter who was wrong pays the penalty (R5.5)."""
    arrows = [len(won) for won in game.arrows_won]
    arrows[taker] += 1
    if wrong_doubter is not None:
        arrows[wrong_doubter] -= game.setup.penalty.returned(arrows[wrong_doubter])
    end = game.setup.end
    if arrows[taker] == end.arrows_to_win or game.round == end.rounds:
        most = max(arrows)
        return at_the_end(tuple(seat for seat, won in enumerate(arrows) if won == most), len(arrows))
    if end.arrows_to_win is not None:
        return chances_to_win(tuple(arrows), taker, starts, end.arrows_to_win)
    return _rotated(rounds_to_come(_rotated(tuple(arrows), taker), starts, end.rounds - game.round), -taker)


@lru_cache(maxsize=50_000)
def rounds_to_come(arrows: tuple[int, ...], starts: Chances, rounds: int) -> Chances:
    """Each player's chance to have the most arrows after so many rounds, both counted from the one who begins."""
    if rounds == 0:
        most = max(arrows)
        return at_the_end(tuple(seat for seat, won in enumerate(arrows) if won == most), len(arrows))
    total = [0.0] * len(arrows)
    for taker, chance in enumerate(starts):
        after = (*arrows[:taker], arrows[taker] + 1, *arrows[taker + 1 :])
        later = _rotated(rounds_to_come(_rotated(after, taker), starts, rounds - 1), -taker)
        total = [before + chance * win for before, win in zip(total, later, strict=True)]
    return tuple(total)


def _rotated(values: tuple, by: int) -> tuple:  # type: ignore[type-arg]
    return values[by:] + values[:by]
