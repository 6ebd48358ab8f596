"""Learn to beat *casual* with its own eyes: `python examples/learn.py [--generations N] [--games N] ...`.

The learner sees exactly as well as its opponent. From the impressions in its observation it works out how likely the
row is right and which gap most likely keeps it right; it places there. It learns when to doubt: when the dot product of
four weights and four numbers is positive. The weights are found by the cross-entropy method (Rubinstein 1999): sample
many, keep the few that win most, and sample again around those. This takes about a minute, and the same seed gives the
same result.
"""

import argparse
from collections.abc import Iterable
from math import log
from typing import Final

import numpy as np
from numpy.typing import NDArray

from illusion.bots import levels
from illusion.bots.belief import believe, posterior
from illusion.bots.eyes import Impression
from illusion.lab import raw_env
from illusion.lab.arena import wilson_interval
from illusion.lab.environment import Illusion
from illusion.lab.observation import Numbers, ObservationLayout

ME: Final = "player_0"
OPPONENT: Final = "casual"
WEIGHTS: Final = 4

Weights = NDArray[np.float64]


def act(numbers: Numbers, layout: ObservationLayout, weights: Weights) -> int:
    """The learner's policy: doubt, or place where the card fits best."""
    length = int(numbers[layout.fields["row length"]][0])
    there, *card = numbers[layout.fields["next card"]].tolist()
    if not there or length == layout.longest:
        return layout.longest
    row = numbers[layout.fields["row"]].reshape(-1, layout.per_card)[:length, 1:3].tolist()
    belief = believe([posterior(Impression.rounded(*seen)) for seen in row], posterior(Impression.rounded(*card)))
    best = max(range(length + 1), key=belief.stays.__getitem__)
    if length == 1:
        return best
    right = min(max(belief.right, 1e-6), 1 - 1e-6)
    fits = max(belief.stays[best], 1e-6) / right
    return layout.longest if float(weights @ (1.0, log(1 / right - 1), length - 2, log(fits))) > 0 else best


def wins(env: Illusion, weights: Weights, seeds: Iterable[int]) -> int:
    """How many games the learner wins, one per seed."""
    won = 0
    opponent = levels()[OPPONENT].mind
    for seed in seeds:
        env.reset(seed=seed)
        while not any(env.terminations.values()):
            if env.agent_selection == ME:
                env.step(act(env.observe(ME)["observation"], env.layout, weights))
            else:
                env.step(env.advice(opponent))
        won += env.rewards[ME] > 0
    return won


def learn(env: Illusion, generations: int, tries: int, games: int, rng: np.random.Generator) -> Weights:
    mean, spread = np.zeros(WEIGHTS), np.ones(WEIGHTS)
    for generation in range(generations):
        tried = mean + spread * rng.standard_normal((tries, WEIGHTS))
        seeds = range(generation * games, (generation + 1) * games)  # the same games for all weights
        won = np.array([wins(env, weights, seeds) for weights in tried])
        best = tried[np.argsort(-won)[: max(2, tries // 5)]]
        mean, spread = best.mean(axis=0), best.std(axis=0) + 0.5 / (generation + 1) ** 2
        print(f"generation {generation + 1}: the best won {won.max() / games:.0%}, all {won.mean() / games:.0%}")
    return mean


def described(won: int, games: int) -> str:
    """A win rate with its 95 % interval."""
    low, high = wilson_interval(won, games)
    return f"{won / games:.1%} of {games:,} games against {OPPONENT} (95 % interval {low:.1%} to {high:.1%})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--generations", type=int, default=8)
    parser.add_argument("--tries", type=int, default=20, help="weights tried per generation")
    parser.add_argument("--games", type=int, default=100, help="games per try")
    parser.add_argument("--evaluate", type=int, default=2000, help="games before and after, none of them used to learn")
    parser.add_argument("--decks", type=int, default=4, help="how many decks to play with")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()

    env = raw_env(2, eyes=OPPONENT, decks=range(chosen.decks))
    rng = np.random.default_rng(chosen.seed)
    unseen = range(10**9, 10**9 + chosen.evaluate)
    print("before:", described(wins(env, np.zeros(WEIGHTS), unseen), chosen.evaluate))
    weights = learn(env, chosen.generations, chosen.tries, chosen.games, rng)
    print("weights:", weights.round(2).tolist())
    print("after: ", described(wins(env, weights, unseen), chosen.evaluate))


if __name__ == "__main__":
    main()
