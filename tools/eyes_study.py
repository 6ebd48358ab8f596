"""How well own eyes are found, for bots whose eyes are known: `python tools/eyes_study.py [--runs 100]`, minutes.

Prints for each level how many runs are within a fifth of the true w after so many placements, how often the interval
holds it, and Fisher's information about ln w with what follows from it by the Cramér-Rao bound: the most runs that an
unbiased estimate can have within a fifth.
"""

import argparse
from collections.abc import Iterator
from concurrent.futures import Executor
from math import log
from random import Random
from statistics import NormalDist, mean
from typing import NamedTuple

import numpy as np

from illusion.bots import levels
from illusion.cli.arguments import add_executor
from illusion.lab.executors import executor
from illusion.lab.measured_decks import DECKS, measured_pile
from illusion.lab.simulation import even_bot, play
from illusion.review import Moved
from illusion.review.own_eyes import own_eyes
from illusion.review.turn_chances import WIDTHS, Round, SeatLooks, seat_looks, turn_chances
from illusion.rules import Game, Move, View

PLAYERS = 3
NEAR = 7
"""Values of w around the true one, for fitting a parabola."""


class Run(NamedTuple):
    """The estimate of a player's w, and the true one."""

    ratio: float
    is_held: bool
    information: float


def games(level: str, run: int) -> Iterator[list[SeatLooks]]:
    """One game after another of players with the same eyes and tastes; each seat's looks."""
    chosen, rng = levels()[level], Random(f"eyes study {level} {run}")
    for number in range(1000):
        begun: list[Game] = []
        moves: list[Moved] = []

        def watch(game: Game, _: View, move: Move, begun: list[Game] = begun, moves: list[Moved] = moves) -> None:
            begun.append(game)
            moves.append(Moved(len(moves) + 1, move))

        pile = measured_pile(DECKS[(run + number) % len(DECKS)])
        play([even_bot(chosen.eyes, chosen.mind, rng) for _ in range(PLAYERS)], pile, rng, watch=watch)
        yield [seat_looks(begun[0], moves, pile.sights.__getitem__, seat) for seat in range(PLAYERS)]


def first_placements(rounds: Iterator[Round], most: int) -> Iterator[Round]:
    """Rounds, the last one cut short, with this many placements."""
    for each in rounds:
        turns = []
        for turn in each.turns:
            turns.append(turn)
            most -= turn.gap is not None
            if not most:
                break
        yield Round(each.arrow, each.cards, turns)
        if not most:
            return


def one_run(task: tuple[str, int, int]) -> Run:
    level, run, most = task
    seat, true = run % PLAYERS, levels()[level].eyes.w
    endless = (each for looks in games(level, run // PLAYERS) for each in looks[seat].rounds)
    rounds = list(first_placements(endless, most))
    found = own_eyes([SeatLooks(rounds)]).w
    assert found is not None
    told = np.sum([turn_chances(each, number) for number, each in enumerate(rounds, 1)], axis=0)
    curve = np.logaddexp.reduce(told, axis=0)
    off = np.log(WIDTHS / true)
    near = np.abs(off).argsort()[:NEAR]
    return Run(
        found.figure / true, found.low <= true <= found.high, -2 * float(np.polyfit(off[near], curve[near], 2)[0])
    )


def study(level: str, runs: int, placements: int, workers: Executor) -> None:
    found = list(workers.map(one_run, [(level, run, placements) for run in range(runs)], chunksize=5))
    information = mean(each.information for each in found)
    best = 2 * NormalDist().cdf(log(1.2 / 0.8) / 2 * information**0.5) - 1
    print(
        f"{level}, w = {levels()[level].eyes.w}, {placements} placements: "
        f"{sum(abs(each.ratio - 1) <= 0.2 for each in found)} of {runs} within a fifth, "
        f"{sum(each.is_held for each in found)} in the interval; "
        f"information {information:.0f}, at best {100 * best:.0f}",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--placements", type=int, default=60)
    add_executor(parser)
    chosen = parser.parse_args()
    with executor(chosen.jobs, chosen.on) as workers:
        for level in levels():
            study(level, chosen.runs, chosen.placements, workers)


if __name__ == "__main__":
    main()
