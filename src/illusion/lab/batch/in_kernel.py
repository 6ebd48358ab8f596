"""Random play in one kernel of an accelerator: `step.py` as it is, traced by Pallas for a block of lanes.

XLA writes the whole state to memory at every step. A kernel keeps the turn in registers and the tables in the nearest
cache for as many steps as it plays. Like numba's loops it changes the tables in place, so here are only the tables and
the loop. Tables lie on their side, a line for each place: lanes that look at the same place read neighbouring bytes.
"""

from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas
from jax.experimental.pallas.triton import CompilerParams, load, store

from illusion.lab.batch.advance import advance, chosen_at_random
from illusion.lab.batch.lanes import LANES_OF_A_BLOCK, Cards, Lanes, LaneTurn, Number, Table, Terms
from illusion.lab.batch.primitives import InPlace


class Lying(InPlace):
    """A table of a block's lanes that lies on its side."""

    def __init__(self, reference: Any) -> None:
        self._reference = reference

    def __getitem__(self, where: tuple[Number, Number]) -> Number:
        at, index = where
        return load(self._reference.at[index, at])

    def put(self, at: Number, index: Number, value: Number, when: Number) -> None:
        store(self._reference.at[index, at], value.astype(self._reference.dtype), mask=when)

    def insert(self, at: Number, index: Number, value: Number, length: Number, when: Number) -> None:
        """All lanes move the same place up at once, from the end of the longest row on."""
        farthest = jnp.where(when, length, 0).max()

        def move(done: Number, _: None) -> None:
            place = jnp.broadcast_to(farthest - done, at.shape)
            here = when & (place > index) & (place <= length)
            moved = load(self._reference.at[place - 1, at], mask=here, other=0)
            store(self._reference.at[place, at], moved, mask=here)

        jax.lax.fori_loop(0, farthest, move, None)
        self.put(at, index, value, when)


def play_randomly(
    lanes: Lanes, steps: int, terms: Terms, shares: Table, *, block: int = LANES_OF_A_BLOCK, interpret: bool = False
) -> tuple[Lanes, Number]:
    """As many decisions in every lane, and how many games ended. The lanes must be whole blocks."""
    many = lanes.lane.shape[0]
    given = Lanes(Cards(*(table.T for table in lanes.cards)), lanes.turn, lanes.seed, lanes.lane)
    leaves, kind = jax.tree.flatten(given)
    specs = [_of_a_block(leaf, block) for leaf in leaves]
    whole = pallas.BlockSpec(shares.shape, lambda _: (0, 0))
    *after, games = pallas.pallas_call(
        partial(_played, kind, steps, terms),
        grid=(many // block,),
        in_specs=[*specs, whole],
        out_specs=[*specs, _of_a_block(lanes.lane, block)],
        out_shape=[*(jax.ShapeDtypeStruct(leaf.shape, leaf.dtype) for leaf in leaves), _counts(many)],
        input_output_aliases={at: at for at in range(len(leaves))},
        compiler_params=CompilerParams(num_warps=block // LANES_OF_A_BLOCK, num_stages=1),
        interpret=interpret,
    )(*leaves, shares)
    now = jax.tree.unflatten(kind, after)
    return now._replace(cards=Cards(*(table.T for table in now.cards))), games.sum()


def _counts(many: int) -> jax.ShapeDtypeStruct:
    return jax.ShapeDtypeStruct((many,), np.int32)


def _of_a_block(array: Any, block: int) -> pallas.BlockSpec:
    if array.ndim == 1:
        return pallas.BlockSpec((block,), lambda number: (number,))
    return pallas.BlockSpec((array.shape[0], block), lambda number: (0, number))


def _played(kind: Any, steps: int, terms: Terms, *references: Any) -> None:
    """The kernel of one block. What comes in is not looked at: it lies where what goes out does."""
    leaves = kind.num_leaves
    shares, ended = references[leaves], references[-1]
    kept: Lanes = jax.tree.unflatten(kind, references[leaves + 1 : -1])
    cards = Cards(*map(Lying, kept.cards))
    at = jnp.arange(ended.shape[0], dtype=np.int32)
    seed, lane = kept.seed[...], kept.lane[...]

    def once(_: Number, so_far: tuple[LaneTurn, Number]) -> tuple[LaneTurn, Number]:
        turn, games = so_far
        now = Lanes(cards, turn, seed, lane)
        _, turn, did = advance(now, at, chosen_at_random(now, terms), terms, shares, 1)
        return turn, games + (did.ending > 0).astype(np.int32)

    turn = LaneTurn(*(numbers[...] for numbers in kept.turn))
    turn, games = jax.lax.fori_loop(0, steps, once, (turn, jnp.zeros_like(at)))
    for reference, numbers in zip(kept.turn, turn, strict=True):
        reference[...] = numbers
    ended[...] = games
