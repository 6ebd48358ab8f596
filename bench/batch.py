"""Decisions per second of random play by thousands of games at once, beside the rules in the same run.

    python -m bench.batch --places 4194304 --decisions 400              # on an accelerator
    python -m bench.batch --places 262144 --decisions 100 --observe     # with observations

Four players, first to three arrows; games that end begin anew. Figures, also of a CUDA kernel that plays the same games
(`examples/random_play.cu`), are in docs/your-own-bot.md.
"""

import argparse
import statistics
from collections.abc import Callable
from time import perf_counter

from bench.parts import CARDS, per_second, random_games
from illusion.lab.arena import compete
from illusion.lab.arrays import ArrayGame, array_game, deal, play_randomly

RUNS = 5
PLACES, DECISIONS = 1024, 200
GAMES = 16_384


def random_play(places: int, decisions: int, *, observing: bool = False) -> Callable[[], int]:
    """Returns a function that plays on at each call; compiles it. With observations, four *keen* players act at random,
    and the observations before all decisions are summed."""
    game = array_game(4, decks=(0,)) if observing else ArrayGame.of_cards(4, [CARDS])
    state = deal(game, 1, places)

    def play() -> int:
        nonlocal state
        state, _, total = play_randomly(game, state, decisions, observing=observing)
        float(total)  # waits for it
        return places * decisions

    play()
    return play


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--places", type=int, help="games at once, of this kind alone (default: all, beside the rules)")
    parser.add_argument("--decisions", type=int, default=100)
    parser.add_argument("--observe", action="store_true", help="with an observation before every decision")
    chosen = parser.parse_args(arguments)
    if chosen.places is None:
        contests = {
            "rules": random_games,
            "arrays": random_play(PLACES, DECISIONS),
            "arrays, with observations": random_play(PLACES, DECISIONS // 10, observing=True),
        }
    else:
        play = random_play(chosen.places, chosen.decisions, observing=chosen.observe)
        contests = {f"arrays, {chosen.places:,} places{', with observations' if chosen.observe else ''}": play}
    rates: dict[str, list[float]] = {name: [] for name in contests}
    for _ in range(RUNS):
        for name, play in contests.items():
            rates[name].append(per_second(play))
    print(f"Decisions per second of random play, median of {RUNS}")
    for name, rate in rates.items():
        print(f"  {name:48} {statistics.median(rate):>15,.0f}")
    if chosen.places is None:
        compete(["keen"] * 4, 100, 1)
        print(f"  {'games per second of four keen in the arena':48} {per_second(arena):>15,.0f}")


def arena() -> int:
    compete(["keen"] * 4, GAMES, 2)
    return GAMES


if __name__ == "__main__":
    began = perf_counter()
    main()
    print(f"  in {perf_counter() - began:.0f} s, compiling included")
