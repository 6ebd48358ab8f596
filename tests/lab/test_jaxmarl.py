"""The game for trainers of JaxMARL: by agent, inside a jit, and the same game as in `arrays.py`."""

from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from illusion.lab import JaxMARL

PLAYERS, STEPS = 3, 120


@pytest.fixture(scope="module")
def env(folder: Path) -> JaxMARL:
    return JaxMARL(PLAYERS, decks=(0,), longest=12, folder=folder)


def chosen(masks: dict[str, Any], key: Any) -> dict[str, Any]:
    """A legal action of each agent."""
    keys = jax.random.split(key, len(masks))
    return {
        agent: jax.random.categorical(each, jnp.where(mask, 0.0, -jnp.inf))
        for each, (agent, mask) in zip(keys, masks.items(), strict=True)
    }


def test_games_are_played_by_agents_whose_turn_it_is(env: JaxMARL) -> None:
    seen, state = env.reset(jax.random.key(1))
    ends = 0
    for key in jax.random.split(jax.random.key(2), STEPS):
        masks = env.get_avail_actions(state)
        on_turn = [not bool(mask[-1]) for mask in masks.values()]
        assert on_turn == [seat == int(state.to_play) for seat in range(PLAYERS)]
        assert all(mask[:-1].any() == mine for mine, mask in zip(on_turn, masks.values(), strict=True))
        for agent in env.agents:
            assert env.observation_space(agent).contains(seen[agent])
        actions = chosen(masks, key)
        assert all(env.action_space(agent).contains(action) for agent, action in actions.items())
        seen, state, rewards, over, info = env.step(key, state, actions)
        assert bool(info["legal"])
        assert list(rewards) == env.agents
        assert set(over) == {*env.agents, "__all__"}
        assert sum(float(reward) for reward in rewards.values()) == pytest.approx(0, abs=1e-6)
        assert any(map(float, rewards.values())) == bool(over["__all__"])
        ends += bool(over["__all__"])
    assert ends > 1


def test_a_state_to_go_on_with_after_the_end(env: JaxMARL) -> None:
    _, begun = env.reset(jax.random.key(3))
    _, state = env.reset(jax.random.key(1))
    for key in jax.random.split(jax.random.key(2), STEPS):
        actions = chosen(env.get_avail_actions(state), key)
        _, state, _, over, _ = env.step(key, state, actions, begun)
        if over["__all__"]:
            assert all(
                np.array_equal(a, b) for a, b in zip(jax.tree.leaves(state), jax.tree.leaves(begun), strict=True)
            )
            return
    raise AssertionError("no game ended")


def test_samples_of_spaces_are_in_them(env: JaxMARL) -> None:
    for space in (env.observation_space("agent_0"), env.action_space("agent_1")):
        sample = space.sample(jax.random.key(4))
        assert sample.shape == space.shape
        assert space.contains(sample)
        assert not space.contains(sample + 1000)
