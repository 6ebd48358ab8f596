"""The game for trainers written for JaxMARL: `reset`, `step` and spaces by agent, all usable inside `jax.jit`.

It has the interface of JaxMARL's `MultiAgentEnv` (compared by `tests/lab/test_jaxmarl.py`) without importing JaxMARL,
which pins the versions of too many packages.
"""

from functools import partial
from typing import Any, Final, NamedTuple, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np

from illusion.lab.arrays import GOES_ON, Scalar, State, Vector, array_game
from illusion.lab.observation import ObservationLayout

ByAgent: TypeAlias = dict[str, Any]
WAIT: Final = 1
"""One more action than in the other environments, the last: that of the agents not at turn."""


class Discrete(NamedTuple):
    n: int
    shape: tuple[int, ...] = ()
    dtype: Any = jnp.int32

    def sample(self, rng: Any) -> Scalar:
        return jax.random.randint(rng, self.shape, 0, self.n, self.dtype)

    def contains(self, x: Scalar) -> Scalar:
        return (x >= 0) & (x < self.n)


class Box(NamedTuple):
    low: Vector
    high: Vector
    shape: tuple[int, ...]
    dtype: Any = jnp.float32

    def sample(self, rng: Any) -> Vector:
        return jax.random.uniform(rng, self.shape, self.dtype, self.low, self.high)

    def contains(self, x: Vector) -> Scalar:
        return ((x >= self.low) & (x <= self.high)).all()


class JaxMARL:
    """Options are those of `array_game`. A new game begins in the step that ends one."""

    def __init__(self, players: int = 2, **options: Any) -> None:
        self.game = array_game(players, **options)
        self.layout = ObservationLayout(self.game.longest, int(self.game.terms.pile))
        self.num_agents = players
        self.agents = [f"agent_{seat}" for seat in range(players)]
        low, high = self.layout.bounds
        box, actions = Box(low, high, (self.layout.size,)), Discrete(self.layout.actions + WAIT)
        self.observation_spaces = dict.fromkeys(self.agents, box)
        self.action_spaces = dict.fromkeys(self.agents, actions)

    @partial(jax.jit, static_argnums=0)
    def reset(self, key: Any) -> tuple[ByAgent, State]:
        state = self.game.init(key)
        return self.get_obs(state), state

    @partial(jax.jit, static_argnums=0)
    def step(
        self, key: Any, state: State, actions: ByAgent, reset_state: State | None = None
    ) -> tuple[ByAgent, State, ByAgent, ByAgent, ByAgent]:
        """As `step_env`; where the game ended, continues with `reset_state` if given."""
        seen, after, rewards, dones, infos = self.step_env(key, state, actions)
        if reset_state is not None:
            after = jax.tree.map(lambda new, old: jnp.where(dones["__all__"], new, old), reset_state, after)
            seen = self.get_obs(after)
        return seen, after, rewards, dones, infos

    def step_env(
        self,
        key: Any,  # noqa: ARG002  (the state has its own key)
        state: State,
        actions: ByAgent,
    ) -> tuple[ByAgent, State, ByAgent, ByAgent, ByAgent]:
        """Only the action of the agent at turn counts."""
        action = jnp.stack([jnp.asarray(actions[agent]) for agent in self.agents])[state.to_play]
        after, did = self.game.step(state, action)
        reward, over = self.game.rewards(did), did.ending != GOES_ON
        rewards = {agent: reward[seat] for seat, agent in enumerate(self.agents)}
        return self.get_obs(after), after, rewards, dict.fromkeys([*self.agents, "__all__"], over), {"legal": did.legal}

    def get_obs(self, state: State) -> ByAgent:
        return {agent: self.game.observe(state, seat).numbers for seat, agent in enumerate(self.agents)}

    @partial(jax.jit, static_argnums=0)
    def get_avail_actions(self, state: State) -> ByAgent:
        mask = self.game.mask(state)
        on_turn = (np.arange(self.num_agents) == state.to_play)[:, None]
        masks = jnp.append(mask * on_turn, ~on_turn, axis=1).astype(np.bool_)
        return {agent: masks[seat] for seat, agent in enumerate(self.agents)}

    def observation_space(self, agent: str) -> Box:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        return self.action_spaces[agent]

    @property
    def name(self) -> str:
        return "Illusion"

    @property
    def agent_classes(self) -> dict[str, list[str]]:
        return {"player": self.agents}
