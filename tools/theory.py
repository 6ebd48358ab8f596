"""The main figures of the game's theory, with our own pictures; takes a minute.

python tools/theory.py --games 20000 --jobs 2
"""

import argparse
from collections.abc import Sequence

from illusion.bots import levels
from illusion.bots.eyes import Eyes
from illusion.bots.minds import PointEstimate, Threshold
from illusion.cli.arguments import add_executor
from illusion.lab.contests import Contestant, contest
from illusion.lab.executors import executor

POINTS = {2: Eyes(0.047), 4: Eyes(0.094), 6: Eyes(0.141)}
"""Eyes by their error in percentage points at a share of 25 %, with an ordinary pattern."""
BEST = {
    2: {2: 0.78, 3: 0.72, 4: 0.70, 5: 0.69},
    4: {2: 0.73, 3: 0.68, 4: 0.65, 5: 0.66},
    6: {2: 0.69, 3: 0.65, 4: 0.63, 5: 0.63},
}
KEEN = {2: 0.72, 3: 0.67, 4: 0.65, 5: 0.65}


def many(task: tuple[str, Sequence[Contestant], int, bool]) -> tuple[str, list[float], float, float, float]:
    """Win rates by player, and the mean row at a doubt, rounds and cards. Seats are by lot, or in the order given."""
    name, seats, games, by_lot = task
    played = contest(seats, games, f"theory {name}", by_lot=by_lot)
    return name, played.won.mean(axis=0).tolist(), played.row, played.rounds, played.cards


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20_000)
    add_executor(parser)
    chosen = parser.parse_args()
    games = chosen.games
    tasks: list[tuple[str, Sequence[Contestant], int, bool]] = []
    for points, eyes in POINTS.items():
        for n in (2, 3, 4, 5):
            tasks.append(
                (f"{n} players, {points} points", [Contestant(eyes, Threshold(BEST[points]))] * n, games, True)
            )
    usual = Contestant(POINTS[4], Threshold(BEST[4]))
    for n in (2, 3, 4, 5):
        perfect = Contestant(Eyes(0.0), levels()["eagle-eye"].mind)
        tasks.append((f"a perfect eye and {n - 1} of 4 points", [perfect, *[usual] * (n - 1)], games, True))
    careless = Contestant(POINTS[6], PointEstimate(2.5))
    tasks.append(("somebody careless, then three others", [careless, usual, usual, usual], games, False))
    eager = Contestant(POINTS[4], Threshold(dict.fromkeys((2, 3, 4, 5), 0.25)))
    tasks.append(("an over-eager doubter, then three others", [eager, usual, usual, usual], games, False))
    with executor(chosen.jobs, chosen.on) as workers:
        for name, won, row, rounds, cards in workers.map(many, tasks):
            rates = " ".join(f"{rate:.3f}" for rate in won)
            print(f"{name:42} wins {rates:30} row {row:.2f} rounds {rounds:.2f} cards {cards:.1f}", flush=True)


if __name__ == "__main__":
    main()
