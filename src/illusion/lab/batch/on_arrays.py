"""The backends that call the step with whole arrays: numpy, and JAX for accelerators."""

import os
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from illusion.lab.batch.advance import advance, chosen_at_random, dealt
from illusion.lab.batch.lanes import LANES_OF_A_BLOCK, Lanes, Number, Outcome, Table, Terms


def free_memory() -> int:
    """Of this machine, in bytes; more than there can be where the system does not tell."""
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return 2**62


class WithNumpy:
    """Needs nothing but numpy; each operation is a pass over all lanes."""

    def on_device(self, arrays: Any) -> Any:
        return arrays

    def free_memory(self) -> int:
        return free_memory()

    def made_fast(self, function: Callable[..., Any]) -> Callable[..., Any]:
        return function

    def deal(self, lanes: Lanes, terms: Terms) -> Lanes:
        everywhere = np.ones(lanes.lane.size, np.bool_)
        cards, turn = dealt(lanes, np.arange(lanes.lane.size, dtype=np.int32), terms, everywhere)
        return lanes._replace(cards=cards, turn=turn)

    def step(self, lanes: Lanes, actions: Number, terms: Terms, shares: Table, *, renew: bool) -> tuple[Lanes, Outcome]:
        at = np.arange(lanes.lane.size, dtype=np.int32)
        cards, turn, did = advance(lanes, at, np.asarray(actions, np.int32), terms, shares, int(renew))
        return lanes._replace(cards=cards, turn=turn), did

    def play_randomly(self, lanes: Lanes, steps: int, terms: Terms, shares: Table) -> tuple[Lanes, int]:
        games = 0
        for _ in range(steps):
            lanes, did = self.step(lanes, chosen_at_random(lanes, terms), terms, shares, renew=True)
            games += int(np.count_nonzero(did.ending))
        return lanes, games


class WithJax:
    """XLA fuses the operations of a step, on the processor or on an accelerator, and plays many steps in one go; on a
    GPU, random play is one kernel (`in_kernel.py`)."""

    def __init__(self) -> None:
        import jax  # noqa: PLC0415  (an extra)

        self._jax = jax
        self.deal = jax.jit(self._deal, static_argnums=1)
        self._step = jax.jit(self._advance, static_argnums=(2, 4))
        self._play = jax.jit(self._play_on, static_argnums=(1, 2), donate_argnums=0)
        self._play_in_kernel = _kernel(jax) if jax.default_backend() == "gpu" else None

    def on_device(self, arrays: Any) -> Any:
        return self._jax.tree.map(self._jax.numpy.asarray, arrays)

    def free_memory(self) -> int:
        """Of the accelerator, if there is one."""
        known = self._jax.devices()[0].memory_stats()
        if not known or "bytes_limit" not in known:
            return free_memory()
        return int(known["bytes_limit"]) - int(known.get("bytes_in_use", 0))

    def made_fast(self, function: Callable[..., Any]) -> Callable[..., Any]:
        fast: Callable[..., Any] = self._jax.jit(function)
        return fast

    def step(self, lanes: Lanes, actions: Number, terms: Terms, shares: Table, *, renew: bool) -> tuple[Lanes, Outcome]:
        made: tuple[Lanes, Outcome] = self._step(lanes, self._jax.numpy.asarray(actions), terms, shares, renew)
        return made

    def play_randomly(self, lanes: Lanes, steps: int, terms: Terms, shares: Table) -> tuple[Lanes, int]:
        """The state given is used up: its memory is taken for the one returned."""
        many = lanes.lane.shape[0]
        fits = many % LANES_OF_A_BLOCK == 0 and many * terms.pile < 2**31  # a kernel counts places in 32 bits
        play = self._play_in_kernel if self._play_in_kernel is not None and fits else self._play
        after, games = play(lanes, steps, terms, shares)
        return after, int(games)

    def _deal(self, lanes: Lanes, terms: Terms) -> Lanes:
        cards, turn = dealt(lanes, self._at(lanes), terms, self._at(lanes) >= 0)
        return lanes._replace(cards=cards, turn=turn)

    def _advance(
        self,
        lanes: Lanes,
        actions: Number,
        terms: Terms,
        shares: Table,
        renew: bool,  # noqa: FBT001
    ) -> tuple[Lanes, Outcome]:
        cards, turn, did = advance(lanes, self._at(lanes), actions.astype(np.int32), terms, shares, int(renew))
        return lanes._replace(cards=cards, turn=turn), did

    def _play_on(self, lanes: Lanes, steps: int, terms: Terms, shares: Table) -> tuple[Lanes, Number]:
        one_more, none = partial(self._one_more, terms, shares), np.int32(0)
        played: tuple[Lanes, Number] = self._jax.lax.fori_loop(0, steps, one_more, (lanes, none))
        return played

    def _one_more(self, terms: Terms, shares: Table, _: Number, so_far: tuple[Lanes, Number]) -> tuple[Lanes, Number]:
        lanes, games = so_far
        after, did = self._advance(lanes, chosen_at_random(lanes, terms), terms, shares, renew=True)
        return after, games + (did.ending > 0).sum(dtype=np.int32)

    def _at(self, lanes: Lanes) -> Number:
        return self._jax.numpy.arange(lanes.lane.shape[0], dtype=np.int32)


def _kernel(jax: Any) -> Callable[..., tuple[Lanes, Number]] | None:
    """None with a JAX that cannot make such kernels."""
    try:
        from illusion.lab.batch.in_kernel import play_randomly  # noqa: PLC0415  (an extra)
    except ImportError:
        return None
    made: Callable[..., tuple[Lanes, Number]] = jax.jit(play_randomly, static_argnums=(1, 2), donate_argnums=0)
    return made
