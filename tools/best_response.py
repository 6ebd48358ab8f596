"""How much more one could win against a level with the same eyes, in games to three arrows; takes minutes.

Two kinds of players try: the level's own mind with other tempers, which doubts earlier or later, with two to five
players; and, with two, one that thinks as long as it likes (`lab/best_response.py`).

    python tools/best_response.py --games 2000 --particles 60 --jobs 2
    python tools/best_response.py --level keen --values    # instead, the bots' value minds with the level's eyes
"""

import argparse
from functools import partial
from itertools import product
from random import Random

from tqdm import tqdm

from illusion.bots import CHARACTERS, Bot, Level, levels
from illusion.bots.minds import Value
from illusion.bots.race import experiences
from illusion.cli.arguments import add_executor
from illusion.lab.arena import wilson_interval
from illusion.lab.best_response import BestResponse
from illusion.lab.contests import Contestant, contest
from illusion.lab.executors import executor
from illusion.lab.measured_decks import DECKS, measured_pile
from illusion.lab.simulation import drawn_noise, even_bot, play
from illusion.review.ordinary import ordinary

TEMPERS = (-6.0, -3.0, -1.5, 1.5, 3.0, 6.0)


def won_by_rollouts(level: str, particles: int, seed: int, number: int) -> bool:
    """Whether the rollout policy wins a game."""
    known = levels()[level]
    assert isinstance(known.mind, Value)
    rng = Random(f"best response {seed} {number}")
    name, noise = rng.choice(CHARACTERS).name, drawn_noise(rng)
    thinking = BestResponse(known.mind, particles, Random(rng.random()))
    challenger = Bot(Level("best response", known.eyes, thinking), name, noise)
    seat = number % 2
    bots = [challenger if at == seat else even_bot(known.eyes, known.mind, rng) for at in (0, 1)]
    return seat in play(bots, measured_pile(rng.choice(DECKS)), rng).winners


def value_minds() -> dict[str, Value]:
    """The value minds: those of the levels, and that of reviews' ordinary players, with the eyes of *keen*."""
    return {
        "sharp": Value(experiences()["sharp"], learns=False),
        "eagle-eye": Value(experiences()["eagle-eye"], learns=True),
        "ordinary": Value(ordinary().experience, learns=True),
    }


def printed(name: str, wins: float, games: int) -> None:
    low, high = wilson_interval(wins, games)
    print(f"{name}: {wins / games:.3f} ({low:.3f} to {high:.3f}) of {games}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--level", default="eagle-eye")
    parser.add_argument("--games", type=int, default=1000, help="for rollouts")
    parser.add_argument("--tempered-games", type=int, default=20_000, help="for each temper")
    parser.add_argument("--particles", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    add_executor(parser)
    parser.add_argument("--values", action="store_true", help="the value minds with the level's eyes, and nothing else")
    chosen = parser.parse_args()
    known = levels()[chosen.level]
    tried: dict[str, Contestant] = {
        f"temper {temper}": Contestant(known.eyes, known.mind, temper) for temper in TEMPERS
    }
    if chosen.values:
        tried = {f"the value mind of {name}": Contestant(known.eyes, mind) for name, mind in value_minds().items()}
    for players, (name, challenger) in product((2, 3, 4, 5), tried.items()):
        others, games = [Contestant(known.eyes, known.mind)] * (players - 1), chosen.tempered_games
        played = contest([challenger, *others], games, f"best response {chosen.seed} {players} {name}")
        printed(f"{players} players, {name}", float(played.shares[:, 0].sum()), games)
    if chosen.values:
        return
    with executor(chosen.jobs, chosen.on) as workers:
        game = partial(won_by_rollouts, chosen.level, chosen.particles, chosen.seed)
        results = list(tqdm(workers.map(game, range(chosen.games), chunksize=10), total=chosen.games, desc="rollouts"))
    printed("2 players, rollouts", sum(results), len(results))


if __name__ == "__main__":
    main()
