"""The standard ways in: Gymnasium's checker, and the seat against bots."""

from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

OPTIONS: dict[str, Any] = {"decks": (0,), "longest": 12}


@pytest.mark.parametrize("players", [2, 5])
def test_it_passes_gymnasiums_checker(players: int, folder: Path) -> None:
    made = gymnasium.make("illusion.lab.gym:Illusion-v0", players=players, folder=folder, **OPTIONS)
    check_env(made.unwrapped)
    assert "Illusion-v0" in gymnasium.registry


def test_a_game_of_legal_actions_ends_with_its_reward_and_the_same_seed_gives_the_same_game(folder: Path) -> None:
    made = gymnasium.make(
        "illusion.lab.gym:Illusion-v0", players=3, opponents=["casual", "keen"], folder=folder, **OPTIONS
    )

    def played(seed: int) -> tuple[list[bytes], float]:
        rng, seen, over, reward = np.random.default_rng(seed), list[bytes](), False, 0.0
        observation, _ = made.reset(seed=seed)
        while not over:
            seen.append(observation["observation"].tobytes())
            assert observation["action_mask"].any()
            action = int(rng.choice(np.flatnonzero(observation["action_mask"])))
            observation, reward, over, _, info = made.step(action)
            assert over or (reward == 0 and not info)
        return seen, reward

    games = [played(seed) for seed in range(40)]
    assert -0.5 in {reward for _, reward in games} <= {1.0, -0.5}
    assert played(3) == games[3]


def test_an_illegal_action_loses(folder: Path) -> None:
    made = gymnasium.make("illusion.lab.gym:Illusion-v0", render_mode="ansi", folder=folder, **OPTIONS)
    for seed in range(20):
        observation, _ = made.reset(seed=seed)
        assert "player_0 sees" in str(made.render())
        illegal = int(np.flatnonzero(observation["action_mask"] == 0)[0])
        _, reward, terminated, truncated, info = made.step(illegal)
        assert (reward, terminated, truncated) == (-1, True, False)
        assert info["illegal"]
