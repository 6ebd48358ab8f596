"""The main figures of the game's theory, with our own pictures; takes minutes.

python tools/theory.py --games 2000 --jobs 2
"""

import argparse
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from random import Random

from illusion.bots import levels
from illusion.bots.eyes import Eyes
from illusion.bots.minds import Mind, PointEstimate, Threshold
from illusion.lab.arena import DECKS
from illusion.lab.measured_decks import measured_pile
from illusion.lab.simulation import even_bot, play
from illusion.rules import Doubt, Game, Move, View

POINTS = {2: Eyes(0.047), 4: Eyes(0.094), 6: Eyes(0.141)}
"""Eyes by their error in percentage points at a share of 25 %, with an ordinary pattern."""
BEST = {
    2: {2: 0.78, 3: 0.72, 4: 0.70, 5: 0.69},
    4: {2: 0.73, 3: 0.68, 4: 0.65, 5: 0.66},
    6: {2: 0.69, 3: 0.65, 4: 0.63, 5: 0.63},
}
KEEN = {2: 0.72, 3: 0.67, 4: 0.65, 5: 0.65}

Seat = tuple[Eyes, Mind]


def many(task: tuple[str, Sequence[Seat], int, bool]) -> tuple[str, list[float], float, float, float]:
    """Win rates by player, and the mean row at a doubt, rounds and cards. Seats are by lot, or in the order given."""
    name, seats, games, by_lot = task
    won, rows, rounds, cards = [0] * len(seats), [], 0, 0

    def watch(_: Game, view: View, move: Move) -> None:
        if isinstance(move, Doubt):
            rows.append(len(view.row))

    for number in range(games):
        rng = Random(f"theory {name} {number}")
        order = list(range(len(seats)))
        if by_lot:
            rng.shuffle(order)
        bots = [even_bot(*seats[who], rng) for who in order]
        ended = play(bots, measured_pile(DECKS[number % len(DECKS)]), rng, watch=watch)
        for seat in ended.winners:
            won[order[seat]] += 1
        rounds, cards = rounds + ended.round, cards + ended.drawn
    return name, [wins / games for wins in won], sum(rows) / len(rows), rounds / games, cards / games


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--jobs", type=int, default=2)
    chosen = parser.parse_args()
    games = chosen.games
    tasks: list[tuple[str, Sequence[Seat], int, bool]] = []
    for points, eyes in POINTS.items():
        for n in (2, 3, 4, 5):
            tasks.append((f"{n} players, {points} points", [(eyes, Threshold(BEST[points]))] * n, games, True))
    usual = (POINTS[4], Threshold(BEST[4]))
    for n in (2, 3, 4, 5):
        perfect = (Eyes(0.0), levels()["eagle-eye"].mind)
        tasks.append((f"a perfect eye and {n - 1} of 4 points", [perfect, *[usual] * (n - 1)], games, True))
    careless = (POINTS[6], PointEstimate(2.5))
    tasks.append(("somebody careless, then three others", [careless, usual, usual, usual], games, False))
    eager = (POINTS[4], Threshold(dict.fromkeys((2, 3, 4, 5), 0.25)))
    tasks.append(("an over-eager doubter, then three others", [eager, usual, usual, usual], games, False))
    with ProcessPoolExecutor(chosen.jobs) as pool:
        for name, won, row, rounds, cards in pool.map(many, tasks):
            rates = " ".join(f"{rate:.3f}" for rate in won)
            print(f"{name:42} wins {rates:30} row {row:.2f} rounds {rounds:.2f} cards {cards:.1f}", flush=True)


if __name__ == "__main__":
    main()
