"""Decisions per second of random play in batches, on each backend, beside the rules in the same run.

    python -m bench.batch --backend jax --lanes 4194304 --steps 400              # on an accelerator
    python -m bench.batch --backend jax --lanes 262144 --steps 100 --observe     # with observations

Four players, first to three arrows; games that end begin anew. A loop in C that does only what the game needs makes 55
to 70 million decisions a second on one core, a CUDA kernel of fifty lines 48 thousand million on one H200.
"""

import argparse
import statistics
from collections.abc import Callable
from time import perf_counter

from bench.parts import CARDS, per_second, random_games
from illusion.lab import batch_env
from illusion.lab.batch import BACKENDS, CannotPlay, Engine
from illusion.lab.batch.advance import chosen_at_random
from illusion.lab.crowd.environment import BatchEnvironment, State

RUNS = 5
SIZES = {"numpy": (2048, 20), "numba": (4096, 400), "jax": (4096, 100)}
"""Lanes and decisions in each, small enough for a shared core."""


def random_play(name: str, lanes: int, steps: int) -> Callable[[], int]:
    """Goes on playing from call to call; the first call, which compiles, is made here."""
    games = Engine(4, [CARDS], name=name)
    state, _ = games.play_randomly(games.init(1, lanes), steps)

    def play() -> int:
        nonlocal state
        state, _ = games.play_randomly(state, steps)
        return lanes * steps

    return play


def with_observations(name: str, lanes: int, steps: int) -> Callable[[], int]:
    """Four *keen* players who all act at random, and what the player at turn sees before every decision."""
    environment = batch_env(4, decks=(0,), backend=name)
    observe, step = environment.observe, environment.step_unchecked
    act = environment.engine.backend.made_fast(lambda state: chosen_at_random(state.lanes, environment.terms))
    many = steps_on_device(environment, steps) if name == "jax" else None
    state = environment.init(1, lanes)

    def play() -> int:
        nonlocal state
        if many is not None:
            state, total = many(state)
            float(total)  # waits for it
            return lanes * steps
        for _ in range(steps):
            observe(state)
            state = step(state, act(state)).state
        return lanes * steps

    play()
    return play


def steps_on_device(environment: BatchEnvironment, steps: int) -> Callable[[State], tuple[State, float]]:
    """Many steps in one go. The observations are added up, so that no compiler can leave them out."""
    import jax  # noqa: PLC0415  (an extra)

    def one(_: int, so_far: tuple[State, float]) -> tuple[State, float]:
        state, total = so_far
        seen = environment.observe(state)
        action = chosen_at_random(state.lanes, environment.terms)
        return environment.step_unchecked(state, action).state, total + seen.numbers.sum()

    def many(state: State) -> tuple[State, float]:
        made: tuple[State, float] = jax.lax.fori_loop(0, steps, one, (state, jax.numpy.float32(0)))
        return made

    fast: Callable[[State], tuple[State, float]] = jax.jit(many)
    return fast


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--backend", choices=BACKENDS, help="this one alone (default: all, beside the rules)")
    parser.add_argument("--lanes", type=int, default=4096)
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--observe", action="store_true", help="the environment, with an observation at every step")
    chosen = parser.parse_args(arguments)
    if chosen.backend is None:
        contests = {"rules": random_games}
        contests |= {f"batch, {name}": random_play(name, *size) for name, size in SIZES.items()}
        contests["environment with observations, numba"] = with_observations("numba", 4096, 20)
    else:
        made = with_observations if chosen.observe else random_play
        play = made(chosen.backend, chosen.lanes, chosen.steps)
        contests = {f"{'environment' if chosen.observe else 'batch'}, {chosen.backend}, {chosen.lanes:,} lanes": play}
    rates: dict[str, list[float]] = {name: [] for name in contests}
    for _ in range(RUNS):
        for name, play in contests.items():
            rates[name].append(per_second(play))
    print(f"Batch: decisions per second of random play, median of {RUNS}; C on one core: 55 to 70 million")
    for name, rate in rates.items():
        print(f"  {name:38} {statistics.median(rate):>15,.0f}")


if __name__ == "__main__":
    began = perf_counter()
    try:
        main()
    except CannotPlay as refusal:
        raise SystemExit(f"bench.batch: {refusal}") from None
    print(f"  in {perf_counter() - began:.0f} s, compiling included")
