"""The learned mind: advantages are those of the definition, an update runs anywhere, and learning helps."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from illusion.bots import levels
from illusion.lab.arena import DECKS
from illusion.lab.crowd.contests import Contestant, contest
from illusion.lab.crowd.environment import BatchEnvironment
from illusion.lab.learning.advantages import nothing_later, one_step_back
from illusion.lab.learning.learned import Weights, first_weights, read_weights, write_weights
from illusion.lab.learning.measuring import duel
from illusion.lab.learning.training import Plan, Trainer

STEPS, LANES, PLAYERS, DECAY = 60, 5, 3, 0.8


def test_advantages_are_those_of_the_definition() -> None:
    """Of each seat's own decisions: the sum of decay**k times how much each of the following ones surprised it."""
    rng = np.random.default_rng(1)
    seat = rng.integers(PLAYERS, size=(STEPS, LANES))
    value = rng.normal(size=(STEPS, LANES))
    ended = rng.random((STEPS, LANES)) < 0.1
    rewards = rng.normal(size=(STEPS, LANES, PLAYERS)) * ended[..., None]
    later, got = nothing_later(np, LANES, PLAYERS), []
    for step in reversed(range(STEPS)):
        later, made = one_step_back(later, seat[step], value[step], rewards[step], ended[step], decay=DECAY)
        got.append(made)
    got.reverse()
    for lane in range(LANES):
        bounds = [-1, *np.flatnonzero(ended[:, lane]).tolist(), STEPS - 1]
        for (before, last), me in ((each, me) for each in pairwise(bounds) for me in range(PLAYERS)):
            mine = [step for step in range(before + 1, last + 1) if seat[step, lane] == me]
            over = bool(ended[last, lane]) if last >= 0 else False
            worth = [value[step, lane] for step in mine] + ([rewards[last, lane, me]] if over else [])
            surprises = [after - now for now, after in pairwise(worth)]
            for at, step in enumerate(mine):
                advantage, target, known = (each[lane] for each in got[step])
                assert known == (at < len(surprises))
                if known:
                    expected = sum(DECAY**k * surprise for k, surprise in enumerate(surprises[at:]))
                    assert (advantage, target) == (pytest.approx(expected), pytest.approx(expected + worth[at]))


PLAN = Plan(lanes=96, steps=32, updates=12, parts=2, rate=4e-3)


def trainer(folder: Path, *, opponent: bool) -> Trainer:
    level = levels()["keen"]
    environment = BatchEnvironment(2, eyes=level.eyes, decks=(0,), longest=6, backend="jax", folder=folder)
    return Trainer(environment, PLAN, level.mind if opponent else None)


@pytest.fixture(scope="module")
def against_keen(folder: Path) -> Trainer:
    """Compiled once: how many updates there are, which weights are averaged and who plays where is no part of it."""
    return trainer(folder, opponent=True)


def test_it_learns_to_beat_a_mind_it_plays_against(against_keen: Trainer) -> None:
    """A best response to *keen* with its own eyes, from nothing: clearly better in the last updates than in the first.

    The same seed learns the same, so nothing is left to luck.
    """
    against_keen.plan = PLAN
    made = list(against_keen.train())
    won = [figures["won by the learner"] for _, figures in made]
    assert sum(won[-4:]) / 4 > sum(won[:3]) / 3 + 0.05
    assert all(np.isfinite(array).all() for array in made[-1][0])


def test_the_last_weights_are_averaged_and_an_opponent_in_no_lane_changes_nothing(
    folder: Path, against_keen: Trainer
) -> None:
    """One learns by playing itself, without averages; the other has an opponent who plays in none of its lanes."""
    alone = trainer(folder, opponent=False)
    alone.plan = replace(PLAN, updates=4, averaged=0.0)
    raw = [weights for weights, _ in alone.train()]
    against_keen.plan = replace(PLAN, updates=4, averaged=0.5, against=0.0)
    made = list(against_keen.train())
    averaged = [weights for weights, _ in made]
    for at, name in enumerate(Weights._fields):
        assert np.allclose(averaged[1][at], raw[1][at], atol=1e-6), name
        assert np.allclose(averaged[3][at], (raw[2][at] + raw[3][at]) / 2, atol=1e-6), name
    assert made[-1][1]["games"] == 1  # none to count, and it divides by one


def test_a_duel_is_won_as_often_as_a_contest() -> None:
    """One game of every lane, compiled by JAX, beside whole games played with numpy: within five standard errors."""
    eyes, one, other = levels()["keen"].eyes, levels()["keen"].mind, levels()["first-timer"].mind
    environment = BatchEnvironment(2, eyes=eyes, decks=DECKS, longest=16, backend="jax")
    games = 1500
    share = duel(environment, one, other, games, seed=1)
    won = float(contest([Contestant(eyes, one), Contestant(eyes, other)], 2 * games, "duel").shares[:, 0].mean())
    assert won > 0.53
    assert abs(share - won) < 5 * (won * (1 - won) * 1.5 / games) ** 0.5


def test_weights_are_kept_in_a_small_file(tmp_path: Path) -> None:
    weights = {players: first_weights(players, np.random.default_rng(1)) for players in (2, 5)}
    write_weights(tmp_path / "mind.npz", weights)
    assert (tmp_path / "mind.npz").stat().st_size < 64_000
    again = read_weights(tmp_path / "mind.npz")
    assert list(again) == [2, 5]
    for players, each in weights.items():
        for name in Weights._fields:
            kept = getattr(again[players], name)
            assert kept.dtype == np.float32
            assert np.allclose(kept, getattr(each, name), atol=2e-3)
