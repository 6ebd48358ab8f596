"""How often one mind wins against others of another, measured where it was trained: one game in each of many lanes."""

from typing import Any, Final

import jax
import jax.numpy as jnp
import numpy as np

from illusion.bots.minds import Mind
from illusion.lab.crowd.environment import BatchEnvironment, State
from illusion.lab.crowd.minds import batch_mind, decided
from illusion.lab.crowd.situations import situations
from illusion.rules import ARROWS

_DOUBTS: Final = len(ARROWS)


def duel(environment: BatchEnvironment, one: Mind, other: Mind, games: int, seed: int) -> float:
    """The share of games that one player of the first mind wins; its seat goes round, and winners share a game.

    Every placement takes a card and every round ends with a doubt, so after as many steps as there are cards and rounds
    each lane has ended its first game. Only that one counts: short games would be counted more often than long ones.
    """
    terms = environment.terms
    on_device = environment.engine.backend.on_device
    minds = [batch_mind(mind, terms, on_device, np.float32) for mind in (one, other)]
    seat_of_one = jnp.arange(games, dtype=np.int32) % terms.players

    def step(so_far: tuple[State, Any, Any], _: Any) -> tuple[tuple[State, Any, Any], None]:
        state, got, over = so_far
        at, seat = jnp.arange(games, dtype=np.int32), state.lanes.turn.to_play
        seen = situations(state.lanes, at, terms.longest, environment.eyes, state.kinds[at, seat], 0.0 * at, terms)
        mine, theirs = (decided(seen, mind(seen), terms) for mind in minds)
        full = state.lanes.turn.length == terms.longest  # minds know no longest row
        action = jnp.where(full, terms.longest, jnp.where(seat == seat_of_one, mine, theirs))
        made = environment.step_unchecked(state, action)
        reward = jnp.take_along_axis(made.rewards, seat_of_one[:, None], axis=1)[:, 0]
        return (made.state, jnp.where(over, got, reward), over | made.ended), None

    def play(state: State) -> tuple[Any, Any]:
        start = state, jnp.zeros(games, np.float32), jnp.zeros(games, np.bool_)
        (_, got, over), _ = jax.lax.scan(step, start, None, length=terms.pile + _DOUBTS)
        return got, over

    got, over = jax.jit(play)(environment.init(seed, games))
    assert bool(over.all())
    return float(((np.asarray(got, np.float64) * (terms.players - 1) + 1) / terms.players).mean())
