"""The few operations that differ between one lane and many; everything else in this folder is written once with them.

Called from Python they work on whole arrays of numpy or JAX and change nothing in place. Compiled by numba
(`compiled.py` says how) they work on one lane, and write into its tables.
"""

from typing import Any

import numpy as np

from illusion.lab.batch.lanes import Number, Table


class InPlace:
    """A table that is changed where it lies, by a backend whose lanes take one step after another."""

    def put(self, at: Number, index: Number, value: Number, when: Number) -> None:
        raise NotImplementedError

    def insert(self, at: Number, index: Number, value: Number, length: Number, when: Number) -> None:
        raise NotImplementedError


def namespace(array: Any) -> Any:
    """numpy for its arrays, jax.numpy for those of JAX (the array API standard's way to ask)."""
    return np if isinstance(array, np.ndarray | np.generic) else array.__array_namespace__()


def where(condition: Number, yes: Number, no: Number) -> Number:
    return namespace(condition).where(condition, yes, no)


def some(condition: Number) -> bool:
    """Whether it may hold in any lane; if not, what is done only there can be left out."""
    return bool(condition.any()) if isinstance(condition, np.ndarray) else True


def word(number: Number) -> Number:
    """Modulo 2**32, as a word of a random generator."""
    return number if number.dtype == np.uint32 else number.astype(np.uint32)


def whole(number: Number) -> Number:
    """A word, or a truth, as a number with a sign."""
    return number.astype(np.int32)


def take(table: Table, at: Number, index: Number) -> Number:
    """One number of each lane's line."""
    return table[at, index].astype(np.int32)


def put(table: Table, at: Number, index: Number, value: Number, when: Number) -> Table:
    """One number of each lane's line replaced, in the lanes where `when` holds."""
    if isinstance(table, InPlace):
        table.put(at, index, value, when)
        return table
    xp = namespace(table)
    here = (xp.arange(table.shape[1], dtype=np.int32) == index[:, None]) & when[:, None]
    return xp.where(here, value[:, None].astype(table.dtype), table)


def insert(table: Table, at: Number, index: Number, value: Number, length: Number, when: Number) -> Table:
    """A number put into each lane's line before `index`; the rest of `length` numbers moves up by one."""
    if isinstance(table, InPlace):
        table.insert(at, index, value, length, when)
        return table
    xp = namespace(table)
    column = xp.arange(table.shape[1], dtype=np.int32)
    index = xp.where(when, index, table.shape[1])[:, None]
    moved = xp.concatenate([table[:, :1], table[:, :-1]], axis=1)
    kept = xp.where(column > index, moved, table)
    return xp.where(column == index, value[:, None].astype(table.dtype), kept)
