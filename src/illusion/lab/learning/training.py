"""Proximal policy optimization (Schulman et al. 2017) of the learned mind, in batches of games, compiled by JAX.

The network plays some or all seats of every lane and learns from its own decisions there. All seats: it plays itself.
One seat: it learns a best response to whoever has the others, a mind of the bots or a trained network. All seats in
some lanes and one in the others: it learns to hold its own against both.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Final, NamedTuple, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np

from illusion.bots.minds import Mind
from illusion.lab.crowd.environment import BatchEnvironment, State
from illusion.lab.crowd.minds import BatchLearned, batch_mind, decided
from illusion.lab.crowd.situations import situations
from illusion.lab.learning.advantages import Later, nothing_later, one_step_back
from illusion.lab.learning.learned import Known, Learned, Weights, first_weights, judged

Array: TypeAlias = Any
_EVERY_SEAT: Final = -1
"""The learner of a lane whose seats are all the network's."""


@dataclass(frozen=True)
class Plan:
    """How to train. The defaults are for one large accelerator; a test has a few lanes."""

    lanes: int = 32_768
    steps: int = 64
    """Decisions in each lane between two updates."""
    updates: int = 200
    seconds: float | None = None
    """If given, train so long instead, compiling not counted."""
    epochs: int = 2
    parts: int = 16
    """Minibatches of an epoch."""
    rate: float = 1e-3
    clip: float = 0.2
    decay: float = 0.9
    """Lambda of the advantages."""
    curiosity: float = 0.003
    """Weight of the entropy; like the rate, it goes down to a tenth in the end."""
    averaged: float = 0.25
    """Share of the training, at its end, whose weights are averaged (Polyak & Juditsky 1992)."""
    against: float = 1.0
    """Share of the lanes in which the opponent, if there is one, has all seats but one."""
    seed: int = 1


class Taken(NamedTuple):
    """Decisions of all lanes in one step."""

    known: Known
    action: Array
    """Index of a gap, or the last one for a doubt."""
    chance: Array
    """Log of the probability it was taken with."""
    value: Array
    seat: Array
    learns: Array
    """1 where the network decided, 0 where its opponent did."""
    rewards: Array
    ended: Array


class Moments(NamedTuple):
    """Of Adam (Kingma & Ba 2015)."""

    step: Array
    mean: Weights
    square: Weights


