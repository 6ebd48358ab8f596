"""Train a network in thousands of games at once: `python examples/train.py [--updates N] [--plot FILE.svg] ...`.

The learner has seat 0 of every game, the others act at random. It sees the observation of the environment and nothing
else: how much of the colour each card of the row seems to have, who laid it, the race. A network with one hidden layer
says which action is good and how likely it is to win; both improve by an advantage actor-critic (Mnih et al. 2016).
Needs the extra `fast`: pip install --require-hashes -r locks/fast.lock
"""

import argparse
from functools import partial
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp

from illusion.lab.arrays import ArrayGame, array_game, deal, observe, step
from illusion.lab.observation import ObservationLayout

HIDDEN = 128
Weights = dict[str, Any]


def first_weights(inputs: int, actions: int, key: Any) -> Weights:
    one, two = jax.random.split(key)
    return {
        "in": jax.random.normal(one, (inputs, HIDDEN)) * (2 / inputs) ** 0.5,
        "bias": jnp.zeros(HIDDEN),
        "out": jax.random.normal(two, (HIDDEN, actions + 1)) * 0.01,
    }


def judged(weights: Weights, numbers: Any) -> tuple[Any, Any]:
    """How much each action is liked, and how much the learner expects to win."""
    hidden = jnp.maximum(numbers / 10 @ weights["in"] * 3 + weights["bias"], 0)
    out = hidden @ weights["out"]
    return out[..., :-1], out[..., -1]


def played(game: ArrayGame, weights: Weights, state: Any, keys: Any) -> tuple[Any, Any]:
    """Some steps of all games: what the learner saw, what was done, and what came of it."""
    me = jnp.zeros_like(state.to_play)

    def once(state: Any, key: Any) -> tuple[Any, Any]:
        numbers, mask = observe(game, state, me).numbers, jax.vmap(game.mask)(state)
        liked, worth = judged(weights, numbers)
        mine = state.to_play == me
        chances = jnp.where(mask > 0, jnp.where(mine[:, None], liked, 0), -1e9)
        action = jax.random.categorical(key, chances)
        state, did = step(game, state, action)
        return state, (numbers, mask, action, mine, worth, jax.vmap(game.rewards)(did)[:, 0], did.ending > 0)

    state, steps = jax.lax.scan(once, state, keys)
    _, worth = judged(weights, observe(game, state, me).numbers)
    return state, (steps, worth)


def returns(rewards: Any, ended: Any, last: Any) -> Any:
    """What came of every step: the reward at the game's end, or what is expected where the game goes on."""

    def back(later: Any, now: tuple[Any, Any]) -> tuple[Any, Any]:
        reward, over = now
        value = jnp.where(over, reward, later)
        return value, value

    return jax.lax.scan(back, last, (rewards, ended), reverse=True)[1]


def loss(weights: Weights, steps: Any, came: Any) -> Any:
    numbers, mask, action, mine, _, _, _ = steps
    liked, worth = judged(weights, numbers)
    chances = jax.nn.log_softmax(jnp.where(mask > 0, liked, -1e9))
    chance = jnp.take_along_axis(chances, action[..., None], axis=-1)[..., 0]
    surprise = came - worth
    entropy = -jnp.where(mask > 0, jnp.exp(chances) * chances, 0).sum(axis=-1)
    each = -chance * jax.lax.stop_gradient(surprise) - 0.01 * entropy
    return (each * mine).sum() / mine.sum() + 0.5 * (surprise**2).mean()


def updated(game: ArrayGame, steps: int, rate: float, so_far: Any, key: Any) -> tuple[Any, Any]:
    """Play, then one step of RMSProp (Tieleman & Hinton 2012)."""
    weights, squares, state = so_far
    state, (made, last) = played(game, weights, state, jax.random.split(key, steps))
    rewards, ended = made[5], made[6]
    slopes = jax.grad(loss)(weights, made, returns(rewards, ended, last))
    squares = jax.tree.map(lambda old, slope: 0.9 * old + 0.1 * slope**2, squares, slopes)
    weights = jax.tree.map(
        lambda weight, slope, square: weight - rate * slope / (jnp.sqrt(square) + 1e-4), weights, slopes, squares
    )
    won = ((rewards > 0) & ended).sum() / jnp.maximum(ended.sum(), 1)
    return (weights, squares, state), won


def plotted(won: list[float], players: int) -> str:
    """The share of games that the learner won, by update, over the share of one who acts at random."""
    points = " ".join(
        f"{60 + 600 * at / max(len(won) - 1, 1):.1f},{240 - 200 * rate:.1f}" for at, rate in enumerate(won)
    )
    lines = "".join(
        f'<path d="M60 {240 - 2 * part}h600" stroke="#ddd"/>'
        f'<text x="50" y="{244 - 2 * part}" text-anchor="end">{part} %</text>'
        for part in (0, 25, 50, 75, 100)
    )
    even = 240 - 200 / players
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 700 280" font-family="sans-serif" font-size="13">'
        f'<rect width="700" height="280" fill="#fff"/>{lines}'
        f'<path d="M60 {even}h600" stroke="#888" stroke-dasharray="4"/>'
        f'<polyline points="{points}" fill="none" stroke="#2a6fb0" stroke-width="2"/>'
        f'<text x="360" y="268" text-anchor="middle">games won by the learner, after {len(won)} updates</text></svg>\n'
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--games", type=int, default=1024, help="games at once")
    parser.add_argument("--steps", type=int, default=32, help="decisions in each between two updates")
    parser.add_argument("--updates", type=int, default=300)
    parser.add_argument("--rate", type=float, default=0.001)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plot", type=Path)
    chosen = parser.parse_args()
    game = array_game(chosen.players, decks=(0, 1), longest=12)
    layout = ObservationLayout(game.longest, int(game.terms.pile))
    keys = jax.random.split(jax.random.key(chosen.seed), chosen.updates + 1)
    weights = first_weights(layout.size, layout.actions, keys[0])
    so_far = weights, jax.tree.map(jnp.ones_like, weights), deal(game, chosen.seed, chosen.games)
    update = jax.jit(partial(updated, game, chosen.steps, chosen.rate))
    won = []
    for at in range(chosen.updates):
        so_far, rate = update(so_far, keys[at + 1])
        won.append(float(rate))
        if (at + 1) % max(chosen.updates // 10, 1) == 0:
            print(f"update {at + 1}: the learner won {100 * won[-1]:.0f} % of the games that ended")
    if chosen.plot is not None:
        chosen.plot.write_text(plotted(won, chosen.players), encoding="utf-8")


if __name__ == "__main__":
    main()
