"""How much more one could gain against a level with the same eyes, in two-player games to three arrows (minutes).

Two players try: one thinks as long as it likes (`lab/best_response.py`); the others are the level itself, but doubt a
little earlier or later, and the best of them counts.

    python tools/best_response.py --games 2000 --particles 60 --jobs 2
"""

import argparse
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from random import Random

from tqdm import tqdm

from illusion.bots import Decision, levels
from illusion.bots.eyes import Impression
from illusion.bots.minds import Mind, Value
from illusion.lab.arena import DECKS, interval
from illusion.lab.best_response import BestResponse
from illusion.lab.measured_decks import measured
from illusion.lab.simulation import play
from illusion.rules import View

TEMPERS = (-6.0, -3.0, -1.5, 1.5, 3.0, 6.0)


@dataclass(frozen=True)
class Tempered:
    """The same mind, which doubts earlier or later."""

    mind: Value
    temper: float

    def decide(self, view: View, row: Sequence[Impression], card: Impression | None, temper: float = 0.0) -> Decision:
        return self.mind.decide(view, row, card, temper + self.temper)


def won(level: str, particles: int, temper: float | None, seed: int, number: int) -> bool:
    known = levels()[level]
    assert isinstance(known.mind, Value)
    rng = Random(f"best response {seed} {number}")
    thinker: Mind
    if temper is None:
        thinker = BestResponse(known.mind, particles, Random(rng.random()))
    else:
        thinker = Tempered(known.mind, temper)
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
    with ProcessPoolExecutor(chosen.jobs) as pool:
        for temper in (*TEMPERS, None):
            game = partial(won, chosen.level, chosen.particles, temper, chosen.seed)
            name = "thinks long" if temper is None else f"temper {temper}"
            results = list(tqdm(pool.map(game, range(chosen.games), chunksize=10), total=chosen.games, desc=name))
            low, high = interval(sum(results), len(results))
            print(f"{name}: {sum(results) / len(results):.3f} ({low:.3f} to {high:.3f}) of {len(results)}", flush=True)


if __name__ == "__main__":
    main()
