"""How much a best response gains against a level with the same eyes, in two-player games to three arrows (minutes).

`python tools/best_response.py --games 2000 --particles 60 --jobs 2`
"""

import argparse
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from random import Random

from tqdm import tqdm

from illusion.bots import levels
from illusion.bots.minds import Value
from illusion.lab.arena import DECKS, interval
from illusion.lab.best_response import BestResponse
from illusion.lab.looks import measured
from illusion.lab.simulation import play


def won(level: str, particles: int, seed: int, number: int) -> bool:
    known = levels()[level]
    assert isinstance(known.mind, Value)
    rng = Random(f"best response {seed} {number}")
    thinker = BestResponse(known.mind, particles, Random(rng.random()))
    seat = number % 2
    minds = [thinker if at == seat else known.mind for at in (0, 1)]
    ended = play([(known.eyes, mind) for mind in minds], measured(rng.randrange(DECKS)), rng)
    return seat in ended.winners


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--level", default="eagle-eye")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--particles", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    chosen = parser.parse_args()
    game = partial(won, chosen.level, chosen.particles, chosen.seed)
    with ProcessPoolExecutor(chosen.jobs) as pool:
        results = list(tqdm(pool.map(game, range(chosen.games), chunksize=5), total=chosen.games))
    low, high = interval(sum(results), len(results))
    print(f"{sum(results) / len(results):.3f} ({low:.3f} to {high:.3f}) of {len(results)} games")


if __name__ == "__main__":
    main()
