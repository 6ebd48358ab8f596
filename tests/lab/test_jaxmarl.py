"""The game for trainers of JaxMARL: by agent, inside a jit, and the same game as in `arrays.py`."""

import inspect
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import jax
import numpy as np
import pytest

from illusion.lab import JaxMARL

PLAYERS, STEPS = 3, 120


@pytest.fixture(scope="module")
def env(folder: Path) -> JaxMARL:
    return JaxMARL(PLAYERS, decks=(0,), longest=12, folder=folder)


def same(one: Any, other: Any) -> bool:
    assert jax.tree.structure(one) == jax.tree.structure(other)
    return all(map(np.array_equal, jax.tree.leaves(one), jax.tree.leaves(other)))


@pytest.fixture(scope="module")
def multi_agent_env() -> Any:
    """JaxMARL's own base class (`tools/setup/jaxmarl.lock`). Its packages would import all environments and what these
    need, so they are entered by their folders; of Flax it takes a decorator for a class that nobody uses here."""
    installed = find_spec("jaxmarl")
    assert installed is not None, "pip install --no-deps --require-hashes -r tools/setup/jaxmarl.lock"
    folder = (installed.submodule_search_locations or [""])[0]
    struct = ModuleType("flax.struct")
    vars(struct)["dataclass"] = lambda kind: kind
    flax = ModuleType("flax")
    vars(flax)["struct"] = struct
    packages = {"jaxmarl": folder, "jaxmarl.environments": f"{folder}/environments"}
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "flax", flax)
        for name, path in packages.items():
            package = ModuleType(name)
            package.__path__ = [path]
            patch.setitem(sys.modules, name, package)
        return import_module("jaxmarl.environments.multi_agent_env").MultiAgentEnv


def test_all_that_jaxmarls_base_class_promises_is_there(env: JaxMARL, multi_agent_env: Any) -> None:
    promised = {name: what for name, what in vars(multi_agent_env).items() if not name.startswith("_")}
    assert {"reset", "step", "step_env", "get_obs", "get_avail_actions", "observation_space"} <= set(promised)
    for name, what in promised.items():
        ours = inspect.getattr_static(JaxMARL, name)
        assert isinstance(ours, property) == isinstance(what, property), name
        if not isinstance(what, property):
            assert list(inspect.signature(ours).parameters) == list(inspect.signature(what).parameters), name
    assert set(vars(multi_agent_env(PLAYERS))) <= set(vars(env))
    assert env.agents == multi_agent_env(PLAYERS).agents
    assert [agent for kind in env.agent_classes.values() for agent in kind] == env.agents
    assert env.name == "Illusion"


def chosen(masks: dict[str, Any], rng: np.random.Generator) -> dict[str, Any]:
    """A legal action of each agent."""
    return {agent: rng.choice(np.flatnonzero(mask)) for agent, mask in masks.items()}


def test_games_are_played_by_agents_whose_turn_it_is(env: JaxMARL) -> None:
    rng, key, ends = np.random.default_rng(2), jax.random.key(2), 0
    seen, state = env.reset(jax.random.key(1))
    for _ in range(STEPS):
        masks = {agent: np.asarray(mask) for agent, mask in env.get_avail_actions(state).items()}
        on_turn = [not bool(mask[-1]) for mask in masks.values()]
        assert on_turn == [seat == int(state.to_play) for seat in range(PLAYERS)]
        assert all(mask[:-1].any() == mine for mine, mask in zip(on_turn, masks.values(), strict=True))
        for agent in env.agents:
            assert env.observation_space(agent).contains(np.asarray(seen[agent]))
        actions = chosen(masks, rng)
        assert all(env.action_space(agent).contains(action) for agent, action in actions.items())
        seen, state, rewards, over, info = env.step(key, state, actions)
        assert bool(info["legal"])
        assert list(rewards) == env.agents
        assert set(over) == {*env.agents, "__all__"}
        assert sum(float(reward) for reward in rewards.values()) == pytest.approx(0, abs=1e-6)
        assert any(map(float, rewards.values())) == bool(over["__all__"])
        ends += bool(over["__all__"])
    assert ends > 1


def test_jaxmarls_own_step_plays_our_game(env: JaxMARL, multi_agent_env: Any, folder: Path) -> None:
    """Until it ends. Then theirs resets it, and ours goes on with the state that it is given."""
    own: Any = type("Theirs", (JaxMARL, multi_agent_env), {"step": multi_agent_env.step})
    theirs = own(PLAYERS, decks=(0,), longest=12, folder=folder)
    rng, key = np.random.default_rng(3), jax.random.key(3)
    seen_begun, begun = env.reset(key)
    _, state = env.reset(jax.random.key(1))
    while True:
        actions = chosen(env.get_avail_actions(state), rng)
        seen, after, *ours = env.step(key, state, actions)
        seen_by_theirs, after_theirs, *other = theirs.step(key, state, actions)
        seen_going_on, going_on, *_ = env.step(key, state, actions, begun)
        over = bool(ours[1]["__all__"])
        assert ours == other
        assert same((seen, after), (seen_by_theirs, after_theirs)) != over
        assert same((seen_going_on, going_on), (seen_begun, begun) if over else (seen, after))
        if over:
            assert (int(after_theirs.length), int(after_theirs.drawn), int(after_theirs.decisions)) == (1, 1, 1)
            break
        state = after


def test_samples_of_spaces_are_in_them(env: JaxMARL) -> None:
    for space in (env.observation_space("agent_0"), env.action_space("agent_1")):
        sample = space.sample(jax.random.key(4))
        assert sample.shape == space.shape
        assert space.contains(sample)
        assert not space.contains(sample + 1000)
