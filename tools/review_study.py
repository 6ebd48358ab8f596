"""How reviews judge bots that are known: `python tools/review_study.py [--games 2000]`, minutes.

Prints what each player gains or loses a game by eye, judgement and luck, with 95 % intervals: levels against each
other, and among *keen* players one who doubts at random, one with dim eyes, and one who sees everything.
"""

import argparse
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import Executor
from random import Random
from statistics import mean, stdev

from illusion.bots import Bot, levels
from illusion.bots.belief import believe, posterior
from illusion.bots.eyes import Eyes, Impression
from illusion.bots.minds import Mind
from illusion.cli.arguments import add_executor
from illusion.lab.executors import executor
from illusion.lab.measured_decks import DECKS, measured_pile
from illusion.lab.simulation import even_bot, play, seated
from illusion.review import Moved, Review, review
from illusion.rules import Doubt, Game, Move, Place, View

Totals = dict[str, list[tuple[float, float, float]]]
"""By name of a player: eye, judgement and luck in each game."""


class DoubtsAtRandom:
    """Places where its eyes tell it to, and doubts by lot."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def decide(self, view: View, row: Sequence[Impression], card: Impression | None, temper: float = 0.0) -> Move:  # noqa: ARG002
        if card is None or (view.legal.doubt and self._rng.random() < 0.35):
            return Doubt()
        belief = believe([posterior(each) for each in row], posterior(card))
        return Place(max(view.legal.gaps, key=belief.stays.__getitem__))


def odd_one(name: str, rng: Random) -> Bot:
    keen = levels()["keen"]
    ones: dict[str, tuple[Eyes, Mind]] = {
        "keen": (keen.eyes, keen.mind),
        "random doubts": (keen.eyes, DoubtsAtRandom(rng)),
        "dim eyes": (Eyes(0.3), keen.mind),
        "sees everything": (Eyes(0.0, 0.0, 0.0, 0.0), levels()["eagle-eye"].mind),
    }
    return even_bot(*ones[name], rng)


def reviewed(bots: Sequence[Bot], deck: int, rng: Random) -> Review:
    begun: list[Game] = []
    moves: list[Moved] = []

    def watch(game: Game, _: View, move: Move) -> None:
        begun.append(game)
        moves.append(Moved(len(moves) + 1, move))

    pile = measured_pile(deck)
    play(bots, pile, rng, watch=watch)
    return review(begun[0], moves, pile.sights.__getitem__)


def one_game(task: tuple[tuple[str, ...], int]) -> list[tuple[str, tuple[float, float, float]]]:
    names, number = task
    rng, order = Random(f"review study {names} {number}"), list(names)
    rng.shuffle(order)
    are_levels = all(name in levels() for name in names) and len(set(names)) > 1
    bots = seated(order, rng) if are_levels else [odd_one(name, rng) for name in order]
    found = reviewed(bots, DECKS[number % len(DECKS)], rng)
    return [(order[seat.seat], (seat.eye, seat.judgement, seat.luck)) for seat in found.seats]


def study(names: tuple[str, ...], games: int, workers: Executor) -> None:
    totals: Totals = defaultdict(list)
    for found in workers.map(one_game, [(names, number) for number in range(games)], chunksize=10):
        for name, parts in found:
            totals[name].append(parts)
    print(f"{', '.join(names)}: {games} games, points of chance to win a game")
    for name, games_of_one in totals.items():
        figures = (
            f"{what} {100 * mean(some):+.1f} ± {196 * stdev(some) / len(some) ** 0.5:.1f}"
            for what, some in zip(("eye", "judgement", "luck"), zip(*games_of_one, strict=True), strict=True)
        )
        print(f"  {name}: {', '.join(figures)}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=2000)
    add_executor(parser)
    chosen = parser.parse_args()
    with executor(chosen.jobs, chosen.on) as workers:
        study(("sharp", "casual"), chosen.games, workers)
        study(("sharp", "casual", "sharp", "casual"), chosen.games, workers)
        for odd in ("random doubts", "dim eyes", "sees everything"):
            study((odd, "keen", "keen"), chosen.games // 4, workers)


if __name__ == "__main__":
    main()
