"""The backend that numba compiles: `step.py` as it is, for one lane, in a loop over the lanes.

Here are only the primitives of one lane and the loops. A loop works on a copy of the state, which it changes in place.
"""

import hashlib
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import numpy as np
from numba import njit
from numba.extending import overload, register_jitable

from illusion.lab.batch import advance as decisions
from illusion.lab.batch import lanes as lanes_
from illusion.lab.batch import lots, primitives, step
from illusion.lab.batch.lanes import Cards, Lanes, LaneTurn, Number, Outcome, Table, Terms
from illusion.lab.batch.on_arrays import free_memory


def _where(condition: Number, yes: Number, no: Number) -> Number:
    return yes if condition else no


def _some(condition: Number) -> Number:
    return condition


def _word(number: Number) -> Number:
    return np.uint32(number)


def _whole(number: Number) -> Number:
    return np.int64(number)


def _take(table: Table, at: Number, index: Number) -> Number:
    return np.int64(table[np.uintp(at), np.uintp(index)])


def _put(table: Table, at: Number, index: Number, value: Number, when: Number) -> Table:
    if when:
        table[np.uintp(at), np.uintp(index)] = value
    return table


def _insert(table: Table, at: Number, index: Number, value: Number, length: Number, when: Number) -> Table:
    if when:
        line = table[np.uintp(at)]
        for place in range(length, index, -1):
            line[np.uintp(place)] = line[np.uintp(place - 1)]
        line[np.uintp(index)] = value
    return table


def _for_one_lane(primitive: Callable[..., Any], written: Callable[..., Any]) -> None:
    """Where numba compiles a call of the primitive, it takes what is written here for one lane."""
    overload(primitive, jit_options={"forceinline": True}, strict=False)(lambda *_: written)


_for_one_lane(primitives.where, _where)
_for_one_lane(primitives.some, _some)
_for_one_lane(primitives.word, _word)
_for_one_lane(primitives.whole, _whole)
_for_one_lane(primitives.take, _take)
_for_one_lane(primitives.put, _put)
_for_one_lane(primitives.insert, _insert)


def _lane(lanes: Lanes, at: int) -> Lanes:
    turn = lanes.turn
    return Lanes(
        lanes.cards,
        LaneTurn(
            np.int64(turn.round[at]),
            np.int64(turn.drawn[at]),
            np.int64(turn.length[at]),
            np.int64(turn.to_play[at]),
            np.int64(turn.arrows_won[at]),
            np.int64(turn.broke[at]),
            np.int64(turn.decisions[at]),
            np.int64(turn.dealt[at]),
        ),
        lanes.seed[at],
        lanes.lane[at],
    )


def _keep(lanes: Lanes, at: int, turn: LaneTurn) -> None:
    kept = lanes.turn
    kept.round[at] = turn.round
    kept.drawn[at] = turn.drawn
    kept.length[at] = turn.length
    kept.to_play[at] = turn.to_play
    kept.arrows_won[at] = turn.arrows_won
    kept.broke[at] = turn.broke
    kept.decisions[at] = turn.decisions
    kept.dealt[at] = turn.dealt


for _function in (
    lots._mixed,
    lots.random_words,
    lots.below,
    step.choices,
    step._falls,
    step._doubted,
    step._turned_up,
    step.step,
    step.begin,
    step.random_action,
    decisions.dealt,
    decisions.advance,
    decisions.chosen_at_random,
    _lane,
    _keep,
):
    register_jitable(forceinline=True)(_function)


def compiled(loop: Callable[..., Any], *made_of: ModuleType) -> Any:
    """numba keeps what it compiled under the loop's name until the loop's file changes. So the name gets a hash of what
    else the loop is made of: when one of those files changes, say a class in it is renamed, it is compiled again."""
    files = [__file__, *(str(module.__file__) for module in (lanes_, lots, primitives, step, decisions, *made_of))]
    sources = hashlib.sha256(b"".join(Path(file).read_bytes() for file in files)).hexdigest()
    loop.__qualname__ = f"{loop.__qualname__}_{sources[:16]}"
    try:
        return njit(loop, cache=True, error_model="numpy")
    except RuntimeError:  # no folder to keep it in: neither beside this file nor in the user's cache
        return njit(loop, error_model="numpy")


def _deal_all(lanes: Lanes, terms: Terms) -> None:
    for at in range(lanes.lane.size):
        _, turn = decisions.dealt(_lane(lanes, at), at, terms, True)  # noqa: FBT003
        _keep(lanes, at, turn)


def _step_all(lanes: Lanes, actions: Table, terms: Terms, shares: Table, renew: int, did: Outcome) -> None:
    for at in range(lanes.lane.size):
        _, turn, outcome = decisions.advance(_lane(lanes, at), at, np.int64(actions[at]), terms, shares, renew)
        _keep(lanes, at, turn)
        did.legal[at] = outcome.legal
        did.taker[at] = outcome.taker
        did.returned[at] = outcome.returned
        did.ending[at] = outcome.ending
        did.arrows_won[at] = outcome.arrows_won


def _play_all(lanes: Lanes, steps: int, terms: Terms, shares: Table) -> int:
    games = 0
    for at in range(lanes.lane.size):
        now = _lane(lanes, at)
        for _ in range(steps):
            action = decisions.chosen_at_random(now, terms)
            cards, turn, outcome = decisions.advance(now, at, action, terms, shares, 1)
            games += outcome.ending > 0
            now = Lanes(cards, turn, now.seed, now.lane)
        _keep(lanes, at, now.turn)
    return games


_deal: Final = compiled(_deal_all)
_step: Final = compiled(_step_all)
_play: Final = compiled(_play_all)


class Compiled:
    """numba's loops, on copies of the state."""

    def on_device(self, arrays: Any) -> Any:
        return arrays

    def free_memory(self) -> int:
        return free_memory()

    def made_fast(self, function: Callable[..., Any]) -> Callable[..., Any]:
        return function

    def deal(self, lanes: Lanes, terms: Terms) -> Lanes:
        after = _copied(lanes)
        _deal(after, terms)
        return after

    def step(self, lanes: Lanes, actions: Number, terms: Terms, shares: Table, *, renew: bool) -> tuple[Lanes, Outcome]:
        after, many = _copied(lanes), lanes.lane.size
        did = Outcome(np.zeros(many, np.bool_), *(np.zeros(many, np.int32) for _ in range(4)))
        _step(after, np.asarray(actions, np.int32), terms, shares, int(renew), did)
        return after, did

    def play_randomly(self, lanes: Lanes, steps: int, terms: Terms, shares: Table) -> tuple[Lanes, int]:
        after = _copied(lanes)
        return after, _play(after, steps, terms, shares)


def _copied(lanes: Lanes) -> Lanes:
    cards, turn = (array.copy() for array in lanes.cards), (array.copy() for array in lanes.turn)
    return Lanes(Cards(*cards), LaneTurn(*turn), lanes.seed, lanes.lane)