class Trainer:
    """One number of players and one pair of eyes. `opponent` has all seats but one in the lanes where it plays; in all
    others the network has all seats."""

    def __init__(self, environment: BatchEnvironment, plan: Plan, opponent: Mind | None = None) -> None:
        self.environment, self.plan, self.terms = environment, plan, environment.terms
        on_device = environment.engine.backend.on_device
        blank = Weights(*map(on_device, first_weights(environment.players, np.random.default_rng(plan.seed))))
        self._first = blank
        self._network = BatchLearned(blank, self.terms, lambda table: on_device(np.asarray(table, np.float32)))
        self._opponent = None if opponent is None else batch_mind(opponent, self.terms, on_device, np.float32)
        self._update = jax.jit(self._updated)

    def train(self, start: Weights | None = None) -> Iterator[tuple[Weights, dict[str, float]]]:
        """The weights after each update, with what it measured; towards the end, the average of the last weights."""
        plan = self.plan
        weights = self._first if start is None else start
        none = jax.tree.map(jnp.zeros_like, weights)
        moments = Moments(jnp.float32(0), none, none)
        state = self.environment.init(plan.seed, plan.lanes)
        lane = np.arange(plan.lanes)
        alone = lane < plan.lanes * (1.0 if self._opponent is None else plan.against)
        learner = np.where(alone, lane % self.environment.players, _EVERY_SEAT)
        key = jax.random.key(plan.seed)
        average, averaged = none, 0
        for part in self._parts():
            key, now = jax.random.split(key)
            left = 1 - 0.9 * part
            weights, moments, state, figures = self._update(weights, moments, state, jnp.asarray(learner), now, left)
            if part > 1 - plan.averaged:
                averaged += 1
                average = _mean(average, weights, 1 / averaged)
            yield average if averaged else weights, {name: float(figure) for name, figure in figures.items()}

    def _parts(self) -> Iterator[float]:
        """How far the training is before each update, from 0 to 1."""
        plan = self.plan
        if plan.seconds is None:
            yield from (update / max(plan.updates - 1, 1) for update in range(plan.updates))
            return
        yield 0.0
        began = perf_counter()
        while (spent := perf_counter() - began) < plan.seconds:
            yield spent / plan.seconds

    def _updated(
        self, weights: Weights, moments: Moments, state: State, learner: Array, key: Array, left: Array
    ) -> tuple[Weights, Moments, State, dict[str, Array]]:
        playing, learning = jax.random.split(key)
        state, taken = self._played(weights, state, learner, playing)
        advantages = self._advantages(taken)
        flat = jax.tree.map(lambda each: each.reshape(-1, *each.shape[2:]), (taken, *advantages))
        weights, moments, loss = self._learned(weights, moments, flat, learning, left)
        won = (taken.rewards * (jnp.arange(self.environment.players) == learner[:, None])).sum(axis=2)
        ended = taken.ended & (learner != _EVERY_SEAT)
        games = jnp.maximum(ended.sum(), 1)
        n = self.environment.players
        figures = {
            "games": games,
            "won by the learner": ((won * ended).sum() / games * (n - 1) + 1) / n,
            "doubts": (taken.action == self.terms.longest + 1).mean(),
            "loss": loss,
        }
        return weights, moments, state, figures

    def _played(self, weights: Weights, state: State, learner: Array, key: Array) -> tuple[State, Taken]:
        def step(state: State, key: Array) -> tuple[State, Taken]:
            turn, doubt = state.lanes.turn, self.terms.longest + 1
            at = jnp.arange(turn.length.shape[0], dtype=np.int32)
            seat = turn.to_play
            seen = situations(
                state.lanes, at, self.terms.longest, self.environment.eyes, state.kinds[at, seat], 0.0 * at, self.terms
            )
            known = self._network.told(seen)
            liking, value = judged(jnp, weights, known)
            action = jax.random.categorical(key, liking).astype(np.int32)
            learns = jnp.ones_like(seat)
            if self._opponent is not None:
                learns = ((seat == learner) | (learner == _EVERY_SEAT)).astype(np.int32)
                theirs = decided(seen, self._opponent(seen), self.terms)
                theirs = jnp.where(theirs == self.terms.longest, doubt, theirs)
                action = jnp.where(learns == 1, action, theirs)
            chance = jnp.take_along_axis(jax.nn.log_softmax(liking), action[:, None], axis=1)[:, 0]
            made = self.environment.step_unchecked(state, jnp.where(action == doubt, self.terms.longest, action))
            return made.state, Taken(known, action, chance, value, seat, learns, made.rewards, made.ended)

        played: tuple[State, Taken] = jax.lax.scan(step, state, jax.random.split(key, self.plan.steps))
        return played

    def _advantages(self, taken: Taken) -> tuple[Array, Array, Array]:
        lanes, players = taken.rewards.shape[1:]
        decay = self.plan.decay

        def back(later: Later, now: tuple[Array, Array, Array, Array]) -> Any:
            return one_step_back(later, *now, decay=decay)

        seen = taken.seat, taken.value, taken.rewards, taken.ended
        _, (advantage, worth, known) = jax.lax.scan(back, nothing_later(jnp, lanes, players), seen, reverse=True)
        return advantage, worth, known * taken.learns

    def _learned(
        self, weights: Weights, moments: Moments, flat: Any, key: Array, left: Array
    ) -> tuple[Weights, Moments, Array]:
        many, plan = flat[1].shape[0], self.plan
        slope: Callable[..., Any] = jax.value_and_grad(self._loss)

        def part(so_far: tuple[Weights, Moments], chosen: Array) -> tuple[tuple[Weights, Moments], Array]:
            now, moments = so_far
            loss, slopes = slope(now, jax.tree.map(lambda each: each[chosen], flat), left)
            return _adam(now, moments, slopes, plan.rate * left), loss

        orders = [jax.random.permutation(each, many) for each in jax.random.split(key, plan.epochs)]
        parts = jnp.concatenate(orders)[: plan.epochs * many // plan.parts * plan.parts]
        (weights, moments), losses = jax.lax.scan(part, (weights, moments), parts.reshape(plan.epochs * plan.parts, -1))
        return weights, moments, losses.mean()

    def _loss(self, weights: Weights, some: Any, left: Array) -> Array:
        taken, advantage, worth, counts = some
        liking, value = judged(jnp, weights, taken.known)
        chances = jax.nn.log_softmax(liking)
        chance = jnp.take_along_axis(chances, taken.action[:, None], axis=1)[:, 0]
        ratio = jnp.exp(jnp.clip(chance - taken.chance, -5, 5))
        total = jnp.maximum(counts.sum(), 1)
        mean = (advantage * counts).sum() / total
        spread = jnp.sqrt((counts * (advantage - mean) ** 2).sum() / total) + 1e-6
        gain = (advantage - mean) / spread
        clipped = jnp.clip(ratio, 1 - self.plan.clip, 1 + self.plan.clip)
        policy = -jnp.minimum(ratio * gain, clipped * gain)
        entropy = -jnp.where(chances > -20, jnp.exp(chances) * chances, 0).sum(axis=1)
        each = policy + 0.5 * (value - worth) ** 2 - self.plan.curiosity * left * entropy
        return (each * counts).sum() / total


def _adam(weights: Weights, moments: Moments, slopes: Weights, rate: Array) -> tuple[Weights, Moments]:
    size = jnp.sqrt(sum((slope**2).sum() for slope in slopes))
    slopes = jax.tree.map(lambda slope: slope / jnp.maximum(size, 1), slopes)  # no step longer than one of length 1
    step = moments.step + 1
    mean = jax.tree.map(lambda old, slope: 0.9 * old + 0.1 * slope, moments.mean, slopes)
    square = jax.tree.map(lambda old, slope: 0.999 * old + 0.001 * slope**2, moments.square, slopes)
    bias = jnp.sqrt(1 - 0.999**step) / (1 - 0.9**step)
    after = jax.tree.map(lambda weight, m, s: weight - rate * bias * m / (jnp.sqrt(s) + 1e-8), weights, mean, square)
    return after, Moments(step, mean, square)


def _mean(average: Weights, weights: Weights, part: float) -> Weights:
    mean: Weights = jax.tree.map(lambda old, new: old + part * (new - old), average, weights)
    return mean


def trained(weights: Weights, players: int) -> Learned:
    """The mind of these weights, to play with."""
    return Learned({players: Weights(*(np.asarray(array) for array in weights))})
