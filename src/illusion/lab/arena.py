"""The arena: bots play each other many times, seats by lot, and what happened is counted."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from math import sqrt
from random import Random
from typing import Any, Final

from illusion.bots import Decision, levels
from illusion.lab.measured_decks import measured_pile
from illusion.lab.simulation import play
from illusion.rules import Doubt, Game, Variant, View, first_fall

DECKS: Final = 4
"""Games take turns with so many decks, which are drawn and measured once and kept."""
_AT_A_TIME: Final = 50


@dataclass(slots=True)
class Tally:
    """What was counted; tallies of two sets of games add up, in whatever order they were played."""

    games: int = 0
    wins: Counter[int] = field(default_factory=Counter)
    """By the player's place in the list; who wins together with others has won."""
    shared: int = 0
    rounds: int = 0
    cards: int = 0
    rows: Counter[int] = field(default_factory=Counter)
    """The row's length when it was doubted."""
    doubts_right: int = 0

    def add(self, other: "Tally") -> None:
        self.games += other.games
        self.wins += other.wins
        self.shared += other.shared
        self.rounds += other.rounds
        self.cards += other.cards
        self.rows += other.rows
        self.doubts_right += other.doubts_right


Progress = Callable[[Iterable[Tally], int], Iterable[Tally]]
"""Goes through tallies that come one after another, and may show how far it is."""


def compete(
    players: Sequence[str],
    games: int,
    seed: int,
    variant: Variant = Variant.FIRST_TO_THREE,
    jobs: int = 1,
    progress: Progress = lambda tallies, _: tallies,
) -> Tally:
    """Let bots of these levels play. The same seed gives the same tally, whatever the number of jobs."""
    for deck in range(DECKS):
        measured_pile(deck, variant)  # drawn here, not once in every job
    starts = range(0, games, _AT_A_TIME)
    total = Tally()
    for tally in progress(
        _in_jobs(partial(_some_games, tuple(players), games, seed, variant), starts, jobs), len(starts)
    ):
        total.add(tally)
    return total


def _in_jobs(task: Callable[[int], Tally], starts: Iterable[int], jobs: int) -> Iterator[Tally]:
    if jobs == 1:
        yield from map(task, starts)
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(task, starts)


def _some_games(players: tuple[str, ...], games: int, seed: int, variant: Variant, start: int) -> Tally:
    tally = Tally()
    for number in range(start, min(start + _AT_A_TIME, games)):
        _one_game(players, variant, number % DECKS, Random(f"illusion arena {seed} {number}"), tally)
    return tally


def _one_game(players: tuple[str, ...], variant: Variant, deck: int, rng: Random, tally: Tally) -> None:
    order = list(range(len(players)))
    rng.shuffle(order)
    known = levels()

    def watch(game: Game, view: View, decision: Decision) -> None:
        if isinstance(decision.move, Doubt):
            assert game.arrow is not None
            tally.rows[len(view.row)] += 1
            tally.doubts_right += first_fall(game.row, game.arrow) is not None

    seats = [(known[players[who]].eyes, known[players[who]].mind) for who in order]
    ended = play(seats, measured_pile(deck, variant), rng, variant, watch)
    tally.games += 1
    tally.wins.update(order[seat] for seat in ended.winners)
    tally.shared += len(ended.winners) > 1
    tally.rounds += ended.round
    tally.cards += ended.drawn


def interval(wins: int, games: int) -> tuple[float, float]:
    """Wilson's 95 % interval for a rate."""
    z = 1.959964
    rate = wins / games
    centre = (rate + z * z / (2 * games)) / (1 + z * z / games)
    half = z * sqrt(rate * (1 - rate) / games + z * z / (4 * games * games)) / (1 + z * z / games)
    return max(0.0, centre - half), min(1.0, centre + half)


def report(players: Sequence[str], seed: int, variant: Variant, tally: Tally) -> dict[str, Any]:
    """The tally as it is written to JSON."""
    doubts = tally.rows.total()
    told = []
    for place, level in enumerate(players):
        low, high = interval(tally.wins[place], tally.games)
        wins = tally.wins[place]
        told.append(
            {
                "level": level,
                "games": tally.games,
                "wins": wins,
                "win_rate": wins / tally.games,
                "low": low,
                "high": high,
            }
        )
    return {
        "players": told,
        "games": tally.games,
        "seed": seed,
        "variant": variant.value,
        "shared_wins": tally.shared,
        "rounds": tally.rounds / tally.games,
        "cards_used": tally.cards / tally.games,
        "doubts": doubts,
        "doubts_right": tally.doubts_right / doubts,
        "row_at_doubt": sum(length * count for length, count in tally.rows.items()) / doubts,
        "rows": {str(length): tally.rows[length] for length in sorted(tally.rows)},
    }
