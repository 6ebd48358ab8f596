"""How much more one could win against a level with the same eyes, in two-player games to three arrows; takes minutes.

Two kinds of players try: the level's own mind with other tempers, which doubts earlier or later, and one that thinks as
long as it likes (`lab/best_response.py`).

    python tools/best_response.py --games 2000 --particles 60 --jobs 2
"""

import argparse
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from random import Random

from tqdm import tqdm

from illusion.bots import CHARACTERS, Bot, Level, levels
from illusion.bots.minds import Value
from illusion.lab.arena import DECKS
from illusion.lab.arena_report import wilson_interval
from illusion.lab.best_response import BestResponse
from illusion.lab.measured_decks import measured_pile
from illusion.lab.simulation import drawn_noise, even_bot, play

TEMPERS = (-6.0, -3.0, -1.5, 1.5, 3.0, 6.0)


def won(level: str, particles: int, temper: float | None, seed: int, number: int) -> bool:
    """Whether the challenger wins one game: of another temper, or by rollouts if `temper` is None."""
    known = levels()[level]
    assert isinstance(known.mind, Value)
    rng = Random(f"best response {seed} {number}")
    name, noise = rng.choice(CHARACTERS).name, drawn_noise(rng)
    if temper is None:
        thinking = BestResponse(known.mind, particles, Random(rng.random()))
        challenger = Bot(Level("best response", known.eyes, thinking), name, noise)
    else:
        challenger = Bot(known, name, noise, temper)
    seat = number % 2
    bots = [challenger if at == seat else even_bot(known.eyes, known.mind, rng) for at in (0, 1)]
    return seat in play(bots, measured_pile(rng.choice(DECKS)), rng).winners


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--level", default="eagle-eye")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--particles", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    chosen = parser.parse_args()
    with ProcessPoolExecutor(chosen.jobs) as pool:
        for temper in (*TEMPERS, None):
            game = partial(won, chosen.level, chosen.particles, temper, chosen.seed)
            name = "rollouts" if temper is None else f"temper {temper}"
            results = list(tqdm(pool.map(game, range(chosen.games), chunksize=10), total=chosen.games, desc=name))
            low, high = wilson_interval(sum(results), len(results))
            print(f"{name}: {sum(results) / len(results):.3f} ({low:.3f} to {high:.3f}) of {len(results)}", flush=True)


if __name__ == "__main__":
    main()
